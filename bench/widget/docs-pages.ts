import { setTimeout as delay } from "node:timers/promises";

import { z } from "zod";

import type { Engine, EnginePage, PageUsage } from "../../test/engines/drivers/index.js";
import { callOf, limited } from "../engine-page.js";
import type { BeforeClick, ClickToOutput } from "../pages/bench-page.js";
import { WIDGET_SCRIPT, type DocsPageKind, type Example } from "./docs-page.js";

/** Milliseconds after its load event in which a page does what it does by itself. */
const QUIET = 500;

const business = {
  requests: z.number(),
  bytes: z.number().nullable(),
  longTasks: z.number().nullable(),
  longestTask: z.number().nullable(),
  layoutShift: z.number().nullable(),
};
const Before = z.object({
  ...business,
  domContentLoaded: z.number(),
  load: z.number(),
  firstPaint: z.number().nullable(),
});
const Run = z.object({ ...business, time: z.number(), stretch: z.number() });

/** Which page of which site. */
export interface DocsAddress {
  /** Of the server. */
  readonly url: string;
  readonly kind: DocsPageKind;
  readonly page: "first" | "next" | "long";
}

/** A page of documentation in a tab of its own, with the probe in it. */
export class DocsPage {
  readonly #engine: Engine;
  readonly #page: EnginePage;
  readonly #kind: DocsPageKind;

  private constructor(engine: Engine, page: EnginePage, kind: DocsPageKind) {
    this.#engine = engine;
    this.#page = page;
    this.#kind = kind;
  }

  /**
   * The probe comes when the page has long been loaded.
   *
   * @param tab - goes to the page. Default: a new one. WebKitGTK opens those behind others, where no cell comes near what is seen.
   */
  static async open(engine: Engine, address: DocsAddress, tab?: EnginePage): Promise<DocsPage> {
    const page = tab ?? (await engine.openPage(addressOf(address)));
    if (tab !== undefined) await tab.goto(addressOf(address));
    await page.evaluate(limited(LOADED));
    await delay(QUIET);
    await page.evaluate(
      limited(`(globalThis.started = performance.now(), import("/widget-probe.js")).then(() => true)`),
    );
    return new DocsPage(engine, page, address.kind);
  }

  async before(): Promise<BeforeClick> {
    return Before.parse(await this.#page.evaluate(limited(callOf("widgetProbe.before"))));
  }

  /** Clicks on Run, as a person would where the driver reaches into a cell, and waits for the output. */
  async run({ id, prints }: Example): Promise<ClickToOutput> {
    await this.#page.evaluate(limited(callOf("widgetProbe.reach", id)));
    await this.#page.evaluate(callOf("widgetProbe.watch", id, prints));
    if (this.#engine.name === "chromium") await this.#page.click(`#${id} ${RUN[this.#kind]}`);
    else await this.#page.evaluate(callOf("widgetProbe.click", id));
    return Run.parse(await this.#page.evaluate(limited(callOf("widgetProbe.seen"))));
  }

  async importTime(): Promise<number> {
    return z.number().parse(await this.#page.evaluate(limited(callOf("widgetProbe.importTime", WIDGET_SCRIPT))));
  }

  close(): Promise<void> {
    return this.#page.close();
  }
}

/** Opens a page, does something with it, and closes it. */
export async function inDocsPage<T>(
  engine: Engine,
  { tab, ...address }: DocsAddress & { readonly tab?: EnginePage },
  work: (page: DocsPage) => Promise<T>,
): Promise<T> {
  const page = await DocsPage.open(engine, address, tab);
  try {
    return await work(page);
  } finally {
    await page.close();
  }
}

/** What a page has used by itself, with nothing of the benchmark in it. Null where the engine does not tell it. */
export async function usageOf(engine: Engine, address: DocsAddress): Promise<PageUsage | null> {
  const page = await engine.openPage(addressOf(address), { counts: true });
  try {
    if (page.usage === undefined) return null;
    await delay(QUIET);
    return await page.usage();
  } finally {
    await page.close();
  }
}

const RUN: Readonly<Record<DocsPageKind, string>> = { widget: "[data-do=run]", plain: "button", bare: "button" };

const LOADED = `new Promise((resolve) => {
  const look = () => (document.readyState === "complete" ? resolve(true) : setTimeout(look, 10));
  look();
})`;

/** Where the server has the sites. */
export const SITES_PATH = "/sites/";

function addressOf({ url, kind, page }: DocsAddress): string {
  return `${url.replace(/\/$/, "")}${SITES_PATH}${kind}/${page}.html`;
}
