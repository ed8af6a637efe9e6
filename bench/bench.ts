import { join } from "node:path";

import { chromium, type Browser, type BrowserContext, type Page } from "@playwright/test";

import { chromiumFlags, ensureChromium } from "../.ci/browser.mjs";
import { callSteps, openingStages, stepsTable, type Steps } from "./breakdown.js";
import { buildPages, root } from "./build-pages.js";
import { compare, type Claim, type Effort, type NotRun, type Outcome } from "./comparison.js";
import { callComparison, callComparisons, type CallComparison } from "./comparisons/calls.js";
import { openingComparison, openingSets, visit, type OpeningSet } from "./comparisons/opening.js";
import { describeMachine, type Machine } from "./machine.js";
import type { Opening } from "./pages/bench-page.js";
import { startServer, type BenchServer, type ServerOptions } from "./server.js";
import { rowOf } from "./report.js";

export interface BenchParts {
  readonly effort: Effort;
  /** Part of a name, in lower case; empty for everything. */
  readonly only: string;
  /** An empty folder for the profile of the browser that comes back. */
  readonly profileFolder: string;
  readonly say: (line: string) => void;
}

export interface BenchReport {
  readonly machine: Machine;
  readonly outcomes: readonly Outcome[];
  /** Tables in Markdown, by the name of their section in docs/performance.md. */
  readonly sections: ReadonlyMap<string, string>;
}

/** Bytes per second of the server of first visits. */
const RATE = 10_000_000;

/** Visits that fill the caches, those of compiled code included. */
const WARM_UP_VISITS = 3;

interface RepeatVisits {
  readonly context: BrowserContext;
  readonly server: BenchServer;
  readonly sets: readonly OpeningSet[];
  readonly wantsStages: boolean;
}

/** One run of the benchmark. One browser at a time, and one page in it. */
export class Bench {
  readonly #parts: BenchParts;
  readonly #outcomes: Outcome[] = [];
  readonly #sections = new Map<string, string>();
  #version = "";

  constructor(parts: BenchParts) {
    this.#parts = parts;
  }

