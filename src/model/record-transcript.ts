import { promptFingerprint, readConversation, type Conversation } from "./conversation.js";
import type { CompleteOptions, Model, ModelChunk, ModelRequest, ModelToolCall } from "./model.js";
import { transcriptOf, type Transcript, type TranscriptStep } from "./transcript.js";

/** A model that remembers what it said. */
export interface TranscriptRecorder extends Model {
  /**
   * The latest task as a transcript, up to the last reply that was finished.
   * Undefined when none was. `answer` is what the task ended with, as text.
   */
  transcript(end?: { readonly answer?: string }): Transcript | undefined;
}

/** Wraps `model` so that what it says can be kept and replayed. */
export function recordTranscript(model: Model): TranscriptRecorder {
  return new Recorder(model);
}

class Recorder implements TranscriptRecorder {
  readonly #model: Model;
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

  transcript({ answer }: { readonly answer?: string } = {}): Transcript | undefined {
    if (this.#latest === undefined) return undefined;
    return answer === undefined ? this.#latest : { ...this.#latest, answer };
  }

  #keep({ system, task, turns }: Conversation, last: TranscriptStep): void {
    this.#latest = transcriptOf({
      task,
      by: this.#model.name,
      ...(system === "" ? {} : { prompt: promptFingerprint(system) }),
      steps: [...turns.map((turn) => ({ ...stepOf(turn), observed: turn.observed })), last],
    });
  }
}

function stepOf({ reply, toolCalls }: { reply: string; toolCalls: readonly ModelToolCall[] }): TranscriptStep {
  return toolCalls.length === 0 ? { reply } : { reply, toolCalls: [...toolCalls] };
}
