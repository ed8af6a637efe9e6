import { z } from "zod";

import type { Summary } from "./summarize.js";

const SummarySchema: z.ZodType<Summary> = z.json();

/** How a call ended, as far as is known. */
export const CallOutcome = z.discriminatedUnion("kind", [
  /** It is under way. */
  z.strictObject({ kind: z.literal("pending") }),
  /** It was under way when its page went away: it may have taken effect. */
  z.strictObject({ kind: z.literal("unknown") }),
  z.strictObject({ kind: z.literal("ok"), summary: SummarySchema, elapsed: z.number() }),
  z.strictObject({
    kind: z.literal("error"),
    name: z.string(),
    code: z.string(),
    message: z.string(),
    elapsed: z.number(),
  }),
]);
/** `elapsed` is in milliseconds. */
export type CallOutcome = z.infer<typeof CallOutcome>;

/** A person was asked about the call; once they have answered, what they said. */
export const Approval = z.enum(["asked", "allowed", "denied"]);
export type Approval = z.infer<typeof Approval>;

/** What became of a call on its way, beside its outcome. Fields are absent where there is nothing to say. */
export const CallCourse = z.strictObject({
  /** It waits, or waited, for one of the session's permits for calls at work: `limits.concurrentCalls`. */
  queue: z
    .discriminatedUnion("kind", [
      z.strictObject({ kind: z.literal("waiting") }),
      /** Milliseconds. */
      z.strictObject({ kind: z.literal("admitted"), waited: z.number() }),
    ])
    .exactOptional(),
  /** A middleware answered with the result of an earlier call, so many milliseconds old. Nothing was called. */
  cached: z.number().exactOptional(),
  /** How often the adapter was called, where that was more than once. */
  attempts: z.int().exactOptional(),
  /** Why the attempts before the last one failed; of many the last few. */
  failures: z.array(z.string()).exactOptional(),
  /** The arguments that the adapter got, where a middleware changed them. */
  arguments: z.record(z.string(), SummarySchema).exactOptional(),
});
export type CallCourse = Readonly<z.infer<typeof CallCourse>>;

const entryFields = {
  id: z.string(),
  sessionId: z.string(),
  runId: z.string(),
  /** The entry of the call in whose course this one was made. */
  parent: z.string().nullable(),
  caller: z.enum(["code", "agent", "page", "tool", "client"]),
  namespace: z.enum(["tools", "skills", "artifacts", "deps", "runs"]),
  name: z.string(),
  /** As given, large ones cut: see {@link summarize}. */
  arguments: z.record(z.string(), SummarySchema),
  trust: z.enum(["local", "isolated", "sandboxed"]),
  /** Milliseconds since 1970. */
  startedAt: z.number(),
};

/** One call. */
export const JournalEntry = z.strictObject({
  ...entryFields,
  /** Absent when nobody was asked. */
  approval: Approval.exactOptional(),
  /** Absent when it went straight to its adapter, once. */
  course: CallCourse.exactOptional(),
  outcome: CallOutcome,
});
export type JournalEntry = Readonly<z.infer<typeof JournalEntry>>;

/** A line of the stored journal: nothing is rewritten, an outcome is a line of its own. */
export const JournalLine = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("begin"), id: z.string(), call: z.strictObject(entryFields) }),
  z.strictObject({ kind: z.literal("approval"), id: z.string(), approval: Approval }),
  z.strictObject({ kind: z.literal("course"), id: z.string(), course: CallCourse }),
  z.strictObject({ kind: z.literal("end"), id: z.string(), outcome: CallOutcome }),
]);
export type JournalLine = z.infer<typeof JournalLine>;
