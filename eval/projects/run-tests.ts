import { z } from "zod";

import { Session } from "../../src/session/index.js";
import { memoryStorage } from "../../src/storage/index.js";
import { JsonText } from "../checks.js";
import runner from "./run_tests.py?raw";
import type { Tree } from "./trees.js";

const FolderResult = z.object({
  ran: z.number(),
  skipped: z.number(),
  failed: z.array(z.object({ test: z.string(), reason: z.string() })),
});
const Results = JsonText.pipe(z.record(z.string(), FolderResult));

/** What came of the tests of one folder. */
export type FolderResult = z.infer<typeof FolderResult>;

/** What came of the tests of all folders; a text where they came to no end. */
export type TestResults = Readonly<Record<string, FolderResult>> | string;

/** Runs folders of tests, in their order, in a new sealed session that has these files and nothing else. */
export async function runTests(
  tree: Tree,
  { folders, timeout }: { readonly folders: readonly string[]; readonly timeout: number },
): Promise<TestResults> {
  const session = await Session.open({ storage: memoryStorage(), trust: "sandboxed", timeout });
  try {
    for (const [path, text] of tree) await session.workspace.write(path, text);
    const { value, error } = await session.run(
      `${runner}\nresults(${folders.map((f) => JSON.stringify(f)).join(", ")})`,
    );
    const results = Results.safeParse(value);
    return results.success ? results.data : `they came to no end: ${error?.message ?? "no results"}`;
  } finally {
    await session.close();
  }
}

/** The tests that a folder has, as they are written. */
export function testsIn(tree: Tree, folder: string): number {
  return [...tree]
    .filter(([path]) => path.startsWith(`${folder}/`))
    .reduce((sum, [, text]) => sum + (text.match(/^ +def test_/gm) ?? []).length, 0);
}
