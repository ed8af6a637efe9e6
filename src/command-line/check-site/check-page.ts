import { readFile } from "node:fs/promises";

import type { BrowserContext, Page } from "playwright";

import { VERSION } from "../../protocol/index.js";
import type { CellVerdict, PageReport } from "./cell-report.js";
import { cellsIn, type FileCell } from "./html-cells.js";
import { failed, judgeCell, readMark, type Runs } from "./judge-cell.js";
import { CellRunSchema, SeenPageSchema } from "./page-answers.js";
import { firstLine, PageNotes } from "./page-notes.js";
import { runCell, seeCells, type CellRun, type SeenCell, type SeenPage } from "./page-script.js";
import { textOfFile, type ReadFile } from "./replace-file.js";
import { writeOutputs, type CheckedCell } from "./write-page.js";

export interface PageCheckOptions {
  /** Milliseconds that a cell may take, with all that it loads. */
  readonly limit: number;
  readonly writes: boolean;
}

/** Milliseconds in which a cell that was stopped has ended, and after those the page has answered. */
const GRACE = 10_000;
const PAGE_GRACE = 10_000;

/** Milliseconds for a page to load, and for its scripts to bring the widget once the network is quiet. */
const LOADING = 60_000;
const QUIET = 10_000;
const WIDGET = 5000;

/** An HTML file, and where its cells are in it. */
export interface PageFile extends ReadFile {
  /** Where it is served. */
  readonly url: string;
  /** Null where it is not UTF-8. */
  readonly html: string | null;
  readonly cells: readonly FileCell[];
}

export async function readPage(path: string, url: string): Promise<PageFile> {
  const file = { path, bytes: await readFile(path) };
  const html = textOfFile(file);
  // Of other encodings everything that matters here is the same.
  return { ...file, url, html, cells: cellsIn(html ?? file.bytes.toString("latin1")) };
}

/** Runs the cells of a page in their order, and puts their outputs into its file where that is asked for. */
export async function checkPage(
  context: BrowserContext,
  file: PageFile,
  { limit, writes }: PageCheckOptions,
): Promise<PageReport> {
  const page = await context.newPage();
  const notes = new PageNotes(page, new URL(file.url).origin);
  try {
    const problem = await open(page, file);
    if (problem !== null) return { file: file.path, cells: [], problem, notes: notes.all };
    const { version, count, cells } = SeenPageSchema.parse(await page.evaluate(seeCells, WIDGET));
    const missing = whyNoCells({ version, count, cells }, notes.hint);
    if (missing !== null) return { file: file.path, cells: [], problem: missing, notes: notes.all };
    const checked = await runCells(page, { file, cells, limit, writes });
    const { problem: unwritten, reports } = writes
      ? await writeOutputs(file, checked)
      : { problem: null, reports: checked.map(({ report }) => report) };
    return { file: file.path, cells: reports, problem: unwritten, notes: notes.all };
  } catch (error) {
    return { file: file.path, cells: [], problem: `The page broke off: ${firstLine(error)}`, notes: notes.all };
  } finally {
    await page.close().catch(() => undefined);
  }
}

async function open(page: Page, { url }: PageFile): Promise<string | null> {
  try {
    await page.goto(url, { waitUntil: "load", timeout: LOADING });
  } catch (error) {
    return `The page did not load: ${firstLine(error)}`;
  }
  // Frameworks take a page over once their scripts have come. A page that polls is never quiet.
  await page.waitForLoadState("networkidle", { timeout: QUIET }).catch(() => undefined);
  return null;
}

function whyNoCells({ version, count, cells }: SeenPage, hint: string): string | null {
  if (count === 0) return "The file has cells, and the page has none: its scripts take them away.";
  if (version === null) return `This page has cells but no widget script.${hint}`;
  if (version !== VERSION) {
    return `The page loads Vitrine ${version}, and this program is of ${VERSION}. Run: npx vitrine@${version} check`;
  }
  return cells.length < count ? "The page defines <vitrine-cell> as something else." : null;
}

interface CellsToRun extends PageCheckOptions {
  readonly file: PageFile;
  readonly cells: readonly SeenCell[];
}

async function runCells(page: Page, { file, cells, limit, writes }: CellsToRun): Promise<readonly CheckedCell[]> {
  const checked: CheckedCell[] = [];
  let number = 0;
  let isStuck = false;
  for (const [at, cell] of cells.entries()) {
    // Its code runs before the later cells of its session.
    if (cell.isHidden) continue;
    number += 1;
    const turn: Turn = isStuck ? noTurn() : await runOne(page, at, { cell, limit, writes });
    isStuck ||= turn.isStuck;
    const place = cell.place === null ? null : (file.cells[cell.place] ?? null);
    const report = { ...turn.verdict, number, label: cell.label, line: place?.line ?? null, isWritten: false };
    checked.push({ report, place });
  }
  const seen = new Set(cells.map(({ place }) => place));
  const gone = file.cells.filter((_, place) => !seen.has(place));
  const verdict = failed("gone", "It is in the file, and not on the page: a script has taken it away.");
  return [
    ...checked,
    ...gone.map((place) => ({
      report: { ...verdict, number: null, label: "", line: place.line, isWritten: false },
      place,
    })),
  ];
}

interface Turn {
  readonly verdict: CellVerdict;
  /** The page may not run another cell. */
  readonly isStuck: boolean;
}

function noTurn(): Turn {
  return { verdict: failed("no-turn", "It had no turn: the run before it did not end."), isStuck: true };
}

async function runOne(
  page: Page,
  at: number,
  { cell, limit, writes }: PageCheckOptions & { readonly cell: SeenCell },
): Promise<Turn> {
  const { kind } = readMark(cell.mark);
  // Judged without a run.
  if (kind === "skip" || kind === "unknown") {
    return { verdict: judgeCell(cell, { own: { kind: "asked" }, solved: null }, { writes }), isStuck: false };
  }
  const own = await run(page, { at, code: null, limit });
  const isSolvable = cell.checks > 0 && cell.solution !== null && own.kind === "ran";
  const solved = isSolvable ? await run(page, { at, code: cell.solution, limit }) : null;
  const runs: Runs = { own, solved };
  const isStuck = [own, solved].some((each) => each?.kind === "late" && !each.isStopped);
  return { verdict: judgeCell(cell, runs, { writes }), isStuck };
}

/** A page whose thread is busy does not even answer. */
async function run(
  page: Page,
  { at, code, limit }: { readonly at: number; readonly code: string | null; readonly limit: number },
): Promise<CellRun> {
  let timer: NodeJS.Timeout | undefined;
  const busy = new Promise<CellRun>((resolve) => {
    timer = setTimeout(() => resolve({ kind: "late", isStopped: false }), limit + GRACE + PAGE_GRACE);
  });
  const answer = page.evaluate(runCell, { at, code, limit, grace: GRACE }).then((value) => CellRunSchema.parse(value));
  // Once the page is given up, what it says of that is of no use.
  answer.catch(() => undefined);
  try {
    return await Promise.race([answer, busy]);
  } finally {
    clearTimeout(timer);
  }
}
