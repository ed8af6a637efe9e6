/** A page in some browser, as far as the suite needs it. */
export interface DrivenPage {
  /** The JSON of what the expression comes to, promises awaited. */
  evaluate(expression: string): Promise<unknown>;
  /** Dialogs, downloads and windows since the last call, where the driver can tell. */
  takeEvents(): string[];
  close(): Promise<void>;
}

/** Opens pages in one browser. */
export interface Driver {
  /** The browser's own name and version. */
  readonly version: string;
  openPage(url: string): Promise<DrivenPage>;
  close(): Promise<void>;
}
