import { writeFile } from "node:fs/promises";

export interface Test {
  /** Engine, place and variant come first: `firefox, sealed frame: an expression is the value (A1)`. */
  readonly title: string;
  readonly status: "passed" | "failed" | "skipped" | "todo";
  /** Expected and actual of a failure, or the reason of a skip. */
  readonly details: readonly string[];
  /** Milliseconds. */
  readonly elapsed: number;
}

const marks = { passed: "✓", failed: "✗", skipped: "-", todo: "·" } as const;

/** What was tried, each printed as it comes. */
export class Tests {
  readonly #all: Test[] = [];

  add(test: Test): void {
    this.#all.push(test);
    const time =
      test.status === "passed" || test.status === "failed" ? ` (${String(Math.round(test.elapsed))} ms)` : "";
    console.log(`  ${marks[test.status]} ${test.title}${time}`);
    for (const detail of test.details) console.log(`      ${detail}`);
  }

  count(status: Test["status"]): number {
    return this.#all.filter((test) => test.status === status).length;
  }

  async write(file: string): Promise<void> {
    await writeFile(file, `${JSON.stringify({ tests: this.#all }, null, 2)}\n`);
  }
}
