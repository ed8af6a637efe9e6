import type { Silence } from "./heart.js";

/** How one attempt ended, as its own code or the page can tell. */
export interface AttemptReport {
  readonly title: string;
  /** What the code came to, or how it was refused. */
  readonly outcome: string;
  /** It told what only the page knows. */
  readonly toldSecret: boolean;
}

/** What the page saw while attempts were made; the listeners know the rest. */
export interface BatchReport {
  readonly attempts: readonly AttemptReport[];
  /** What is not as it was. */
  readonly effects: readonly string[];
  /** For how long the page or its other session did not answer meanwhile. */
  readonly silence: Silence;
}

/** Where attempts are made: against the seal, or, as twins, where nothing holds them. */
export type Environment = "sealed" | "open";

/** What a driver calls. */
export interface EscapePage {
  /** Makes attempts of one ring side by side. */
  make(titles: readonly string[], environment: Environment): Promise<BatchReport>;
  /** What came of the last batch, for a driver that a dialog has cut off. */
  made(): Promise<BatchReport>;
  /** Whether another session opens now. */
  opensSession(): Promise<boolean>;
  /** Whether JavaScript text can be run in the sealed worker at all. */
  runsScripts(): Promise<boolean>;
  /** Those of the names that the sealed worker's global object has. */
  present(names: readonly string[]): Promise<readonly string[]>;
  /** Milliseconds of the smallest step that a clock of the sealed worker makes. */
  finestClock(): Promise<number>;
  /** Everything as before the attempts. */
  reset(): Promise<void>;
}
