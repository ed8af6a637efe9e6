import type { Claim, Counted, NotRun, Outcome, Unit } from "../comparison.js";
import type { BeforeClick, ClickToOutput } from "../pages/bench-page.js";

/** Bytes of compressed script that the widget may load before the first click. */
const SCRIPT_LIMIT = 20_000;

/** Milliseconds from which the standard calls a task long. */
export const LONG_TASK = 50;

/** How much more script time and heap two hundred cells may take than five. */
const MANY_CELLS = 1.2;

const WITH = "a page of documentation with five cells";
const WITHOUT = "the same page without the widget";
const BARE = "bare Pyodide in the page";

function claim(name: string, { subject, baseline, goal = null, unit = "ms" }: ClaimParts): Claim {
  return { name, subject, baseline, goal, unit };
}

interface ClaimParts {
  readonly subject: string;
  readonly baseline: string;
  readonly goal?: number | null;
  readonly unit?: Unit;
}

const loading = { subject: WITH, baseline: WITHOUT };

/** Of a page that loads, before any click. */
export const loadingClaims = {
  domContentLoaded: claim("first visit, until the document is there / without the widget", loading),
  load: claim("first visit, until the load event / without the widget", loading),
  firstPaint: claim("first visit, until the first content is painted / without the widget", loading),
} as const;

const firstRun = { subject: "from a click on Run to the output", baseline: `${BARE}: loadPyodide, runPython` };

export const firstRunClaims = {
  time: claim("Run to first output, first visit / bare Pyodide in the page", firstRun),
  stretch: claim("longest stretch of the page's thread, first Run, first visit / bare Pyodide in the page", firstRun),
  limit: claim(`longest stretch of the page's thread, first Run, first visit / ${String(LONG_TASK)} ms`, {
    subject: firstRun.subject,
    baseline: `${String(LONG_TASK)} ms`,
    goal: 1,
  }),
} as const;

export const nextRunClaims = {
  page: claim("Run to first output, next page / bare Pyodide in the page", firstRun),
  stretch: claim("longest stretch of the page's thread, first Run, next page / bare Pyodide in the page", firstRun),
  alone: claim("next Run of the page, a fresh interpreter for each cell / bare loadPyodide again", {
    subject: "a later click in a cell that is alone, after its interpreter was opened ahead",
    baseline: "loadPyodide and runPython again",
  }),
  session: claim("next Run of the page, in a session / bare runPython", {
    subject: "a click in another cell of a session that is open",
    baseline: "runPython in an interpreter that is there",
  }),
} as const;

const cells = { subject: "200 cells", baseline: "5 cells" };
const plain = { subject: "200 cells of an unknown element", baseline: "5 of them" };

/** What Chromium counts, before any click. */
export const usageClaims = {
  script: claim("script time before a click, 200 cells / 5", { ...cells, goal: MANY_CELLS }),
  heap: claim("JavaScript heap before a click, 200 cells / 5", { ...cells, goal: MANY_CELLS, unit: "bytes" }),
  heapPlain: claim("JavaScript heap, the same pages without the widget, 200 / 5", { ...plain, unit: "bytes" }),
  heapAdded: claim("JavaScript heap that the widget adds to these pages, 200 cells / 5", { ...cells, unit: "bytes" }),
  task: claim("time of all tasks before a click, 200 cells / 5", cells),
  taskPlain: claim("time of all tasks, the same pages without the widget, 200 / 5", plain),
} as const;

export const importClaims = {
  time: claim("import of the widget's script into a page that is loaded, 200 cells / 5", {
    ...cells,
    goal: MANY_CELLS,
  }),
} as const;

/** What is counted at each visit. Null: the engine does not tell it. */
interface CountedClaim<Visit> {
  readonly name: string;
  readonly unit: Unit;
  readonly of: (visit: Visit) => number | null;
  /** What is allowed, beside what the baseline has or alone. */
  readonly limit?: { readonly most: number; readonly beside: "baseline" | "nothing" };
  /** What an engine lacks that does not tell it. */
  readonly lacks: string;
}

