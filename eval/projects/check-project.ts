import { diffProblems } from "./compare-trees.js";
import type { Part, Project } from "./project.js";
import { runTests, testsIn, type FolderResult } from "./run-tests.js";
import type { Tree } from "./trees.js";

/** Something that is wrong with a solution. */
export interface ProjectProblem {
  readonly part: Part;
  readonly text: string;
  /** The test that failed, where it is one. */
  readonly test?: string;
}

/** Milliseconds for all tests of a project, which take a part of a second: what does not end has failed. */
const TIMEOUT = 60_000;

/**
 * What is wrong with a project after somebody worked on it; empty when the bug is gone, and nothing else has changed. The tests are
 * the project's own whatever was done to them, and run in a new sealed session, together with the hidden ones.
 */
export async function checkProject(
  project: Project,
  after: Tree,
  { timeout = TIMEOUT }: { readonly timeout?: number } = {},
): Promise<ProjectProblem[]> {
  const { files, folder, hidden } = project;
  const isCode = (path: string): boolean => path.startsWith(`${folder}/`);
  const tried = new Map([
    ...[...files].filter(([path]) => !isCode(path)),
    ...[...after].filter(([path]) => isCode(path)),
    ...hidden,
  ]);
  return [
    ...diffProblems(project, after).map((text) => ({ part: "diff" as const, text })),
    ...(await testProblems(tried, timeout)),
  ];
}

async function testProblems(tree: Tree, timeout: number): Promise<ProjectProblem[]> {
  const results = await runTests(tree, { folders: ["tests", "hidden"], timeout });
  if (typeof results === "string") return [{ part: "tests", text: results }];
  const { tests, hidden } = results;
  return [...folderProblems("tests", tests, tree), ...folderProblems("hidden tests", hidden, tree)];
}

function folderProblems(part: Part, result: FolderResult | undefined, tree: Tree): ProjectProblem[] {
  if (result === undefined) return [{ part, text: "they did not run" }];
  const { ran, skipped, failed } = result;
  const problems: ProjectProblem[] = failed.map(({ test, reason }) => ({ part, text: `${test}: ${reason}`, test }));
  // What is tried could take tests away, or have them skipped.
  const written = testsIn(tree, part === "tests" ? "tests" : "hidden");
  if (ran !== written) problems.push({ part, text: `${String(ran)} of ${String(written)} ran` });
  if (skipped > 0) problems.push({ part, text: `${String(skipped)} were skipped` });
  return problems;
}
