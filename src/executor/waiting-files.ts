import { z } from "zod";

import {
  BytesSchema,
  FileProblem,
  MOST_FILE_PROBLEMS,
  MOST_FILES,
  type Value,
  type WorkspaceChange,
} from "../protocol/index.js";
import type { CollectedFiles } from "./executor.js";

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
});

/** Asks the interpreter that waits for a tool to do something. */
type Invoke = (invocation: Readonly<Record<string, Value>>) => Promise<Value>;

/** Takes what the code has changed in its workspace. What the worker answers is not believed. */
export async function collectWaitingFiles(invoke: Invoke): Promise<CollectedFiles> {
  const answer = await invoke({ function: "collect_files", arguments: {}, parent: null });
  const { files, problems } = Collected.parse(answer);
  return { files, fileProblems: problems };
}

/** Brings changes into the code's workspace. */
export async function applyWaitingFiles(
  invoke: Invoke,
  changes: readonly WorkspaceChange[],
): Promise<CollectedFiles["fileProblems"]> {
  if (changes.length === 0) return [];
  const files = changes.map(({ path, content }): Value => [path, content]);
  return Problems.parse(await invoke({ function: "apply_files", arguments: { files }, parent: null }));
}
