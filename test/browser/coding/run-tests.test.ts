import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { codingAgent } from "../../../src/coding/index.js";
import type { Value } from "../../../src/protocol/index.js";
import { Session, type SessionOptions } from "../../../src/session/index.js";
import { memoryStorage } from "../../../src/storage/index.js";
import { dictated } from "../../agents/dictated-model.js";
import { block } from "../../agents/replies.js";

const wheels = new URL("/test/wheels/", location.href).href;

let session: Session;

async function open(options: Partial<SessionOptions> = {}): Promise<void> {
  session = await Session.open({ storage: memoryStorage(), ...options });
}

/** What `run_tests` says of the workspace to the code of a coding agent, or why it fails. */
async function report(call: string): Promise<Value> {
  const code = block(
    "try:",
    `    found = tools.run_tests(${call})`,
    "except ToolError as error:",
    "    found = str(error)",
    "final_answer(found)",
  );
  const { answer, error } = await codingAgent({ session, model: dictated(code) }).run("Test.").result;
  expect(error).toBeNull();
  return answer?.value ?? null;
}

async function lay(files: Readonly<Record<string, readonly string[]>>): Promise<void> {
  const lines = Object.entries(files).map(([path, text]) => [path, `${text.join("\n")}\n`] as const);
  await session.workspace.writeAll(new Map(lines));
}

const shop = {
  "shop/__init__.py": [""],
  "shop/prices.py": ["def total(items):", "    return sum(items)"],
};

const testsOf = (name: string, ...methods: readonly string[]): readonly string[] => [
  "import unittest",
  "from shop.prices import total",
  `class ${name}(unittest.TestCase):`,
  ...methods.map((method) => `    ${method}`),
];

async function emptyWorkspace(): Promise<void> {
  const files = await session.workspace.list();
  await session.workspace.writeAll(new Map(files.map(({ path }) => [path, null])));
}

describe("run_tests with unittest", () => {
  beforeAll(() => open());
  afterAll(() => session.close());
  beforeEach(emptyWorkspace);

  const cases = {
    ...shop,
    "tests/__init__.py": [""],
    "tests/test_prices.py": testsOf(
      "Prices",
      "def test_sum(self): self.assertEqual(total([1, 2]), 3)",
      "def test_wrong(self): self.assertEqual(total([1, 2]), 4)",
      "@unittest.skip('later')",
      "def test_skipped(self): pass",
    ),
    "tests/test_more.py": testsOf("More", "def test_empty(self): print('printed'); self.assertEqual(total([]), 0)"),
  };

  test("says of all tests which failed and why, and what was printed", async () => {
    await lay(cases);

    expect(await report("")).toMatchObject({
      framework: "unittest",
      ran: 4,
      passed: 2,
      skipped: 1,
      failed: [{ test: "tests.test_prices.Prices.test_wrong", reason: expect.stringContaining("3 != 4") as string }],
      more: 0,
      output: "printed\n",
    });
  });

  test("runs a file, a folder, a class or a single test alone", async () => {
    await lay(cases);
    const targets = [
      "tests/test_more.py",
      "/workspace/tests/test_more.py",
      "tests",
      "tests/test_prices.py::Prices::test_sum",
      "tests.test_prices.Prices",
    ];

    const code = `final_answer([tools.run_tests(targets=[each])['ran'] for each in ${JSON.stringify(targets)}])`;
    const run = codingAgent({ session, model: dictated(block(code)) }).run("Test.");
    expect((await run.result).answer?.value).toEqual([1, 1, 4, 1, 3]);
  });

  test("finds tests in a folder that is no package, and those that cannot be imported", async () => {
    await lay({
      ...shop,
      "tests/test_prices.py": testsOf("Prices", "def test_sum(self): self.assertEqual(total([1]), 1)"),
      "tests/test_broken.py": ["import not_there_at_all"],
    });

    expect(await report("")).toMatchObject({
      ran: 2,
      passed: 1,
      failed: [
        {
          test: expect.stringContaining("test_broken") as string,
          reason: expect.stringContaining("not_there_at_all") as string,
        },
      ],
    });
  });

  test("tells of a target that is not there as of a failure", async () => {
    await lay(cases);

    expect(await report("targets=['tests/test_none.py']")).toMatchObject({
      passed: 0,
      failed: [{ reason: expect.stringContaining("tests/test_none") as string }],
    });
  });

  test("sees each change, since every call has an interpreter of its own", async () => {
    await lay({
      ...shop,
      "test_prices.py": testsOf("Prices", "def test_sum(self): self.assertEqual(total([1, 2]), 3)"),
    });
    expect(await report("")).toMatchObject({ passed: 1 });

    await lay({ "shop/prices.py": ["def total(items):", "    return 0"] });
    expect(await report("")).toMatchObject({ passed: 0 });
  });

  test("ends tests that come to no end, and says how to go on", async () => {
    await lay({ ...shop, "test_prices.py": testsOf("Prices", "def test_loop(self):", "    while True: pass") });

    expect(await report("timeout_ms=1000")).toContain(
      "The tests did not end within 1000 ms. Run fewer of them, or raise timeout_ms.",
    );
  });

  test("says of tests that end the run why there is no report", async () => {
    await lay({ ...shop, "test_prices.py": testsOf("Prices", "def test_stop(self): raise KeyboardInterrupt") });

    expect(await report("")).toContain("The tests did not run: ");
  });

  test("gives the tests no tools", async () => {
    await lay({
      "test_tools.py": ["import unittest", "class T(unittest.TestCase):", "    def test_none(self): tools.run_tests()"],
    });

    expect(await report("")).toMatchObject({
      ran: 1,
      passed: 0,
      failed: [{ reason: expect.stringContaining("tools") as string }],
    });
  });

  test("cuts long reasons and a long list", async () => {
    const many = Array.from({ length: 60 }, (_, index) => `def test_${String(index)}(self): self.fail('x' * 100_000)`);
    await lay({ ...shop, "test_many.py": testsOf("Many", ...many) });

    const found = await report("");
    expect(found).toMatchObject({ ran: 60, passed: 0, more: 10 });
    expect(JSON.stringify(found).length).toBeLessThan(250_000);
  });
});

