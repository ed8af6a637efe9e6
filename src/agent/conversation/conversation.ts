import { messageText, type ContentPart, type ModelMessage } from "../../model/index.js";
import { checkArgument, optionCheck } from "../../options/index.js";
import { shortenUnits } from "../../protocol/index.js";

/** Bytes of an observation's text that a model is shown, and of an answer's text. */
export const MAX_OBSERVATION_SIZE = 10_000;

/** One step as the model remembers it. */
export interface ConversationStep {
  readonly kind: "step";
  /** What the model said. */
  readonly reply: ModelMessage;
  /** What it was told about it. */
  readonly told: readonly ModelMessage[];
}

/** A message of the person: the task, or something said later. */
export interface ConversationTurn {
  readonly kind: "turn";
  readonly message: ModelMessage;
}

/** A part of what a model is reminded of: a step that has ended, or a message of the person. */
export type ConversationItem = ConversationStep | ConversationTurn;

/** Makes a conversation shorter. What a person said is not for it to change. */
export type PruningStrategy = (items: readonly ConversationItem[]) => readonly ConversationItem[];

/** What a model is told of a task so far: the prompt, what the person said, and the steps. */
export class Conversation {
  #system: ModelMessage;
  #items: ConversationItem[];

  /** @param before - turns and steps of the conversation that this task continues. */
  constructor(system: string, before: readonly ConversationItem[] = []) {
    this.#system = systemMessage(system);
    this.#items = [...before];
  }

  get items(): readonly ConversationItem[] {
    return this.#items;
  }

  /** The same once more, to go on with elsewhere: this one stays as it is. */
  fork(): Conversation {
    const fork = new Conversation("", this.#items);
    fork.#system = this.#system;
    return fork;
  }

  /** Puts another prompt in the place of the first. */
  instruct(system: string): void {
    this.#system = systemMessage(system);
  }

  say(text: string): void {
    this.#items.push({ kind: "turn", message: { role: "user", content: text } });
  }

  addStep(step: ConversationStep): void {
    this.#items.push(step);
  }

  /** `withTools`: whether the model is offered tools. Where it is not, calls of earlier steps are told in words. */
  messages({ withTools = true }: { readonly withTools?: boolean } = {}): ModelMessage[] {
    const said = this.#items.flatMap((item) => (item.kind === "turn" ? [item.message] : [item.reply, ...item.told]));
    return [this.#system, ...joinTurns(withTools ? said : said.map(inWords))];
  }

  /** Whether the strategy made it any shorter. */
  prune(strategy: PruningStrategy): boolean {
    const before = this.#size();
    this.#items = [...strategy(this.#items)];
    return this.#size() < before;
  }

  /**
   * {@link prune} for a model to which it is too long: what the strategy does not make shorter loses the older half of its
   * steps, and once there is one left, what was told about that is cut. Whether it got any shorter.
   */
  shorten(strategy: PruningStrategy): boolean {
    if (this.prune(strategy)) return true;
    if (strategy === keepAll) return false;
    if (this.prune(keepLastSteps(Math.max(1, Math.floor(stepsOf(this.#items) / 2))))) return true;
    const longest = Math.max(0, ...this.#items.flatMap((item) => (item.kind === "turn" ? [] : item.told.map(sizeOf))));
    return this.prune(pruneOldObservations({ keepLast: 0, maxLength: Math.max(SHORTEST, Math.floor(longest / 4)) }));
  }

  #size(): number {
    return this.messages().reduce((sum, message) => sum + 1 + sizeOf(message), 0);
  }
}

/** Characters to which the only observation that is left is cut at most. */
const SHORTEST = 200;

/** Keeps the last `count` steps, and all that the person said. */
export function keepLastSteps(count: number): PruningStrategy {
  checkArgument("keepLastSteps", "count", count, "number");
  return (items) => {
    let left = Math.max(0, stepsOf(items) - Math.max(0, count));
    return items.filter((item) => item.kind === "turn" || left-- <= 0);
  };
}

interface CutOptions {
  /** Steps that are left as they are. Default 3. */
  readonly keepLast?: number;
  /** Characters that are left of an older observation. Default 100. */
  readonly maxLength?: number;
}

const checkCut = optionCheck<CutOptions>("pruneOldObservations", { keepLast: "number?", maxLength: "number?" });

/** Cuts what the model was told about older steps. */
export function pruneOldObservations(options: CutOptions = {}): PruningStrategy {
  checkCut(options);
  const { keepLast = 3, maxLength = 100 } = options;
  return (items) => {
    let left = Math.max(0, stepsOf(items) - keepLast);
    return items.map((item) => {
      if (item.kind === "turn" || left-- <= 0) return item;
      return { ...item, told: item.told.map((message) => shortened(message, maxLength)) };
    });
  };
}

/** Leaves the conversation as it is, also where it is too long for the model. */
export function noPruning(): PruningStrategy {
  return keepAll;
}

const keepAll: PruningStrategy = (items) => items;

function systemMessage(content: string): ModelMessage {
  return { role: "system", content };
}

/** A message without tool calls: servers refuse those where no tools are offered. */
function inWords(message: ModelMessage): ModelMessage {
  if (message.role === "tool") return { role: "user", content: message.content };
  if (message.role !== "assistant" || message.toolCalls === undefined) return message;
  const calls = message.toolCalls.map(
    ({ name, arguments: given }) => `{"tool": ${JSON.stringify(name)}, "arguments": ${given}}`,
  );
  return { role: "assistant", content: [message.content, ...calls].filter((text) => text !== "").join("\n") };
}

/** Some servers refuse two messages of one speaker in a row. */
function joinTurns(messages: readonly ModelMessage[]): ModelMessage[] {
  const joinedMessages: ModelMessage[] = [];
  for (const message of messages) {
    const last = joinedMessages.at(-1);
    if (last?.role !== "user" || message.role !== "user") joinedMessages.push(message);
    else joinedMessages[joinedMessages.length - 1] = { role: "user", content: joined(last.content, message.content) };
  }
  return joinedMessages;
}

function joined(one: Content, other: Content): Content {
  if (typeof one === "string" && typeof other === "string") return `${one}\n\n${other}`;
  return [...partsOf(one), ...partsOf(other)];
}

type Content = Extract<ModelMessage, { role: "user" }>["content"];

function partsOf(content: Content): readonly ContentPart[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

function stepsOf(items: readonly ConversationItem[]): number {
  return items.filter(({ kind }) => kind === "step").length;
}

/** Characters, and bytes of pictures. */
function sizeOf(message: ModelMessage): number {
  const parts = message.role === "user" ? partsOf(message.content) : [];
  return parts.reduce((sum, part) => sum + (part.type === "image" ? part.data.length : 0), messageText(message).length);
}

function shortened(message: ModelMessage, maxLength: number): ModelMessage {
  // Pictures of older steps go with the text that told of them.
  return { ...message, content: shortenUnits(messageText(message), maxLength, "...") };
}
