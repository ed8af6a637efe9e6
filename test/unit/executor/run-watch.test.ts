import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { RunWatch } from "../../../src/executor/run-watch.js";

describe("the watch over a run", () => {
  let seen: string[];
  const watch = (timeout: number | null): RunWatch =>
    new RunWatch({
      timeout,
      interrupt: () => seen.push("interrupt"),
      onInterrupt: () => seen.push("told"),
      kill: (reason) => seen.push(reason),
    });
  const after = (milliseconds: number): string[] => {
    seen = [];
    vi.advanceTimersByTime(milliseconds);
    return seen;
  };

  beforeEach(() => {
    vi.useFakeTimers();
    seen = [];
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test("tells at once of a stop, repeats it, and kills what resists", () => {
    watch(null).stop("stopped");

    expect(seen).toEqual(["interrupt", "told"]);
    expect(after(250)).toEqual(["interrupt"]);
    expect(after(750)).toEqual(["stopped"]);
    expect(after(60_000)).toEqual([]);
  });

  test("tells of the deadline when it passes, interrupts again, and kills what resists", () => {
    watch(100).began();

    expect(after(99)).toEqual([]);
    expect(after(1)).toEqual(["told"]);
    expect(after(250)).toEqual(["interrupt"]);
    expect(after(750)).toEqual(["timeout"]);
  });

  test("kills for the reason it was first stopped for", () => {
    const stopped = watch(100);
    stopped.began();
    stopped.stop("output");
    stopped.stop("stopped");

    expect(after(1000)).toEqual(["interrupt", "output"]);
  });

  test("does nothing more once the run has ended", () => {
    const ended = watch(100);
    ended.began();
    ended.end();

    expect(after(60_000)).toEqual([]);
  });
});
