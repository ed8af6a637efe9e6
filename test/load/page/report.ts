import type { Silence } from "../../escape/page/heart.js";
import type { Measured } from "./meter.js";

/** What came of an attempt. */
export interface LoadReport extends Measured {
  /** Code of the error, and what it says; null where there is none. */
  readonly error: { readonly code: string; readonly message: string } | null;
  /** What the session says afterwards to `1 + 1`; null where it is over. */
  readonly next: unknown;
  /** Whether what was stored before is there. */
  readonly keptAll: boolean;
  readonly silence: Silence;
}

/** What the page offers to the suite. */
export interface LoadPage {
  make(name: string): Promise<LoadReport>;
}
