import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { conformanceCases, execSessionRows, pendingRows } from "../../conformance/index.js";
import { idsInTitles, namedByFile, rowsOf, testFolder } from "./spec-files.js";

const named = namedByFile();

/** G1, G2 … are rows of two files: in a test of packages they are py-code-mode's, everywhere else codegen's. */
const isOfPackages = (file: string): boolean => /(?:^|\/)deps/.test(file);

const titleIds = (belongs: (id: string, file: string) => boolean): Set<string> =>
  new Set([...named].flatMap(([file, ids]) => ids.filter((id) => belongs(id, file))));

const codegenIds = titleIds((id, file) => id.startsWith("G") && !isOfPackages(file));
const otherIds = titleIds((id, file) => !id.startsWith("G") || isOfPackages(file));

const pyCodeMode = rowsOf("py-code-mode-cases.md");
const agent = rowsOf("tiny-code-agent.md");
const codegen = rowsOf("codegen.md");
const execAndStubs = rowsOf("exec-and-stubs.md");
const writeCode = rowsOf("write-code.md");

describe("every row of what is built is tried", () => {
  test("py-code-mode: among the cases of the engines' suite, or pending with a reason", () => {
    const known = [...Object.values(conformanceCases).flat(), ...pendingRows].map(({ id }) => id);

    expect(known.toSorted()).toEqual(pyCodeMode.toSorted());
    expect(pendingRows.filter(({ reason }) => reason === "")).toEqual([]);
  });

  test("CodeAgent: a test's title names it", () => {
    expect(agent.length).toBeGreaterThan(0);
    expect(agent.filter((id) => !otherIds.has(id))).toEqual([]);
  });

  test("codegen: a test's title names it", () => {
    expect(codegen.length).toBeGreaterThan(0);
    expect(codegen.filter((id) => !codegenIds.has(id))).toEqual([]);
  });

  test("codex_tools and the file tools: a test's title names it, or it waits for exec sessions", () => {
    const waiting = new Set(execSessionRows);

    expect(execAndStubs.filter((id) => otherIds.has(id) === waiting.has(id))).toEqual([]);
    expect(execSessionRows.filter((id) => !execAndStubs.includes(id))).toEqual([]);
  });

  test("write_code: a test's title names each", () => {
    expect(writeCode.length).toBeGreaterThan(0);
    expect(writeCode.filter((id) => !otherIds.has(id))).toEqual([]);
  });
});

test("a test that a pending row points at exists and names the row", () => {
  const pointing = pendingRows.flatMap(({ id, reason }) =>
    [...reason.matchAll(/test\/(\S+\.test\.ts)/g)].map(([, file = ""]) => ({ id, file })),
  );

  expect(pointing.length).toBeGreaterThan(0);
  expect(pointing.filter(({ id, file }) => named.get(file)?.includes(id) !== true)).toEqual([]);
});

test("an id in the title of a test that is skipped, or may be, tries nothing", () => {
  // Written so that this file names none of them.
  const source = [
    'test("a", () => {});',
    'test("tried (#1)", () => {});',
    'test.skip("skipped (#2)", () => {});',
    'test.runIf(isLucky)("perhaps (#3)", () => {});',
    'test.skip.each([1])("of a table (#4)", () => {});',
    'describe("a group", () => {',
    '  test("in it (#5)", () => {});',
    "});",
    'describe.skip("another", () => {',
    '  test("in a group that is skipped (#6)", () => {});',
    "});",
  ];

  expect(idsInTitles(source.join("\n").replaceAll("#", "T"))).toEqual(["T1", "T5"]);
});

test("what a case of the engines' suite leaves to Chromium's own tests exists", () => {
  const suite = join(testFolder, "engines", "suite", "cases");
  const left = readdirSync(suite).flatMap((file) =>
    [...readFileSync(join(suite, file), "utf8").matchAll(/\binChromium: "([^"]*)"/g)].map(([, path = ""]) => path),
  );

  expect(left.length).toBeGreaterThan(0);
  expect(left.filter((path) => !existsSync(join(testFolder, "browser", path)))).toEqual([]);
});

test("an id in a title is a row of what is built", () => {
  expect([...codegenIds].filter((id) => !codegen.includes(id))).toEqual([]);
  const others = new Set([...pyCodeMode, ...agent, ...execAndStubs, ...writeCode]);
  expect([...otherIds].filter((id) => !others.has(id))).toEqual([]);
});
