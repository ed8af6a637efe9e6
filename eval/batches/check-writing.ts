import { z } from "zod";

import type { MadeCall } from "../made-calls.js";
import { undoProblems } from "../projects/check-work.js";
import { readTree, type Tree } from "../projects/trees.js";
import type { Batch } from "./batch.js";
import { checkBatch } from "./check-batch.js";

/** A workspace in which calls of the tool have written something, as far as that is looked at. */
interface WrittenWorkspace {
  readonly list: () => Promise<readonly { readonly path: string }[]>;
  readonly read: (path: string) => Promise<Uint8Array>;
  readonly changes: (id: string) => Promise<{ readonly undo: () => Promise<unknown> } | undefined>;
}

/** What is left of the work of an agent on a batch. */
export interface Writing {
  readonly workspace: WrittenWorkspace;
  /** All calls of its run. */
  readonly calls: readonly MadeCall[];
}

const Answer = z.object({
  output: z
    .object({
      results: z.array(z.object({ filename: z.string(), status: z.string(), code: z.string().optional() })),
      changes: z.string().nullable(),
    })
    .nullable(),
});

/**
 * What is wrong with the work of an agent on a batch; empty when its files are right, `write_codebase_tool` wrote them as they are
 * now, and what it wrote can be undone. The files are as they were before the task after that.
 */
export async function writingProblems(batch: Batch, { workspace, calls }: Writing): Promise<string[]> {
  const after = await readTree(workspace);
  const answers = calls
    .filter(({ namespace, name }) => namespace === "tools" && name === "write_codebase_tool")
    .flatMap(({ outcome }) => (outcome.kind === "ok" ? [Answer.parse(outcome.value).output] : []))
    .filter((output) => output !== null);
  const written = new Map(
    answers.flatMap(({ results }) =>
      results.flatMap(({ filename, status, code }): [string, string][] =>
        status === "success" && code !== undefined ? [[filename, code]] : [],
      ),
    ),
  );
  const problems = await checkBatch(batch, after);
  return [
    ...problems.map(({ part, text }) => `${part}: ${text}`),
    ...toolProblems(batch, { after, written }),
    ...(await undoneProblems(
      batch,
      workspace,
      answers.flatMap(({ changes }) => changes ?? []),
    )),
  ];
}

/** What is asked for has to be what the tool wrote. */
export function toolProblems(
  { asked }: Pick<Batch, "asked">,
  { after, written }: { readonly after: Tree; readonly written: ReadonlyMap<string, string> },
): string[] {
  return asked
    .filter((path) => after.has(path) && after.get(path) !== written.get(path))
    .map((path) => `the tool: ${path} is not as write_codebase_tool wrote it`);
}

/** Takes all calls back, the last one first. */
export async function undoneProblems(
  { files }: Pick<Batch, "files">,
  workspace: WrittenWorkspace,
  changes: readonly string[],
): Promise<string[]> {
  const last = changes.toReversed();
  const undoAll = {
    undo: async () => {
      for (const id of last) await (await workspace.changes(id))?.undo();
    },
  };
  return undoProblems(files, {
    workspace: {
      list: () => workspace.list(),
      read: (path) => workspace.read(path),
      changes: () => Promise.resolve(undoAll),
    },
    taskId: "",
  });
}
