import { ToolCallError } from "../../tools/index.js";
import type { CallingSession, SessionFiles } from "../calling-session.js";
import { applyPatch } from "./apply-patch.js";
import { PatchError } from "./errors.js";
import { patchPath } from "./patch-path.js";
import { sessionPatchFiles } from "./session-patch-files.js";

interface PatchResult {
  readonly output: string;
  readonly metadata: { readonly exit_code: number; readonly duration_seconds: number };
}

/**
 * Applies a patch to the files of a session, as its code has them, and answers as a command does.
 *
 * @param options - `folders`: those that a shell would go to one after the other, before it applies the patch.
 * @throws {ToolCallError} in the words of the protocol, with the {@link PatchError} as its cause. Nothing was changed.
 */
export async function applyPatchTool(
  input: { readonly input: string; readonly workdir?: string | undefined },
  { files }: Pick<CallingSession, "files">,
  { folders = [] }: { readonly folders?: readonly string[] } = {},
): Promise<PatchResult> {
  const began = performance.now();
  await files.collect();
  const { workdir = "" } = input;
  const text = await appliedText(input.input, files, [workdir, ...folders]).catch((error: unknown) => {
    if (!(error instanceof PatchError)) throw error;
    throw new ToolCallError("apply_patch", error.toolMessage, {
      args: { ...input },
      details: error.details(),
      cause: error,
    });
  });
  await files.exchange();
  const duration_seconds = Math.round((performance.now() - began) / 100) / 10;
  return { output: text, metadata: { exit_code: 0, duration_seconds } };
}

async function appliedText(patch: string, files: SessionFiles, folders: readonly string[]): Promise<string> {
  const folder = folders.reduce((from, to) => patchPath(to, from), "");
  return (await applyPatch(patch, sessionPatchFiles(files), { folder })).text;
}
