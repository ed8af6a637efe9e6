import { rm } from "node:fs/promises";

import { buildPage } from "./build-page.js";
import type { DrivenPage, Driver } from "./drivers/driver.js";
import type { PageReport } from "./page/report.js";
import { startListeners, type Listeners } from "./servers/listeners.js";
import { servePage } from "./servers/page-server.js";

/** Milliseconds for an attempt and for a look at the page. Whoever needs more counts as stalled. */
const LIMIT = 30_000;

/** Milliseconds after which a page is taken for stalled when it was given a reason. */
const SILENCE = 2000;

/** One pass over the attempts: listeners, the page's server, and a page in one engine. */
export interface Pass {
  readonly listeners: Listeners;
  /** @throws {StalledError} */
  attempt(title: string, environment: "sealed" | "control"): Promise<PageReport>;
  /** Asks the page something. @throws {StalledError} */
  ask(expression: string): Promise<unknown>;
  /** Resolves once the page has not answered for two seconds. */
  untilStalled(): Promise<void>;
  /** Dialogs, downloads and windows since the last call. */
  takeEvents(): string[];
  /** A fresh page in the place of one that does not answer. */
  reopen(): Promise<void>;
  close(): Promise<void>;
}

/** The page did not answer in time. */
export class StalledError extends Error {
  override readonly name = "StalledError";
}

export async function openPass(driver: Driver): Promise<Pass> {
  const folder = await buildPage();
  const listeners = await startListeners();
  // Names of hosts are written small.
  const secret = `secret-${Math.random().toString(36).slice(2)}`;
  const server = await servePage(folder, { listeners, secret });
  const { port, rawPort, udpPort } = listeners;
  const query = new URLSearchParams({ port: String(port), rawPort: String(rawPort), udpPort: String(udpPort), secret });
  const url = `${server.origin}/?${query.toString()}`;
  let page: DrivenPage = await open();

  async function open(): Promise<DrivenPage> {
    const opened = await driver.openPage(url);
    await within(opened.evaluate("escapePage.then(() => true)"));
    return opened;
  }
  const ask = (expression: string): Promise<unknown> => within(page.evaluate(expression));
  return {
    listeners,
    ask,
    attempt: async (title, environment) => {
      const call = `escapePage.then((page) => page.attempt(${JSON.stringify(title)}, "${environment}"))`;
      return (await ask(call)) as PageReport;
    },
    untilStalled: async () => {
      for (;;) {
        const answer = page.evaluate("true").catch(() => false);
        const late = new Promise<string>((resolve) => setTimeout(resolve, SILENCE, "late"));
        if ((await Promise.race([answer, late])) === "late") return;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    takeEvents: () => page.takeEvents(),
    reopen: async () => {
      await page.close();
      page = await open();
    },
    close: async () => {
      await page.close();
      await server.close();
      await listeners.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function within<T>(promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new StalledError(`The page did not answer within ${String(LIMIT / 1000)} s.`));
    }, LIMIT);
    void promise.then(resolve, reject).finally(() => {
      clearTimeout(timer);
    });
  });
}
