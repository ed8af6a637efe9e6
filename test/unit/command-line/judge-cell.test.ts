import { describe, expect, test } from "vitest";

import { judgeCell, readMark } from "../../../src/command-line/check-site/judge-cell.js";
import type { CellRun, SeenCell } from "../../../src/command-line/check-site/page-script.js";

const CELL: SeenCell = {
  place: 0,
  isHidden: false,
  label: "",
  mark: null,
  isHeld: false,
  result: null,
  solution: null,
  checks: 0,
};

type Ran = Extract<CellRun, { kind: "ran" }>;

function ran(text: string, parts: Partial<Ran> = {}): Ran {
  return { kind: "ran", text, error: null, faultLine: null, checks: [], isRich: false, duration: 1, ...parts };
}

function raised(text: string, pythonType: string, message: string, faultLine = 1): Ran {
  return ran(text, { error: { code: "PYTHON_ERROR", pythonType, message }, faultLine });
}

function shows(text: string): SeenCell["result"] {
  return { text, isPreformatted: true };
}

function judge(cell: Partial<SeenCell>, own: CellRun, solved: CellRun | null = null, writes = false) {
  return judgeCell({ ...CELL, ...cell }, { own, solved }, { writes });
}

describe("a cell", () => {
  test("that shows nothing passes by running", () => {
    expect(judge({}, ran("42\n"))).toMatchObject({ outcome: "passed", difference: [], output: "42" });
    expect(judge({}, ran("\n"))).toMatchObject({ outcome: "passed", output: null });
  });

  test("passes with what it shows, but for blanks at the ends of lines", () => {
    expect(judge({ result: shows("\n  a  \n  b\n") }, ran("a\nb\n"))).toMatchObject({
      outcome: "passed",
      difference: [],
    });
  });

  test("fails with another output, and the lines that differ are said", () => {
    expect(judge({ result: shows("one\ntow\n") }, ran("one\ntwo\n"))).toMatchObject({
      outcome: "failed",
      why: "output",
      difference: ["@@ -1,2 +1,2 @@", " one", "-tow", "+two"],
    });
  });

  test("that is to be written passes with another output", () => {
    expect(judge({ result: shows("old") }, ran("new\n"), null, true)).toMatchObject({
      outcome: "passed",
      output: "new",
      difference: ["@@ -1,1 +1,1 @@", "-old", "+new"],
    });
  });

  test("whose output is endless is shown in part", () => {
    const { difference } = judge({ result: shows("old") }, ran(`${"x".repeat(5000)}\n`.repeat(500)));

    expect(difference).toHaveLength(25);
    expect(difference.at(-1)).toMatch(/^… \d+ more lines$/);
    expect(Math.max(...difference.map(({ length }) => length))).toBeLessThanOrEqual(201);
  });

  test("fails where it raises, with the line", () => {
    expect(judge({}, raised("", "NameError", "name 'x' is not defined", 2))).toMatchObject({
      outcome: "failed",
      why: "raised",
      message: "The code raises NameError: name 'x' is not defined in line 2 of its code.",
      output: null,
    });
    expect(judge({ result: shows("42") }, raised("", "NameError", "x"), null, true)).toMatchObject({
      outcome: "failed",
      why: "raised",
      output: null,
    });
  });

  test.each([
    "a\nValueError: bad",
    'a\nTraceback (most recent call last):\n  File "<cell>", line 1, in <module>\n    f()\nValueError: bad',
  ])("that shows its error passes: %s", (text) => {
    expect(judge({ result: shows(text) }, raised("a\n", "shop.ValueError", "bad"))).toMatchObject({
      outcome: "passed",
    });
  });

  test("that shows its error with other words fails, or is written", () => {
    const cell = { result: shows("ValueError: good") };

    expect(judge(cell, raised("a", "ValueError", "bad"))).toMatchObject({
      outcome: "failed",
      why: "output",
      difference: ["@@ -1,1 +1,2 @@", "-ValueError: good", "+a", "+ValueError: bad"],
    });
    expect(judge(cell, raised("a", "ValueError", "bad"), null, true)).toMatchObject({
      outcome: "passed",
      output: "a\nValueError: bad",
    });
  });

  test("that was not run says why", () => {
    expect(judge({}, { kind: "refused", message: "trust: no." })).toMatchObject({
      why: "refused",
      message: "trust: no.",
    });
    expect(judge({}, { kind: "late", isStopped: true })).toMatchObject({ outcome: "failed", why: "late" });
    expect(judge({}, { kind: "asked" })).toMatchObject({ outcome: "skipped", why: "input" });
  });

  test("that only shows a chart says so", () => {
    const verdict = judge({}, ran("", { isRich: true }));

    expect(verdict).toMatchObject({ outcome: "passed", output: null });
    expect(verdict.notes).toEqual(["It shows what is no text, which is neither compared nor written."]);
  });
});

