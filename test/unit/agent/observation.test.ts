import { describe, expect, test } from "vitest";

import { observe } from "../../../src/agent/code/observation.js";
import { shortenBytes } from "../../../src/protocol/index.js";
import type { RunResult } from "../../../src/session/index.js";
import { pythonError, runResult } from "./scripted-session.js";

const observation = (part: Partial<RunResult>, ignoredBlocks = 0): string =>
  observe(runResult(part), { ignoredBlocks });

describe("an observation", () => {
  test("says that there was no output (T10)", () => {
    expect(observation({})).toBe("Observation:\n(no output)");
    expect(observation({ stdout: " \n" })).toBe("Observation:\n(no output)");
  });

  test("holds what was printed and the last value", () => {
    expect(observation({ stdout: "a\nb\n" })).toBe("Observation:\na\nb");
    expect(observation({ valueRepr: "{'a': [1, 'x']}" })).toBe("Observation:\nValue: {'a': [1, 'x']}");
    expect(observation({ stdout: "a\n", valueRepr: "False" })).toBe("Observation:\na\nValue: False");
  });

  test("an error wins over a value, which is not told (T78)", () => {
    const text = observation({ valueRepr: "'seen'", error: pythonError({ message: "it failed" }) });

    expect(text).toBe("Execution error: ValueError: it failed");
  });

  test("the error comes first, and what was printed before it is held too (T23)", () => {
    expect(
      observation({
        stdout: "a\n",
        error: pythonError({ pythonType: "ZeroDivisionError", message: "division by zero" }),
      }),
    ).toBe("Execution error: ZeroDivisionError: division by zero\n\nOutput before the error:\na");
  });

  test("holds the line of an error, as the traceback shows it (T24)", () => {
    const traceback =
      'Traceback (most recent call last):\n  File "<step 1>", line 3, in <module>\n    1 / 0\n    ~~^~~\nZeroDivisionError: division by zero\n';

    const text = observation({
      error: pythonError({ pythonType: "ZeroDivisionError", message: "division by zero", traceback }),
    });

    expect(text).toContain("line 3");
    expect(text).toContain("    1 / 0");
    expect(text.startsWith("Execution error: ZeroDivisionError: division by zero\n")).toBe(true);
  });

  test("is cut at 10,000 bytes, with a mark (T51)", () => {
    const text = observation({ stdout: "a".repeat(20_000) });

    expect(text).toBe(`Observation:\n${"a".repeat(10_000)}\n[OUTPUT TRUNCATED]`);
  });

  test("holds of notices no more than of a text", () => {
    const notices = Array.from({ length: 100 }, (_, number) => `file ${String(number)}: ${"x".repeat(500)}`);

    const text = observation({ notices });
    expect(text).toContain("Note: file 0: xxx");
    expect(text.length).toBeLessThan(10_100);
    expect(text).toMatch(/\[OUTPUT TRUNCATED\]$/);
  });

  test("is cut between characters", () => {
    expect(shortenBytes("ab", 2)).toBe("ab");
    expect(shortenBytes("aé€😀", 10)).toBe("aé€😀");
    expect(shortenBytes("aé€😀", 9)).toBe("aé€\n[OUTPUT TRUNCATED]");
    expect(shortenBytes("aé€😀", 5)).toBe("aé\n[OUTPUT TRUNCATED]");
  });

  test("tells a signal once, and not as a value besides (T64, T65)", () => {
    const explored = { type: "explore", message: "x" } as const;

    expect(observation({ stdout: "[EXPLORE] x\n", signals: [explored] })).toBe("Observation:\n[EXPLORE] x");
    expect(observation({ stdout: "note: [EXPLORE] x \nb\n", signals: [explored] })).toBe(
      "Observation:\nnote: [EXPLORE] x \nb",
    );
    expect(observation({ valueRepr: "[EXPLORE] x", signals: [explored] })).toBe(
      "Observation:\n(no output)\n\n[EXPLORE] x",
    );
    const lines = { type: "explore", message: "x\ny" } as const;
    expect(observation({ stdout: "[EXPLORE] x\ny\n", signals: [lines] })).toBe("Observation:\n[EXPLORE] x\ny");
  });

  test("tells a signal that only the beginning of another line looks like (T64)", () => {
    const text = observation({ stdout: "[EXPLORE] xy\n", signals: [{ type: "explore", message: "x" }] });

    expect(text).toBe("Observation:\n[EXPLORE] xy\n\n[EXPLORE] x");
  });

  test("tells a signal whose line was cut away with the output, also beside an error (T64)", () => {
    const signals = [{ type: "uncertain", message: "doubt" }] as const;
    const stdout = `${"a".repeat(20_000)}\n[UNCERTAIN] doubt\n`;

    expect(observation({ stdout, signals })).toMatch(/\n\[OUTPUT TRUNCATED\]\n\n\[UNCERTAIN\] doubt$/);
    expect(observation({ stdout, signals, error: pythonError({}) })).toMatch(/\n\n\[UNCERTAIN\] doubt$/);
    expect(observation({ stdout: "[UNCERTAIN] doubt\n", signals, error: pythonError({}) })).toBe(
      "Execution error: ValueError: no\n\nOutput before the error:\n[UNCERTAIN] doubt",
    );
  });

  test("says that an answer whose block failed is not handed in (T41)", () => {
    const finalAnswer = { value: 1, text: "1", verifiedBy: null };

    expect(observation({ finalAnswer, error: pythonError({}) })).toMatch(
      /^Execution error: ValueError: no\n\nNote: nothing was handed in: .*Call it once, in a block that does not fail\.$/,
    );
    expect(observation({ error: pythonError({}) })).not.toContain("handed in");
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

  test("counts the blocks that were not run (T16)", () => {
    expect(observation({ stdout: "a" }, 2)).toMatch(/2 others were ignored\.$/);
  });
});
