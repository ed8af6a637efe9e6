/** One message of a conversation, as every OpenAI-compatible server reads it. */
export type ModelMessage =
  | { readonly role: "system"; readonly content: string }
  | { readonly role: "user"; readonly content: string | readonly ContentPart[] }
  | {
      readonly role: "assistant";
      readonly content: string;
      /** What the model asked for; a `tool` message must answer each. */
      readonly toolCalls?: readonly ModelToolCall[];
    }
  | { readonly role: "tool"; readonly content: string; readonly toolCallId: string };

/** A piece of what a user says. A model that does not see is given the text of an image in its place. */
export type ContentPart =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "image";
      /** `image/png`, `image/jpeg`, `image/webp` or `image/gif`. */
      readonly mime: string;
      readonly data: Uint8Array;
      /** What stands there for a model that does not see. */
      readonly text: string;
    };

/** A tool call that the model asks for. */
export interface ModelToolCall {
  /** By which the answer names it. */
  readonly id: string;
  readonly name: string;
  /** JSON as the model wrote it; nobody has looked at it yet. */
  readonly arguments: string;
}

/** A tool as a server is told of it. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  /** A JSON Schema of an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/**
 * One call of a model: the conversation so far, and how it is to be answered. What a model cannot do it says in a
 * notice.
 */
export interface ModelRequest {
  /** A system message, the task as first user message, then replies and observations in turn. */
  readonly messages: readonly ModelMessage[];
  /** Left out when undefined, and when the model turns out to refuse it. */
  readonly temperature?: number;
  /** Tokens of the reply at most. Left out when undefined, and when the model turns out to refuse it. */
  readonly maxTokens?: number;
  /** Tools that the model may ask for. One that knows no tool calls fails with `ModelToolsError`: it needs another prompt. */
  readonly tools?: readonly ModelTool[];
  /**
   * A reply that is JSON of this JSON Schema, where the server can hold a model to it. Where it cannot, the reply comes
   * with a notice and is whatever the model makes of the prompt: check it.
   */
  readonly responseSchema?: {
    readonly name: string;
    readonly schema: Readonly<Record<string, unknown>>;
    /** Whether the schema keeps to the strict form of OpenAI, by which a server can hold the model to it. Default: true. */
    readonly strict?: boolean;
  };
}

/** Tokens of one model call. */
export interface ModelUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/**
 * `length`: the server cut the reply; `filter`: it withheld it; `refusal`: the model declined; `tool-calls`: it waits for
 * the answers of tools; `other`: a reason of the server's own.
 */
export type FinishReason = "stop" | "length" | "filter" | "refusal" | "tool-calls" | "other";

/** Something a person may want to know about a reply that went well. */
export interface ModelNotice {
  readonly code: "PARAMETER_REFUSED" | "PROMPT_CHANGED";
  readonly message: string;
  /** With `PARAMETER_REFUSED`: what of the request the reply was made without. */
  readonly parameter?: "temperature" | "maxTokens" | "responseSchema" | "images";
}

/** A piece of a reply. `done` is the last; a reply without it was not finished. */
export type ModelChunk =
  | { readonly type: "text"; readonly text: string }
  /** What a reasoning model thinks before its reply, where the server tells. It is no part of the reply. */
  | { readonly type: "reasoning"; readonly text: string }
  /** A call that is whole, however many pieces it came in; calls come after the text, in the model's order. */
  | { readonly type: "tool-call"; readonly call: ModelToolCall }
  | { readonly type: "notice"; readonly notice: ModelNotice }
  /** The server refused the request as it was; it is sent once more in another form, and that is one more request. */
  | { readonly type: "asked-again" }
  | { readonly type: "done"; readonly finishReason: FinishReason; readonly usage: ModelUsage | null };

/** What ends a model call early. */
export interface CompleteOptions {
  /** Ends the reply; what was streamed until then stays. */
  readonly signal?: AbortSignal;
}

/** What answers an agent: a language model behind a server, or a recording of one. */
export interface Model {
  /** What the provider calls it, `gpt-4.1-mini` for instance. */
  readonly name: string;
  /** `openai`, `recorded`, or a word of your own for a model of your own. Events and saved tasks tell it. */
  readonly kind: string;
  /** Whether images in messages reach it as images. Default: false. */
  readonly sees?: boolean;

  /**
   * Why the model cannot be asked as it is set up, a missing key for instance, in a sentence. Asks no server.
   *
   * @returns null where nothing is known to be in the way.
   */
  problem?(): string | null;

  /** The text without the key that the model was given, for what is kept, or sent to others. Default: as it is. */
  withoutKey?(text: string): string;

  /**
   * Streams the reply to `request`. Nothing happens before the first chunk is asked for.
   *
   * @throws {ModelError} of the kind that fits; chunks that came before it are good.
   * @throws the signal's reason when `signal` was aborted.
   */
  complete(request: ModelRequest, options?: CompleteOptions): AsyncIterable<ModelChunk>;
}