describe("data-check", () => {
  test.each([
    { text: null, mark: { kind: "compare" } },
    { text: "skip", mark: { kind: "skip", reason: "" } },
    { text: " run : it has the time ", mark: { kind: "run", reason: "it has the time" } },
    { text: "never", mark: { kind: "unknown", text: "never" } },
    { text: "", mark: { kind: "unknown", text: "" } },
  ])("$text", ({ text, mark }) => {
    expect(readMark(text)).toEqual(mark);
  });

  test("run lets the output differ, and no error", () => {
    const cell = { mark: "run: random", result: shows("1") };

    expect(judge(cell, ran("2"))).toMatchObject({ outcome: "passed", difference: [] });
    expect(judge(cell, raised("", "ValueError", "bad"))).toMatchObject({ outcome: "failed", why: "raised" });
  });

  test("skip is skipped with its reason, and another word fails", () => {
    expect(judge({ mark: "skip: asks a server" }, { kind: "asked" })).toMatchObject({
      outcome: "skipped",
      why: "skip",
      message: "data-check says skip: asks a server",
    });
    expect(judge({ mark: "maybe" }, { kind: "asked" })).toMatchObject({ outcome: "failed", why: "mark" });
  });
});

describe("an exercise", () => {
  const exercise = { checks: 1, solution: "x = 1" };
  const right = [{ label: "It is 1", passed: true, reason: "" }];
  const wrong = [{ label: "It is 1", passed: false, reason: "It gave 0.\nMore." }];

  test("passes with a solution that its checks take, and code that they do not", () => {
    expect(judge(exercise, ran("", { checks: wrong }), ran("", { checks: right }))).toMatchObject({
      outcome: "passed",
    });
  });

  test("may begin with code that raises, which is said", () => {
    const verdict = judge(exercise, raised("", "NameError", "name '___' is not defined"), ran("", { checks: right }));

    expect(verdict).toMatchObject({ outcome: "passed", output: null });
    expect(verdict.notes.join("")).toContain("NameError");
  });

  test("fails where its solution does", () => {
    expect(judge(exercise, ran("", { checks: wrong }), ran("", { checks: wrong }))).toMatchObject({
      why: "solution",
      message: "The solution does not pass: It is 1 (It gave 0.).",
    });
    expect(judge(exercise, ran("", { checks: wrong }), raised("", "ValueError", "bad"))).toMatchObject({
      why: "solution",
      message: "The solution raises ValueError: bad in line 1 of its code.",
    });
  });

  test("fails where there is nothing to solve", () => {
    expect(judge(exercise, ran("", { checks: right }), ran("", { checks: right }))).toMatchObject({ why: "solved" });
  });

  test("that says expected shows what its solution comes to, else what its code does", () => {
    const runs = [ran("0", { checks: wrong }), ran("2", { checks: right })] as const;

    expect(judge({ ...exercise, isHeld: true, result: shows("2") }, ...runs)).toMatchObject({ outcome: "passed" });
    expect(judge({ ...exercise, isHeld: true, result: shows("0") }, ...runs)).toMatchObject({ why: "output" });
    expect(judge({ ...exercise, result: shows("0") }, ...runs)).toMatchObject({ outcome: "passed" });
  });

  test("without a solution is run, and not judged", () => {
    const verdict = judge({ checks: 1, isHeld: true, result: shows("2") }, ran("0", { checks: wrong }));

    expect(verdict.outcome).toBe("passed");
    expect(verdict.notes).toEqual(['It has checks and no slot="solution" that they could be tried with.']);
  });
});
