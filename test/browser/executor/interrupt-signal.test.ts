import { beforeEach, describe, expect, test } from "vitest";

import { InterruptSignal } from "../../../worker/interrupt-signal.js";

describe("an interrupt", () => {
  let signal: InterruptSignal;
  let now: number;

  beforeEach(() => {
    signal = new InterruptSignal(
      () => false,
      () => undefined,
    );
    now = performance.now();
    signal.arm(-1);
    signal.requestStop();
  });

  test("is told once, and once more a moment later if the run goes on", () => {
    const told = [0, 1, 249, 251, 252, 5000].filter((after) => signal.fire(now + after));

    expect(told).toEqual([0, 251]);
  });

  test("that Python could not heed is told again at once, and waits end", () => {
    signal.fire(now);
    signal.postpone();

    expect(signal.deadline).toBeLessThanOrEqual(now);
    expect(signal.isDue(now)).toBe(true);
    const told = [1, 2, 250, 252, 5000].filter((after) => signal.fire(now + after));
    expect(told).toEqual([1, 252]);
  });

  test("whose repetition could not be heeded is not repeated without end", () => {
    signal.fire(now);
    signal.fire(now + 300);
    signal.postpone();

    const told = [301, 302, 600, 5000].filter((after) => signal.fire(now + after));
    expect(told).toEqual([301]);
  });

  test("that was postponed is forgotten with its run", () => {
    signal.fire(now);
    signal.postpone();

    expect(signal.disarm()).toBe("stop");
    signal.postpone();
    signal.arm(-1);
    expect(signal.fire(now + 1)).toBe(false);
  });
});
