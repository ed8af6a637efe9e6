import {
  messageText,
  transcriptOf,
  type ModelMessage,
  type Transcript,
  type TranscriptStep,
} from "../../model/index.js";
import type { ConversationItem } from "../conversation/conversation.js";
import type { AgentStep } from "../events/events.js";
import { SavedTaskError } from "./errors.js";
import type { SavedTask } from "./saved-task.js";

/**
 * What the model said in a saved task, the tasks before it included, as a transcript: `recordedModel` says it again to
 * real tools.
 *
 * @throws {SavedTaskError} for a task in which the model came to no reply.
 */
export function taskTranscript(saved: SavedTask): Transcript {
  return wordsOf(saved).transcript;
}

/** What is said again of a task. */
export interface TaskWords {
  readonly transcript: Transcript;
  /**
   * Replies, counted from 1, whose step was cut short then, and comes to its end when they are said again: what came of
   * it cannot be compared.
   */
  readonly cut: ReadonlySet<number>;
}

/** @throws {SavedTaskError} for a task in which the model came to no reply. */
export function wordsOf(saved: SavedTask): TaskWords {
  const { conversation, model, result } = saved;
  const [first, ...rest] = conversation;
  const cut = cutSteps(saved);
  const steps = withLearning(stepsOf(rest, saved, cut), saved);
  if (first?.kind !== "turn" || steps.length === 0) throw new SavedTaskError("its model came to no reply");
  const transcript = transcriptOf({
    task: messageText(first.message),
    by: model.name,
    steps,
    ...(result?.answer ? { answer: result.answer.text } : {}),
  });
  const replies = rest.filter((item) => item.kind === "step");
  // After the last one nothing is said that it could be compared for.
  const uncompared = replies.flatMap((item, index) => (cut.has(item) && index + 1 < steps.length ? [index + 1] : []));
  return { transcript, cut: new Set(uncompared) };
}

/**
 * A conversation with all the steps that it has had: of one that is pruned the older ones are cut or missing. They were
 * compared when they were the last, so they stand as they were then, and the last one as it is.
 *
 * @param said - how many replies of the transcript were said again.
 */
export function wholeConversation(
  messages: readonly ModelMessage[],
  { transcript: { task, steps }, cut }: TaskWords,
  said: number,
): ModelMessage[] {
  const then = steps
    .slice(0, said)
    .map(({ reply, toolCalls, observed = "" }) => [
      { role: "assistant", content: reply, ...(toolCalls === undefined ? {} : { toolCalls }) } as const,
      { role: "user", content: observed } as const,
    ]);
  const last = cut.has(said) ? -1 : messages.findLastIndex(({ role }) => role === "assistant");
  // A model that is shown no step at all is told nothing that could differ.
  const talk = last < 0 ? then.flat() : [...then.slice(0, -1).flat(), ...messages.slice(last)];
  return [...messages.filter(({ role }) => role === "system"), { role: "user", content: task }, ...talk];
}

/** The steps that were cut short after a whole reply, as the model remembers them, with what it had said. */
function cutSteps({ events, taskId, steps }: SavedTask): ReadonlyMap<ConversationItem, AgentStep> {
  const cut = new Map<ConversationItem, AgentStep>();
  let isResumed = false;
  for (const event of events) {
    if (event.taskId !== taskId) continue;
    if (event.type === "step-started") isResumed = false;
    if (event.type === "task-resumed") isResumed = true;
    if (event.type !== "step-ended" || event.remembered === null) continue;
    const step = steps.find(({ number }) => number === event.step);
    const isCut = isResumed || event.interrupted !== undefined;
    if (isCut && step !== undefined) cut.set(event.remembered, step);
  }
  return cut;
}

/** What was said about a skill once the task had its answer, as further steps: a rerun that learns asks for it again. */
function withLearning(
  steps: readonly TranscriptStep[],
  { events, taskId }: Pick<SavedTask, "events" | "taskId">,
): TranscriptStep[] {
  const all = [...steps];
  for (const event of events) {
    if (event.taskId !== taskId || event.step !== null) continue;
    const last = all.at(-1);
    if (event.type === "skill-asked" && last !== undefined) all[all.length - 1] = { ...last, observed: event.told };
    if (event.type === "model-ended") all.push({ reply: event.reply.trim() === "" ? "(no reply)" : event.reply });
  }
  return all;
}

function stepsOf(
  items: readonly ConversationItem[],
  { events, taskId }: SavedTask,
  cut: ReadonlyMap<ConversationItem, AgentStep>,
): TranscriptStep[] {
  // Whoever hears the words again is told nothing of an interruption.
  const resumptionTexts = new Set(
    events.map((event) => (event.type === "task-resumed" && event.taskId === taskId ? event.told : null)),
  );
  const steps: { reply: Pick<AgentStep, "reply" | "toolCalls">; observed: string[] }[] = [];
  for (const item of items) {
    if (item.kind === "step") {
      // One that was cut short is remembered with its calls in words.
      const whole = cut.get(item);
      const remembered = { reply: messageText(item.reply), toolCalls: callsOf(item.reply) };
      const reply = whole === undefined || whole.toolCalls.length === 0 ? remembered : whole;
      steps.push({ reply, observed: item.told.map(messageText) });
    } else if (!resumptionTexts.has(messageText(item.message))) {
      steps.at(-1)?.observed.push(messageText(item.message));
    }
  }
  return steps.map(({ reply: { reply, toolCalls }, observed }, index) => ({
    reply,
    ...(toolCalls.length === 0 ? {} : { toolCalls: [...toolCalls] }),
    // Nobody has looked at what came of the last reply.
    ...(index === steps.length - 1 && observed.length === 0 ? {} : { observed: observed.join("\n\n") }),
  }));
}

function callsOf(message: ModelMessage): AgentStep["toolCalls"] {
  return message.role === "assistant" ? (message.toolCalls ?? []) : [];
}
