import type { CellPhase, CellRuntime, CellSettings } from "./cell-runtime.js";

/**
 * What the part of `<vitrine-agent>` that is there before the first question, and the part that comes with it, know of each
 * other. Types alone: whatever the first imports is loaded with every page.
 */

/** The server that writes the agent's code: any that speaks the OpenAI chat protocol. */
export interface AgentModel {
  readonly baseURL: string;
  readonly model: string;
  /** Null: the server asks for none. It goes to that server alone, and never into an interpreter. */
  readonly apiKey: string | null;
}

/** What the agent of a page is given by the page's markup. */
export interface AgentSettings {
  /** Its interpreter: the session of the cells of that name, or one of its own. `setup`, `deps`, `files`, `tools` as cells have them. */
  readonly interpreter: CellSettings;
  /** Code of the hidden cells of the page that share its session, as in a cell's request. Default: none. */
  readonly before?: readonly string[];
  /** Absolute addresses of the site's texts: an llms.txt, a search index in JSON, pages of text. Empty: there are none. */
  readonly texts: readonly string[];
  /** What the author of the page says to the model, beyond the question. Empty: nothing. */
  readonly instructions: string;
  /** Steps that a question may take. */
  readonly maxSteps: number;
}

export interface AgentQuestion {
  readonly settings: AgentSettings;
  readonly model: AgentModel;
  readonly question: string;
  /** The title, address and text of the page, as a reader sees it: at most some 20,000 characters. */
  readonly page: { readonly title: string; readonly url: string; readonly text: string };
  /** What was asked before in this element, so that a question may go on from the one before. */
  readonly isFollowUp: boolean;
  /** Stops the task, also while Python loads. */
  readonly signal: AbortSignal;
  readonly onPhase: (phase: CellPhase) => void;
  /** Answers `input()`, as in a cell. */
  readonly onInput: (prompt: string, context: { readonly signal: AbortSignal }) => Promise<string>;
}

export type AgentOutcome =
  | { readonly kind: "answered"; readonly text: string }
  | { readonly kind: "stopped" }
  /** No answer: a limit, a refusal, or what the server said; a sentence for the reader. `isOfModel`: the settings of the model may mend it. */
  | { readonly kind: "failed"; readonly message: string; readonly isOfModel: boolean };

/** Draws one question's work below it: steps with their code, what they printed and showed, the answer. */
export interface AgentTranscript {
  /** Goes into the element's shadow root. */
  readonly element: HTMLElement;
}

/** One per `<vitrine-agent>`. */
export interface PageAgent {
  /**
   * Draws into `transcript` as the work goes on. Resolves however the task ends; rejects with a `VitrineError` where it could
   * not begin: a policy of the site, a file that is missing, a text of the site that did not come.
   */
  ask(question: AgentQuestion, transcript: AgentTranscript): Promise<AgentOutcome>;
  /** Forgets what was asked before, and ends an interpreter of its own. */
  close(): Promise<void>;
}

/** What the chunk of the first question exports. */
export interface AgentModule {
  /** `runtime` is that of the page's cells, so that agent and cells share their named sessions. */
  openPageAgent(runtime: CellRuntime): PageAgent;
  createTranscript(): AgentTranscript;
}
