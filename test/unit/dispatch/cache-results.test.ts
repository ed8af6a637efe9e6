import { describe, expect, test, vi } from "vitest";

import { approvalPolicy, cacheResults, type CallDescription, type Stage } from "../../../src/dispatch/index.js";
import { description, readOnly, setUp, signal, stored } from "../../lone-calls/dispatch-set-up.js";
import { untilShown } from "../../timeouts.mjs";

describe("cacheResults", () => {
  interface Counted {
    readonly call: (changes?: Partial<CallDescription>) => Promise<unknown>;
    readonly made: () => number;
  }

  function counting(...middleware: Stage[]): Counted & { readonly all: ReturnType<typeof setUp> } {
    const all = setUp({ middleware });
    let made = 0;
    return {
      all,
      made: () => made,
      call: (changes) =>
        all.dispatcher.dispatch(
          description({ ...readOnly, ...changes }),
          () => {
            made += 1;
            return Promise.resolve({ number: made, bytes: new Uint8Array([1, 2]) });
          },
          { signal },
        ),
    };
  }

  test("answers the same call with the kept result, in whatever order the arguments are, and the journal says so", async () => {
    let time = 1000;
    const { call, made, all } = counting(cacheResults({ now: () => time }));

    const first = await call({ arguments: { a: 1, b: { c: [2], d: 3 } } });
    time += 50;
    const second = await call({ arguments: { b: { d: 3, c: [2] }, a: 1 } });

    expect(second).toEqual(first);
    expect(second).not.toBe(first);
    expect(made()).toBe(1);
    const [made1, hit] = await stored(all);
    expect(made1).not.toHaveProperty("course");
    expect(hit).toMatchObject({ course: { cached: 50 }, outcome: { kind: "ok" } });
  });

  test("other arguments, another recipe and other types are other calls", async () => {
    const { call, made } = counting(cacheResults());

    for (const args of [{ a: 1 }, { a: "1" }, { a: [1] }, { a: new Uint8Array([1]) }, { a: null }, {}]) {
      await call({ arguments: args });
    }
    await call({ name: "echo.whisper", arguments: {} });

    expect(made()).toBe(7);
  });

  test.each([
    ["has no hints", {}],
    ["is destructive, though idempotent", { destructive: true, idempotent: true }],
  ])("a call that %s is always made", async (_what, hints) => {
    const { call, made } = counting(cacheResults());

    await call({ hints });
    await call({ hints });

    expect(made()).toBe(2);
  });

  test("a call of the tool that may change something makes it forget what it read, and what was written before", async () => {
    const { call, made } = counting(cacheResults());
    const write = (value: number): Promise<unknown> =>
      call({ name: "store.put", arguments: { value }, hints: { idempotent: true } });
    const read = (): Promise<unknown> => call({ name: "store.get" });

    await read();
    await write(1);
    await write(1);
    expect(made()).toBe(2);

    await read();
    await write(2);
    await write(1);
    expect(made()).toBe(5);
  });

  test("a result that was read while another call wrote is not kept", async () => {
    const answers: ((value: string) => void)[] = [];
    const { dispatcher } = setUp({ middleware: [cacheResults()] });
    const call = (name: string, hints: CallDescription["hints"]): Promise<unknown> =>
      dispatcher.dispatch(
        description({ name, hints, arguments: {} }),
        () => new Promise((resolve) => answers.push(resolve)),
        { signal },
      );
    const begun = async (count: number): Promise<void> =>
      vi.waitFor(() => expect(answers).toHaveLength(count), untilShown);

    const reading = call("store.get", { readOnly: true });
    await begun(1);
    const writing = call("store.put", {});
    await begun(2);
    answers[1]?.("written");
    await writing;
    answers[0]?.("old");
    await reading;
    const again = call("store.get", { readOnly: true });
    await begun(3);
    answers[2]?.("new");

    expect(await again).toBe("new");
  });

  test("is bounded by age, number and bytes", async () => {
    let time = 0;
    const aged = counting(cacheResults({ maxAge: 100, now: () => time }));
    await aged.call();
    time = 101;
    await aged.call();
    expect(aged.made()).toBe(2);

    const few = counting(cacheResults({ maxEntries: 2 }));
    for (const a of [1, 2, 1, 3, 1, 2]) await few.call({ arguments: { a } });
    // 2 was longest unused when 3 came.
    expect(few.made()).toBe(4);

    const small = counting(cacheResults({ maxBytes: 40 }));
    await small.call();
    await small.call();
    expect(small.made()).toBe(2);
  });

  test("a failure is not kept", async () => {
    const { dispatcher } = setUp({ middleware: [cacheResults()] });
    const adapter = vi.fn().mockRejectedValueOnce(new Error("once")).mockResolvedValue("fine");
    const call = (): Promise<unknown> => dispatcher.dispatch(description(readOnly), adapter, { signal });

    await expect(call()).rejects.toThrow("once");
    await expect(call()).resolves.toBe("fine");
  });

  test("a call that is refused now is refused although its result is at hand", async () => {
    let verdict: "allow" | "deny" = "allow";
    const { dispatcher } = setUp({
      policy: approvalPolicy({ "tools.echo": () => verdict }),
      middleware: [cacheResults()],
    });
    const call = (): Promise<unknown> =>
      dispatcher.dispatch(description(readOnly), () => Promise.resolve(1), { signal });

    await call();
    verdict = "deny";

    await expect(call()).rejects.toMatchObject({ code: "CALL_NOT_ALLOWED" });
  });
});
