import type { CellPhase } from "../cell-runtime.js";

/** What the bar of an element says. */
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

/** For people: what took a hundredth of a second took no time. */
export function seconds(milliseconds: number): string {
  if (milliseconds < 10) return "under 0.01 s";
  return `${(milliseconds / 1000).toFixed(milliseconds < 95 ? 2 : 1)} s`;
}

/** Two copies of the widget on one page. `what` is run by the first of them. */
export function wordsOfVersions(running: string, others: Iterable<string>, what = "The cells are"): string {
  const all = [running, ...others].toSorted(inOrder);
  const named = `${all.slice(0, -1).join(", ")} and ${all.at(-1) ?? ""}`;
  return `This page loads Vitrine ${named}. ${what} run by ${running}, which came first.`;
}

function inOrder(one: string, other: string): number {
  return one.localeCompare(other, "en", { numeric: true });
}
