import { join } from "node:path";

import { z } from "zod";

import {
  EngineMissingError,
  launchEngine,
  type Engine,
  type EngineName,
  type EnginePage,
} from "../test/engines/drivers/index.js";
import { openingMoments, stepsTable, type Steps } from "./breakdown.js";
import { root } from "./build-pages.js";
import { compare, notRun, type Claim, type Comparison, type Effort, type Outcome } from "./comparison.js";
import { agentComparison, agentComparisons } from "./comparisons/agents.js";
import { callComparison, callComparisons, needOf, type Isolation, type Need } from "./comparisons/calls.js";
import { importComparison, importComparisons } from "./comparisons/imports.js";
import { interruptComparison, interruptComparisons } from "./comparisons/interrupts.js";
import { loadComparisons, LoadPages } from "./comparisons/load.js";
import { openingComparison, openingSets, visit, type Opened, type OpeningSet } from "./comparisons/opening.js";
import { spareComparison, spareSets } from "./comparisons/spares.js";
import { toolsComparison, toolsComparisons } from "./comparisons/tools.js";
import { writeCodeComparison, writeCodeComparisons } from "./comparisons/write-code.js";
import { BenchPage, callOf } from "./engine-page.js";
import type { Measuring } from "./measuring.js";
import type { BenchPart } from "./options.js";
import { measurePackages } from "./packages/measure-packages.js";
import { rowOf } from "./report.js";
import { startServer, type BenchServer, type ServerOptions } from "./server.js";
import { githubDocumentPath } from "./tokens/documents.js";
import { measureWidget } from "./widget/measure-widget.js";

export interface BenchParts {
  readonly engine: EngineName;
  /** Where the built pages lie. */
  readonly pages: string;
  readonly effort: Effort;
  /** Part of a name, in lower case; empty for everything. */
  readonly only: string;
  readonly parts: readonly BenchPart[];
  /** An empty folder for the profile of the browser that comes back. */
  readonly profileFolder: string;
  readonly say: (line: string) => void;
}

/** What came out in one engine. */
export interface BenchReport {
  readonly engine: EngineName;
  /** The browser's own name and version. */
  readonly version: string;
  readonly outcomes: ReadonlyMap<BenchPart, readonly Outcome[]>;
  /** Tables in Markdown: where the time goes. */
  readonly breakdowns: ReadonlyMap<"opening" | "call", string>;
}

/** Bytes per second of the server of first visits. */
const RATE = 10_000_000;

/** Visits that fill the caches, those of compiled code included. */
const WARM_UP_VISITS = 3;

/** Visits whose moments are told. */
const MOMENT_VISITS = 5;

/** Milliseconds for a claim about a fixed limit, which is far from it or not. */
const LIMIT_CLAIM_TIME = 15_000;

/** For some seventy attempts of a second or more each, most of which are far from the limit. */
const LOAD_EFFORT: Effort = { confidence: 0.9, atLeast: 5, timeLimit: 5000, sampleTime: 60 };

/** Milliseconds. */
const SERVICE_WORKER_LIMIT = 10_000;

const Missing = z.object({
  "shared memory": z.string().nullable(),
  JSPI: z.string().nullable(),
  "service worker": z.string().nullable(),
});

/** One run of the benchmark in one engine. One browser at a time, and one page in it. */
export class Bench {
  readonly #parts: BenchParts;
  readonly #folders: ServerOptions["folders"];
  readonly #outcomes = new Map<BenchPart, Outcome[]>();
  readonly #breakdowns = new Map<"opening" | "call", string>();
  #current: Outcome[] = [];
  #version = "";

