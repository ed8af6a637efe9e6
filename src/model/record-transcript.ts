import { promptFingerprint, readConversation } from "./conversation.js";
import type { CompleteOptions, Model, ModelChunk, ModelRequest } from "./model.js";
import type { Transcript } from "./transcript.js";

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

  async *complete(request: ModelRequest, options?: CompleteOptions): AsyncIterable<ModelChunk> {
    const conversation = readConversation(request.messages);
    let reply = "";
    for await (const chunk of this.#model.complete(request, options)) {
      if (chunk.type === "text") reply += chunk.text;
      // An unfinished reply is not one to repeat.
      if (chunk.type === "done") this.#keep(conversation, reply);
      yield chunk;
    }
  }

  transcript({ answer }: { readonly answer?: string } = {}): Transcript | undefined {
    if (this.#latest === undefined) return undefined;
    return answer === undefined ? this.#latest : { ...this.#latest, answer };
  }

  #keep({ system, task, turns }: ReturnType<typeof readConversation>, reply: string): void {
    this.#latest = {
      format: "vitrine-transcript",
      version: 1,
      task,
      by: this.#model.name,
      ...(system === "" ? {} : { prompt: promptFingerprint(system) }),
      steps: [...turns, { reply }],
    };
  }
}
