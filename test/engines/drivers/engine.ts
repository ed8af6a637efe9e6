export type EngineName = "chromium" | "firefox" | "webkitgtk";

export const engineNames: readonly EngineName[] = ["chromium", "firefox", "webkitgtk"];

/** What comes back from a page. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A tab, reduced to what all three engines can do. */
export interface EnginePage {
  /**
   * Evaluates an expression in the page and waits for it if it is a promise. What JSON cannot say is lost as
   * `JSON.stringify` loses it; undefined comes back as null. Waits without a limit of its own.
   *
   * @throws {PageError} when the expression throws or rejects.
   */
  evaluate(expression: string): Promise<Json>;
  /**
   * Clicks the first element that the selector finds, as a person would. It must be visible. `>>>` leads into the shadow
   * tree of what stands before it.
   */
  click(selector: string): Promise<void>;
  /** Puts the caret into the element and types, as a person would. Selectors as for {@link click}. */
  type(selector: string, text: string): Promise<void>;
  goto(url: string): Promise<void>;
  /** One page back in the tab's history. */
  back(): Promise<void>;
  /** Makes this the tab that is seen. */
  bringToFront(): Promise<void>;
  /** A PNG of what the tab shows. */
  screenshot(): Promise<Uint8Array>;
  /** What the page has used since it began to load, with its garbage collected. Chromium alone tells it, of pages that it was asked to count. */
  usage?(): Promise<PageUsage>;
  close(): Promise<void>;
}

/** A running browser with an empty profile. */
export interface Engine {
  readonly name: EngineName;
  /** The browser's own name and version, `Firefox 153.0` for instance. */
  readonly version: string;
  /** Opens a tab and waits for the page's load event. Tabs of one engine share its profile. */
  openPage(url: string, options?: PageOptions): Promise<EnginePage>;
  /** How many tabs and windows are open. */
  windows(): Promise<number>;
  close(): Promise<void>;
}

/** What a page has used. */
export interface PageUsage {
  /** Milliseconds in which scripts ran. */
  readonly scriptTime: number;
  /** Milliseconds in which its thread was busy, with scripts, styles, layout and the rest. */
  readonly taskTime: number;
  /** Bytes of JavaScript objects. */
  readonly heap: number;
}

export interface PageOptions {
  /** Counts what the page uses, where the engine can. */
  readonly counts?: boolean;
  /** Called with the text of each dialog, which is dismissed. WebKitGTK cuts off what is being evaluated meanwhile. */
  readonly onDialog?: (text: string) => void;
}

export interface LaunchOptions {
  /**
   * An empty folder for Chromium's profile, which then keeps as much on disk as a person's does. Default: in memory,
   * with a small HTTP cache. Firefox always has a folder of its own, WebKitGTK under automation never one.
   */
  readonly profileFolder?: string;
  /**
   * Whether WebAssembly is compiled better the longer it runs, as people's browsers do. False is for interpreters that live
   * for seconds: then that is a sixth to a quarter of all work. JavaScript is optimized in any case. Default: true.
   */
  readonly optimizes?: boolean;
  /** Where Firefox and WebKitGTK put downloads. Default: where a person's go. */
  readonly downloadFolder?: string;
}

/** The machine does not have the browser. */
export class EngineMissingError extends Error {
  override readonly name = "EngineMissingError";

  constructor(
    readonly engine: EngineName,
    /** What a person can do, as a part of a sentence. */
    readonly advice: string,
  ) {
    super(`${engine} is not installed: ${advice}.`);
  }
}

/** What was evaluated in a page has failed there. */
export class PageError extends Error {
  override readonly name = "PageError";
}
