import { parse } from "yaml";
import { z } from "zod";

import { writerRoles } from "./writer-roles.js";

const Reply = z.union([
  z.string().min(1),
  z.strictObject({
    text: z.string().default(""),
    calls: z.array(z.strictObject({ name: z.string(), arguments: z.record(z.string(), z.unknown()) })).min(1),
  }),
]);

const TranscriptFile = z.strictObject({
  /** The model that gave the replies; `hand` where a person wrote them. */
  by: z.string().min(1),
  /** By agent: its replies in turn. What the code and the tools do to them is real, and not written down. */
  replies: z.record(z.string(), z.array(Reply).min(1)),
  /**
   * By file that `write_codebase_tool` is asked for, and by who is asked: the replies in turn. They are the same for every agent,
   * since what the tool asks is its own.
   */
  written: z.record(z.string(), z.partialRecord(z.enum(writerRoles), z.array(z.string().min(1)).min(1))).default({}),
});

/** What a model says in one reply: words, or tool calls with or without them. */
export type ScriptedReply = z.infer<typeof Reply>;
export type EvalTranscript = z.infer<typeof TranscriptFile>;

/** What answers in place of a model: the agent's replies, and those for each file that is written. */
export interface Script {
  readonly replies: readonly ScriptedReply[];
  readonly written: EvalTranscript["written"];
}

/** What a person wrote says nothing about a model. */
export const BY_HAND = "hand";

/** @throws {Error} naming the file and what is wrong with it. */
export function parseTranscript(file: string, text: string): EvalTranscript {
  const result = TranscriptFile.safeParse(parse(text));
  if (result.success) return result.data;
  throw new Error(`${file} is no transcript:\n${z.prettifyError(result.error)}`);
}
