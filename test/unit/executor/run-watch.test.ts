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
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  test("tells at once of a stop, repeats it, and kills what resists", () => {
    watch(null).stop("stopped");

    expect(seen).toEqual(["interrupt", "told"]);
    expect(after(250)).toEqual(["interrupt"]);
    expect(after(750)).toEqual(["stopped"]);
    expect(after(60_000)).toEqual([]);
  });

  test("tells again when the code begins after all, and counts from there", () => {
    const stopped = watch(null);
    stopped.stop("stopped");
    expect(after(900)).toEqual(["interrupt"]);

    stopped.running();

    expect(seen).toEqual(["interrupt", "interrupt"]);
    expect(after(250)).toEqual(["interrupt"]);
    expect(after(749)).toEqual([]);
    expect(after(1)).toEqual(["stopped"]);
  });

  test("tells of the deadline when it passes, interrupts again, and kills what resists", () => {
    watch(100).running();

    expect(after(99)).toEqual([]);
    expect(after(1)).toEqual(["told"]);
    expect(after(250)).toEqual(["interrupt"]);
    expect(after(750)).toEqual(["timeout"]);
  });

  test("counts anew, once, from when the code says that it has heard", () => {
    const busy = watch(null);
    busy.running();
    busy.stop("stopped");
    after(900);
    busy.interrupted();
    busy.interrupted();

    expect(after(250)).toEqual(["interrupt"]);
    busy.interrupted();
    expect(after(749)).toEqual([]);
    expect(after(1)).toEqual(["stopped"]);
  });

  test("counts anew after the deadline as well, and not for a worker that says it has heard too early or too late", () => {
    const busy = watch(100);
    busy.running();
    busy.interrupted();
    expect(after(100)).toEqual(["told"]);
    after(900);
    busy.interrupted();
    after(900);
    busy.finishing();
    busy.interrupted();

    expect(after(29_999)).toEqual([]);
    expect(after(1)).toEqual(["timeout"]);
  });

  test("kills for the reason it was first stopped for", () => {
    const stopped = watch(100);
    stopped.running();
    stopped.stop("output");
    stopped.stop("stopped");

    expect(after(1000)).toEqual(["interrupt", "output"]);
  });

  test("stands still while it is paused and the code waits, and for neither alone", () => {
    const paused = watch(100);
    paused.running();
    paused.waiting();
    expect(after(40)).toEqual([]);
    paused.pause();
    expect(after(60_000)).toEqual([]);
    paused.running();
    expect(after(40)).toEqual([]);
    paused.waiting();
    expect(after(60_000)).toEqual([]);
    paused.resume();

    expect(after(19)).toEqual([]);
    expect(after(1)).toEqual(["told"]);
    expect(after(1000)).toEqual(["interrupt", "timeout"]);
  });

  test("gives a reply its time once, however often a worker says that it makes one", () => {
    const lying = watch(100);
    lying.running();
    lying.stop("stopped");
    lying.finishing();
    for (let time = 0; time < 29_000; time += 1000) {
      expect(after(1000)).toEqual([]);
      lying.finishing();
      lying.waiting();
      lying.running();
    }

    expect(after(1000)).toEqual(["stopped"]);
  });

  test("ends a reply that is being made a second after it is stopped", () => {
    const slow = watch(null);
    slow.running();
    slow.finishing();
    expect(after(60_000)).toEqual([]);
    slow.stop("stopped");
    slow.finishing();

    expect(after(1000)).toEqual(["interrupt", "stopped"]);
  });

  test("does not begin anew for code that says again that it runs", () => {
    const again = watch(100);
    again.running();
    after(60);
    again.running();

    expect(after(40)).toEqual(["told"]);
  });

  test("kills what resists, though it waits for somebody by then", () => {
    const late = watch(100);
    late.running();
    after(100);
    late.pause();
    late.waiting();

    expect(after(1000)).toEqual(["interrupt", "timeout"]);
  });

  test("gives the code its second also after a sleep in which everything became due", () => {
    const machine = new SleepingMachine();
    watch(100).running();

    machine.sleep(3_600_000);
    expect(seen).toEqual(["told"]);
    machine.sleep(250);
    expect(seen).toEqual(["told", "interrupt"]);
    machine.sleep(750);
    expect(seen).toEqual(["told", "interrupt", "timeout"]);
  });

  test("gives a worker that has not begun yet its time after a sleep", () => {
    const machine = new SleepingMachine();
    watch(100);

    machine.sleep(3_600_000);
    expect(seen).toEqual([]);
    machine.sleep(15_000);
    expect(seen).toEqual(["timeout"]);
  });

  test("does nothing more once the run has ended", () => {
    const ended = watch(100);
    ended.running();
    ended.end();

    expect(after(60_000)).toEqual([]);
  });
});

/** A clock that jumps: timers that are due fire once when it wakes, as browsers do; those that they set count from then. */
class SleepingMachine {
  #now = 0;
  #timers = new Map<number, { at: number; action: () => void }>();
  #last = 0;

  constructor() {
    vi.stubGlobal("setTimeout", (action: () => void, delay: number) => {
      this.#last += 1;
      this.#timers.set(this.#last, { at: this.#now + delay, action });
      return this.#last;
    });
    vi.stubGlobal("clearTimeout", (id: number) => {
      this.#timers.delete(id);
    });
  }

  sleep(milliseconds: number): void {
    this.#now += milliseconds;
    for (const [id, { at, action }] of [...this.#timers]) {
      if (at > this.#now || !this.#timers.delete(id)) continue;
      action();
    }
  }
}
