import type { Value } from "../../../src/index.js";

/** Where a package comes from: the folder of wheels beside the page, or what was built for Pyodide. */
export type SourceName = "wheels" | "pyodide";

/** What a run must come to. What is left out is not looked at. */
export interface Expectation {
  /** The value of the last expression. */
  readonly value?: Value;
  /** The value of the last expression is the version that was installed. */
  readonly isVersion?: true;
  /** A MIME type for each display, in their order. */
  readonly displays?: readonly string[];
  /** What `tools.take(value=…)` was called with, in order; an array of numbers in any of its forms is a list. */
  readonly taken?: readonly Value[];
  /** Texts that are printed. */
  readonly printed?: readonly string[];
}

/** A piece of code that uses a package. It finds a fresh interpreter, or one where only snippets of its package have run. */
export interface Snippet {
  readonly id: string;
  readonly title: string;
  readonly code: string;
  readonly expected: Expectation;
}

export interface CheckedPackage {
  /** As it is installed. */
  readonly name: string;
  readonly source: SourceName;
  /** What is imported when its import is timed. */
  readonly module: string;
  readonly snippets: readonly Snippet[];
}

/** The first snippet of each package: it is imported, and is the version that was installed. */
export function versionSnippet(name: string, code: string): Snippet {
  return { id: `${name}-version`, title: "import and version", code, expected: { isVersion: true } };
}

/** Code whose lines are given one by one. */
export function lines(...code: readonly string[]): string {
  return code.join("\n");
}
