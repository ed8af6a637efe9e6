import type { CellOutcome, CellPhase, CheckOutcome } from "../cell-runtime.js";

/** What the bar of a cell says. */
export interface Words {
  /** Read out when it changes. */
  readonly text: string;
  /** What goes on counting behind it; shown, and not read out. */
  readonly detail?: string;
  /** How much is done, from 0 to 1. */
  readonly progress?: number;
}

export function wordsOfPhase(phase: CellPhase): Words {
  switch (phase.kind) {
    case "waiting":
      return { text: "Waiting for other cells" };
    case "loading-python":
      return wordsOfLoading(phase.loaded, phase.total);
    case "starting-python":
      return { text: "Starting Python" };
    case "loading-files":
      return { text: `Loading ${listed(phase.names, "files")}` };
    case "installing":
      return { text: `Installing ${listed(phase.packages, "packages")}` };
    case "preparing":
      return { text: "Preparing what the code needs" };
    case "running":
      return { text: "Running" };
    case "checking":
      return { text: "Checking" };
  }
}

/** A compressed file may turn out larger than its server said. */
function wordsOfLoading(loaded: number, total: number | undefined): Words {
  const text = "Loading Python";
  if (total === undefined || total < loaded || total === 0) return { text, detail: `, ${megabytes(loaded)} MB` };
  const detail = `, ${megabytes(loaded)} of ${megabytes(total)} MB`;
  return { text, detail, progress: loaded / total };
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

function listed(names: readonly string[], kind: string): string {
  return names.length <= 3 ? names.join(", ") : `${names.length} ${kind}`;
}

/** Whether the author's result is held against the run's, and how that came out. */
export type Comparison = "none" | "same" | "different";

/** The end of a run. The output has the whole error, so that only its name is given here. */
export function wordsOfOutcome(outcome: CellOutcome, comparison: Comparison): string {
  const { result, faultLine, duration, checks } = outcome;
  if (result.error === null) {
    return [`Done in ${seconds(duration)}.`, wordsOfComparison(comparison), wordsOfChecks(checks)]
      .filter((sentence) => sentence !== "")
      .join(" ");
  }
  if (result.error.code === "RUN_INTERRUPTED") return `Stopped after ${seconds(duration)}.`;
  const place = faultLine === null ? "" : ` in line ${faultLine}`;
  return `Failed after ${seconds(duration)}: ${result.error.pythonType}${place}.`;
}

function wordsOfComparison(comparison: Comparison): string {
  if (comparison === "none") return "";
  return comparison === "same" ? "The result is as expected." : "The result differs from the expected one.";
}

function wordsOfChecks(checks: readonly CheckOutcome[]): string {
  if (checks.length === 0) return "";
  const passed = checks.filter(({ kind }) => kind === "passed").length;
  if (passed < checks.length) return `${passed} of ${checks.length} checks passed.`;
  return checks.length === 1 ? "The check passed." : `All ${checks.length} checks passed.`;
}

/** For people: what took a hundredth of a second took no time. */
export function seconds(milliseconds: number): string {
  if (milliseconds < 10) return "under 0.01 s";
  return `${(milliseconds / 1000).toFixed(milliseconds < 95 ? 2 : 1)} s`;
}

/** Two copies of the widget on one page. */
export function wordsOfVersions(running: string, others: Iterable<string>): string {
  const all = [running, ...others].toSorted(inOrder);
  const named = `${all.slice(0, -1).join(", ")} and ${all.at(-1) ?? ""}`;
  return `This page loads Vitrine ${named}. The cells are run by ${running}, which came first.`;
}

function inOrder(one: string, other: string): number {
  return one.localeCompare(other, "en", { numeric: true });
}