  constructor(parts: BenchParts) {
    this.#parts = parts;
    this.#folders = [
      ["/pyodide/", join(root, "node_modules/pyodide")],
      ["/pyscript/", join(root, "node_modules/@pyscript/core/dist")],
      // At the root, so that its scope is the whole site.
      ["/coincident-sw.js", join(root, "node_modules/coincident/dist/sw.js")],
      ["/documents/github.json", githubDocumentPath()],
      ["/documents/star-trek.yaml", join(root, "node_modules/@readme/oas-examples/3.0/yaml/star-trek.yaml")],
      ["/", parts.pages],
    ];
  }

  /** @throws {EngineMissingError} */
  async run(): Promise<BenchReport> {
    for (const part of this.#parts.parts) {
      this.#current = [];
      this.#outcomes.set(part, this.#current);
      if (part === "tools") await this.#orSay("tools", () => this.#measureTools());
      else if (part === "agents") await this.#orSay(part, () => this.#measureAgents());
      else if (part === "write-code") await this.#orSay(part, () => this.#measureWriteCode());
      else if (part === "load") await this.#orSay("load", () => this.#measureLoad());
      else if (part === "packages") await this.#orSay(part, () => measurePackages(this.#measuring));
      else if (part === "widget") await this.#orSay(part, () => measureWidget(this.#measuring));
      else await this.#measureInterpreter();
    }
    const { engine } = this.#parts;
    return { engine, version: this.#version, outcomes: this.#outcomes, breakdowns: this.#breakdowns };
  }

  async #measureInterpreter(): Promise<void> {
    await this.#orSay("first visits", () => this.#measureFirstVisits());
    await this.#orSay("repeat visits", () => this.#measureRepeatVisits());
    await this.#orSay("isolated pages", () => this.#measurePages("isolated"));
    await this.#orSay("plain pages", () => this.#measurePages("plain"));
  }

  /** What goes wrong with the browser itself costs a part of the figures, and not those that are there. */
  async #orSay(part: string, measure: () => Promise<void>): Promise<void> {
    try {
      await measure();
    } catch (error) {
      if (error instanceof EngineMissingError) throw error;
      this.#parts.say(`${part} ended early: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  async #measureFirstVisits(): Promise<void> {
    const sets = this.#openingSets("first");
    if (sets.length === 0) return;
    const throttled = await startServer({ folders: this.#folders, rate: RATE });
    // Another site, where nothing is learnt about the one that is visited.
    const elsewhere = await startServer({ folders: this.#folders });
    const open = async (page: string): Promise<Opened> => {
      const engine = await this.#launch();
      try {
        const blank = await engine.openPage(`${elsewhere.url}blank.html`);
        await blank.evaluate("new Promise((resolve) => setTimeout(resolve, 500))");
        return await visit(engine, throttled.url + page);
      } finally {
        await engine.close();
      }
    };
    try {
      for (const set of sets) await this.#compare(openingComparison(set, open));
    } finally {
      await throttled.close();
      await elsewhere.close();
    }
  }

  async #measureRepeatVisits(): Promise<void> {
    const sets = this.#openingSets("repeat");
    const spares = spareSets.filter(({ claims }) => this.#wants(...Object.values(claims)));
    if (sets.length + spares.length === 0 && !this.#wantsBreakdown) return;
    const server = await startServer({ folders: this.#folders });
    const engine = await this.#launch(this.#parts.profileFolder);
    try {
      const blank = await engine.openPage(`${server.url}blank.html`);
      if (sets.length > 0 || this.#wantsBreakdown) await this.#visitAgain(engine, server, sets);
      const page = new BenchPage(engine, { url: server.url, name: "spares" });
      for (const set of spares) await this.#compare(spareComparison(set, page));
      await page.close();
      await blank.close();
    } finally {
      await engine.close();
      await server.close();
    }
  }

  async #visitAgain(engine: Engine, server: BenchServer, sets: readonly OpeningSet[]): Promise<void> {
    const visits = new Map<string, Opened[]>();
    const open = async (page: string): Promise<Opened> => {
      const opened = await visit(engine, server.url + page);
      visits.set(page, [...(visits.get(page) ?? []), opened]);
      return opened;
    };
    const pages = ["open-vitrine.html?sandboxed", "open-vitrine.html?local", "open-bare.html"];
    for (let count = 0; count < WARM_UP_VISITS; count++) for (const page of pages) await open(page);
    visits.clear();
    for (const set of sets) await this.#compare(openingComparison(set, open));
    if (!this.#wantsBreakdown) return;
    const columns = new Map<string, Steps>();
    for (const trust of ["sandboxed", "local"]) {
      const page = `open-vitrine.html?${trust}`;
      while ((visits.get(page) ?? []).length < MOMENT_VISITS) await open(page);
      const seen = visits.get(page) ?? [];
      columns.set(`${trust}, ${startsOf(seen)}`, openingMoments(seen));
    }
    this.#breakdowns.set("opening", stepsTable("a repeat visit, since its scripts began to load", columns));
  }

  /** Calls and interrupts, on pages that are cross-origin isolated or have no headers at all. */
  async #measurePages(isolation: Isolation): Promise<void> {
    const calls = callComparisons.filter((each) => each.isolation === isolation && this.#wants(each.claim));
    const interrupts = interruptComparisons.filter((each) => each.isolation === isolation && this.#wants(each.claim));
    if (calls.length + interrupts.length === 0 && !this.#wantsBreakdown) return;
    const server = await startServer({ folders: this.#folders, isolated: isolation === "isolated" });
    const engine = await this.#launch();
    try {
      const page = new BenchPage(engine, { url: server.url, name: "calls", prepare: controlByServiceWorker });
      const missing = Missing.parse(await page.ask(`globalThis.calls.missing()`));
      if (this.#wantsBreakdown) await this.#measureSteps(isolation, { page, missing });
      for (const each of calls) {
        const { claim } = each;
        const needs = [claim.subject, claim.baseline].flatMap((side) => needOf(side) ?? []);
        const reason = needs.map((need) => missing[need]).find((why) => why !== null) ?? null;
        if (reason !== null) this.#add([{ kind: "not available", ...claim, reason }]);
        else await this.#tryComparison(claim, () => callComparison(page, each, this.#parts.effort));
      }
      await page.close();
      const stopping = new BenchPage(engine, { url: server.url, name: "interrupts" });
      for (const each of interrupts) {
        const { claim, limit } = each;
        const lacks = isolation === "isolated" ? missing["shared memory"] : null;
        if (lacks !== null) this.#add([{ kind: "not available", ...claim, reason: lacks }]);
        else await this.#tryComparison(claim, () => interruptComparison(stopping, each), limit !== null);
      }
      await stopping.close();
    } finally {
      await engine.close();
      await server.close();
    }
  }

  async #measureTools(): Promise<void> {
    const tools = toolsComparisons.filter(({ claim }) => this.#wants(claim));
    const imports = importComparisons.filter(({ claim }) => this.#wants(claim));
    if (tools.length + imports.length === 0) return;
    const server = await startServer({ folders: this.#folders });
    const engine = await this.#launch();
    try {
      for (const each of tools) {
        // A page of its own: what dozens of sessions left behind slows those that follow.
        const crowded = new BenchPage(engine, { url: server.url, name: "tools" });
        const comparison = toolsComparison(crowded, each);
        await this.#tryComparison(each.claim, () => Promise.resolve(comparison), typeof each.baseline === "number");
        await crowded.close();
      }
      const page = new BenchPage(engine, { url: server.url, name: "imports" });
      for (const each of imports) {
        await this.#tryComparison(each.claim, () => Promise.resolve(importComparison(page, each)), true);
      }
      await page.close();
    } finally {
      await engine.close();
      await server.close();
    }
  }

  #measureAgents(): Promise<void> {
    return this.#measureOnPage({ name: "agents", global: "agents" }, agentComparisons, agentComparison);
  }

  #measureWriteCode(): Promise<void> {
    return this.#measureOnPage({ name: "write-code", global: "writeCode" }, writeCodeComparisons, writeCodeComparison);
  }

  /** What is compared with fixed limits, all of it on one page. */
  async #measureOnPage<Each extends { readonly claim: Claim }>(
    names: { readonly name: string; readonly global: string },
    comparisons: readonly Each[],
    comparisonOf: (page: BenchPage, each: Each) => Comparison,
  ): Promise<void> {
    const wanted = comparisons.filter(({ claim }) => this.#wants(claim));
    if (wanted.length === 0) return;
    const server = await startServer({ folders: this.#folders });
    const engine = await this.#launch();
    try {
      const page = new BenchPage(engine, { url: server.url, ...names });
      for (const each of wanted) {
        await this.#tryComparison(each.claim, () => Promise.resolve(comparisonOf(page, each)), true);
      }
      await page.close();
    } finally {
      await engine.close();
      await server.close();
    }
  }

  get #measuring(): Measuring {
    const { engine, effort, profileFolder } = this.#parts;
    return {
      ...{ engine, effort, profileFolder, folders: this.#folders, rate: RATE },
      wants: (...claims) => this.#wants(...claims),
      launch: (folder) => this.#launch(folder),
      compare: async (comparison, howSurely = effort) => {
        this.#add(await compare(comparison, howSurely));
      },
      add: this.#add.bind(this),
    };
  }

  async #measureLoad(): Promise<void> {
    const wanted = loadComparisons.filter(({ claim }) => this.#wants(claim));
    if (wanted.length === 0) return;
    const pages = await LoadPages.open();
    try {
      for (const each of wanted) {
        // A browser of its own: after many other attempts WebKitGTK takes longer for some.
        const engine = await this.#launch();
        try {
          this.#add(await compare(pages.compare(each, engine), LOAD_EFFORT));
        } catch (error) {
          this.#add([notRun(each.claim, error)]);
        } finally {
          await engine.close();
        }
      }
    } finally {
      await pages.close();
    }
  }

  async #measureSteps(
    isolation: Isolation,
    { page, missing }: { page: BenchPage; missing: Readonly<Record<Need, string | null>> },
  ): Promise<void> {
    const ways = isolation === "isolated" ? (["shared-memory"] as const) : (["jspi", "blob-channel"] as const);
    const needs: Readonly<Record<string, Need>> = { "shared-memory": "shared memory", jspi: "JSPI" };
    for (const way of ways) {
      const need = needs[way];
      if (need !== undefined && missing[need] !== null) continue;
      try {
        const steps = z.record(z.string(), z.number()).parse(await page.ask(callOf("calls.breakdown", way)));
        this.#columns.set(need ?? "blob channel", new Map(Object.entries(steps)));
      } catch (error) {
        this.#parts.say(`No breakdown of ${way}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    this.#breakdowns.set("call", stepsTable("one tool call, trust level local", this.#columns));
  }

  readonly #columns = new Map<string, Steps>();

  async #tryComparison(claim: Claim, prepare: () => Promise<Comparison>, isAboutLimit = false): Promise<void> {
    try {
      await this.#compare(await prepare(), isAboutLimit);
    } catch (error) {
      this.#add([notRun(claim, error)]);
    }
  }

  async #compare(comparison: Comparison, isAboutLimit = false): Promise<void> {
    const { effort } = this.#parts;
    const timeLimit = isAboutLimit ? Math.min(effort.timeLimit, LIMIT_CLAIM_TIME) : effort.timeLimit;
    this.#add(await compare(comparison, { ...effort, timeLimit }));
  }

  async #launch(profileFolder?: string): Promise<Engine> {
    const engine = await launchEngine(this.#parts.engine, profileFolder === undefined ? {} : { profileFolder });
    this.#version = engine.version;
    return engine;
  }

  #add(outcomes: readonly Outcome[]): void {
    this.#current.push(...outcomes);
    for (const outcome of outcomes) this.#parts.say(rowOf(outcome).join("  "));
  }

  #openingSets(kind: OpeningSet["visit"]): readonly OpeningSet[] {
    return openingSets(this.#parts.engine).filter(
      (set) => set.visit === kind && this.#wants(...Object.values(set.claims)),
    );
  }

  get #wantsBreakdown(): boolean {
    return "breakdown".includes(this.#parts.only);
  }

  #wants(...claims: readonly Pick<Claim, "name">[]): boolean {
    return claims.some(({ name }) => name.toLowerCase().includes(this.#parts.only));
  }
}

/** What the interpreters of these visits started from. */
function startsOf(visits: readonly Opened[]): string {
  return [...new Set(visits.map(({ from }) => from))].join(" or ");
}

/** coincident reloads the page when its service worker is new, so it is there before. */
async function controlByServiceWorker(page: EnginePage): Promise<void> {
  const url = await page.evaluate(`Promise.race([
    (async () => {
      await navigator.serviceWorker.register("/coincident-sw.js");
      await navigator.serviceWorker.ready;
    })(),
    new Promise((resolve) => setTimeout(resolve, ${String(SERVICE_WORKER_LIMIT)})),
  ]).catch(() => undefined).then(() => location.href)`);
  await page.goto(z.string().parse(url));
}
