/** What the page saw of an attempt; the listeners know the rest. */
export interface PageReport {
  /** What the code came to, or how it was refused. */
  readonly outcome: string;
  /** What is not as it was. */
  readonly effects: readonly string[];
  /** It told what only the page knows. */
  readonly toldSecret: boolean;
  /** Milliseconds for which the page or its other session did not answer while the attempt went on. */
  readonly silence: number;
}

/** What a driver calls. */
export interface EscapePage {
  /** Makes one attempt, against the seal or as its control. */
  attempt(title: string, environment: "sealed" | "control"): Promise<PageReport>;
  /** Whether another session, opened before all attempts, still answers. */
  neighbourAnswers(): Promise<boolean>;
  /** Whether JavaScript text can be run in the sealed worker at all. */
  runsScripts(): Promise<boolean>;
  /** Those of the names that the sealed worker's global object has. */
  present(names: readonly string[]): Promise<readonly string[]>;
  /** Everything as before the attempt. */
  reset(): Promise<void>;
}
