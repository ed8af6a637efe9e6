import source from "virtual:test-runner";

import type { ChildSession } from "../session/index.js";
import { TestsNotRunError } from "./errors.js";
import { TestReport, type TestInput } from "./test-report.js";

interface TestRun {
  readonly open: () => Promise<ChildSession>;
  readonly signal: AbortSignal;
}

/** @throws {TestsNotRunError} where they came to no end, or none could be begun. */
export async function runTests(
  { targets, framework, timeout_ms: timeout }: TestInput,
  { open, signal }: TestRun,
): Promise<TestReport> {
  const session = await open();
  try {
    // JSON in JSON is a text for Python, too.
    const given = JSON.stringify(JSON.stringify({ targets, framework }));
    const { value, error } = await session.run(`${source}\nrun_tests(${given})`, { timeout, signal, name: "tests" });
    if (error !== null) throw new TestsNotRunError(error.message, { timedOut: error.code === "RUN_TIMEOUT", timeout });
    return TestReport.parse(value);
  } finally {
    await session.close();
  }
}
