import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import type { Engine } from "../../test/engines/drivers/index.js";
import { buildLibrary } from "../build-pages.js";
import type { Claim, Effort } from "../comparison.js";
import {
  countAfterClick,
  countBeforeClick,
  firstRunClaims,
  importClaims,
  loadingClaims,
  LONG_TASK,
  nextRunClaims,
  notMeasured,
  usageClaims,
} from "../comparisons/widget.js";
import type { Measuring } from "../measuring.js";
import type { BeforeClick, ClickToOutput } from "../pages/bench-page.js";
import { startServer, type BenchServer, type ServerOptions } from "../server.js";
import { examples, writeSites, type DocsPageKind } from "./docs-page.js";
import { inDocsPage, SITES_PATH, usageOf, type DocsPage } from "./docs-pages.js";

/** Visits that fill the caches, those of compiled code included. */
const WARM_UP_VISITS = 3;

/** Milliseconds in which a reader looks at a result, and the next interpreter is opened ahead. */
const READING = 2000;

/** Milliseconds for each group of claims: the whole part takes less than four minutes. */
const TIME = { loading: 20_000, firstRuns: 50_000, nextRuns: 60_000, cells: 30_000, imports: 15_000 };

interface WidgetMeasuring extends Measuring {
  /** With the sites, and with the library as it is published. */
  readonly folders: ServerOptions["folders"];
}

/** A page of documentation with the widget: loading it, many cells, and the runs of its reader. */
export async function measureWidget(measuring: Measuring): Promise<void> {
  const sites = await mkdtemp(join(tmpdir(), "vitrine-bench-sites-"));
  try {
    await writeSites(sites);
    const library = await buildLibrary();
    const folders = [[SITES_PATH, sites], ["/vitrine/dist/", library], ...measuring.folders] as const;
    const widget = { ...measuring, folders };
    await measureLoading(widget);
    await measureCells(widget);
    await measureFirstRuns(widget);
    await measureNextRuns(widget);
  } finally {
    await rm(sites, { recursive: true, force: true });
  }
}

/** Visits with nothing in any cache: each is to a site of its own, which the browser has never seen. */
async function measureLoading({ launch, compare, add, folders, rate, effort, wants }: WidgetMeasuring): Promise<void> {
  if (!wants(...Object.values(loadingClaims), ...countBeforeClick({ subject: [], baseline: [] }))) return;
  const visits = { subject: new Array<BeforeClick>(), baseline: new Array<BeforeClick>() };
  const engine = await launch();
  const visit = async (kind: DocsPageKind): Promise<BeforeClick> => {
    const server = await startServer({ folders, rate, gzip: true });
    try {
      return await inDocsPage(engine, { url: server.url, kind, page: "first" }, (page) => page.before());
    } finally {
      await server.close();
    }
  };
  const side = (kind: DocsPageKind, seen: BeforeClick[]) => async () => {
    const before = await visit(kind);
    seen.push(before);
    const { domContentLoaded, load, firstPaint } = before;
    return { domContentLoaded, load, firstPaint: firstPaint ?? NaN };
  };
  try {
    const { firstPaint, ...others } = loadingClaims;
    const paints = (await visit("plain")).firstPaint !== null;
    const claims: Readonly<Record<string, Claim>> = paints ? loadingClaims : others;
    const subject = side("widget", visits.subject);
    await compare({ claims, subject, baseline: side("plain", visits.baseline) }, withinTime(effort, TIME.loading));
    if (!paints) add(notMeasured({ firstPaint }, "no `paint` entries"));
    add(countBeforeClick(visits));
  } finally {
    await engine.close();
  }
}

async function measureCells({ launch, compare, add, folders, effort, wants }: WidgetMeasuring): Promise<void> {
  if (!wants(...Object.values(usageClaims), ...Object.values(importClaims))) return;
  const server = await startServer({ folders, gzip: true });
  const engine = await launch();
  const { url } = server;
  const used = async (kind: DocsPageKind, page: "first" | "long") => {
    const usage = await usageOf(engine, { url, kind, page });
    if (usage === null) throw new Error("The engine does not tell what a page uses.");
    return usage;
  };
  const usage = (page: "first" | "long") => async () => {
    const [own, plain] = [await used("widget", page), await used("plain", page)];
    return {
      ...{ script: own.scriptTime, heap: own.heap, task: own.taskTime, heapAdded: own.heap - plain.heap },
      ...{ heapPlain: plain.heap, taskPlain: plain.taskTime },
    };
  };
  const importing = (page: "first" | "long") => async () => ({
    time: await inDocsPage(engine, { url, kind: "plain", page }, (opened) => opened.importTime()),
  });
  try {
    if ((await usageOf(engine, { url, kind: "widget", page: "first" })) === null) {
      add(notMeasured(usageClaims, "it tells no script time and no heap"));
    } else {
      const comparison = { claims: usageClaims, subject: usage("long"), baseline: usage("first") };
      await compare(comparison, fewPairs(effort, TIME.cells));
    }
    const comparison = { claims: importClaims, subject: importing("long"), baseline: importing("first") };
    await compare(comparison, withinTime(effort, TIME.imports));
  } finally {
    await engine.close();
    await server.close();
  }
}

