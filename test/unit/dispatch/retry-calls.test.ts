import { describe, expect, test, vi } from "vitest";

import { approvalPolicy, retryCalls, rewriteArguments, type CallDescription } from "../../../src/dispatch/index.js";
import {
  McpConnectionError,
  McpUnauthorizedError,
  ToolArgumentError,
  ToolCallError,
  ToolTimeoutError,
} from "../../../src/tools/index.js";
import { description, readOnly, setUp, signal, stored } from "../../lone-calls/dispatch-set-up.js";
import { untilShown } from "../../timeouts.mjs";

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
    await vi.waitFor(() => expect(adapter).toHaveBeenCalledTimes(1), untilShown);

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
