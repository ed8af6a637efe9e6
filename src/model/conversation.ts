import type { ModelMessage, ModelToolCall } from "./model.js";

/** A reply, and what came between it and the next: results of tools, observations, words of the user. */
export interface ConversationTurn {
  readonly reply: string;
  readonly toolCalls: readonly ModelToolCall[];
  readonly observed: string;
}

/** A conversation as an agent holds it: one task, then replies, each with what the agent observed. */
export interface Conversation {
  /** Empty when there is no system message. */
  readonly system: string;
  readonly task: string;
  readonly turns: readonly ConversationTurn[];
}

export function readConversation(messages: readonly ModelMessage[]): Conversation {
  const system = messages.filter(({ role }) => role === "system").map(messageText);
  const [task, ...rest] = messages.filter(({ role }) => role !== "system");
  const turns: { reply: string; toolCalls: readonly ModelToolCall[]; observed: string }[] = [];
  for (const message of rest) {
    const turn = turns.at(-1);
    const text = messageText(message);
    if (message.role === "assistant") turns.push({ reply: text, toolCalls: message.toolCalls ?? [], observed: "" });
    else if (turn !== undefined) turn.observed += turn.observed === "" ? text : `\n\n${text}`;
  }
  return { system: system.join("\n\n"), task: task === undefined ? "" : messageText(task), turns };
}

/** What a message says in words; images by what stands for them. */
export function messageText({ content }: ModelMessage): string {
  return typeof content === "string" ? content : content.map(({ text }) => text).join("\n\n");
}

/** What comparisons go by: files and editors change line ends and trailing blanks, and nobody means anything by it. */
export function normalizeText(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(/[ \t]+$/gm, "")
    .trim();
}

/** By which a task is known again: how its blanks stand means nothing. */
export function taskKey(task: string): string {
  return task.replace(/\s+/g, " ").trim();
}

/** Tells one prompt from another. It detects a change and protects against nothing. */
export function promptFingerprint(system: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(normalizeText(system))) {
    hash = Math.imul(hash ^ byte, 0x01000193);
  }
  return `fnv1a:${(hash >>> 0).toString(16).padStart(8, "0")}`;
}
