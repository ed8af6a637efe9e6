import {
  normalizeText,
  readConversation,
  recordedModel,
  type CompleteOptions,
  taskKey,
  type Conversation,
  type ModelChunk,
  type ModelMessage,
  type ModelRequest,
  type ModelToolCall,
} from "../../model/index.js";
import type { AgentEvent } from "../events/events.js";
import { SavedTaskError } from "./errors.js";
import { savedTaskOf, type SavedTask } from "./saved-task.js";
import { wholeConversation, wordsOf, type TaskWords } from "./task-transcript.js";

/** What was said to the agent of one task. */
interface Words {
  /** Null where its model came to no reply. */
  readonly then: TaskWords | null;
  /** How many of its replies were said again. */
  said: number;
}

/**
 * What was said to the agents in the course of a saved task, to be said again. Where several were given the same text, they
 * are told what they were told then in the order in which they began, and each goes on with its own.
 */
export class WordsOfThen {
  /** By the text of the task. */
  readonly #words = new Map<string, Words[]>();
  readonly #latest = new Map<string, Words>();

  constructor({ events, taskId: root }: SavedTask) {
    const byTask = new Map<string, AgentEvent[]>();
    for (const event of events) {
      const own = byTask.get(event.taskId);
      if (own === undefined) byTask.set(event.taskId, [event]);
      else own.push(event);
    }
    for (const event of events) {
      if (event.type !== "task-started" || event.taskId === root) continue;
      const saved = savedTaskOf(byTask.get(event.taskId) ?? [], { taskId: event.taskId });
      const then = repliesOf(saved);
      const task = taskKey(then?.transcript.task ?? saved.task);
      this.#words.set(task, [...(this.#words.get(task) ?? []), { then, said: 0 }]);
    }
  }

  /** Says the next reply to a request again; null where nobody was asked this then, or nobody replied. */
  replyTo(request: ModelRequest, options?: CompleteOptions): AsyncIterable<ModelChunk> | null {
    const { messages } = request;
    const conversation = readConversation(messages);
    const task = taskKey(conversation.task);
    const words = this.#words.get(task) ?? [];
    // One to whom something else was said than then is told so by the words that were begun last.
    const fitting =
      words.find((each) => isNext(each, conversation)) ??
      words.find((each) => conversation.turns.length > 0 && isNext(each, readConversation(wholeFor(each, messages))));
    const next = fitting ?? this.#latest.get(task) ?? words.at(-1);
    if (next === undefined) return null;
    const whole = fitting === undefined ? messages : wholeFor(fitting, messages);
    next.said = (fitting?.said ?? conversation.turns.length) + 1;
    this.#latest.set(task, next);
    if (next.then === null) return null;
    return recordedModel({ transcripts: [next.then.transcript], pace: 0 }).complete(
      { ...request, messages: whole },
      options,
    );
  }
}

function repliesOf(saved: SavedTask): TaskWords | null {
  try {
    return wordsOf(saved);
  } catch (error) {
    if (error instanceof SavedTaskError) return null;
    throw error;
  }
}

/** As it is without replies, and with those that were said again where the agent prunes its conversation. */
function wholeFor({ then, said }: Words, messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const steps = messages.filter(({ role }) => role === "assistant").length;
  return then === null || steps > said ? messages : wholeConversation(messages, then, said);
}

/** Whether what has been said and seen so far is what was said and seen then. */
function isNext({ then, said }: Words, { turns }: Conversation): boolean {
  if (said !== turns.length) return false;
  const steps = then?.transcript.steps ?? [];
  return turns.every(({ reply, toolCalls, observed }, index) => {
    const step = steps[index];
    return (
      isSame(step?.reply, reply) && isSame(step?.observed, observed) && callsOf(step?.toolCalls) === callsOf(toolCalls)
    );
  });
}

function isSame(then: string | undefined, now: string): boolean {
  return then !== undefined && normalizeText(then) === normalizeText(now);
}

/** Which ids they had is nobody's business. */
function callsOf(calls: readonly ModelToolCall[] = []): string {
  return JSON.stringify(calls.map(({ name, arguments: given }) => [name, given]));
}
