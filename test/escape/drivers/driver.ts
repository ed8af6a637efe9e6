import type { EngineName } from "../../engines/drivers/index.js";

/** A page in some browser, as far as the suite needs it. */
export interface DrivenPage {
  /** The JSON of what the expression comes to, promises awaited. @throws {DialogError} */
  evaluate(expression: string): Promise<unknown>;
  /** Dialogs, downloads and windows since the last call. */
  takeEvents(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** A dialog has kept the page from telling what the expression came to; it went on. */
export class DialogError extends Error {
  override readonly name = "DialogError";
}

/** Opens pages in one browser. */
export interface Driver {
  readonly name: EngineName;
  /** The browser's own name and version. */
  readonly version: string;
  openPage(url: string): Promise<DrivenPage>;
  /** Ends the browser, with pages that hang. */
  close(): Promise<void>;
}
