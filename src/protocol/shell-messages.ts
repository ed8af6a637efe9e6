import { z } from "zod";

import { BytesSchema, WorkspaceChange } from "./messages.js";

/** A WASI program: a file of the workspace, or the bytes; null for those that an earlier run of the same command brought. */
export type ShellProgram =
  | { readonly kind: "stored"; readonly path: string }
  | { readonly kind: "bytes"; readonly bytes: Uint8Array<ArrayBuffer> | null };

/** One command for the worker of the shell. */
export interface ShellRun {
  readonly kind: "run";
  readonly id: number;
  /** The name of a command, or of the WASI program that `program` holds. */
  readonly command: string;
  /** Not read by the shell. */
  readonly argv: readonly string[];
  readonly stdin: Uint8Array<ArrayBuffer>;
  readonly env: Readonly<Record<string, string>>;
  /** The folder to run in, for a command of the shell. */
  readonly cwd: string;
  /** Whether standard error goes to standard output, in the order in which they are written. */
  readonly isMerged: boolean;
  /** What changed in the workspace since the last command. */
  readonly files: readonly WorkspaceChange[];
  /** In place of a command of the shell. */
  readonly program: ShellProgram | null;
}

/** What the page answers to a wish of the worker. */
export type ShellAnswer =
  | {
      readonly kind: "fetched";
      readonly id: number;
      readonly url: string;
      readonly status: number;
      readonly statusText: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: Uint8Array<ArrayBuffer>;
    }
  | { readonly kind: "sqlite"; readonly id: number; readonly source: string }
  | { readonly kind: "refused"; readonly id: number; readonly reason: string };

export type ShellOrder = ShellRun | ShellAnswer;

/** Characters of an address or a header; more is no request. */
const LONGEST = 100_000;

/** Bytes that a command may write to standard output, and to standard error. */
export const MAX_COMMAND_OUTPUT = 64 * 2 ** 20;

const Output = BytesSchema.refine(({ byteLength }) => byteLength <= MAX_COMMAND_OUTPUT);

/** What the worker says. It works on what session code wrote, so the page parses it. */
export const ShellReport = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("ready"), commands: z.array(z.string().max(100)).max(1000) }),
  z.strictObject({
    kind: z.literal("ended"),
    id: z.int().positive(),
    exitCode: z.int(),
    stdout: Output,
    stderr: Output,
    files: z.array(WorkspaceChange),
  }),
  z.strictObject({ kind: z.literal("broke"), id: z.int().positive(), reason: z.string().max(LONGEST) }),
  z.strictObject({
    kind: z.literal("fetch"),
    id: z.int().positive(),
    url: z.string().max(LONGEST),
    method: z.string().max(20),
    headers: z.record(z.string().max(LONGEST), z.string().max(LONGEST)),
    body: z.string().nullable(),
  }),
  z.strictObject({ kind: z.literal("want-sqlite"), id: z.int().positive() }),
]);
export type ShellReport = z.infer<typeof ShellReport>;
