import { describe, expect, test, vi } from "vitest";

import {
  approvalPolicy,
  auditMiddleware,
  cacheResults,
  denyCalls,
  retryCalls,
  rewriteArguments,
  type Call,
  type CallArguments,
  type CallDescription,
  type Stage,
} from "../../../src/dispatch/index.js";
import {
  McpConnectionError,
  McpUnauthorizedError,
  ToolArgumentError,
  ToolCallError,
  ToolTimeoutError,
} from "../../../src/tools/index.js";
import { description, setUp, signal, stored } from "../../lone-calls/dispatch-set-up.js";

const readOnly = { hints: { readOnly: true } } as const;

describe("what a rewrite may change", () => {
  const shorten = rewriteArguments("tools.echo", ({ text }) => ({
    text: typeof text === "string" ? text.slice(0, 3) : null,
  }));

  test("changed arguments are validated, reach the adapter, and stand in the journal beside the given ones", async () => {
    const all = setUp({ middleware: [shorten] });
    const validate = ({ text }: CallArguments): CallArguments => ({ text, checked: true });

    const made = await all.dispatcher.dispatch(
      description({ arguments: { text: "a long one" }, validate }),
      (args) => Promise.resolve({ ...args }),
      { signal },
    );

    expect(made).toEqual({ text: "a l", checked: true });
    expect(await stored(all)).toMatchObject([
      { arguments: { text: "a long one" }, course: { arguments: { text: "a l", checked: true } } },
    ]);
  });

  test("what validation refuses is not called", async () => {
    const { dispatcher } = setUp({ middleware: [rewriteArguments("*", () => ({ volume: "loud" }))] });
    const adapter = vi.fn();
    const validate = (args: CallArguments): CallArguments => {
      if (!("text" in args)) throw new ToolArgumentError("echo", "text is missing", { args });
      return args;
    };

    const call = dispatcher.dispatch(description({ validate }), adapter, { signal });

    await expect(call).rejects.toMatchObject({ code: "TOOL_ARGUMENT" });
    expect(adapter).not.toHaveBeenCalled();
  });

  test("a rule that would deny the changed call denies it", async () => {
    const { dispatcher } = setUp({
      policy: approvalPolicy({ "tools.mail": ({ arguments: { to } }) => (to === "everybody" ? "deny" : "allow") }),
      middleware: [rewriteArguments("tools.mail", () => ({ to: "everybody" }))],
    });
    const adapter = vi.fn();

    const call = dispatcher.dispatch(description({ name: "mail.send", arguments: { to: "ann" } }), adapter, { signal });

    await expect(call).rejects.toMatchObject({ code: "CALL_NOT_ALLOWED" });
    expect(adapter).not.toHaveBeenCalled();
  });

  test("a person is asked about the changed arguments, though they agreed to the given ones", async () => {
    const asked: (readonly [CallArguments, string])[] = [];
    const { dispatcher } = setUp({
      policy: approvalPolicy({ "tools.mail": "ask" }),
      ask: (call, reason) => {
        asked.push([call.arguments, reason]);
        return Promise.resolve(asked.length === 1 ? { kind: "allow" } : { kind: "deny", reason: "not to everybody" });
      },
      middleware: [rewriteArguments("tools.mail", () => ({ to: "everybody" }))],
    });
    const adapter = vi.fn();

    const call = dispatcher.dispatch(description({ name: "mail.send", arguments: { to: "ann" } }), adapter, { signal });

    await expect(call).rejects.toThrow("not to everybody");
    expect(asked.map(([args]) => args)).toEqual([{ to: "ann" }, { to: "everybody" }]);
    expect(asked[1]?.[1]).toContain("A middleware of the page changed the arguments");
    expect(adapter).not.toHaveBeenCalled();
  });

  test("a second attempt with the same changed arguments asks nobody again", async () => {
    const ask = vi.fn(() => Promise.resolve({ kind: "allow" } as const));
    const { dispatcher } = setUp({
      policy: approvalPolicy({ "tools.mail": "ask" }),
      ask,
      middleware: [retryCalls({ delay: 0 }), rewriteArguments("tools.mail", () => ({ to: "bob", cc: "eve" }))],
    });
    const adapter = vi.fn().mockRejectedValueOnce(new Error("flaky")).mockResolvedValue("sent");

    const sent = await dispatcher.dispatch(
      description({ name: "mail.send", arguments: { to: "ann" }, hints: { idempotent: true } }),
      adapter,
      { signal },
    );

    expect(sent).toBe("sent");
    // Once for what was given, once for what became of it.
    expect(ask).toHaveBeenCalledTimes(2);
  });

  test.each<[keyof Call, Partial<Call>]>([
    ["name", { name: "echo.erase" }],
    ["namespace", { namespace: "skills" }],
    ["hints", { hints: { readOnly: true } }],
    ["caller", { caller: "page" }],
    ["validate", { validate: (args) => args }],
  ])("a changed `%s` ends the call", async (field, change) => {
    const { dispatcher } = setUp({ middleware: [(call, next) => next({ ...call, ...change })] });
    const adapter = vi.fn();

    const call = dispatcher.dispatch(description(), adapter, { signal });

    await expect(call).rejects.toMatchObject({ code: "MIDDLEWARE", field });
    expect(adapter).not.toHaveBeenCalled();
  });

  test("arguments cannot be changed in place, past the validation", async () => {
    const inPlace: Stage = (call, next) => {
      Object.assign(call.arguments, { text: "changed" });
      return next(call);
    };
    const { dispatcher } = setUp({ middleware: [inPlace] });

    const call = dispatcher.dispatch(description(), ({ text }) => Promise.resolve(text ?? null), { signal });

    await expect(call).rejects.toThrow("read only");
  });

  test("a narrower signal of a middleware reaches the adapter", async () => {
    const giveUp = new AbortController();
    const { dispatcher } = setUp({ middleware: [(call, next) => next({ ...call, signal: giveUp.signal })] });
    let heard: AbortSignal | undefined;

    const call = dispatcher.dispatch(
      description(),
      (_args, context) => {
        heard = context.signal;
        giveUp.abort();
        return new Promise(() => undefined);
      },
      { signal },
    );

    await expect(call).rejects.toMatchObject({ code: "CALL_CANCELLED" });
    expect(heard?.aborted).toBe(true);
  });
});

