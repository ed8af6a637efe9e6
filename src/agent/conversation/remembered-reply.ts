import type { ModelMessage, ModelToolCall } from "../../model/index.js";

/** What stands for a picture where a model sees none. */
export const PICTURE_TEXT = "(a picture that the code drew)";

/** What the model said, whole. */
interface Said {
  readonly text: string;
  readonly toolCalls: readonly ModelToolCall[];
}

/** What the model said, with those of its tool calls that are answered: servers refuse a call without an answer. */
export function rememberedReply({ text, toolCalls }: Said, messages: readonly ModelMessage[]): ModelMessage {
  const answered = toolCalls.filter(({ id }) =>
    messages.some((message) => message.role === "tool" && message.toolCallId === id),
  );
  // Some servers refuse a message without text.
  const content = text.trim() === "" && answered.length === 0 ? "(no reply)" : text;
  return { role: "assistant", content, ...(answered.length === 0 ? {} : { toolCalls: answered }) };
}

/** What the model said in a step that was interrupted: calls that are not answered cannot be told to a server as calls. */
export function interruptedReply({ text, toolCalls }: Said): ModelMessage {
  const calls = toolCalls.map(({ name, arguments: given }) => `${name}(${given})`);
  const content = [text, ...calls].filter((part) => part !== "").join("\n") || "(no reply)";
  return { role: "assistant", content };
}

/** Whether the model knows from this event of its task on what the person has said. */
export function tellsModel({ type }: { readonly type: string }): boolean {
  return type === "step-started" || type === "task-ended";
}
