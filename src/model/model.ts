/** One message of a conversation, as every OpenAI-compatible server reads it. */
export interface ModelMessage {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

export interface ModelRequest {
  /** A system message, the task as first user message, then replies and observations in turn. */
  readonly messages: readonly ModelMessage[];
  /** Left out when undefined, and when the model turns out to refuse it. */
  readonly temperature?: number;
}

export interface ModelUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** `length`: the server cut the reply; `filter`: it withheld it; `other`: a reason of the server's own. */
export type FinishReason = "stop" | "length" | "filter" | "other";

/** Something a person may want to know about a reply that went well. */
export interface ModelNotice {
  readonly code: "PARAMETER_REFUSED" | "PROMPT_CHANGED";
  readonly message: string;
}

/** A piece of a reply. `done` is the last; a reply without it was not finished. */
export type ModelChunk =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "notice"; readonly notice: ModelNotice }
  | { readonly type: "done"; readonly finishReason: FinishReason; readonly usage: ModelUsage | null };

export interface CompleteOptions {
  /** Ends the reply; what was streamed until then stays. */
  readonly signal?: AbortSignal;
}

/** What answers an agent: a language model behind a server, or a recording of one. */
export interface Model {
  /** What the provider calls it, `gpt-4.1-mini` for instance. */
  readonly name: string;
  readonly kind: "openai" | "recorded";

  /**
   * Streams the reply to `request`. Nothing happens before the first chunk is asked for.
   *
   * @throws {ModelError} of the kind that fits; chunks that came before it are good.
   * @throws the signal's reason when `signal` was aborted.
   */
  complete(request: ModelRequest, options?: CompleteOptions): AsyncIterable<ModelChunk>;
}
