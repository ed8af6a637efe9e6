/** What became of one case. Texts are for people; `differences` says what was expected and what came. */
export interface CaseReport {
  readonly variant: string;
  readonly id: string;
  readonly title: string;
  readonly status: "passed" | "failed" | "skipped";
  readonly differences: readonly string[];
  /** Why it was skipped. */
  readonly reason?: string;
  /** Milliseconds. */
  readonly elapsed: number;
}

/** How sessions of one variant worked here. */
export interface VariantReport {
  readonly name: string;
  readonly trust: string;
  readonly transport: string;
  readonly transportReason: string;
  readonly stop: string;
  readonly supports: readonly string[];
  readonly python: string;
  readonly pyodide: string;
  /** Milliseconds of all its cases. */
  readonly elapsed: number;
}

/** The suite's one answer. */
export interface SuiteReport {
  readonly userAgent: string;
  readonly isolated: boolean;
  readonly jspi: boolean;
  /** False while the suite still runs. */
  readonly finished: boolean;
  readonly variants: readonly VariantReport[];
  readonly cases: readonly CaseReport[];
  /** Rows of the specification that are not run here, and why. */
  readonly pending: readonly { readonly id: string; readonly reason: string }[];
  readonly elapsed: number;
}
