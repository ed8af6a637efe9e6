import type { Value, VitrineError } from "../protocol/index.js";

/** An agent on the way to a call: the one that a person gave a task, or one that works as a tool of another. */
export interface AgentOnPath {
  /** The name of the tool that the agent is; of the first one, which kind of agent it is. */
  readonly name: string;
  readonly taskId: string;
  /** The call in whose course it works; null for one that works in the course of none. */
  readonly callId: string | null;
}

/** The task of an agent, as a tool sees it that is called in its course. */
export interface CallingTask {
  readonly taskId: string;
  /** The agents inside one another, the outermost first. The last one's task this is. */
  readonly path: readonly AgentOnPath[];
  /** Where a tool counts that asks a model itself. */
  readonly account: TaskAccount;
  /**
   * Tells it of work that a stop of the call ends in a moment: the task does not end before it, and may still want what
   * came of it.
   *
   * @param callId - the call in whose course it is done. The work tells of its own calls.
   */
  waitFor?(working: Promise<Value>, callId: string): void;
}

/** What a task may use of models, and has used. */
export interface TaskAccount {
  /** Why it may use no more; null while there is room. To be looked at before each request. */
  readonly reached: VitrineError | null;
  /** Counts a request that is about to be made. */
  countModelCall(): void;
  /** Counts tokens. @param prices - money for a million of them. Default: what the agent's own model costs. */
  countTokens(tokens: TokenCounts, prices?: TokenPrices): void;
}

/** Tokens that were used; estimated where the server did not count. */
export interface TokenCounts {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** True where no server counted. */
  readonly isEstimated: boolean;
}

/** What a million tokens cost, in any currency. */
export interface TokenPrices {
  /** Of what is sent. */
  readonly input: number;
  /** Of what comes back. */
  readonly output: number;
}
