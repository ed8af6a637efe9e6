import { z } from "zod";

import type { CellRun, SeenPage } from "./page-script.js";

/** What a page answers: its scripts could have a hand in it. */
const Result = z.object({ text: z.string(), isPreformatted: z.boolean() });

export const SeenPageSchema: z.ZodType<SeenPage> = z.object({
  version: z.string().nullable(),
  count: z.number(),
  cells: z.array(
    z.object({
      place: z.number().nullable(),
      isHidden: z.boolean(),
      label: z.string(),
      mark: z.string().nullable(),
      isHeld: z.boolean(),
      result: Result.nullable(),
      solution: z.string().nullable(),
      checks: z.number(),
    }),
  ),
});

export const CellRunSchema: z.ZodType<CellRun> = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("ran"),
    text: z.string(),
    error: z.object({ code: z.string(), pythonType: z.string(), message: z.string() }).nullable(),
    faultLine: z.number().nullable(),
    checks: z.array(z.object({ label: z.string(), passed: z.boolean(), reason: z.string() })),
    isRich: z.boolean(),
    duration: z.number(),
  }),
  z.object({ kind: z.literal("refused"), message: z.string() }),
  z.object({ kind: z.literal("asked") }),
  z.object({ kind: z.literal("late"), isStopped: z.boolean() }),
]);
