import { afterAll, beforeAll, expect, test } from "vitest";

import { memoryStorage, Session } from "../../../src/index.js";

/** worker/python/tests, run by unittest inside a session's interpreter. */
const sources = import.meta.glob<string>("../../../worker/python/tests/*.py", {
  query: "?raw",
  import: "default",
  eager: true,
});
/** Modules that sessions are given to run, which are no part of the package. */
const given = import.meta.glob<string>("../../../worker/python/text_repair.py", {
  query: "?raw",
  import: "default",
  eager: true,
});
const files = new Map(
  Object.entries({ ...sources, ...given }).map(([path, text]) => [path.slice(path.lastIndexOf("/") + 1), text]),
);
const modules = [...files.keys()].filter((name) => name.startsWith("test_")).map((name) => name.replace(/\.py$/, ""));

let session: Session;

beforeAll(async () => {
  session = await Session.open({ storage: memoryStorage(), trust: "local", timeout: null });
  for (const [name, text] of files) {
    await session.workspace.write(`tests/${name}`, new TextEncoder().encode(text));
  }
  await session.run("import sys\nsys.path.insert(0, '/workspace/tests')");
});
afterAll(async () => {
  await session.close();
});

test("there are Python tests", () => {
  expect(modules.length).toBeGreaterThan(5);
});

test.each(modules)("%s passes", async (module) => {
  const { value, error } = await session.run(
    [
      "import io, unittest",
      "report = io.StringIO()",
      `suite = unittest.defaultTestLoader.loadTestsFromName('${module}')`,
      "result = unittest.TextTestRunner(stream=report).run(suite)",
      "[result.testsRun, '' if result.wasSuccessful() else report.getvalue()]",
    ].join("\n"),
  );

  expect(error).toBeNull();
  const [count, failures] = value as [number, string];
  expect(failures).toBe("");
  expect(count).toBeGreaterThan(0);
});
