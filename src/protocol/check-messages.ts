import type { HelperKind } from "./messages.js";
import { z } from "./zod.js";

/** Code that is to be looked at, and not run. */
export interface CheckRequest {
  readonly code: string;
  /** How messages call the code. */
  readonly filename: string;
  /** Whether it is the text of a file, and no cell. Default: false. */
  readonly isModule?: boolean;
  /** Whose helpers the code may call. */
  readonly helpers: HelperKind;
  /** Modules that may be imported. Default: what the trust level allows. */
  readonly imports?: readonly string[];
  /** Name and source of the skills that the code may mean. */
  readonly skills: readonly (readonly [name: string, source: string])[];
}

/** Lines and columns from 1 on; columns in UTF-16 units. */
const place = {
  line: z.int().positive(),
  column: z.int().positive(),
  endLine: z.int().positive().optional(),
  endColumn: z.int().positive().optional(),
};

const CheckedArgument = z.strictObject({
  ...place,
  /** The value as the bridge writes it, where the text alone tells it. */
  literal: z.string().max(20_000).nullable(),
  /** The JSON Schema type, where at least that is known. */
  kind: z.enum(["string", "array", "object", "boolean"]).nullable(),
});
export type CheckedArgument = z.infer<typeof CheckedArgument>;

/** Code that names a tool: `tools.weather.today(city="Oslo")`. */
const ToolUse = z.strictObject({
  ...place,
  /** `tools.weather.today`. */
  text: z.string(),
  tool: z.string(),
  /** Null where the tool itself is meant. */
  callable: z.string().nullable(),
  /** An attribute that no callable has. */
  missing: z.string().nullable(),
  /** Null where it is not called. */
  call: z
    .strictObject({
      positional: z.array(CheckedArgument),
      named: z.array(z.tuple([z.string(), CheckedArgument])),
      /** Whether `*` or `**` adds others. */
      isOpen: z.boolean(),
    })
    .nullable(),
  /** Whether the code is certainly run. */
  certain: z.boolean(),
  /** False for a coroutine that is not awaited on the spot: nobody knows when its arguments are looked at. */
  runsAtOnce: z.boolean(),
  /** Names of the exceptions that the code catches there. */
  guarded: z.array(z.string()),
});
export type ToolUse = z.infer<typeof ToolUse>;

const CheckedFinding = z.strictObject({
  ...place,
  severity: z.enum(["error", "warning"]),
  code: z.string().max(64),
  message: z.string().max(1000),
  pythonType: z.string().max(200),
  suggestion: z.string().max(1000),
  /** What the page may know more of: a name, a module or a skill that is not there. */
  name: z.string().optional(),
  module: z.string().optional(),
  skill: z.string().optional(),
  refused: z.string().optional(),
  /** Whether it is the network that is not there. */
  network: z.boolean().optional(),
});
export type CheckedFinding = z.infer<typeof CheckedFinding>;

/** What the interpreter finds in code without running it, and what only the page can judge. */
export const CheckReport = z.strictObject({
  findings: z.array(CheckedFinding).max(200),
  uses: z.array(ToolUse).max(200),
  /** The session's variables. */
  names: z.array(z.string().max(200)).max(2000),
});
export type CheckReport = z.infer<typeof CheckReport>;

/** One for each piece of code that was asked about. */
export const CheckReports = z.array(CheckReport);
