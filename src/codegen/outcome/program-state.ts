import { z } from "zod";

import { PROJECT_LOG } from "../../contract/index.js";
import { isRecord, VitrineError, type Value } from "../../protocol/index.js";
import type { HelperCall } from "../../session/index.js";
import { codegenError, type CodegenError } from "../errors.js";
import { artifactJson, type PlainJson } from "../plain-json.js";

/** An artifact as the program handed it in, as plain JSON: nobody has looked at it yet. */
export type ArtifactPayload = Readonly<Record<string, PlainJson>>;

/** What a program said in one call of `set_progress`: the news alone, not what it had said before. */
export interface ProgressNews {
  readonly objective?: string;
  readonly status?: string;
  readonly story: readonly string[];
  readonly artifacts: Readonly<Record<string, ArtifactPayload>>;
}

/** The program told more than a page should keep. */
export class ProgramOutputLimitError extends VitrineError {
  override readonly name = "ToolCallError";
  readonly code = "PROGRAM_OUTPUT_LIMIT";

  constructor(what: string) {
    super(`The program told ${what}. Write large contents to files under OUTPUT_DIR.`);
  }
}

/** Characters of all inline artifacts together. */
const MOST_TEXT = 16_000_000;
const MOST_ARTIFACTS = 500;
const MOST_SENTENCES = 5_000;
/** Characters of story, status, objective and names of artifacts: all that a program says, not only what it said last. */
const MOST_REPORTED = 1_000_000;
/** Characters that each call and each artifact count at least: they cost the page an event, however little they say. */
const SMALLEST_NEWS = 64;

const text = z.string().max(100_000);
const record = z.custom<Readonly<Record<string, Value>>>(isRecord, "a dict was expected");
const Progress = z.object({
  objective: text.optional(),
  status: text.optional(),
  story: z.array(text).default([]),
  artifacts: z.record(z.string(), record).default({}),
});
const Failure = z.object({ where: text, error: text, description: text, details: z.string(), managed: z.boolean() });
const FinishedAgain = z.object({ call: z.enum(["done()", "fail()"]) });
const Finished = z.object({ status: text, error: Failure.nullish() });

/** What a running program has said of itself, kept on the page, where nothing that becomes of its interpreter reaches. */
export class ProgramState {
  objective = "";
  status = "In progress";
  readonly story: string[] = [];
  readonly artifacts = new Map<string, ArtifactPayload>();
  /** Null until `done()` or `fail()` was called; then its error, or that there is none. */
  finished: { readonly error: CodegenError | null } | null = null;
  /** The call by which it said so once more; what it said first counts. */
  finishedAgain: string | null = null;
  readonly #sizes = new Map<string, number>();
  #reported = 0;

  /** Null for what says nothing of progress. @throws {ProgramOutputLimitError}, {ArtifactValueError} with nothing taken. */
  take({ kind, content }: HelperCall): ProgressNews | null {
    // What comes after the end changes nothing.
    if (this.finished !== null) {
      if (kind === "finished_again") this.finishedAgain ??= FinishedAgain.parse(content).call;
      return null;
    }
    if (kind === "progress") return this.#progress(Progress.parse(content));
    if (kind !== "finished") return null;
    const { status, error } = Finished.parse(content);
    this.status = status;
    this.finished = { error: error === null || error === undefined ? null : codegenError(error) };
    return { status, story: [], artifacts: {} };
  }

  #progress({ objective, status, story, artifacts }: z.infer<typeof Progress>): ProgressNews {
    const given = Object.entries(artifacts).filter(([id]) => id !== PROJECT_LOG);
    // Measured, kept and looked at is one and the same copy.
    const entries = given.map(([id, payload]): [string, ArtifactPayload] => [id, artifactJson(payload, id)]);
    const names = entries.reduce((sum, [id]) => sum + Math.max(SMALLEST_NEWS, id.length), 0);
    const reported = this.#reported + names + newsSize([...story, objective ?? "", status ?? ""]);
    if (reported > MOST_REPORTED) {
      throw new ProgramOutputLimitError("too much in its story, status and objective, or of artifacts again and again");
    }
    if (this.story.length + story.length > MOST_SENTENCES) throw new ProgramOutputLimitError("too long a story");
    this.#checkRoom(entries);
    this.#reported = reported;
    for (const [id, payload] of entries) this.artifacts.set(id, payload);
    this.story.push(...story);
    this.objective = objective ?? this.objective;
    this.status = status ?? this.status;
    return {
      story,
      artifacts: Object.fromEntries(entries),
      ...(objective === undefined ? {} : { objective }),
      ...(status === undefined ? {} : { status }),
    };
  }

  #checkRoom(entries: readonly (readonly [string, ArtifactPayload])[]): void {
    const sizes = new Map(this.#sizes);
    for (const [id, payload] of entries) sizes.set(id, sizeOf(payload));
    const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    if (sizes.size > MOST_ARTIFACTS) throw new ProgramOutputLimitError("too many artifacts");
    if (total > MOST_TEXT) throw new ProgramOutputLimitError("too much text in its artifacts");
    for (const [id, size] of sizes) this.#sizes.set(id, size);
  }
}

function newsSize(texts: readonly string[]): number {
  const size = texts.reduce((sum, { length }) => sum + length, 0);
  return Math.max(SMALLEST_NEWS, size);
}

function sizeOf(payload: ArtifactPayload): number {
  return JSON.stringify(payload).length;
}
