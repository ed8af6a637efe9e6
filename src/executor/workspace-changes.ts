import { z } from "zod";

import {
  BytesSchema,
  FileProblem,
  isLarge,
  MalformedValueError,
  MOST_FILE_PROBLEMS,
  MOST_FILES,
  MOST_UNSTORED,
  Slices,
  SMALL,
  toBlobInSlices,
  type SentChange,
  type Value,
  type WorkspaceChange,
} from "../protocol/index.js";
import type { CollectedFiles, UnstoredEntry } from "./executor.js";

const Path = z.string().max(1024);
const Problems = z
  .array(z.tuple([z.string(), z.string()]))
  .max(MOST_FILE_PROBLEMS)
  .transform((problems) => problems.map(([path, reason]) => FileProblem.parse({ path, reason })));
const Collected = z.object({
  files: z
    .array(z.tuple([Path, BytesSchema.nullable()]))
    .max(MOST_FILES)
    .transform((files): WorkspaceChange[] => files.map(([path, content]) => ({ path, content }))),
  problems: Problems,
  unstored: z
    .array(z.tuple([Path, z.enum(["folder", "link", "other"]), z.string().max(200)]))
    .max(MOST_UNSTORED)
    .transform((entries) =>
      entries.map(([path, kind, note]): UnstoredEntry => ({ path, kind, ...(note === "" ? {} : { note }) })),
    ),
});

/** Asks the interpreter that waits for a tool to do something. */
type Invoke = (invocation: Readonly<Record<string, Value>>) => Promise<Value>;

/**
 * Takes what the code has changed in its workspace.
 * @throws {MalformedValueError} where the answer has another form.
 */
export async function collectWaitingFiles(invoke: Invoke): Promise<CollectedFiles> {
  const answer = await invoke({ function: "collect_files", arguments: {}, parent: null });
  const { files, problems, unstored } = parseReport(Collected, answer);
  return { files, fileProblems: problems, unstored };
}

/**
 * Brings changes into the code's workspace.
 * @throws {MalformedValueError} where the answer has another form.
 */
export async function applyWaitingFiles(
  invoke: Invoke,
  changes: readonly WorkspaceChange[],
): Promise<CollectedFiles["fileProblems"]> {
  if (changes.length === 0) return [];
  const files = changes.map(({ path, content }): Value => [path, content]);
  return parseReport(Problems, await invoke({ function: "apply_files", arguments: { files }, parent: null }));
}

/** Changes for a worker whose run begins: files that would be much in one message become blobs. */
export async function sentChanges(changes: readonly WorkspaceChange[]): Promise<readonly SentChange[]> {
  if (!isLarge(changes)) return changes;
  const slices = new Slices();
  const sent: SentChange[] = [];
  for (const { path, content } of changes) {
    const isBlob = content !== null && content.byteLength > SMALL;
    sent.push({ path, content: isBlob ? await toBlobInSlices(content, slices) : content });
    await slices.rest();
  }
  return sent;
}

/** The worker's own Python keeps to the limits: what is beyond them was forged. */
function parseReport<T>(schema: z.ZodType<T>, answer: Value): T {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new MalformedValueError(
    `the report of changed files is not a list of at most ${String(MOST_FILES)} changes with at most ${String(MOST_FILE_PROBLEMS)} problems`,
  );
}