describe("run_tests with pytest", () => {
  beforeAll(() => open({ packages: [{ folder: wheels }], deps: ["pytest"] }));
  afterAll(() => session.close());
  beforeEach(emptyWorkspace);

  const cases = {
    ...shop,
    "pyproject.toml": ["[tool.pytest.ini_options]", 'testpaths = ["tests"]'],
    "tests/conftest.py": ["import pytest", "@pytest.fixture", "def items(): return [1, 2]"],
    "tests/test_prices.py": [
      "import pytest",
      "from shop.prices import total",
      "def test_sum(items): assert total(items) == 3",
      "def test_wrong(items): assert total(items) == 4",
      "@pytest.mark.parametrize('number', [1, 2])",
      "def test_one(number): assert total([number]) == number",
      "@pytest.mark.skip",
      "def test_skipped(): pass",
    ],
  };

  test("is chosen by the project's settings, and knows fixtures, parameters and single tests", async () => {
    await lay(cases);

    expect(await report("")).toMatchObject({
      framework: "pytest",
      ran: 5,
      passed: 3,
      skipped: 1,
      failed: [
        { test: "tests/test_prices.py::test_wrong", reason: expect.stringContaining("assert 3 == 4") as string },
      ],
    });
    expect(await report("targets=['tests/test_prices.py::test_sum']")).toMatchObject({ ran: 1, passed: 1, failed: [] });
  });

  test("tells of files that cannot be imported", async () => {
    await lay({ ...cases, "tests/test_broken.py": ["import not_there_at_all"] });

    const found = await report("targets=['tests/test_broken.py']");
    expect(found).toMatchObject({
      passed: 0,
      failed: [{ test: "tests/test_broken.py", reason: expect.stringContaining("not_there_at_all") as string }],
    });
  });

  test("leaves nothing in the workspace", async () => {
    await lay(cases);
    const before = (await session.workspace.list()).map(({ path }) => path);

    await report("");
    expect((await session.workspace.list()).map(({ path }) => path)).toEqual(before);
  });
});

test("without pytest a project that is set up for it says how to get it", async () => {
  await open();
  await lay({ ...shop, "pytest.ini": ["[pytest]"] });

  expect(await report("")).toContain("pytest is not installed in this session; code adds it with deps.add('pytest').");
  await session.close();
});
