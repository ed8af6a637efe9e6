import type { MemoryReport } from "../../protocol/index.js";

const EMPTY: MemoryReport = { values: [], observations: [], failedApproaches: [], variables: [] };

/** Approaches that failed and are told of: the latest. */
const MOST_FAILURES = 20;

/** What the task knows by heart: what its code noted down, and what failed before the agent's eyes. */
export class WorkingMemory {
  #report = EMPTY;
  #failures: string[] = [];

  /** What the agent has seen fail, for the interpreter's copy of the memory. */
  get failures(): readonly string[] {
    return this.#failures;
  }

  /** What the code has found out, for an interpreter that knows nothing of it. */
  get observations(): readonly string[] {
    return this.#report.observations;
  }

  /** Names that the code has made in the interpreter. */
  get variables(): readonly string[] {
    return this.#report.variables;
  }

  /** Takes over what a run left. Null: the run has told nothing. */
  update(report: MemoryReport | null): void {
    if (report !== null) this.#report = report;
  }

  /** The interpreter is gone, and with it what was stored there; what was found out stays true. */
  loseValues(): void {
    const { observations, failedApproaches } = this.#report;
    this.#report = { ...EMPTY, observations, failedApproaches };
  }

  /** Notes an approach that failed. One that is known is not noted again. */
  fail(approach: string): void {
    if (!this.#failures.includes(approach)) this.#failures.push(approach);
  }

  /** As the model is shown it; empty when there is nothing. */
  text(): string {
    const { values, observations, failedApproaches } = this.#report;
    const failed = [...new Set([...failedApproaches, ...this.#failures])].slice(-MOST_FAILURES);
    const sections = [
      section(
        "### Stored Values",
        values.map(({ name, shown }) => `${name}: ${shown}`),
      ),
      section("### Observations", observations),
      section("### Failed Approaches (avoid these)", failed),
    ].filter((text) => text !== "");
    return sections.length === 0 ? "" : ["## Working Memory", ...sections].join("\n\n");
  }
}

function section(heading: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : [heading, ...lines.map((line) => `- ${line}`)].join("\n");
}
