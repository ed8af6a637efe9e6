import { messageOf, type RunReply, type WorkspaceChange } from "../../protocol/index.js";
import { StorageError } from "../../storage/index.js";
import type { WorkspaceMirror } from "../../workspace/index.js";
import type { CallOrigin } from "../calls/call-origin.js";
import type { ForeignContents } from "../calls/foreign-content.js";
import { noticesOf, refusalsOf } from "../calls/workspace-notices.js";

type RunOrigin = Pick<CallOrigin, "runId" | "caller" | "inAgentRun" | "task" | "signal">;

/** What changed in the workspace. A storage that fails takes no run along: only its files are missing then. */
export async function filesForRun(
  mirror: WorkspaceMirror,
  foreign: ForeignContents,
  origin: RunOrigin,
): Promise<{ files: readonly WorkspaceChange[]; withheld: readonly string[] }> {
  try {
    const withheld = await checkFiles(mirror, foreign, origin);
    return { files: await mirror.takeChanges(), withheld };
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    return { files: [], withheld: [`The files of /workspace could not be read: ${error.message}`] };
  }
}

/** Foreign files wait for a person, before the run's time begins. */
async function checkFiles(mirror: WorkspaceMirror, foreign: ForeignContents, origin: RunOrigin): Promise<string[]> {
  try {
    return await foreign.checkFiles(mirror, origin);
  } catch (error) {
    // Stopped while the person was asked: the run does not begin.
    if (origin.signal.aborted) return [];
    throw error;
  }
}

/** Takes over what the run wrote into the workspace. @returns what the person should know of it. */
export async function storeFiles(mirror: WorkspaceMirror, { files, fileProblems }: RunReply): Promise<string[]> {
  const refused = refusalsOf(fileProblems);
  try {
    return [...refused, ...noticesOf(await mirror.applyChanges(files))];
  } catch (error) {
    const reason = messageOf(error);
    return [...refused, `The files of /workspace could not be kept: ${reason}`];
  }
}
