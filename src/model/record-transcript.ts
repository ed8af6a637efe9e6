import { checkArgument } from "../options/index.js";
import { promptFingerprint, readConversation, taskKey, type Conversation } from "./conversation.js";
import type { CompleteOptions, Model, ModelChunk, ModelRequest, ModelToolCall } from "./model.js";
import { transcriptOf, type Transcript, type TranscriptStep } from "./transcript.js";

/** A model that remembers what it said. */
export interface TranscriptRecorder extends Model {
  /**
   * A task as a transcript, up to the last reply that was finished. Undefined when none was.
   *
   * @param of - `task` is its text; without it, the task that was replied to last, which may be that of an agent below.
   * `answer` is what it ended with, as text.
   */
  transcript(of?: { readonly task?: string; readonly answer?: string }): Transcript | undefined;
  /**
   * Every task that the model has replied to, in the order in which it was first asked: with that of the agent above, those
   * of agents that work as its tools, and the programs that were asked for. A transcript is found by its task's text when it
   * is replayed, so where the same text was given twice only the one that was replied to last is kept.
   */
  transcripts(): readonly Transcript[];
}

/** Wraps `model` so that what it says can be kept and replayed. */
export function recordTranscript(model: Model): TranscriptRecorder {
  checkArgument("recordTranscript", "model", model, "object");
  return new Recorder(model);
}

class Recorder implements TranscriptRecorder {
  readonly #model: Model;
  readonly #byTask = new Map<string, Transcript>();
  #latest: Transcript | undefined;

  constructor(model: Model) {
    this.#model = model;
  }

  get name(): string {
    return this.#model.name;
  }

  get kind(): Model["kind"] {
    return this.#model.kind;
  }

  get sees(): boolean {
    return this.#model.sees ?? false;
  }

  async *complete(request: ModelRequest, options?: CompleteOptions): AsyncIterable<ModelChunk> {
    const conversation = readConversation(request.messages);
    const toolCalls: ModelToolCall[] = [];
    let reply = "";
    for await (const chunk of this.#model.complete(request, options)) {
      if (chunk.type === "text") reply += chunk.text;
      if (chunk.type === "tool-call") toolCalls.push(chunk.call);
      // An unfinished reply is not one to repeat.
      if (chunk.type === "done") this.#keep(conversation, stepOf({ reply, toolCalls }));
      yield chunk;
    }
  }

  transcript({ task, answer }: { readonly task?: string; readonly answer?: string } = {}): Transcript | undefined {
    const wanted = task === undefined ? this.#latest : this.#byTask.get(taskKey(task));
    return wanted === undefined || answer === undefined ? wanted : { ...wanted, answer };
  }

  transcripts(): readonly Transcript[] {
    return [...this.#byTask.values()];
  }

  #keep({ system, task, turns }: Conversation, last: TranscriptStep): void {
    this.#latest = transcriptOf({
      task,
      by: this.#model.name,
      ...(system === "" ? {} : { prompt: promptFingerprint(system) }),
      steps: [...turns.map((turn) => ({ ...stepOf(turn), observed: turn.observed })), last],
    });
    this.#byTask.set(taskKey(task), this.#latest);
  }
}

function stepOf({ reply, toolCalls }: { reply: string; toolCalls: readonly ModelToolCall[] }): TranscriptStep {
  return toolCalls.length === 0 ? { reply } : { reply, toolCalls: [...toolCalls] };
}
