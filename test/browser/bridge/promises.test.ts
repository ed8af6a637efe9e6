import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from "vitest";
import { z } from "zod";

import { functionTool, type OutputChunk, type Session, type Value } from "../../../src/index.js";
import { RUN } from "../../timeouts.mjs";
import { openVariant, skipped, variants, withoutTransport } from "./variants.js";

let release: PromiseWithResolvers<null>;

const identity = functionTool({
  name: "identity",
  description: "Returns what it gets.",
  input: z.object({ value: z.any() }),
  hints: { readOnly: true },
  run: ({ value }) => value as Value,
});

const wait = functionTool({
  name: "wait",
  description: "Answers once `release` was called.",
  input: z.object({}),
  hints: { readOnly: true },
  run: () => release.promise,
});

const letGo = functionTool({
  name: "let_go",
  description: "Lets `wait` answer.",
  input: z.object({}),
  hints: { readOnly: true },
  run: () => {
    release.resolve(null);
    return null;
  },
});

/** What the tests below are written with. `asyncio.gather` takes no promise as it is: Pyodide's cannot be hashed. */
const PROMISES = `
import asyncio, js
from pyodide.ffi import JsException, create_once_callable
def later(value, ms):
    return js.Promise.new(create_once_callable(lambda resolve, _: js.setTimeout(resolve, ms, value)))
def refused(ms):
    error = js.RangeError.new("no")
    return js.Promise.new(create_once_callable(lambda _, reject: js.setTimeout(reject, ms, error)))
def never():
    return js.Promise.new(create_once_callable(lambda *_: None))
async def settled(promise):
    return await promise
`;

/** Ways to wait for a promise that never settles. */
const endless: readonly (readonly [name: string, code: string])[] = [
  ["a promise", "await never()"],
  [
    "a promise beside a call that is answered",
    "await asyncio.gather(settled(never()), tools.identity.call_async(value=1))",
  ],
  ["a promise beside a call that is not", "await asyncio.gather(settled(never()), tools.wait.call_async())"],
  ["a promise in asyncio.run", "async def main():\n    await never()\nasyncio.run(main())"],
  ["a promise in run_sync", "from pyodide.ffi import run_sync\nrun_sync(never())"],
  ["a promise that asyncio.sleep is asked for beside", "await asyncio.gather(settled(never()), asyncio.sleep(600))"],
];

