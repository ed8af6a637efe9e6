import { describe, expect, test, vi } from "vitest";
import { z } from "zod";

import {
  functionTool,
  ToolRegistry,
  ToolUnavailableError,
  type PreparedToolCall,
  type ToolAdapter,
  type ToolContext,
} from "../../../src/tools/index.js";

const context: ToolContext = {
  signal: new AbortController().signal,
  runSkill: (name, args) => Promise.resolve(`${name}: ${JSON.stringify(args)}`),
};

function prepare(adapter: ToolAdapter): PreparedToolCall {
  const registry = new ToolRegistry();
  registry.register(adapter);
  return registry.prepare(adapter.tool.name, null);
}

async function call(adapter: ToolAdapter, args: Parameters<PreparedToolCall["validate"]>[0]): Promise<unknown> {
  const prepared = prepare(adapter);
  return prepared.invoke(prepared.validate(args), context);
}

const echo = functionTool({
  name: "echo",
  description: "Says it again",
  input: z.object({ text: z.string(), times: z.int().min(1).default(1), "with-bell": z.boolean().optional() }),
  run: ({ text, times, "with-bell": bell }) => `${text.repeat(times)}${bell === true ? "!" : ""}`,
});

describe("a function tool", () => {
  test("gets its input parsed, with defaults", async () => {
    expect(await call(echo, { text: "ab", times: 2 })).toBe("abab");
    expect(await call(echo, { text: "ab" })).toBe("ab");
  });

  test("is called with the names that Python can write, and with None for what is left out", async () => {
    expect(await call(echo, { text: "ab", with_bell: true })).toBe("ab!");
    expect(await call(echo, { text: "ab", with_bell: null, times: null })).toBe("ab");
  });

  test("passes null on where null is a value", async () => {
    const nullable = functionTool({
      name: "n",
      description: "",
      input: z.object({ a: z.string().nullable() }),
      run: ({ a }) => a === null,
    });

    expect(await call(nullable, { a: null })).toBe(true);
  });

  test.each([
    [{}, "Tool 'echo' failed: Required parameter 'text' is missing"],
    [{ text: null }, "Tool 'echo' failed: Required parameter 'text' is missing"],
    [{ text: "a", txt: 1 }, "Tool 'echo' failed: Unknown parameter 'txt'. It takes: text, times, with_bell"],
    [{ text: "a", constructor: 1 }, "Unknown parameter 'constructor'"],
    [{ text: 5 }, "Tool 'echo' failed: Parameter 'text': Invalid input: expected string, received number"],
    [{ text: "a", times: 0 }, "Tool 'echo' failed: Parameter 'times': Too small"],
    [{ text: "a", "with-bell": true, with_bell: true }, "Parameter 'with-bell' was given twice"],
  ])("refuses %j before anything runs", async (args, message) => {
    await expect(call(echo, args)).rejects.toMatchObject({
      name: "ToolArgumentError",
      code: "TOOL_ARGUMENT",
      message: expect.stringContaining(message),
    });
  });

  test("names every missing parameter", async () => {
    const pair = functionTool({
      name: "pair",
      description: "",
      input: z.object({ a: z.string(), b: z.string() }),
      run: () => null,
    });

    await expect(call(pair, {})).rejects.toThrow("Required parameters 'a', 'b' are missing");
  });

  test("what it throws becomes a ToolCallError with tool, arguments and cause", async () => {
    const cause = new Error("no such city");
    const failing = functionTool({
      name: "weather",
      description: "",
      input: z.object({ city: z.string() }),
      run: () => {
        throw cause;
      },
    });

    const failure = await call(failing, { city: "Atlantis" }).catch((error: unknown) => error);

    expect(failure).toMatchObject({ name: "ToolCallError", message: "Tool 'weather' failed: no such city", cause });
    expect((failure as { details(): unknown }).details()).toEqual({
      tool_name: "weather",
      tool_args: { city: "Atlantis" },
      cause: "no such city",
    });
  });

  test("an error of ours passes as it is", async () => {
    const failing = functionTool({
      name: "x",
      description: "",
      input: z.object({}),
      run: () => Promise.reject(new ToolUnavailableError("x", "it sleeps", "Wake it.")),
    });

    await expect(call(failing, {})).rejects.toMatchObject({ code: "TOOL_UNAVAILABLE" });
  });

  test("is given up when it outlives its limit, even if it overlooks its signal", async () => {
    const signals: AbortSignal[] = [];
    const sleepy = functionTool({
      name: "sleepy",
      description: "",
      input: z.object({}),
      timeout: 20,
      run: (_, { signal }) => {
        signals.push(signal);
        return new Promise(() => {});
      },
    });

    const failure = await call(sleepy, {}).catch((error: unknown) => error);

    expect(failure).toMatchObject({ name: "ToolTimeoutError", message: "Tool 'sleepy' timed out after 0.02s" });
    expect((failure as { details(): unknown }).details()).toEqual({ tool_name: "sleepy", timeout_seconds: 0.02 });
    expect(signals[0]?.aborted).toBe(true);
  });

  test("is given up when its run is stopped", async () => {
    const run = new AbortController();
    const never = functionTool({
      name: "never",
      description: "",
      input: z.object({}),
      run: () => new Promise(() => {}),
    });

    const result = prepare(never).invoke({}, { ...context, signal: run.signal });
    run.abort();

    await expect(result).rejects.toMatchObject({ code: "TOOL_CANCELLED" });
  });

  test("may take any time when its limit is infinite", async () => {
    const patient = functionTool({ name: "p", description: "", input: z.object({}), timeout: Infinity, run: () => 1 });

    expect(await call(patient, {})).toBe(1);
  });

  test("can run a skill", async () => {
    const runner = functionTool({
      name: "runner",
      description: "",
      input: z.object({}),
      run: (_, { runSkill }) => runSkill("double", { n: 2 }),
    });

    expect(await call(runner, {})).toBe('double: {"n":2}');
  });

  test("leaves no timer behind", async () => {
    vi.useFakeTimers();
    try {
      await call(echo, { text: "a" });

      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});
