import { describe, expect, test, vi } from "vitest";

import type { CallDescription, Dispatcher, JournalEntry } from "../../../src/dispatch/index.js";
import { description, setUp, signal, stored } from "../../lone-calls/dispatch-set-up.js";
import { untilShown } from "../../timeouts.mjs";

/** Calls whose adapters wait until they are let go. */
class HeldCalls {
  readonly begun: string[] = [];
  readonly ids = new Map<string, string>();
  readonly #ends = new Map<string, (value: string) => void>();

  constructor(readonly dispatcher: Dispatcher) {}

  start(name: string, changes: Partial<CallDescription> = {}, stop: AbortSignal = signal): Promise<unknown> {
    return this.dispatcher.dispatch(
      description({ name, ...changes }),
      (_args, { callId }) => {
        this.begun.push(name);
        this.ids.set(name, callId);
        return new Promise((resolve) => this.#ends.set(name, resolve));
      },
      { signal: stop },
    );
  }

  /** Starts a call in the course of another that has begun. */
  within(parent: string, name: string): Promise<unknown> {
    return this.start(name, { parent: this.ids.get(parent) ?? null, caller: "tool" });
  }

  end(name: string): void {
    this.#ends.get(name)?.(name);
  }

  async haveBegun(...names: string[]): Promise<void> {
    await vi.waitFor(() => {
      expect(this.begun).toEqual(names);
    }, untilShown);
  }
}

/** Until everything that can go on by itself has done so. */
async function settle(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 0));
  await new Promise((resolve) => setTimeout(resolve, 0));
}

describe("calls at once", () => {
  test("so many work, the others wait in the order in which they came and show as queued", async () => {
    const all = setUp({ concurrentCalls: 2 });
    const calls = new HeldCalls(all.dispatcher);
    const shown: (string | undefined)[] = [];
    all.dispatcher.onCall(({ name, course }: JournalEntry) => {
      if (name === "third") shown.push(course?.queue?.kind);
    });
    const made = ["first", "second", "third", "fourth"].map((name) => calls.start(name));
    await calls.haveBegun("first", "second");
    await settle();
    expect(shown).toEqual([undefined, "waiting"]);

    calls.end("second");
    await calls.haveBegun("first", "second", "third");
    calls.end("first");
    await calls.haveBegun("first", "second", "third", "fourth");
    calls.end("third");
    calls.end("fourth");
    await Promise.all(made);

    expect(shown).toEqual([undefined, "waiting", "admitted", "admitted"]);
    const entries = await stored(all);
    expect(entries.map(({ name, course }) => [name, course?.queue?.kind])).toEqual([
      ["first", undefined],
      ["second", undefined],
      ["third", "admitted"],
      ["fourth", "admitted"],
    ]);
  });

  test("calls inside one another never wait for their own place, however few there are", async () => {
    const calls = new HeldCalls(setUp({ concurrentCalls: 1 }).dispatcher);
    const outer = calls.start("outer");
    await calls.haveBegun("outer");
    const middle = calls.within("outer", "middle");
    await calls.haveBegun("outer", "middle");
    const inner = calls.within("middle", "inner");
    await calls.haveBegun("outer", "middle", "inner");

    for (const name of ["inner", "middle", "outer"]) calls.end(name);
    await Promise.all([outer, middle, inner]);

    const next = calls.start("next");
    await calls.haveBegun("outer", "middle", "inner", "next");
    calls.end("next");
    await next;
  });

  test("also where a skill lies between them", async () => {
    const { dispatcher } = setUp({ concurrentCalls: 1 });
    const calls = new HeldCalls(dispatcher);
    const outer = calls.start("outer");
    await calls.haveBegun("outer");
    const skill = calls.start("skill", { namespace: "skills", parent: calls.ids.get("outer") ?? null });
    await calls.haveBegun("outer", "skill");
    const inner = calls.within("skill", "inner");
    await calls.haveBegun("outer", "skill", "inner");

    for (const name of ["inner", "skill", "outer"]) calls.end(name);
    await Promise.all([outer, skill, inner]);
  });

  test("of those that one call starts at once, one uses its place and the others take turns", async () => {
    const calls = new HeldCalls(setUp({ concurrentCalls: 1 }).dispatcher);
    const made = [calls.start("outer")];
    await calls.haveBegun("outer");
    made.push(calls.within("outer", "a"), calls.within("outer", "b"), calls.start("stranger"));
    await calls.haveBegun("outer", "a");
    await settle();
    expect(calls.begun).toEqual(["outer", "a"]);

    calls.end("a");
    // The place is the outer call's still, so its own call goes before a stranger's.
    await calls.haveBegun("outer", "a", "b");
    calls.end("b");
    calls.end("outer");
    await calls.haveBegun("outer", "a", "b", "stranger");
    calls.end("stranger");
    await Promise.all(made);
  });

  test("a call that waits can be stopped: nothing was called, and who waits behind it goes on", async () => {
    const all = setUp({ concurrentCalls: 1 });
    const calls = new HeldCalls(all.dispatcher);
    const stop = new AbortController();
    const first = calls.start("first");
    await calls.haveBegun("first");
    const second = calls.start("second", {}, stop.signal);
    const third = calls.start("third");
    await settle();

    stop.abort();
    await expect(second).rejects.toMatchObject({ code: "CALL_CANCELLED", hadBegun: false });
    await expect(second).rejects.toThrow("It had not begun");
    calls.end("first");
    await calls.haveBegun("first", "third");
    calls.end("third");
    await Promise.all([first, third]);
  });

  test("a call that fails or is stopped at work leaves its place", async () => {
    const { dispatcher } = setUp({ concurrentCalls: 1 });
    const calls = new HeldCalls(dispatcher);
    const stop = new AbortController();
    await expect(
      dispatcher.dispatch(description(), () => Promise.reject(new Error("broken")), { signal }),
    ).rejects.toThrow("broken");
    const stopped = calls.start("stopped", {}, stop.signal);
    await calls.haveBegun("stopped");
    stop.abort();
    await expect(stopped).rejects.toMatchObject({ code: "CALL_CANCELLED" });

    const next = calls.start("next");
    await calls.haveBegun("stopped", "next");
    calls.end("next");
    await next;
  });

  test("what is no tool waits for nobody", async () => {
    const calls = new HeldCalls(setUp({ concurrentCalls: 1 }).dispatcher);
    const made = [
      calls.start("tool"),
      calls.start("save", { namespace: "artifacts" }),
      calls.start("clean", { namespace: "skills" }),
    ];
    await vi.waitFor(() => {
      expect(new Set(calls.begun)).toEqual(new Set(["tool", "save", "clean"]));
    }, untilShown);
    for (const name of calls.begun) calls.end(name);
    await Promise.all(made);
  });
});
