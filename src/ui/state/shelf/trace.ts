import type { JournalEntry } from "../../../dispatch/index.js";
import { callStanding, callText } from "../text/call-text.js";

export const TRACE_STATUSES = ["all", "running", "done", "failed", "asked", "unknown"] as const;
export type TraceStatus = (typeof TRACE_STATUSES)[number];

export const TRACE_NAMESPACES = ["all", "tools", "skills", "artifacts", "deps", "runs"] as const;
export type TraceNamespace = (typeof TRACE_NAMESPACES)[number];

/** Which calls are wanted. */
export interface TraceFilter {
  /** Part of the call as it is shown, of its error or of who made it, in whatever case. */
  readonly text: string;
  readonly status: TraceStatus;
  readonly namespace: TraceNamespace;
}

export const NO_FILTER: TraceFilter = { text: "", status: "all", namespace: "all" };

export interface TraceRow {
  readonly entry: JournalEntry;
  /** How many calls it is inside of, of those that are known. */
  readonly depth: number;
  /** False for a call that is shown because one that was made in its course is wanted. */
  readonly isWanted: boolean;
  /** Where its time lies in that of its run, from 0 to 1; null where there is nothing to compare it with. */
  readonly bar: { readonly start: number; readonly length: number } | null;
}

export interface TraceRun {
  /** Of all shown runs no other has it. */
  readonly key: string;
  readonly caller: JournalEntry["caller"];
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Milliseconds from the beginning of its first call to the end of its last; null for calls of the page. */
  readonly span: number | null;
  readonly rows: readonly TraceRow[];
}

export function isFiltering({ text, status, namespace }: TraceFilter): boolean {
  return text.trim() !== "" || status !== "all" || namespace !== "all";
}

/**
 * The wanted calls by run, the newest run first. In a run a call stands after the one in whose course it was made,
 * otherwise in the order in which they began.
 *
 * @param now - Milliseconds since 1970, for what is still running.
 */
export function traceRuns(entries: readonly JournalEntry[], filter: TraceFilter, now: number): TraceRun[] {
  const runs = new Map<string, JournalEntry[]>();
  for (const entry of entries) {
    // The page's own calls have one id for all of its lives.
    const key = `${entry.sessionId} ${entry.runId}`;
    const run = runs.get(key);
    if (run === undefined) runs.set(key, [entry]);
    else run.push(entry);
  }
  return [...runs]
    .map(([key, run]) => traceRun(key, { entries: run, filter, now }))
    .filter((run) => run !== undefined)
    .reverse();
}

/** Whether something of it is under way. */
export function isRunning({ outcome }: JournalEntry): boolean {
  return outcome.kind === "pending";
}

function traceRun(
  key: string,
  {
    entries,
    filter,
    now,
  }: { readonly entries: readonly JournalEntry[]; readonly filter: TraceFilter; readonly now: number },
): TraceRun | undefined {
  const [first] = entries;
  if (first === undefined) return undefined;
  const nodes = nested(entries);
  const wanted = new Set(entries.filter((entry) => fits(entry, filter)).map(({ id }) => id));
  const shown = withAncestors(wanted, entries);
  const rows = nodes.filter(({ entry }) => shown.has(entry.id));
  if (rows.length === 0) return undefined;
  const start = Math.min(...entries.map(({ startedAt }) => startedAt));
  const isOfPage = first.runId === "page";
  const span = Math.max(1, ...entries.map((entry) => entry.startedAt + durationOf(entry, now) - start));
  return {
    key,
    caller: first.caller,
    startedAt: first.startedAt,
    span: isOfPage ? null : span,
    rows: rows.map(({ entry, depth }) => ({
      entry,
      depth,
      isWanted: wanted.has(entry.id),
      bar:
        isOfPage || entry.outcome.kind === "unknown"
          ? null
          : { start: (entry.startedAt - start) / span, length: durationOf(entry, now) / span },
    })),
  };
}

function durationOf({ outcome, startedAt }: JournalEntry, now: number): number {
  if ("elapsed" in outcome) return outcome.elapsed;
  return outcome.kind === "pending" ? Math.max(0, now - startedAt) : 0;
}

interface Nested {
  readonly entry: JournalEntry;
  readonly depth: number;
}

/** Children after their parents; what names a parent that is not known stands at the top. */
function nested(entries: readonly JournalEntry[]): Nested[] {
  const known = new Set(entries.map(({ id }) => id));
  const children = new Map<string | null, JournalEntry[]>();
  for (const entry of entries) {
    const parent = entry.parent !== null && known.has(entry.parent) ? entry.parent : null;
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [entry]);
    else siblings.push(entry);
  }
  const below = (parent: string | null, depth: number): Nested[] =>
    (children.get(parent) ?? []).flatMap((entry) => [{ entry, depth }, ...below(entry.id, depth + 1)]);
  return below(null, 0);
}

function withAncestors(wanted: ReadonlySet<string>, entries: readonly JournalEntry[]): Set<string> {
  const parents = new Map(entries.map(({ id, parent }) => [id, parent]));
  const shown = new Set(wanted);
  for (const id of wanted) {
    let parent = parents.get(id);
    while (typeof parent === "string" && !shown.has(parent)) {
      shown.add(parent);
      parent = parents.get(parent);
    }
  }
  return shown;
}

function fits(entry: JournalEntry, { text, status, namespace }: TraceFilter): boolean {
  if (namespace !== "all" && entry.namespace !== namespace) return false;
  if (status === "asked" ? entry.approval === undefined : status !== "all" && callStanding(entry).kind !== status) {
    return false;
  }
  const sought = text.trim().toLowerCase();
  if (sought === "") return true;
  const { outcome } = entry;
  const said = outcome.kind === "error" ? `${outcome.name}: ${outcome.message}` : "";
  return `${callText(entry)}\n${said}\n${entry.caller}`.toLowerCase().includes(sought);
}