/** Browsers that were just started, with an empty profile: nothing of Pyodide is compiled or kept in them. */
async function measureFirstRuns({
  launch,
  compare,
  add,
  folders,
  rate,
  effort,
  wants,
}: WidgetMeasuring): Promise<void> {
  const counted = countAfterClick("first visit", { subject: [], baseline: [] });
  if (!wants(...Object.values(firstRunClaims), ...counted)) return;
  const server = await startServer({ folders, rate, gzip: true });
  // Another site, where nothing is learnt about the one that is visited.
  const elsewhere = await startServer({ folders });
  const visits = { subject: new Array<ClickToOutput>(), baseline: new Array<ClickToOutput>() };
  const visit = async (kind: DocsPageKind): Promise<ClickToOutput> => {
    const engine = await launch();
    try {
      const tab = await engine.openPage(`${elsewhere.url}blank.html`);
      await tab.evaluate("new Promise((resolve) => setTimeout(resolve, 500))");
      return await inDocsPage(engine, { url: server.url, kind, page: "first", tab }, (page) =>
        page.run(examples.first),
      );
    } finally {
      await engine.close();
    }
  };
  const subject = async () => {
    const run = await visit("widget");
    visits.subject.push(run);
    return { time: run.time, stretch: run.stretch, limit: run.stretch };
  };
  const baseline = async () => {
    const run = await visit("bare");
    visits.baseline.push(run);
    return { time: run.time, stretch: run.stretch, limit: LONG_TASK };
  };
  try {
    await compare({ claims: firstRunClaims, subject, baseline }, fewPairs(effort, TIME.firstRuns));
    add(countAfterClick("first visit", visits));
  } finally {
    await server.close();
    await elsewhere.close();
  }
}

/** A browser that has been on another page of the site, with all that it keeps. */
async function measureNextRuns(measuring: WidgetMeasuring): Promise<void> {
  const { launch, compare, add, folders, effort, profileFolder, wants } = measuring;
  const counted = countAfterClick("next page", { subject: [], baseline: [] });
  if (!wants(...Object.values(nextRunClaims), ...counted)) return;
  const server = await startServer({ folders, gzip: true });
  const engine = await launch(join(profileFolder, "widget"));
  const visits = { subject: new Array<ClickToOutput>(), baseline: new Array<ClickToOutput>() };
  const side = (kind: "widget" | "bare", seen: ClickToOutput[]) => () =>
    inDocsPage(engine, { url: server.url, kind, page: "next" }, async (page) => {
      const first = await page.run(examples.first);
      seen.push(first);
      return { page: first.time, stretch: first.stretch, ...(await laterRuns(page)) };
    });
  try {
    await warmUp(engine, server, isThorough(effort) ? WARM_UP_VISITS : 1);
    const subject = side("widget", visits.subject);
    const baseline = side("bare", visits.baseline);
    await compare({ claims: nextRunClaims, subject, baseline }, fewPairs(effort, TIME.nextRuns));
    add(countAfterClick("next page", visits));
  } finally {
    await engine.close();
    await server.close();
  }
}

async function warmUp(engine: Engine, { url }: BenchServer, visits: number): Promise<void> {
  for (let count = 0; count < visits; count++) {
    for (const kind of ["widget", "bare"] as const) {
      await inDocsPage(engine, { url, kind, page: "first" }, (page) => page.run(examples.first));
    }
  }
}

async function laterRuns(page: DocsPage): Promise<{ readonly alone: number; readonly session: number }> {
  await page.run(examples.opensSession);
  const session = await page.run(examples.inSession);
  await delay(READING);
  const alone = await page.run(examples.second);
  return { alone: alone.time, session: session.time };
}

/** As few pairs as have an interval where it is only to be seen that all runs. */
function withinTime(effort: Effort, timeLimit: number): Effort {
  if (isThorough(effort)) return { ...effort, timeLimit };
  return { ...effort, confidence: 0.5, atLeast: 2, timeLimit: 0 };
}

/** Of what takes seconds: eight pairs have an interval of 99 %. */
function fewPairs(effort: Effort, timeLimit: number): Effort {
  const within = withinTime(effort, timeLimit);
  return { ...within, atLeast: Math.min(within.atLeast, 8) };
}

function isThorough({ confidence }: Effort): boolean {
  return confidence >= 0.99;
}