const sizes = "no sizes in its resource timing";
const tasks = "no `longtask` entries";
const shifts = "no `layout-shift` entries";
const none = { most: 0, beside: "nothing" } as const;
const noMore = { most: 0, beside: "baseline" } as const;

const beforeClick: readonly CountedClaim<BeforeClick>[] = [
  {
    name: `bytes before a click, compressed / without the widget`,
    unit: "bytes",
    of: ({ bytes }) => bytes,
    limit: { most: SCRIPT_LIMIT, beside: "baseline" },
    lacks: sizes,
  },
  {
    name: "requests before a click / without the widget",
    unit: "count",
    of: ({ requests }) => requests,
    limit: { most: 1, beside: "baseline" },
    lacks: sizes,
  },
  {
    name: "long tasks before a click / without the widget",
    unit: "count",
    of: ({ longTasks }) => longTasks,
    limit: noMore,
    lacks: tasks,
  },
  {
    name: "longest long task before a click / without the widget",
    unit: "ms",
    of: ({ longestTask }) => longestTask,
    lacks: tasks,
  },
  {
    name: "layout shift before a click / without the widget",
    unit: "score",
    of: ({ layoutShift }) => layoutShift,
    limit: noMore,
    lacks: shifts,
  },
];

const afterClick: readonly CountedClaim<ClickToOutput>[] = [
  { name: "bytes, compressed", unit: "bytes", of: ({ bytes }) => bytes, lacks: sizes },
  { name: "requests", unit: "count", of: ({ requests }) => requests, lacks: sizes },
  { name: "long tasks", unit: "count", of: ({ longTasks }) => longTasks, limit: none, lacks: tasks },
  { name: "longest long task", unit: "ms", of: ({ longestTask }) => longestTask, lacks: tasks },
  { name: "layout shift", unit: "score", of: ({ layoutShift }) => layoutShift, limit: none, lacks: shifts },
];

interface Visits<Visit> {
  readonly subject: readonly Visit[];
  readonly baseline: readonly Visit[];
}

/** What pages had loaded and done before any click. */
export function countBeforeClick(visits: Visits<BeforeClick>): Outcome[] {
  return beforeClick.map((each) => count(each, visits, { subject: WITH, baseline: WITHOUT }));
}

/** What came and was done between a click and its output. */
export function countAfterClick(when: "first visit" | "next page", visits: Visits<ClickToOutput>): Outcome[] {
  const sides = { subject: firstRun.subject, baseline: BARE };
  return afterClick.map((each) => {
    const name = `${each.name} from the first Run to its output, ${when} / bare Pyodide in the page`;
    return count({ ...each, name }, visits, sides);
  });
}

function count<Visit>(
  { name, unit, of, limit, lacks }: CountedClaim<Visit>,
  visits: Visits<Visit>,
  sides: { readonly subject: string; readonly baseline: string },
): Counted | NotRun {
  const about = { name, ...sides, goal: null, unit };
  const [subjectMost, baselineMost] = [visits.subject, visits.baseline].map((side) => mostOf(side.map(of)));
  if (subjectMost === undefined || baselineMost === undefined) {
    return { kind: "not run", ...about, reason: "a side was never visited" };
  }
  if (subjectMost === null || baselineMost === null) {
    return { kind: "not measured in this engine", ...about, reason: lacks };
  }
  const beside = limit?.beside === "baseline" ? baselineMost : 0;
  return {
    kind: "counted",
    ...about,
    subjectMost,
    baselineMost,
    most: limit === undefined ? null : beside + limit.most,
  };
}

/** Undefined for nothing; null where a visit does not tell it. */
function mostOf(values: readonly (number | null)[]): number | null | undefined {
  const known = values.filter((value) => value !== null);
  if (known.length < values.length) return null;
  return known.length === 0 ? undefined : Math.max(...known);
}

/** Claims about which the engine has nothing to tell. */
export function notMeasured(claims: Readonly<Record<string, Claim>>, lacks: string): NotRun[] {
  return Object.values(claims).map((each) => ({ kind: "not measured in this engine", ...each, reason: lacks }));
}
