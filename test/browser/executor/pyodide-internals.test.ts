import type { PyodideAPI } from "pyodide";
import { beforeAll, describe, expect, test, vi } from "vitest";

import { loadPyodideFiles } from "../../../src/executor/index.js";
import { CStack } from "../../../worker/c-stack.js";
import { InterpreterMemory } from "../../../worker/interpreter-memory.js";
import { InterruptSignal } from "../../../worker/interrupt-signal.js";
import { beforeFatalError, loadInterpreter, setInterruptSignal } from "../../../worker/pyodide-loader.js";

/** One canary for each internal that Pyodide does not promise. When one dies, read worker/pyodide-loader.ts. */
describe("Pyodide's internals", () => {
  let pyodide: PyodideAPI;
  let memory: InterpreterMemory;
  let requested: string[];
  let fetchBefore: typeof fetch;

  beforeAll(async () => {
    const files = await loadPyodideFiles();
    fetchBefore = globalThis.fetch;
    const spy = vi.spyOn(globalThis, "fetch");
    memory = new InterpreterMemory();
    pyodide = await loadInterpreter(files, { memory, stack: new CStack() });
    requested = spy.mock.calls.map(([input]) => (input instanceof Request ? input.url : String(input)));
    spy.mockRestore();
  });

  test("the loader takes its files as bytes: nothing but blobs is fetched past ours", () => {
    expect(requested.filter((url) => !url.startsWith("blob:"))).toEqual([]);
    expect(pyodide.runPython("import sys; sys.version_info[:2] >= (3, 14)")).toBe(true);
  });

  test("fetch is as it was before", () => {
    expect(globalThis.fetch).toBe(fetchBefore);
  });

  test("its code is taken compiled: the file is not looked at", async () => {
    const files = await loadPyodideFiles();
    const module = await WebAssembly.compile(await files.wasm.arrayBuffer());
    const { instantiateStreaming } = WebAssembly;
    const other = await loadInterpreter(
      { ...files, wasm: new Blob() },
      { memory: new InterpreterMemory(), stack: new CStack(), module },
    );
    expect(other.runPython("6 * 7")).toBe(42);
    expect(WebAssembly.instantiateStreaming).toBe(instantiateStreaming);
  });

  test("a getter in the place of the interrupt buffer is asked while a loop runs", () => {
    let asked = 0;
    setInterruptSignal(pyodide, {
      poll: () => {
        asked += 1;
        return asked === 5;
      },
    });
    expect(() => void pyodide.runPython("while True: pass")).toThrow("KeyboardInterrupt");
    expect(asked).toBeGreaterThanOrEqual(5);
    expect(pyodide.runPython("1 + 1")).toBe(2);
  });

  test("the signal ends a loop at its deadline, once", () => {
    const signal = new InterruptSignal(
      () => false,
      () => undefined,
    );
    setInterruptSignal(pyodide, signal);
    signal.arm(50);
    expect(() => void pyodide.runPython("while True: pass")).toThrow("KeyboardInterrupt");
    expect(pyodide.runPython("sum(range(1_000_000))")).toBe(499999500000);
    expect(signal.disarm()).toBe("timeout");
  });

  test("a fatal error is heard of before anything is written about it", async () => {
    const lost = await loadInterpreter(await loadPyodideFiles(), {
      memory: new InterpreterMemory(),
      stack: new CStack(),
    });
    const order: string[] = [];
    lost.setStderr({ raw: () => void order.push("written") });
    beforeFatalError(lost, () => void order.push("heard"));

    expect(() => void lost.runPython("import json\njson.loads('[' * 1_000_000)")).toThrow();
    expect(order[0]).toBe("heard");
  });

  describe("run_sync", () => {
    interface Waiter {
      (promise: Promise<unknown>): unknown;
      callPromising(promise: Promise<unknown>): Promise<unknown>;
    }
    let wait: Waiter;
    let waitInOtherLoop: Waiter;

    beforeAll(() => {
      pyodide.runPython(
        [
          "import asyncio",
          "from pyodide.ffi import run_sync",
          "def wait(promise):",
          "    return run_sync(promise)",
          "asked = []",
          "class OtherLoop(asyncio.AbstractEventLoop):",
          "    def create_task(self, coroutine, **options):",
          "        asked.append('create_task')",
          "        coroutine.close()",
          "        raise RuntimeError('not this loop')",
          "def wait_in_other_loop(promise):",
          "    running = asyncio._get_running_loop()",
          "    asyncio._set_running_loop(OtherLoop())",
          "    try:",
          "        return run_sync(promise)",
          "    finally:",
          "        asyncio._set_running_loop(running)",
        ].join("\n"),
      );
      wait = pyodide.runPython("wait") as Waiter;
      waitInOtherLoop = pyodide.runPython("wait_in_other_loop") as Waiter;
    });

    test("waits for a promise in a function that was called by callPromising", async () => {
      expect(await wait.callPromising(Promise.resolve(7))).toBe(7);
    });

    test("cannot wait in a function that was called plainly", () => {
      expect(() => wait(Promise.resolve(7))).toThrow("RuntimeError");
    });

    test("makes a task of the running loop, which must be Pyodide's own: any other stands still meanwhile", async () => {
      await expect(waitInOtherLoop.callPromising(Promise.resolve(7))).rejects.toThrow();
      expect(pyodide.runPython("asked.count('create_task')")).toBe(1);
    });
  });
});