  async run(): Promise<BenchReport> {
    const { say } = this.#parts;
    say("Building the pages.");
    const pages = await buildPages();
    const folders: ServerOptions["folders"] = [
      ["/pyodide/", join(root, "node_modules/pyodide")],
      ["/pyscript/", join(root, "node_modules/@pyscript/core/dist")],
      // At the root, so that its scope is the whole site.
      ["/coincident-sw.js", join(root, "node_modules/coincident/dist/sw.js")],
      ["/", pages],
    ];
    const executablePath = await ensureChromium(say);
    const launch = { executablePath, args: chromiumFlags };
    await this.#measureFirstVisits(folders, () => chromium.launch(launch));
    await this.#measureRepeatVisits(folders, () => chromium.launchPersistentContext(this.#parts.profileFolder, launch));
    await this.#measureCalls(folders, () => chromium.launch(launch));
    return { machine: describeMachine(this.#version), outcomes: this.#outcomes, sections: this.#sections };
  }

  async #measureFirstVisits(folders: ServerOptions["folders"], launch: () => Promise<Browser>): Promise<void> {
    const sets = openingSets.filter((set) => set.visit === "first" && this.#wants(...Object.values(set.claims)));
    if (sets.length === 0) return;
    const server = await startServer({ folders, rate: RATE });
    const browser = await launch();
    try {
      this.#version = browser.version();
      const open = async (page: string): Promise<Opening> => {
        const context = await browser.newContext();
        try {
          return await visit(context, server.url + page);
        } finally {
          await context.close();
        }
      };
      for (const set of sets) await this.#compare(openingComparison(set, open));
    } finally {
      await browser.close();
      await server.close();
    }
  }

  async #measureRepeatVisits(folders: ServerOptions["folders"], launch: () => Promise<BrowserContext>): Promise<void> {
    const sets = openingSets.filter((set) => set.visit === "repeat" && this.#wants(...Object.values(set.claims)));
    const wantsStages = "breakdown".includes(this.#parts.only);
    if (sets.length === 0 && !wantsStages) return;
    const server = await startServer({ folders });
    const context = await launch();
    try {
      this.#version = context.browser()?.version() ?? this.#version;
      await this.#visitAgain({ context, server, sets, wantsStages });
    } finally {
      await context.close();
      await server.close();
    }
  }

  async #visitAgain({ context, server, sets, wantsStages }: RepeatVisits): Promise<void> {
    const visits = new Map<string, Opening[]>();
    const open = async (page: string): Promise<Opening> => {
      const opening = await visit(context, server.url + page);
      visits.set(page, [...(visits.get(page) ?? []), opening]);
      return opening;
    };
    const pages = ["open-vitrine.html?sandboxed", "open-vitrine.html?local", "open-bare.html"];
    for (let count = 0; count < WARM_UP_VISITS; count++) for (const page of pages) await open(page);
    visits.clear();
    for (const set of sets) await this.#compare(openingComparison(set, open));
    if (!wantsStages) return;
    const columns = new Map<string, Steps>();
    for (const [column, page] of [
      ["sandboxed", "open-vitrine.html?sandboxed"],
      ["local", "open-vitrine.html?local"],
    ] as const) {
      if (!visits.has(page)) await open(page);
      columns.set(column, openingStages(visits.get(page) ?? []));
    }
    this.#sections.set("opening", stepsTable("a repeat visit, since its scripts began to load", columns));
  }

  async #measureCalls(folders: ServerOptions["folders"], launch: () => Promise<Browser>): Promise<void> {
    const wanted = callComparisons.filter(({ claim }) => this.#wants(claim));
    const wantsSteps = "breakdown".includes(this.#parts.only);
    if (wanted.length === 0 && !wantsSteps) return;
    const browser = await launch();
    const columns = new Map<string, Steps>();
    try {
      this.#version = browser.version();
      for (const isolation of ["isolated", "plain"] as const) {
        const here = wanted.filter((comparison) => comparison.isolation === isolation);
        if (here.length === 0 && !wantsSteps) continue;
        const server = await startServer({ folders, isolated: isolation === "isolated" });
        const page = await openCallsPage(browser, server);
        const [column, transport] =
          isolation === "isolated" ? (["shared memory", "shared-memory"] as const) : (["JSPI", "jspi"] as const);
        if (wantsSteps) columns.set(column, await callSteps(page, transport));
        for (const comparison of here) await this.#compareCalls(page, comparison);
        await page.close();
        await server.close();
      }
    } finally {
      await browser.close();
    }
    if (columns.size > 0) this.#sections.set("call", stepsTable("one tool call, page host", columns));
  }

  async #compareCalls(page: Page, comparison: CallComparison): Promise<void> {
    const { claim } = comparison;
    try {
      await this.#compare(await callComparison(page, comparison, this.#parts.effort));
    } catch (error) {
      this.#add([notRun(claim, error)]);
    }
  }

  async #compare<Figure extends string>(comparison: Parameters<typeof compare<Figure>>[0]): Promise<void> {
    this.#add(await compare(comparison, this.#parts.effort));
  }

  #add(outcomes: readonly Outcome[]): void {
    this.#outcomes.push(...outcomes);
    for (const outcome of outcomes) this.#parts.say(rowOf(outcome).join("  "));
  }

  #wants(...claims: readonly Claim[]): boolean {
    return claims.some(({ name }) => name.toLowerCase().includes(this.#parts.only));
  }
}

async function openCallsPage(browser: Browser, server: BenchServer): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(`${server.url}calls.html`);
  await page.evaluate(async () => {
    // coincident reloads the page when its service worker is new.
    await navigator.serviceWorker.register("/coincident-sw.js");
    await navigator.serviceWorker.ready;
  });
  await page.reload();
  await page.waitForFunction(() => globalThis.calls !== undefined);
  return page;
}

function notRun(claim: Claim, error: unknown): NotRun {
  const message = error instanceof Error ? error.message : String(error);
  return { kind: "not run", ...claim, reason: message.split("\n")[0] ?? message };
}
