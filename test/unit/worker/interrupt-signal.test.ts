import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { InterruptSignal } from "../../../worker/interrupt-signal.js";

// Modules of the worker keep what they use of the worker's global as they are loaded.
vi.hoisted(() => vi.stubGlobal("self", globalThis));

describe("the worker's clock of a run", () => {
  let now: number;
  let signal: InterruptSignal;

  beforeEach(() => {
    now = 1000;
    vi.spyOn(performance, "now").mockImplementation(() => now);
    signal = new InterruptSignal(
      () => false,
      () => undefined,
    );
    signal.arm(100);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  /** Waits for the page that long. Tells whether the clock stood still. */
  function wait(milliseconds: number): boolean {
    const stood = signal.beginWait();
    now += milliseconds;
    signal.endWait();
    return stood;
  }

  test("goes on in a wait as well, unless the page has paused it", () => {
    expect(wait(99)).toBe(false);
    expect(signal.fire(now)).toBe(false);

    now += 1;

    expect(signal.fire(now)).toBe(true);
    expect(signal.disarm()).toBe("timeout");
  });

  test("says once in a run that Python was told of an interrupt", () => {
    const heard: number[] = [];
    signal = new InterruptSignal(
      () => false,
      () => undefined,
      () => heard.push(now),
    );
    for (const start of [10_000, 20_000]) {
      now = start;
      signal.arm(100);
      for (const later of [50, 100, 200, 400, 500]) {
        now = start + later;
        signal.fire(now);
      }
      signal.disarm();
    }

    expect(heard).toEqual([10_100, 20_100]);
  });

  test("stands still in the waits of a pause, and counts what is computed between them", () => {
    signal.pause();
    for (let turn = 0; turn < 3; turn += 1) {
      expect(wait(60_000)).toBe(true);
      expect(signal.fire(now)).toBe(false);
      now += 30;
    }
    expect(signal.deadline - now).toBe(10);

    now += 10;

    expect(signal.fire(now)).toBe(true);
    expect(signal.disarm()).toBe("timeout");
  });

  test("goes on in the waits after the pause", () => {
    signal.pause();
    wait(60_000);
    signal.resume();

    expect(wait(100)).toBe(false);
    expect(signal.fire(now)).toBe(true);
  });

  test("is not stopped by a wait that begins when it has run out, and no pause outlives its run", () => {
    signal.pause();
    now += 100;
    expect(wait(0)).toBe(false);
    expect(signal.fire(now)).toBe(true);
    signal.disarm();

    signal.arm(100);
    expect(wait(1)).toBe(false);
  });

  test("a request to stop that comes just after the deadline waits until the code had its moment", () => {
    now += 150;
    expect(signal.fire(now)).toBe(true);

    signal.requestStop();
    now += 1;
    expect([signal.isDue(now), signal.fire(now)]).toEqual([false, false]);
    expect(signal.deadline - now).toBe(99);

    now += 99;
    expect([signal.isDue(now), signal.fire(now)]).toEqual([true, true]);
    expect(signal.disarm()).toBe("timeout");
  });

  test("so does a deadline that passes just after a request to stop", () => {
    now += 99;
    signal.requestStop();
    expect(signal.fire(now)).toBe(true);

    now += 1;
    expect([signal.fire(now), signal.deadline - now]).toEqual([false, 99]);

    now += 99;
    expect(signal.fire(now)).toBe(true);
    expect(signal.disarm()).toBe("stop");
  });

  test("what could not be heeded is told again at once, and a request that nobody heeded ends with its run", () => {
    signal.requestStop();
    expect(signal.fire(now)).toBe(true);
    signal.postpone();
    expect(signal.fire(now)).toBe(true);

    signal.requestStop("output");
    signal.disarm();
    expect(signal.deadline).toBe(Infinity);
  });
});
