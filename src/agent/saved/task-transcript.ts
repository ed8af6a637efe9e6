import {
  messageText,
  transcriptOf,
  type ModelMessage,
  type Transcript,
  type TranscriptStep,
} from "../../model/index.js";
import type { ConversationItem } from "../conversation.js";
import { SavedTaskError } from "./errors.js";
import type { SavedTask } from "./saved-task.js";

/**
 * What the model said in a saved task, the tasks before it included, as a transcript: `recordedModel` says it again to
 * real tools.
 *
 * @throws {SavedTaskError} for a task in which the model came to no reply.
 */
export function taskTranscript({ conversation, model, result }: SavedTask): Transcript {
  const [first, ...rest] = conversation;
  const steps = stepsOf(rest);
  if (first?.kind !== "turn" || steps.length === 0) throw new SavedTaskError("its model came to no reply");
  return transcriptOf({
    task: messageText(first.message),
    by: model.name,
    steps,
    ...(result?.answer ? { answer: result.answer.text } : {}),
  });
}

function stepsOf(items: readonly ConversationItem[]): TranscriptStep[] {
  const steps: { reply: ModelMessage; observed: string[] }[] = [];
  for (const item of items) {
    if (item.kind === "step") steps.push({ reply: item.reply, observed: item.told.map(messageText) });
    else steps.at(-1)?.observed.push(messageText(item.message));
  }
  return steps.map(({ reply, observed }, index) => {
    const toolCalls = reply.role === "assistant" ? reply.toolCalls : undefined;
    return {
      reply: messageText(reply),
      ...(toolCalls === undefined ? {} : { toolCalls: [...toolCalls] }),
      // Nobody has looked at what came of the last reply.
      ...(index === steps.length - 1 && observed.length === 0 ? {} : { observed: observed.join("\n\n") }),
    };
  });
}
