import { z } from "zod";

import { askModel, type ContentPart, type Model, type ModelMessage } from "../../../model/index.js";
import { messageOf } from "../../../protocol/index.js";
import type { McpSampling, McpSamplingAnswer } from "../../../tools/index.js";
import { formatCount } from "../text/format.js";
import type { Models } from "../session/models.js";
import { Observable } from "../text/observable.js";

/** A piece of what a server says to a model. */
export type SampledPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "image"; readonly mime: string; readonly data: Uint8Array };

/** A message of it, or what it has the model know beforehand. */
export interface SampledMessage {
  readonly role: "system" | "user" | "assistant";
  readonly parts: readonly SampledPart[];
}

/** Tokens of a reply at most, whatever the server wants: the user pays for them. */
const MOST_TOKENS = 8192;

/** Characters that are kept of a reply. A model that is not held to its tokens might not come to an end. */
const MOST_CHARACTERS = 100_000;

/** Texts at which a reply ends, which are looked for in all of it as it comes. */
const MOST_STOPS = 16;

/** What models here can be shown. */
const PICTURES = ["image/png", "image/jpeg", "image/webp", "image/gif"];

const Block = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("image"), data: z.base64(), mimeType: z.enum(PICTURES) }),
]);
const Blocks = z.union([Block.transform((block) => [block]), z.array(Block)]);

/** A server's question to a model, and what a model of the user's own says to it once the user has agreed. */
export class SamplingReply extends Observable {
  /** What the model would be told, in order, as the user has changed it so far. */
  messages: readonly SampledMessage[];
  /** Why no model here can be asked it; empty where one can. */
  readonly obstacle: string;
  /** Tokens of the reply at most. */
  readonly maxTokens: number;
  state: "asked" | "answering" | "answered" | "failed" = "asked";
  /** What the model has said so far. */
  text = "";
  /** Why it said nothing; empty otherwise. */
  problem = "";
  /** What changes when the user sets up another model. */
  readonly settings: Observable;
  readonly #asked: McpSampling;
  /** The server's own words. */
  readonly #given: readonly SampledMessage[];
  readonly #models: Models;
  #model = "";
  #stopReason = "endTurn";
  #stop: AbortController | undefined;

  constructor(asked: McpSampling, models: Models) {
    super();
    this.#asked = asked;
    this.#models = models;
    this.settings = models.settings;
    this.maxTokens = Math.min(asked.maxTokens, MOST_TOKENS);
    const messages = asked.messages.map(readMessage);
    const { systemPrompt = "" } = asked;
    this.#given = [
      ...(systemPrompt === ""
        ? []
        : [{ role: "system" as const, parts: [{ kind: "text" as const, text: systemPrompt }] }]),
      ...messages.filter((message) => message !== null),
    ];
    this.messages = this.#given;
    this.obstacle = obstacleOf(asked, messages.includes(null));
  }

  /** The model that would be asked, or was; null where the user has set up none. */
  get modelName(): string | null {
    if (this.state !== "asked") return this.#model;
    return this.#models.isOwn ? this.#models.chosen().name : null;
  }

  /** Whether the model that would be asked is shown pictures as such. */
  get seesPictures(): boolean {
    return this.#models.isOwn && this.#models.chosen().sees === true;
  }

  /** Whether the user has changed what the server wanted said. */
  get isEdited(): boolean {
    return this.messages !== this.#given;
  }

  /** Whether they changed this message of it. */
  isChanged(message: number): boolean {
    return this.messages[message] !== this.#given[message];
  }

  /** Whether the model would be told anything. */
  get saysSomething(): boolean {
    return this.messages.some(
      ({ role, parts }) => role !== "system" && parts.some((part) => part.kind !== "text" || part.text !== ""),
    );
  }

  /** Puts other words in the place of the server's. Only what has not been asked yet can be changed. */
  edit(message: number, part: number, text: string): void {
    if (!this.canBeEdited) return;
    this.messages = this.messages.map((one, at) =>
      at === message ? { ...one, parts: one.parts.map((old, i) => (i === part ? { kind: "text", text } : old)) } : one,
    );
    this.changed();
  }

  /** Puts the server's own words back. */
  undoEdits(): void {
    if (!this.canBeEdited) return;
    this.messages = this.#given;
    this.changed();
  }

  /** Not once the model has been told it, unless it did not answer. */
  get canBeEdited(): boolean {
    return this.obstacle === "" && (this.state === "asked" || this.state === "failed");
  }

  /** What goes back to the server. */
  get answer(): McpSamplingAnswer {
    return { model: this.#model, text: this.text, stopReason: this.#stopReason };
  }

  /** Asks the model. A failure is shown, not thrown. */
  async ask(): Promise<void> {
    if (this.state === "answering") return;
    const stop = new AbortController();
    this.#stop = stop;
    this.text = "";
    this.problem = "";
    this.state = "answering";
    this.changed();
    try {
      const model = this.#models.own();
      if (model === null) throw new Error("No model of your own is set up.");
      this.#model = model.name;
      await this.#read(model, stop.signal);
      this.state = "answered";
    } catch (error) {
      this.problem = messageOf(error);
      this.state = "failed";
    }
    this.changed();
  }

  /** Ends the reply. */
  stop(): void {
    this.#stop?.abort(new DOMException("It was stopped.", "AbortError"));
  }

  async #read(model: Model, signal: AbortSignal): Promise<void> {
    const { temperature, stopSequences = [] } = this.#asked;
    const request = {
      messages: this.messages
        .map(withoutEmpty)
        .filter(({ parts }) => parts.length > 0)
        .map(modelMessage),
      maxTokens: this.maxTokens,
      ...(temperature === undefined ? {} : { temperature }),
    };
    // What a server counts as the user's, the page does not.
    const uncounted = { countCall: () => undefined, countTokens: () => undefined };
    const enough = new AbortController();
    let end: ReplyEnd | undefined;
    const onText = (text: string): void => {
      this.text += text;
      end ??= replyEnd(this.text, stopSequences);
      if (end !== undefined) enough.abort(new DOMException("It has said enough.", "AbortError"));
      this.changed();
    };
    try {
      const { finishReason } = await askModel(model, request, {
        ...uncounted,
        signal: AbortSignal.any([signal, enough.signal]),
        onChunk: (chunk) => {
          if (chunk.type === "text") onText(chunk.text);
        },
      });
      if (finishReason === "filter" || finishReason === "refusal") throw new Error("The model declined to answer.");
      this.#stopReason = finishReason === "length" ? "maxTokens" : "endTurn";
    } catch (error) {
      if (!enough.signal.aborted || signal.aborted) throw error;
    }
    if (end !== undefined) {
      this.text = this.text.slice(0, end.length);
      this.#stopReason = end.reason;
    }
    if (this.text.trim() === "") throw new Error("The model said nothing.");
  }
}

