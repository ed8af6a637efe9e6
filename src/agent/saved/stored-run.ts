import { z } from "zod";

import { JournalEntry } from "../../dispatch/index.js";
import { MemoryReport, MimeBundle, SignalType, type Value } from "../../protocol/index.js";
import { RunError, type RunResult } from "../../session/index.js";
import type { ReadBackForm } from "./read-back.js";

const AnyValue = z.custom<Value>(() => true);

/** Codes that are not known here are those of a later version; they are shown as they are. */
const FindingCode = z.custom<RunResult["findings"][number]["code"]>((code) => typeof code === "string");

const Finding = z.strictObject({
  severity: z.enum(["error", "warning"]),
  code: FindingCode,
  message: z.string(),
  line: z.int(),
  column: z.int(),
  endLine: z.int().exactOptional(),
  endColumn: z.int().exactOptional(),
  suggestion: z.string(),
  pythonType: z.string(),
});

const Failure = z
  .strictObject({ code: z.string(), pythonType: z.string(), message: z.string(), traceback: z.string() })
  .transform((error) => new RunError(error));

const EveryField = z.strictObject({
  runId: z.string(),
  value: AnyValue,
  valueRepr: z.string().nullable(),
  stdout: z.string(),
  stderr: z.string(),
  outputs: z.array(
    z.strictObject({ kind: z.literal("display"), source: z.enum(["value", "display", "figure"]), data: MimeBundle }),
  ),
  error: Failure.nullable(),
  ok: z.boolean(),
  elapsed: z.number(),
  timeout: z.number().nullable(),
  heapGrowth: z.number().nullable(),
  calls: z.array(JournalEntry),
  finalAnswer: z.strictObject({ value: AnyValue, text: z.string(), verifiedBy: z.string().nullable() }).nullable(),
  signals: z.array(z.strictObject({ type: SignalType, message: z.string() })),
  memory: MemoryReport.nullable(),
  lost: z.boolean(),
  sessionFailed: z.literal(true).exactOptional(),
  notices: z.array(z.string()),
  findings: z.array(Finding),
  namedTools: z.array(z.strictObject({ tool: z.string(), callable: z.string().nullable() })),
});

/** The result of a run as it was saved. */
export const StoredRun: ReadBackForm<RunResult, typeof EveryField> = EveryField;
