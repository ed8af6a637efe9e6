import { describe, expect, test } from "vitest";

import { observe } from "../../../src/agent/code/observation.js";
import { truncateText } from "../../../src/agent/truncate-text.js";
import type { RunResult } from "../../../src/session/index.js";
import { pythonError, runResult } from "./scripted-session.js";

const observation = (part: Partial<RunResult>, ignoredBlocks = 0): string =>
  observe(runResult(part), { ignoredBlocks });

describe("an observation", () => {
  test("T10: says that there was no output", () => {
    expect(observation({})).toBe("Observation:\n(no output)");
    expect(observation({ stdout: " \n" })).toBe("Observation:\n(no output)");
  });

  test("holds what was printed and the last value", () => {
    expect(observation({ stdout: "a\nb\n" })).toBe("Observation:\na\nb");
    expect(observation({ valueRepr: "{'a': [1, 'x']}" })).toBe("Observation:\nValue: {'a': [1, 'x']}");
    expect(observation({ stdout: "a\n", valueRepr: "False" })).toBe("Observation:\na\nValue: False");
  });

  test("T23, T78: the error comes first, and what was printed before it is held too", () => {
    expect(
      observation({
        stdout: "a\n",
        error: pythonError({ pythonType: "ZeroDivisionError", message: "division by zero" }),
      }),
    ).toBe("Execution error: ZeroDivisionError: division by zero\n\nOutput before the error:\na");
  });

  test("T24: holds the line of an error, as the traceback shows it", () => {
    const traceback =
      'Traceback (most recent call last):\n  File "<step 1>", line 3, in <module>\n    1 / 0\n    ~~^~~\nZeroDivisionError: division by zero\n';

    const text = observation({
      error: pythonError({ pythonType: "ZeroDivisionError", message: "division by zero", traceback }),
    });

    expect(text).toContain("line 3");
    expect(text).toContain("    1 / 0");
    expect(text.startsWith("Execution error: ZeroDivisionError: division by zero\n")).toBe(true);
  });

  test("T51: is cut at 10,000 bytes, with a mark", () => {
    const text = observation({ stdout: "a".repeat(20_000) });

    expect(text).toBe(`Observation:\n${"a".repeat(10_000)}\n[OUTPUT TRUNCATED]`);
  });

  test("is cut between characters", () => {
    expect(truncateText("ab", 2)).toBe("ab");
    expect(truncateText("aé€😀", 10)).toBe("aé€😀");
    expect(truncateText("aé€😀", 9)).toBe("aé€\n[OUTPUT TRUNCATED]");
    expect(truncateText("aé€😀", 5)).toBe("aé\n[OUTPUT TRUNCATED]");
  });

  test("passes the session's notices on, except where they name a place of this run", () => {
    const cut =
      "stdout was cut: [OUTPUT TRUNCATED: 10 of 20 characters shown, all of them in outputs/run-1-stdout.txt]";

    expect(observation({ stdout: "a", notices: ["The variables are lost.", cut] })).toBe(
      "Observation:\na\n\nNote: The variables are lost.",
    );
  });

  test("is the same however long the run took and whatever its id", () => {
    expect(observation({ stdout: "a", elapsed: 1, runId: "x" })).toBe(
      observation({ stdout: "a", elapsed: 999, runId: "y" }),
    );
  });

  test("T16: counts the blocks that were not run", () => {
    expect(observation({ stdout: "a" }, 2)).toMatch(/2 others were ignored\.$/);
  });
});