interface ReplyEnd {
  /** Characters that belong to the reply. */
  readonly length: number;
  readonly reason: "stopSequence" | "maxTokens";
}

/** Where a reply is to end, if it has come so far. Models that are asked here know no such texts, so the page looks for them. */
function replyEnd(text: string, stopSequences: readonly string[]): ReplyEnd | undefined {
  const found = stopSequences
    .filter((sequence) => sequence !== "")
    .map((sequence) => text.indexOf(sequence))
    .filter((at) => at !== -1);
  if (found.length > 0) return { length: Math.min(...found), reason: "stopSequence" };
  return text.length > MOST_CHARACTERS ? { length: MOST_CHARACTERS, reason: "maxTokens" } : undefined;
}

/** Why no model here can be asked it, as a sentence; empty where one can. */
function obstacleOf({ stopSequences = [] }: McpSampling, isUnknown: boolean): string {
  if (isUnknown) return "It sends the model something other than text and pictures, such as sound or calls of tools.";
  if (stopSequences.length <= MOST_STOPS) return "";
  return `It has the reply end at any of ${formatCount(stopSequences.length, "text")}; ${String(MOST_STOPS)} is the most.`;
}

/** What the user has emptied is not said, and servers of models refuse it. */
function withoutEmpty({ role, parts }: SampledMessage): SampledMessage {
  return { role, parts: parts.filter((part) => part.kind !== "text" || part.text !== "") };
}

/** Null where there is something in it that no model here takes. */
function readMessage({ role, content }: McpSampling["messages"][number]): SampledMessage | null {
  const blocks = Blocks.safeParse(content);
  if (!blocks.success) return null;
  if (role === "assistant" && blocks.data.some(({ type }) => type === "image")) return null;
  const parts = blocks.data.map((block): SampledPart => {
    if (block.type === "text") return { kind: "text", text: block.text };
    return { kind: "image", mime: block.mimeType, data: Uint8Array.from(atob(block.data), (one) => one.charCodeAt(0)) };
  });
  return { role, parts };
}

function modelMessage({ role, parts }: SampledMessage): ModelMessage {
  const texts = parts.map((part) => (part.kind === "text" ? part.text : ""));
  if (role !== "user" || parts.every(({ kind }) => kind === "text")) {
    return { role: role === "user" ? "user" : role, content: texts.join("\n") };
  }
  return {
    role,
    content: parts.map((part): ContentPart =>
      part.kind === "text"
        ? { type: "text", text: part.text }
        : { type: "image", mime: part.mime, data: part.data, text: `[a picture, ${part.mime}]` },
    ),
  };
}
