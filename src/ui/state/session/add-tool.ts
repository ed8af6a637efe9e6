import { unlessAborted, type SourceFile } from "../../../protocol/index.js";
import type { Session } from "../../../session/index.js";
import { toolAlias, type OnOpenApiProgress } from "../../../tools/index.js";

/** Somebody who waits for a tool that is added. */
export interface AddToolOptions {
  /** Takes it back. */
  readonly signal: AbortSignal;
  readonly onProgress: OnOpenApiProgress;
}

/**
 * Adds the tool of a file to a session, once it is known what it can do.
 *
 * @returns by which name code finds it; undefined where it was taken back.
 * @throws what is wrong with the file, or why nothing of the tool can be called; then it is not there.
 */
export async function addTool(
  { tools }: Session,
  source: SourceFile,
  { signal, onProgress }: AddToolOptions,
): Promise<string | undefined> {
  if (signal.aborted) return undefined;
  const { name } = await tools.addFile(source);
  try {
    const tool = await unlessAborted(
      tools.whenKnown(name, { onProgress }),
      signal,
      () => new Error("It was cancelled."),
    );
    if (tool.callables.length === 0) {
      throw new Error(
        `Nothing of ${name} can be called: its server has no tools, or is a program, which a page cannot start.`,
      );
    }
    return toolAlias(tool);
  } catch (error) {
    await tools.remove(name);
    // A function of its own, since the signal may have been aborted meanwhile.
    if (isAborted(signal)) return undefined;
    throw error;
  }
}

function isAborted({ aborted }: AbortSignal): boolean {
  return aborted;
}
