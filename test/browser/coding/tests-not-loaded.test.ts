import { afterEach, expect, test } from "vitest";
import { z } from "zod";

import { codingAgent, type TestReport } from "../../../src/coding/index.js";
import { Session } from "../../../src/session/index.js";
import { memoryStorage } from "../../../src/storage/index.js";
import { dictated } from "../../agents/dictated-model.js";
import { block } from "../../agents/replies.js";

const opened: Session[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((session) => session.close()));
});

const Reports = z.array(z.custom<TestReport>((value) => z.object({ ran: z.number() }).safeParse(value).success));

/** What `run_tests` answers to calls of an agent with these arguments, on these files. */
async function reports(files: Record<string, string>, ...calls: readonly string[]): Promise<TestReport[]> {
  const session = await Session.open({ storage: memoryStorage() });
  opened.push(session);
  await session.workspace.writeAll(new Map(Object.entries(files)));
  const code = `final_answer([${calls.map((given) => `tools.run_tests(${given})`).join(", ")}])`;
  const run = codingAgent({ session, model: dictated(block(code)) }).run("Run the tests.");
  return Reports.parse((await run.result).answer?.value);
}

const tests = (...lines: readonly string[]): string =>
  ["import unittest", "class CaseTest(unittest.TestCase):", ...lines.map((line) => `    ${line}`), ""].join("\n");
const fine = tests("def test_one(self): pass", "def test_two(self): pass");

test("a module that cannot be loaded is a failure that says where, beside the tests that ran", async () => {
  const files = { "tests/__init__.py": "", "tests/test_fine.py": fine, "tests/test_broken.py": "x = (1,\n" };

  const found = await reports(
    files,
    'targets=["tests/test_broken.py", "tests/test_fine.py"]',
    'targets=["tests.test_broken", "tests.test_fine.CaseTest.test_one"]',
    "",
  );

  expect(found.map(({ ran, passed, failed }) => [ran, passed, failed.map((each) => each.test)])).toEqual([
    [3, 2, ["tests.test_broken"]],
    [2, 1, ["tests.test_broken"]],
    [3, 2, ["tests.test_broken"]],
  ]);
  for (const { failed } of found) {
    expect(failed[0]?.reason).toContain('File "/workspace/tests/test_broken.py", line 1');
    expect(failed[0]?.reason).toContain("SyntaxError: '(' was never closed");
  }
});

test("a target that is not there is named, and others run", async () => {
  const [report] = await reports(
    { "test_fine.py": fine },
    'targets=["tests/test_gone.py::CaseTest::test_one", "test_fine.py::CaseTest::test_two"]',
  );

  expect(report).toMatchObject({
    ran: 2,
    passed: 1,
    failed: [
      { test: "tests/test_gone.py::CaseTest::test_one", reason: "There is no tests/test_gone.py in /workspace." },
    ],
  });
});

test("what fails before the tests of a class takes nothing from those that passed", async () => {
  const set = tests("@classmethod", "def setUpClass(cls): raise OSError('no data')", "def test_one(self): pass");

  const [report] = await reports({ "test_fine.py": fine, "test_set.py": set }, "");

  expect(report).toMatchObject({ ran: 3, passed: 2 });
  expect(report?.failed.map((each) => each.test)).toEqual(["setUpClass (test_set.CaseTest)"]);
});