describe("denyCalls", () => {
  test("refuses with its reason what its pattern means, and nothing else", async () => {
    const { dispatcher } = setUp({
      middleware: [denyCalls("tools.echo", ({ arguments: { text } }) => (text === "hi" ? "no greetings" : undefined))],
    });
    const echo = (text: string): Promise<unknown> =>
      dispatcher.dispatch(description({ arguments: { text } }), () => Promise.resolve(text), { signal });

    await expect(echo("hi")).rejects.toMatchObject({ name: "ToolNotAllowedError", reason: "no greetings" });
    await expect(echo("bye")).resolves.toBe("bye");
  });

  test("a pattern that can fit no call is told when the middleware is made", () => {
    expect(() => denyCalls("mail", "no")).toThrow('"mail" fits no call');
  });
});

describe("auditMiddleware", () => {
  test("sees arguments and results in full, those of failures too", async () => {
    const seen: unknown[] = [];
    const { dispatcher } = setUp({
      middleware: [
        auditMiddleware({
          onBegin: ({ name, arguments: args }) => void seen.push(["begin", name, args]),
          onEnd: ({ name }, outcome) => void seen.push(["end", name, outcome]),
        }),
      ],
    });
    const text = "x".repeat(100_000);

    await dispatcher.dispatch(description({ arguments: { text } }), () => Promise.resolve(text), { signal });
    await dispatcher
      .dispatch(description(), () => Promise.reject(new Error("broken")), { signal })
      .catch(() => undefined);

    expect(seen).toEqual([
      ["begin", "tools.echo.shout", { text }],
      ["end", "tools.echo.shout", { kind: "ok", value: text, elapsed: expect.any(Number) }],
      ["begin", "tools.echo.shout", { text: "hi" }],
      [
        "end",
        "tools.echo.shout",
        { kind: "error", error: expect.objectContaining({ message: "broken" }), elapsed: expect.any(Number) },
      ],
    ]);
  });

  test("what cannot be audited does not happen", async () => {
    const { dispatcher } = setUp({
      middleware: [auditMiddleware({ onBegin: () => Promise.reject(new Error("the log is full")) })],
    });
    const adapter = vi.fn();

    await expect(dispatcher.dispatch(description(), adapter, { signal })).rejects.toThrow("the log is full");
    expect(adapter).not.toHaveBeenCalled();
  });
});

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
    const begun = async (count: number): Promise<void> => vi.waitFor(() => expect(answers).toHaveLength(count));

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

