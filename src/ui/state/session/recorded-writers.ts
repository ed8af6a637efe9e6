import {
  recordedModel,
  type CompleteOptions,
  type Model,
  type ModelChunk,
  type ModelMessage,
  type ModelRequest,
} from "../../../model/index.js";
import type { WriteCodeOptions } from "../../../write-code/index.js";
import type { TranscriptsOfWriters } from "../../tasks/index.js";

/** Who speaks in the recordings of files that were written. */
type Speaker = keyof TranscriptsOfWriters;

/** What each of them is called, on the page and in the prompt of the arbiter. */
const NAMES: Readonly<Record<Speaker, string>> = {
  plain: "plain writer, recorded",
  thorough: "thorough writer, recorded",
  arbiter: "arbiter, recorded",
};

export type Writers = Pick<WriteCodeOptions, "models" | "arbiter">;

/** Two models that write files, each in a manner of its own, and one that chooses. They repeat what was recorded. */
export function recordedWriters({ plain, thorough, arbiter }: TranscriptsOfWriters): Writers {
  return writersOf({
    plain: recordedModel({ transcripts: plain }),
    thorough: recordedModel({ transcripts: thorough }),
    arbiter: recordedModel({ transcripts: arbiter }),
  });
}

/** The same of any models, which are asked in brief. */
export function writersOf(models: Readonly<Record<Speaker, Model>>): Writers {
  const speaker = (name: Speaker): Model => new AskedInBrief(NAMES[name], models[name]);
  return { models: [speaker("plain"), speaker("thorough")], arbiter: speaker("arbiter") };
}

/**
 * A model that reads of a request what its reply depends on: which file is wanted and what is to be in it, or which versions
 * there are. What was written before, and when, is in a request as well, and would make each another one.
 */
class AskedInBrief implements Model {
  readonly name: string;
  readonly #model: Model;

  constructor(name: string, model: Model) {
    this.name = name;
    this.#model = model;
  }

  get kind(): Model["kind"] {
    return this.#model.kind;
  }

  complete(request: ModelRequest, options?: CompleteOptions): AsyncIterable<ModelChunk> {
    return this.#model.complete({ ...request, messages: inBrief(request.messages) }, options);
  }
}

/** The system message is the same for all files. Later messages stay: nothing was recorded that would answer them. */
function inBrief(messages: readonly ModelMessage[]): ModelMessage[] {
  const [first, ...rest] = messages.filter(({ role }) => role !== "system");
  if (first?.role !== "user" || typeof first.content !== "string") return [...messages];
  return [{ role: "user", content: briefOf(first.content) }, ...rest];
}

function briefOf(prompt: string): string {
  const file = part(prompt, "## Target File\n", "\n\n## File Creation Log\n");
  if (file !== null) return file;
  const choice = part(prompt, "File: ", "\n\nProject context:\n");
  const versions = part(prompt, "=== VERSION 1 ", "\n\nCriteria, in this order:");
  return choice === null || versions === null ? prompt : `${choice}\n\n${versions}`;
}

function part(text: string, from: string, to: string): string | null {
  const start = text.indexOf(from);
  const end = text.indexOf(to, start);
  return start < 0 || end < 0 ? null : text.slice(start, end).trim();
}
