import { optionCheck } from "../options/index.js";
import { shortenUnitsTo } from "../protocol/index.js";
import { normalizeText, promptFingerprint, readConversation, taskKey, type Conversation } from "./conversation.js";
import { ModelError } from "./errors.js";
import type { CompleteOptions, Model, ModelChunk, ModelRequest, ModelToolCall } from "./model.js";
import type { Transcript, TranscriptStep } from "./transcript.js";

/** A model that only repeats. Everything its replies set going is real. */
export interface RecordedModel extends Model {
  readonly kind: "recorded";
  readonly transcripts: readonly Transcript[];
  /** The recording of `task`, which says by whom it is. Undefined when there is none. */
  transcriptFor(task: string): Transcript | undefined;
}

/** What a recorded model says, and how fast. */
export interface RecordedModelOptions {
  /** Where two know the same task, the later one is replayed. */
  readonly transcripts: readonly Transcript[];
  /** Milliseconds between the pieces of a reply. Default 5; 0 streams without a pause. */
  readonly pace?: number;
}

const checkOptions = optionCheck<RecordedModelOptions>("recordedModel", { transcripts: "array", pace: "number?" });

/**
 * Replays transcripts. Before each reply what the agent observed is compared
 * with what was observed at the recording, and where they differ the replay
 * ends: a reply that was given to something else is not shown as an answer.
 */
export function recordedModel(options: RecordedModelOptions): RecordedModel {
  checkOptions(options);
  const { transcripts, pace = 5 } = options;
  return new Replay(transcripts, pace);
}

/** What happened is not what was recorded, so the recording has no reply to it. */
export class RecordingMismatchError extends ModelError {
  override readonly name = "RecordingMismatchError";
  readonly code = "RECORDING_MISMATCH";
  readonly task: string;
  /** The step whose outcome differs, counted from 1. */
  readonly step: number;
  /** What was recorded. */
  readonly expected: string;
  /** What happened. */
  readonly actual: string;

  constructor({ task, step, expected, actual }: { task: string; step: number; expected: string; actual: string }) {
    super(
      `The recording no longer fits: at step ${String(step)} something else happened than when it was made, so it cannot ` +
        "answer. Record the task anew with a model of your own (settings), or put the task's files and tools back as they were.",
    );
    this.task = task;
    this.step = step;
    this.expected = expected;
    this.actual = actual;
  }
}

/** Nobody recorded this task. */
export class UnknownTaskError extends ModelError {
  override readonly name = "UnknownTaskError";
  readonly code = "UNKNOWN_TASK";

  constructor(
    readonly task: string,
    /** The tasks that can be replayed. */
    readonly known: readonly string[],
  ) {
    const choice =
      known.length === 0
        ? "It has no recordings at all."
        : `It knows: ${known.map((text) => `"${aboutTask(text)}"`).join(", ")}.`;
    super(
      `The recorded model only replays what was recorded, and "${aboutTask(task)}" was not. ${choice} ` +
        "Choose one of these, or set up a model in the settings to ask anything.",
    );
  }
}

class Replay implements RecordedModel {
  readonly kind = "recorded";
  readonly name = "recorded";
  readonly transcripts: readonly Transcript[];
  readonly #pace: number;
  readonly #byTask: ReadonlyMap<string, Transcript>;

  constructor(transcripts: readonly Transcript[], pace: number) {
    this.#byTask = new Map(transcripts.map((transcript) => [taskKey(transcript.task), transcript]));
    this.transcripts = [...this.#byTask.values()];
    this.#pace = pace;
  }

  transcriptFor(task: string): Transcript | undefined {
    return this.#byTask.get(taskKey(task));
  }

  async *complete({ messages }: ModelRequest, { signal }: CompleteOptions = {}): AsyncIterable<ModelChunk> {
    signal?.throwIfAborted();
    const conversation = readConversation(messages);
    const transcript = this.transcriptFor(conversation.task);
    if (transcript === undefined) {
      throw new UnknownTaskError(
        conversation.task,
        this.transcripts.map(({ task }) => task),
      );
    }
    const reply = nextReply(transcript, conversation);
    const isFirst = conversation.turns.length === 0;
    if (isFirst && promptChanged(transcript, conversation)) yield promptNotice(transcript);
    for (const text of pieces(reply.reply)) {
      yield { type: "text", text };
      if (this.#pace > 0) await pause(this.#pace, signal);
      signal?.throwIfAborted();
    }
    for (const call of reply.toolCalls ?? []) yield { type: "tool-call", call };
    yield { type: "done", finishReason: reply.toolCalls === undefined ? "stop" : "tool-calls", usage: null };
  }
}

/** @throws {RecordingMismatchError} at the first difference between what was recorded and what happened. */
function nextReply({ task, steps, answer }: Transcript, { turns }: Conversation): TranscriptStep {
  turns.forEach((turn, index) => {
    const step = steps[index];
    const expected =
      step?.observed ??
      (answer === undefined ? "The task ended here." : `The task ended here with the answer: ${answer}`);
    const differs = (recorded: string | undefined, happened: string): boolean =>
      recorded === undefined || normalizeText(recorded) !== normalizeText(happened);
    if (differs(step?.reply, turn.reply)) {
      throw new RecordingMismatchError({
        task,
        step: index + 1,
        expected: step?.reply ?? expected,
        actual: turn.reply,
      });
    }
    const [recordedCalls, happenedCalls] = [callsText(step?.toolCalls), callsText(turn.toolCalls)];
    if (recordedCalls !== happenedCalls) {
      throw new RecordingMismatchError({ task, step: index + 1, expected: recordedCalls, actual: happenedCalls });
    }
    if (differs(step?.observed, turn.observed)) {
      throw new RecordingMismatchError({ task, step: index + 1, expected, actual: turn.observed });
    }
  });
  const next = steps[turns.length];
  if (next !== undefined) return next;
  const actual = turns.at(-1)?.observed ?? "";
  throw new RecordingMismatchError({ task, step: turns.length, expected: "The recording ends here.", actual });
}

/** One line for each call; which id it had is nobody's business. */
function callsText(calls: readonly ModelToolCall[] = []): string {
  return calls.map(({ name, arguments: given }) => `${name}(${given})`).join("\n");
}

function promptChanged({ prompt }: Transcript, { system }: Conversation): boolean {
  return prompt !== undefined && prompt !== promptFingerprint(system);
}

function promptNotice({ by }: Transcript): ModelChunk {
  const message =
    `The prompt has changed since ${by === "hand" ? "this script was written" : `"${by}" was recorded`}: ` +
    "other tools, skills or files are there now. The replies are those of then.";
  return { type: "notice", notice: { code: "PROMPT_CHANGED", message } };
}

/** A few words each, together the whole text. */
function* pieces(text: string): Iterable<string> {
  let piece = "";
  for (const word of text.match(/\s*\S+|\s+$/g) ?? []) {
    piece += word;
    if (piece.length < 12) continue;
    yield piece;
    piece = "";
  }
  if (piece !== "") yield piece;
}

async function pause(duration: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(done, duration);
    signal?.addEventListener("abort", done, { once: true });
    function done(): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    }
  });
}

/** A task's text, as it is named in a sentence. */
function aboutTask(task: string): string {
  return shortenUnitsTo(taskKey(task), 80);
}