describe("retryCalls", () => {
  const flaky = (failures: number, error: () => Error = () => new Error("flaky")) => {
    const adapter = vi.fn();
    for (let i = 0; i < failures; i += 1) adapter.mockImplementationOnce(() => Promise.reject(error()));
    return adapter.mockResolvedValue("done");
  };

  test("makes a repeatable call again, and the journal has the attempts and their failures", async () => {
    const all = setUp({ middleware: [retryCalls({ delay: 0 })] });
    const adapter = flaky(2);

    const value = await all.dispatcher.dispatch(description(readOnly), adapter, { signal });

    expect(value).toBe("done");
    expect(await stored(all)).toMatchObject([
      { course: { attempts: 3, failures: ["Error: flaky", "Error: flaky"] }, outcome: { kind: "ok" } },
    ]);
  });

  test("gives up after as many attempts as it was told", async () => {
    const { dispatcher } = setUp({ middleware: [retryCalls({ attempts: 2, delay: 0 })] });
    const adapter = flaky(5);

    await expect(dispatcher.dispatch(description(readOnly), adapter, { signal })).rejects.toThrow("flaky");
    expect(adapter).toHaveBeenCalledTimes(2);
  });

  test.each<[string, CallDescription["hints"], () => Error, number]>([
    ["a call without hints", {}, () => new Error("flaky"), 1],
    ["a destructive call that is not idempotent", { destructive: true }, () => new Error("flaky"), 1],
    ["arguments that do not fit", { readOnly: true }, () => new ToolArgumentError("echo", "no"), 1],
    ["HTTP 404", { readOnly: true }, () => new ToolCallError("echo", "no", { details: { status: 404 } }), 1],
    ["HTTP 503", { readOnly: true }, () => new ToolCallError("echo", "no", { details: { status: 503 } }), 2],
    ["HTTP 429", { readOnly: true }, () => new ToolCallError("echo", "no", { details: { status: 429 } }), 2],
    ["a timeout", { idempotent: true }, () => new ToolTimeoutError("echo", 10), 2],
    ["a lost connection", { idempotent: true }, () => new McpConnectionError("echo", "it was lost"), 2],
    ["a server's no", { idempotent: true }, () => new McpUnauthorizedError("echo", "no"), 1],
  ])("after %s with hints %o", async (_what, hints, error, attempts) => {
    const { dispatcher } = setUp({ middleware: [retryCalls({ delay: 0 })] });
    const adapter = flaky(1, error);

    await dispatcher.dispatch(description({ hints }), adapter, { signal }).catch(() => undefined);

    expect(adapter).toHaveBeenCalledTimes(attempts);
  });

  test("never again after a person's no", async () => {
    const ask = vi.fn(() => Promise.resolve({ kind: "deny", reason: "no" } as const));
    const { dispatcher } = setUp({
      policy: approvalPolicy({ "tools.echo": ({ arguments: { text } }) => (text === "hi" ? "allow" : "ask") }),
      ask,
      middleware: [retryCalls({ delay: 0 }), rewriteArguments("tools.echo", () => ({ text: "rewritten" }))],
    });

    const call = dispatcher.dispatch(description(readOnly), flaky(0), { signal });

    await expect(call).rejects.toMatchObject({ code: "CALL_NOT_ALLOWED" });
    expect(ask).toHaveBeenCalledTimes(1);
  });

  test("a stop ends the wait for the next attempt, and nothing is called after it", async () => {
    const stop = new AbortController();
    const all = setUp({ middleware: [retryCalls({ delay: 60_000 })] });
    const adapter = flaky(1);
    const call = all.dispatcher.dispatch(description(readOnly), adapter, { signal: stop.signal });
    await vi.waitFor(() => expect(adapter).toHaveBeenCalledTimes(1));

    stop.abort();

    await expect(call).rejects.toMatchObject({ code: "CALL_CANCELLED" });
    expect(adapter).toHaveBeenCalledTimes(1);
  });

  test("waits twice as long before each attempt, up to the longest wait", async () => {
    vi.useFakeTimers();
    try {
      const { dispatcher } = setUp({ middleware: [retryCalls({ attempts: 5, delay: 100, maxDelay: 300 })] });
      const at: number[] = [];
      const begun = Date.now();
      const call = dispatcher.dispatch(
        description(readOnly),
        () => {
          at.push(Date.now() - begun);
          return at.length < 5 ? Promise.reject(new Error("flaky")) : Promise.resolve(null);
        },
        { signal },
      );
      await vi.advanceTimersByTimeAsync(2000);
      await call;

      expect(at).toEqual([0, 100, 300, 600, 900]);
    } finally {
      vi.useRealTimers();
    }
  });
});

test("of several the first is outermost: what is kept in front of a retry is kept after it, and an audit in front sees both", async () => {
  const seen: string[] = [];
  const audit = auditMiddleware({ onEnd: ({ name }, { kind }) => void seen.push(`${name} ${kind}`) });
  const { dispatcher } = setUp({ middleware: [audit, cacheResults(), retryCalls({ delay: 0 })] });
  const adapter = vi.fn().mockRejectedValueOnce(new Error("flaky")).mockResolvedValue("done");
  const call = (): Promise<unknown> => dispatcher.dispatch(description(readOnly), adapter, { signal });

  expect([await call(), await call()]).toEqual(["done", "done"]);
  expect(adapter).toHaveBeenCalledTimes(2);
  expect(seen).toEqual(["tools.echo.shout ok", "tools.echo.shout ok"]);
});