describe.each(variants)("awaited promises over $transport at the $host host", (variant) => {
  let session: Session;

  beforeAll(async () => {
    session = await openVariant(variant, { tools: [identity, wait, letGo], timeout: RUN });
    expect((await session.run(PROMISES)).error).toBeNull();
  });
  afterAll(async () => {
    release.resolve(null);
    await session.close();
  });

  const value = async (...code: string[]): Promise<Value> => {
    release = Promise.withResolvers();
    const result = await session.run(code.join("\n"));
    expect(result.error === null ? "" : String(result.error)).toBe("");
    return result.value;
  };

  test("settle, whether they had before, at once or later", async () => {
    expect(await value("await js.Promise.resolve(5)")).toBe(5);
    expect(await value("await later('x', 30)")).toBe("x");
    expect(await value("[await later(n, 5) for n in range(20)]")).toEqual(Array.from({ length: 20 }, (_, n) => n));
    expect(await value("promise = later('kept', 1)", "js.setTimeout(create_once_callable(lambda: None), 0)")).not.toBe(
      0,
    );
    expect(await value("await promise")).toBe("kept");
  });

  test("raise what they were rejected with", async () => {
    expect(
      await value(
        "seen = []",
        "for promise in (js.Promise.reject(js.RangeError.new('at once')), refused(10)):",
        "    try:",
        "        await promise",
        "    except JsException as error:",
        "        seen.append([error.name, error.message])",
        "seen",
      ),
    ).toEqual([
      ["RangeError", "at once"],
      ["RangeError", "no"],
    ]);
  });

  test("overlap with each other and with calls", async () => {
    expect(
      await value(
        "await asyncio.gather(",
        "    settled(later('a', 20)), tools.identity.call_async(value='b'), settled(later('c', 1)),",
        "    *(tools.identity.call_async(value=n) for n in range(5)), settled(later('d', 40)))",
      ),
    ).toEqual(["a", "b", "c", 0, 1, 2, 3, 4, "d"]);
  });

  test("settle while a call waits, and the call is answered then", async () => {
    expect(
      await value(
        "async def let_go():",
        "    await later(None, 20)",
        "    await tools.let_go.call_async()",
        "    return 'let go'",
        "await asyncio.gather(tools.wait.call_async(), let_go())",
      ),
    ).toEqual([null, "let go"]);
  });

  test("can be given up: asyncio.wait_for, asyncio.timeout and cancel", async () => {
    expect(
      await value(
        "seen = [await asyncio.wait_for(later('in time', 1), 30)]",
        "try:",
        "    await asyncio.wait_for(never(), 0.02)",
        "except TimeoutError:",
        "    seen.append('too late')",
        "try:",
        "    async with asyncio.timeout(0.02):",
        "        await never()",
        "except TimeoutError:",
        "    seen.append('timeout')",
        "async def forever():",
        "    await never()",
        "task = asyncio.create_task(forever())",
        "await asyncio.sleep(0)",
        "task.cancel()",
        "try:",
        "    await task",
        "except asyncio.CancelledError:",
        "    seen.append('cancelled')",
        "seen",
      ),
    ).toEqual(["in time", "too late", "timeout", "cancelled"]);
  });

  test("let other tasks go on, and are looked at by those that only yield", async () => {
    expect(
      await value(
        "async def tell():",
        "    return await later('told', 30)",
        "task = asyncio.create_task(tell())",
        "turns = 0",
        "while not task.done():",
        "    turns += 1",
        "    await asyncio.sleep(0)",
        "[task.result(), turns > 1]",
      ),
    ).toEqual(["told", true]);
  });

  test("settle in asyncio.run, also inside of itself and in synchronous code between", async () => {
    expect(
      await value(
        "async def low(n): return await later(n, 2)",
        "def middle(n): return asyncio.run(low(n)) + tools.identity(value=n)",
        "async def top(n): return middle(n) + await later(n, 1) + await low(n)",
        "[asyncio.run(low(1)), middle(2), asyncio.run(top(3)), await top(4), await asyncio.gather(top(5), top(6))]",
      ),
    ).toEqual([1, 4, 12, 16, [20, 24]]);
  });

  test("settle in Pyodide's run_sync, from plain and from asynchronous code", async () => {
    expect(
      await value(
        "from pyodide.ffi import run_sync",
        "async def inside(): return run_sync(later('inside', 2))",
        "[run_sync(later('plain', 2)), run_sync(inside())]",
      ),
    ).toEqual(["plain", "inside"]);
    expect(await value("await inside()")).toBe("inside");
  });

  test("settle in a later run than the one that awaited them first", async () => {
    await value("task = asyncio.create_task(settled(later('left', 500)))", "await asyncio.sleep(0)");
    expect(await value("await asyncio.wait_for(task, 6)")).toBe("left");
  });

  test("a future that JavaScript's callback fulfils is heard as well", async () => {
    expect(
      await value(
        "future = asyncio.get_running_loop().create_future()",
        "js.setTimeout(create_once_callable(lambda: future.set_result('called back')), 10)",
        "await future",
      ),
    ).toBe("called back");
  });

  test("a request ends with its answer or its refusal, by js.fetch and by pyfetch", async () => {
    const url = `${inject("toolServers")[0] ?? ""}/open/json`;
    const requests = [
      "from pyodide.http import pyfetch",
      "async def outcome(request):",
      "    try:",
      "        return (await request).status",
      "    except Exception as error:",
      "        return type(error).__name__",
      `[await outcome(js.fetch('${url}')), await outcome(pyfetch('${url}'))]`,
    ];

    const outcomes = await value(...requests);

    expect(outcomes).toEqual(variant.trust === "local" ? [200, 200] : ["JsException", "AbortError"]);
  });

  test.each(endless)("Stop ends %s, and variables stay", async (_name, code) => {
    release = Promise.withResolvers();
    const { error, notices } = await session.run(`kept = 'stop'\nprint('there\\n', end='')\n${code}`, {
      onOutput: (chunk: OutputChunk): void => {
        if (chunk.kind === "stdout" && chunk.text.includes("there\n")) session.interrupt();
      },
    });

    expect(error).toMatchObject({ code: "RUN_INTERRUPTED" });
    expect(notices).toEqual([]);
    expect(await value("kept")).toBe("stop");
  });

  test.each(endless)("the deadline ends %s, and variables stay", async (_name, code) => {
    release = Promise.withResolvers();
    const { error, notices } = await session.run(`kept = 'deadline'\n${code}`, { timeout: 100 });

    expect(error).toMatchObject({ code: "RUN_TIMEOUT" });
    expect(notices).toEqual([]);
    expect(await value("kept")).toBe("deadline");
  });

  test("code that awaits where JavaScript called it back is told so", async () => {
    expect(
      await value(
        "from pyodide.ffi import create_proxy",
        "seen = []",
        "async def wait(): await later(1, 1)",
        "def call_back(*_):",
        "    try:",
        "        asyncio.run(wait())",
        "    except Exception as error:",
        "        seen.append([type(error).__name__, 'promise' in str(error)])",
        "js.Array.of(1).forEach(create_proxy(call_back))",
        "seen",
      ),
    ).toEqual([["RPCTransportError", true]]);
  });
});

describe.each(withoutTransport)("awaited promises over $transport at the $host host", (variant) => {
  test("fail at once and say what to do", async () => {
    const session = await openVariant(variant, { timeout: RUN });
    onTestFinished(() => session.close());

    const { error } = await session.run("import js\nawait js.Promise.resolve(5)");

    expect(error).toMatchObject({ pythonType: "RPCTransportError" });
    expect(error?.message).toContain("A JavaScript promise cannot be awaited here");
    expect((await session.run("import asyncio\nawait asyncio.sleep(0.01)\n'slept'")).value).toBe("slept");
  });
});

for (const reason of skipped) test.skip(reason);
