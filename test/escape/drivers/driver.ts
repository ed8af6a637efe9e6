/** A page in some browser, as far as the suite needs it. */
export interface DrivenPage {
  /** The JSON of what the expression comes to, promises awaited. */
  evaluate(expression: string): Promise<unknown>;
  /** Dialogs, downloads and windows since the last call, where the driver can tell. */
  takeEvents(): string[];
  close(): Promise<void>;
}

export type Engine = "chromium" | "firefox" | "webkit";

/** Opens pages in one engine. */
export interface Driver {
  readonly engine: Engine;
  readonly version: string;
  openPage(url: string): Promise<DrivenPage>;
  close(): Promise<void>;
}
