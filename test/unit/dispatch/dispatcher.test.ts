import { describe, expect, test } from "vitest";

import {
  Dispatcher,
  Journal,
  type Call,
  type CallDescription,
  type CallProgress,
  type InvokeContext,
  type JournalEntry,
  type Stage,
} from "../../../src/dispatch/index.js";
import type { Value } from "../../../src/protocol/index.js";
import { memoryStorage, type StorageBackend } from "../../../src/storage/index.js";
import { ToolTimeoutError } from "../../../src/tools/index.js";
import { description, setUp, signal, storedSoFar } from "../../lone-calls/dispatch-set-up.js";

/** A storage whose writes take effect when they are let through. */
class HeldStorage {
  readonly storage: StorageBackend;
  readonly #waiting: (() => void)[] = [];

  constructor(inner: StorageBackend = memoryStorage()) {
    this.storage = {
      get: (key) => inner.get(key),
      keys: (prefix) => inner.keys(prefix),
      close: () => {
        inner.close();
      },
      write: async (entries, options) => {
        await new Promise<void>((resolve) => this.#waiting.push(resolve));
        await inner.write(entries, options);
      },
    };
  }

  async release(): Promise<void> {
    await Promise.resolve();
    this.#waiting.shift()?.();
  }
}

describe("the chain", () => {
  test("goes scope, validate, approve, middleware, adapter, result, in this order", async () => {
    const seen: string[] = [];
    const stage =
      (name: string): Stage =>
      async (call, next) => {
        seen.push(`${name} in`);
        const value = await next(call);
        seen.push(`${name} out`);
        return value;
      };
    const { dispatcher } = setUp({
      scope: () => void seen.push("scope"),
      policy: () => {
        seen.push("approve");
        return { kind: "allow" };
      },
      middleware: [stage("first"), stage("second")],
      result: (value) => {
        seen.push("result");
        return value;
      },
    });
    const validate = (args: CallDescription["arguments"]): CallDescription["arguments"] => {
      seen.push("validate");
      return args;
    };

    const value = await dispatcher.dispatch(
      description({ validate }),
      () => {
        seen.push("adapter");
        return Promise.resolve("HI");
      },
      { signal },
    );

    expect(value).toBe("HI");
    expect(seen).toEqual([
      ...["scope", "validate", "approve", "first in", "second in", "adapter", "second out", "first out", "result"],
    ]);
  });

  test("arguments nested deeper than values may be are refused before validation, and nobody is asked", async () => {
    let deep: Value = 1;
    for (let level = 0; level < 20_000; level += 1) deep = level % 2 === 0 ? [deep] : { a: deep };
    const seen: string[] = [];
    const { dispatcher, journal } = setUp({
      policy: () => {
        seen.push("approve");
        return { kind: "allow" };
      },
    });
    const validate = (args: CallDescription["arguments"]): CallDescription["arguments"] => {
      seen.push("validate");
      return args;
    };

    const result = dispatcher.dispatch(
      description({ arguments: { deep }, validate }),
      () => Promise.reject(new Error("called")),
      { signal },
    );

    await expect(result).rejects.toMatchObject({
      code: "CALL_ARGUMENTS_NESTED",
      message: expect.stringMatching(/^The arguments of tools\.echo\.shout are .* more than 100 levels deep/),
    });
    expect(seen).toEqual([]);
    expect(journal.forRun("run-1")[0]?.outcome).toMatchObject({ kind: "error" });
  });

  test("the adapter gets the validated arguments and the id of the journal entry", async () => {
    const { dispatcher, journal } = setUp();

    const value = await dispatcher.dispatch(
      description({ validate: ({ text }) => ({ text, volume: 11 }) }),
      (args, { callId }) => Promise.resolve({ ...args, callId }),
      { signal },
    );

    expect(value).toEqual({ text: "hi", volume: 11, callId: journal.forRun("run-1")[0]?.id });
  });

  test("middleware may rewrite arguments, answer in the adapter's place, and try again", async () => {
    const rewrite: Stage = (call, next) => next({ ...call, arguments: { text: "rewritten" } });
    const cached: Stage = (call, next) => (call.name === "cached" ? Promise.resolve("from cache") : next(call));
    const retry: Stage = (call, next) => next(call).catch(() => next(call));
    const { dispatcher } = setUp({ middleware: [retry, cached, rewrite] });
    let attempts = 0;
    const flaky = (args: CallDescription["arguments"]): Promise<Value> => {
      attempts += 1;
      return attempts === 1 ? Promise.reject(new Error("flaky")) : Promise.resolve(args.text ?? null);
    };

    expect(await dispatcher.dispatch(description(), flaky, { signal })).toBe("rewritten");
    expect(await dispatcher.dispatch(description({ name: "cached" }), flaky, { signal })).toBe("from cache");
    expect(attempts).toBe(2);
  });

  test("what middleware throws becomes a ToolCallError for a tool", async () => {
    const { dispatcher } = setUp({ middleware: [() => Promise.reject(new Error("denied by audit"))] });

    const result = dispatcher.dispatch(description(), () => Promise.resolve(1), { signal });

    await expect(result).rejects.toMatchObject({
      name: "ToolCallError",
      message: "Tool 'echo' failed: denied by audit",
      toolArgs: { text: "hi" },
    });
  });

  test("what scope and validation throw ends the call before anybody is asked", async () => {
    const asked: Call[] = [];
    const policy = (call: Call): { kind: "allow" } => {
      asked.push(call);
      return { kind: "allow" };
    };
    const fail = (): never => {
      throw new ToolTimeoutError("echo", 1000);
    };
    const adapter = (): never => expect.unreachable("the adapter was called");

    const outOfScope = setUp({ policy, scope: fail }).dispatcher.dispatch(description(), adapter, { signal });
    const invalid = setUp({ policy }).dispatcher.dispatch(description({ validate: fail }), adapter, { signal });

    await expect(outOfScope).rejects.toMatchObject({ code: "TOOL_TIMEOUT" });
    await expect(invalid).rejects.toMatchObject({ code: "TOOL_TIMEOUT" });
    expect(asked).toEqual([]);
  });

  test("a policy may take its time and say no, and the adapter is not called", async () => {
    const { dispatcher, journal } = setUp({
      policy: async () => {
        await Promise.resolve();
        return { kind: "deny", reason: "not on a Sunday" };
      },
    });

    const result = dispatcher.dispatch(description(), () => expect.unreachable("called"), { signal });

    await expect(result).rejects.toMatchObject({
      name: "ToolNotAllowedError",
      code: "CALL_NOT_ALLOWED",
      message: "tools.echo.shout was not allowed: not on a Sunday",
    });
    expect(journal.forRun("run-1")[0]?.outcome).toMatchObject({ kind: "error", code: "CALL_NOT_ALLOWED" });
  });

  test("errors of ours keep their class, and those of other namespaces pass as they are", async () => {
    const { dispatcher } = setUp();
    const plain = new TypeError("not serializable");

    const timeout = dispatcher.dispatch(description(), () => Promise.reject(new ToolTimeoutError("echo", 500)), {
      signal,
    });
    const artifact = dispatcher.dispatch(
      description({ namespace: "artifacts", name: "save" }),
      () => Promise.reject(plain),
      {
        signal,
      },
    );

    await expect(timeout).rejects.toMatchObject({ message: "Tool 'echo' timed out after 0.5s" });
    await expect(artifact).rejects.toBe(plain);
  });

  test("a stopped run does not wait for an adapter that overlooks its signal", async () => {
    const { dispatcher, journal } = setUp();
    const run = new AbortController();

    const result = dispatcher.dispatch(
      description(),
      () => {
        run.abort();
        return new Promise(() => {});
      },
      { signal: run.signal },
    );

    await expect(result).rejects.toMatchObject({
      code: "CALL_CANCELLED",
      message: expect.stringContaining("not known"),
    });
    expect(journal.forRun("run-1")[0]?.outcome).toMatchObject({ kind: "error", code: "CALL_CANCELLED" });
  });

  test("a run that was stopped before makes no call", async () => {
    const { dispatcher } = setUp();

    const result = dispatcher.dispatch(description(), () => expect.unreachable("called"), {
      signal: AbortSignal.abort(),
    });

    await expect(result).rejects.toMatchObject({ code: "CALL_CANCELLED" });
  });
});

describe("listeners", () => {
  test("are told when a call begins and when it ends, until they stop listening", async () => {
    const { dispatcher } = setUp();
    const entries: JournalEntry[] = [];
    const stop = dispatcher.onCall((entry) => entries.push(entry));

    await dispatcher.dispatch(description(), () => Promise.resolve(1), { signal });
    stop();
    await dispatcher.dispatch(description(), () => Promise.resolve(2), { signal });

    expect(entries.map(({ outcome }) => outcome.kind)).toEqual(["pending", "ok"]);
    expect(entries[1]).toMatchObject({ id: entries[0]?.id, outcome: { summary: 1, elapsed: expect.any(Number) } });
  });
});

describe("durability", () => {
  test("the adapter starts when the beginning is stored, and the value comes when the outcome is", async () => {
    const held = new HeldStorage();
    const { dispatcher } = setUp({}, held.storage);
    const seen: string[] = [];

    const result = dispatcher
      .dispatch(
        description(),
        () => {
          seen.push("adapter");
          return Promise.resolve("value");
        },
        { signal },
      )
      .then(() => seen.push("value"));
    await settle();
    expect(seen).toEqual([]);
    await held.release();
    await settle();
    expect(seen).toEqual(["adapter"]);
    expect(await storedSoFar(held.storage)).toMatchObject([{ name: "echo.shout", outcome: { kind: "unknown" } }]);
    await held.release();
    await result;

    expect(seen).toEqual(["adapter", "value"]);
    expect(await storedSoFar(held.storage)).toMatchObject([{ outcome: { kind: "ok", summary: "value" } }]);
  });

  test("a read-only call does not wait for the storage", async () => {
    const held = new HeldStorage();
    const { dispatcher } = setUp({}, held.storage);

    const value = await dispatcher.dispatch(
      description({ hints: { readOnly: true } }),
      () => Promise.resolve("value"),
      {
        signal,
      },
    );

    expect(value).toBe("value");
  });

  test("where the beginning cannot be stored, nothing is called, and the reason is told", async () => {
    const problems: unknown[] = [];
    const storage = memoryStorage({ limit: 10 });
    const journal = new Journal(storage, { sessionId: "s", onProblem: (problem) => problems.push(problem) });
    const dispatcher = new Dispatcher({ journal });

    const result = dispatcher.dispatch(description(), () => expect.unreachable("called"), { signal });

    await expect(result).rejects.toMatchObject({ code: "STORAGE_FULL" });
    expect(problems).toContainEqual(expect.objectContaining({ code: "STORAGE_FULL" }));
    expect(journal.forRun("run-1")[0]?.outcome).toMatchObject({ kind: "error", code: "STORAGE_FULL" });
  });

  test("where the outcome cannot be stored, the value is delivered all the same", async () => {
    let writes = 0;
    const inner = memoryStorage();
    const failing: StorageBackend = {
      get: (key) => inner.get(key),
      keys: (prefix) => inner.keys(prefix),
      close: () => {},
      write: (entries, options) => {
        writes += 1;
        return entries.size > 0 && writes > 2 ? Promise.reject(new Error("gone")) : inner.write(entries, options);
      },
    };
    const { dispatcher } = setUp({}, failing);

    const value = await dispatcher.dispatch(
      description(),
      () => {
        writes = 10;
        return Promise.resolve("value");
      },
      { signal },
    );

    expect(value).toBe("value");
    expect(await storedSoFar(inner)).toMatchObject([{ outcome: { kind: "unknown" } }]);
  });
});

/** Lets everything run that waits for nothing but promises. */
async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

describe("progress", () => {
  test("what an adapter reports is heard with the id of its call, and nothing after the call's end", async () => {
    const { dispatcher } = setUp();
    const heard: CallProgress[] = [];
    const stop = dispatcher.onCallProgress((progress) => heard.push(progress));
    let report: InvokeContext["report"] = () => undefined;

    await dispatcher.dispatch(
      description(),
      (_args, context) => {
        ({ report } = context);
        report({ progress: 1, total: 2, message: "half" });
        return Promise.resolve("done");
      },
      { signal },
    );
    report({ progress: 2 });

    const about = { callId: expect.any(String) as string, runId: "run-1", namespace: "tools", name: "echo.shout" };
    expect(heard).toEqual([{ ...about, progress: 1, total: 2, message: "half" }]);
    stop();
  });
});
