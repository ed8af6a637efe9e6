import { z } from "zod";

import type { ProgramNews } from "../events/program-news.js";
import type { ReadBack } from "./read-back.js";

const attempt = z.int().positive();
const count = z.number().nonnegative();

const Fault = z.strictObject({
  where: z.string(),
  error: z.string(),
  description: z.string(),
  details: z.string(),
});
const Slot = z.strictObject({
  id: z.string(),
  kind: z.enum(["inline", "file"]),
  form: z.string(),
  filename: z.string().nullable(),
  description: z.string(),
});
const Output = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("inline"), text: z.string() }),
  z.strictObject({ kind: z.literal("file"), path: z.string(), size: count }),
]);

function news<Kind extends ProgramNews["kind"], Fields extends z.ZodRawShape>(kind: Kind, fields: Fields) {
  return z.strictObject({ kind: z.literal(kind), ...fields });
}

const EveryNews = z.discriminatedUnion("kind", [
  news("begun", {
    name: z.string(),
    instruction: z.string(),
    model: z.string().nullable(),
    slots: z.array(Slot),
  }),
  news("writing", { attempt }),
  news("text", { attempt, text: z.string() }),
  news("asked-again", { attempt, delay: count, code: z.string(), message: z.string() }),
  news("written", {
    attempt,
    code: z.string().nullable(),
    fault: Fault.nullable(),
    usage: z.strictObject({ inputTokens: count, outputTokens: count }).nullable(),
    elapsed: count,
  }),
  news("running", { attempt, code: z.string().nullable() }),
  news("progress", {
    attempt,
    objective: z.string().nullable(),
    status: z.string().nullable(),
    story: z.array(z.string()),
  }),
  news("handed-in", { attempt, slot: z.string(), draft: z.boolean() }),
  news("ran", { attempt, fault: Fault.nullable(), elapsed: count }),
  news("slot", {
    slot: z.string(),
    state: z.enum(["filled", "refused", "missing"]),
    output: Output.nullable(),
    summary: z.string(),
    fault: Fault.nullable(),
    draft: z.boolean(),
    gaps: z.string().nullable(),
    warnings: z.array(z.string()),
  }),
  news("mending", { attempt, fault: Fault }),
  news("ended", {
    status: z.enum(["success", "partial", "error"]),
    fault: Fault.nullable(),
    summary: z.string(),
    warnings: z.array(z.string()),
    leftOut: z.strictObject({ calls: count, sentences: count }),
  }),
]);

/** What was told of a program, as it was saved. */
export const StoredProgramNews: ReadBack<ProgramNews, "kind", typeof EveryNews> = EveryNews;
