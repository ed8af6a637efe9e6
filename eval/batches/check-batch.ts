import { validateContent } from "../../src/content/index.js";
import { runTests, testsIn } from "../projects/run-tests.js";
import type { Tree } from "../projects/trees.js";
import type { Batch, BatchPart } from "./batch.js";

/** Something that is wrong with what was written. */
export interface BatchProblem {
  readonly part: BatchPart;
  readonly text: string;
}

/** Milliseconds for tests that take a part of a second: what does not end has failed. */
const TIMEOUT = 15_000;

/**
 * What is wrong with the workspace after somebody wrote a batch; empty when nothing is. Python is run in new sealed sessions, with
 * the hidden tests; tests that were written have to pass, and to fail for each program with a planted mistake; documents are read
 * as what they are.
 */
export async function checkBatch(batch: Batch, after: Tree): Promise<BatchProblem[]> {
  return [
    ...problemsOf("files", fileProblems(batch, after)),
    ...problemsOf("documents", await documentProblems(batch, after)),
    ...problemsOf("hidden tests", await hiddenProblems(batch, after)),
    ...problemsOf("written tests", await writtenProblems(batch, after)),
  ];
}

function problemsOf(part: BatchPart, texts: readonly string[]): BatchProblem[] {
  return texts.map((text) => ({ part, text }));
}

function fileProblems({ files, asked }: Batch, after: Tree): string[] {
  const problems: string[] = [];
  for (const path of asked) {
    if (!after.has(path)) problems.push(`${path} was not written`);
    else if (after.get(path) === files.get(path)) problems.push(`${path} was not changed`);
  }
  for (const path of new Set([...files.keys(), ...after.keys()])) {
    if (asked.includes(path) || files.get(path) === after.get(path)) continue;
    problems.push(`${path} was ${!files.has(path) ? "added" : after.has(path) ? "changed" : "deleted"}`);
  }
  return problems;
}

async function documentProblems({ asked, documents }: Batch, after: Tree): Promise<string[]> {
  const problems: string[] = [];
  for (const path of asked.filter((each) => !each.endsWith(".py"))) {
    const text = after.get(path);
    if (text === undefined) continue;
    const report = await validateContent({ text, filename: path });
    if (report.kind === "invalid") problems.push(`${path}: ${report.message}`);
  }
  for (const [path, check] of Object.entries(documents)) {
    const text = after.get(path);
    const problem = text === undefined ? null : check(text);
    if (problem !== null) problems.push(`${path}: ${problem}`);
  }
  return problems;
}

async function hiddenProblems({ hidden }: Batch, after: Tree): Promise<string[]> {
  if (hidden.size === 0) return [];
  const tried = new Map([...after, ...hidden]);
  const results = await runTests(tried, { folders: ["hidden"], timeout: TIMEOUT });
  if (typeof results === "string") return [results];
  return [...failures(results.hidden), ...countProblems(results.hidden, testsIn(tried, "hidden"))];
}

async function writtenProblems({ fewestTests, planted, files }: Batch, after: Tree): Promise<string[]> {
  if (fewestTests === 0) return [];
  const count = testsIn(after, "tests") - testsIn(files, "tests");
  if (count < fewestTests) return [`${String(count)} were written, and ${String(fewestTests)} are wanted`];
  const results = await runTests(after, { folders: ["tests"], timeout: TIMEOUT });
  if (typeof results === "string") return [results];
  const problems = [...failures(results.tests), ...countProblems(results.tests, testsIn(after, "tests"))];
  if (problems.length > 0) return problems;
  for (const { mistake, files: faulty } of planted) {
    const tried = await runTests(new Map([...after, ...faulty]), { folders: ["tests"], timeout: TIMEOUT });
    if (typeof tried !== "string" && failures(tried.tests).length === 0) problems.push(`they do not notice ${mistake}`);
  }
  return problems;
}

type Results = Exclude<Awaited<ReturnType<typeof runTests>>, string>;

function failures(result: Results[string] | undefined): string[] {
  return result === undefined ? ["they did not run"] : result.failed.map(({ test, reason }) => `${test}: ${reason}`);
}

/** What was written could take tests away, or have them skipped. */
function countProblems(result: Results[string] | undefined, written: number): string[] {
  if (result === undefined) return [];
  const { ran, skipped } = result;
  return [
    ...(ran === written ? [] : [`${String(ran)} of ${String(written)} ran`]),
    ...(skipped === 0 ? [] : [`${String(skipped)} were skipped`]),
  ];
}
