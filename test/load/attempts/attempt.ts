import type { EngineName } from "../../engines/drivers/index.js";
import type { BoundName } from "../bounds.js";
import type { Work } from "../page/meter.js";

/** What the page does with what comes of a run, as the demo does; a whole approval is one of which all is asked for. */
export type Drawing = "output" | "artifact" | "approval" | "whole approval" | "question";

/** Why an attempt freezes no page although nothing bounds it, by engine. */
export type Harmless = Partial<Record<EngineName, string>>;

/** Code that is out to keep the page's thread busy. It runs in a session at `sandboxed`. */
export interface LoadAttempt {
  /** Unique. */
  readonly name: string;
  /** The method of the bridge, or what else of the page it goes for. */
  readonly entry: string;
  /** Python. `send(method, text)` sends a request with that text for its arguments. */
  readonly code: string;
  /** The code of the error that it ends with; null where it is done, piece by piece. */
  readonly refusedWith: string | null;
  /** What the error says of the limit. */
  readonly says?: string;
  /** Whether the page gives its thread away in between. */
  readonly isSliced: boolean;
  /** What the page's thread may do for it in one turn, where that is more than it may for others, and by which limit. */
  readonly allows?: Partial<Work>;
  /** The page's session is over afterwards, by rule. */
  readonly endsSession?: boolean;
  readonly draws?: Drawing;
  /** The tab of the demo's shelf that is drawn while the code runs, in the demo's session. */
  readonly tab?: "artifacts" | "files" | "tools" | "skills" | "trace";
  /** What keeps it from holding the page: without it, the same code does. */
  readonly bound: BoundName;
  /** Where that was not so: the engine does all of it fast enough, or elsewhere. The suite shows that. */
  readonly harmless?: Harmless;
  /** Whether `npm test` makes it. */
  readonly isBrief?: boolean;
}

/** The same reason in each engine. */
export const everywhere = (reason: string): Harmless => ({ chromium: reason, firefox: reason, webkitgtk: reason });

/** The same reason in Chromium and Firefox, where it was seen. */
export const inTwoEngines = (reason: string): Harmless => ({ chromium: reason, firefox: reason });
