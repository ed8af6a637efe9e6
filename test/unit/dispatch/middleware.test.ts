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
  type Stage,
} from "../../../src/dispatch/index.js";
import { ToolArgumentError } from "../../../src/tools/index.js";
import { description, readOnly, setUp, signal, stored } from "../../lone-calls/dispatch-set-up.js";

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
