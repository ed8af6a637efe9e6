import { expect, test } from "vitest";

import { checkProject } from "../../../eval/projects/check-project.js";
import type { Project } from "../../../eval/projects/project.js";

const TESTS = [
  "import unittest",
  "from shop.till import add",
  "class AddTest(unittest.TestCase):",
  "    def test_add(self):",
  "        self.assertEqual(add(1, 2), 3)",
  "    def test_nothing(self):",
  "        self.assertEqual(add(0, 0), 0)",
  "",
].join("\n");

const shop: Project = {
  name: "shop",
  prompt: "Fix it.",
  folder: "shop",
  mostLines: 10,
  failing: ["tests.test_till.AddTest.test_add"],
  files: new Map([
    ["shop/__init__.py", ""],
    ["shop/till.py", "def add(a, b):\n    return a - b\n"],
    ["tests/__init__.py", ""],
    ["tests/test_till.py", TESTS],
  ]),
  hidden: new Map([
    ["hidden/__init__.py", ""],
    ["hidden/test_more.py", TESTS.replaceAll("add(1, 2), 3", "add(2, 5), 7")],
  ]),
  fix: [],
  wrong: [],
};

/** What the checker says of a till of this text. */
async function problemsOf(till: string): Promise<string[]> {
  const after = new Map([...shop.files, ["shop/till.py", till]]);
  const problems = await checkProject(shop, after, { timeout: 20_000 });
  return problems.map(({ part, text }) => `${part}: ${text}`);
}

test("a right solution is accepted", async () => {
  expect(await problemsOf("def add(a, b):\n    return a + b\n")).toEqual([]);
});

test("tests that are taken away have not passed", async () => {
  const noTests = "import unittest\nunittest.TestLoader.getTestCaseNames = lambda *_: []\nadd = None\n";
  expect(await problemsOf(noTests)).toEqual(["tests: 0 of 2 ran", "hidden tests: 0 of 2 ran"]);
});

test("tests that are skipped have not passed", async () => {
  const skips = "import unittest\ndef add(a, b):\n    raise unittest.SkipTest\n";
  expect(await problemsOf(skips)).toEqual(["tests: 2 were skipped", "hidden tests: 2 were skipped"]);
});

test("what leaves the program has failed", async () => {
  const problems = await problemsOf("def add(a, b):\n    raise SystemExit(0)\n");
  expect(problems.map((problem) => problem.split(":")[0])).toEqual(["tests", "tests", "hidden tests", "hidden tests"]);
});

test("what does not end has failed", async () => {
  const [problem, ...others] = await problemsOf("def add(a, b):\n    while True:\n        pass\n");
  expect(problem).toMatch(/^tests: they came to no end: /);
  expect(others).toEqual([]);
});

test("tests and files that were changed are those of the project again, and are told of", async () => {
  const after = new Map([...shop.files, ["tests/test_till.py", "import unittest\n"], ["sitecustomize.py", "x"]]);
  const problems = await checkProject(shop, after);
  expect(problems.map(({ part, text }) => `${part}: ${text}`)).toEqual([
    "diff: tests/test_till.py was changed",
    "diff: sitecustomize.py was added",
    "tests: tests.test_till.AddTest.test_add: AssertionError: -1 != 3",
    "hidden tests: hidden.test_more.AddTest.test_add: AssertionError: -3 != 7",
  ]);
});
