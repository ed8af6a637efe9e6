import { describe, expect, expectTypeOf, test, vi } from "vitest";
import { z } from "zod";

import type { Value } from "../../../src/protocol/index.js";
import {
  functionTool,
  ToolRegistry,
  ToolUnavailableError,
  type JsonSchema,
  type PreparedToolCall,
  type StandardSchema,
  type ToolAdapter,
  type ToolProgress,
} from "../../../src/tools/index.js";
import { loneContext } from "../../lone-calls/lone-call.js";

const context = loneContext({ runSkill: (name, args) => Promise.resolve(`${name}: ${JSON.stringify(args)}`) });

function prepare(adapter: ToolAdapter): PreparedToolCall {
  const registry = new ToolRegistry();
  registry.register(adapter);
  return registry.prepare(adapter.tool.name, null);
}

async function call(adapter: ToolAdapter, args: Parameters<PreparedToolCall["validate"]>[0]): Promise<unknown> {
  const prepared = prepare(adapter);
  return prepared.invoke(await prepared.validate(args), context);
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

  test.each<[JsonSchema, string]>([
    [{ a: { type: "dict" } }, "input.properties.a.type: 'dict' is no type of JSON Schema; write 'object'"],
    [
      { a: { type: ["String", "null"] } },
      "input.properties.a.type: 'String' is no type of JSON Schema; write 'string'",
    ],
    [{ a: { type: "array", items: { type: "int" } } }, "input.properties.a.items.type: 'int' is no type"],
    [
      { a: { anyOf: [{ type: "string" }, { type: "list[str]" }] } },
      "anyOf.1.type: 'list[str]' is no type of JSON Schema; write 'array'",
    ],
    [{ a: { type: "any" } }, "leave `type` out for any value"],
    [{ a: { type: "bytes" } }, "write 'string' with `format: \"binary\"`"],
    [{ a: { type: "wibble" } }, "which are array, boolean, integer, null, number, object, string"],
  ])("with a type that JSON Schema does not know cannot be defined: %j", (properties, message) => {
    const define = (): unknown =>
      functionTool({
        name: "t",
        description: "",
        input: { type: "object", properties } as JsonSchema,
        run: () => null,
      });

    expect(define).toThrow(
      expect.objectContaining({ code: "TOOL_DEFINITION", message: expect.stringContaining(message) }),
    );
  });

  test("may have parameters and data that are called like types", () => {
    const properties = {
      type: { enum: [{ type: "dict" }], default: { type: "dict" } },
      properties: { type: "object", properties: { type: { const: { type: "list" } } } },
      loop: { $ref: "#/$defs/loop" },
    };
    const loop: { type: string; items?: JsonSchema } = { type: "array" };
    loop.items = loop;

    const { tool } = functionTool({
      name: "t",
      description: "",
      input: { type: "object", properties, $defs: { loop } },
      run: () => null,
    });

    expect(tool.callables[0]?.parameters.map(({ name }) => name)).toEqual(["type", "properties", "loop"]);
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

describe("a function tool with plain JSON Schema", () => {
  const send = functionTool({
    name: "send",
    description: "Sends",
    input: {
      type: "object",
      properties: { to: { type: "array", items: { type: "string" } }, subject: { type: "string", default: "none" } },
      required: ["to"],
    },
    output: { type: "object", properties: { sent: { type: "integer" } }, required: ["sent"] },
    run: ({ to, subject }) => ({ sent: Array.isArray(to) ? to.length : subject === "lie" ? "many" : 0 }),
  });

  test("gets its arguments checked, with defaults", async () => {
    const seen: Value[] = [];
    const tool = functionTool({
      name: "t",
      description: "",
      input: { type: "object", properties: { a: { type: "integer", default: 3 }, b: { type: "string" } } },
      run: (input) => {
        seen.push(input);
        return null;
      },
    });

    await call(tool, { b: "x" });

    expect(seen).toEqual([{ a: 3, b: "x" }]);
    await expect(call(send, { to: ["a", 1] })).rejects.toThrow("Parameter 'to[1]' must be a string, not int 1");
  });

  test.each<[string, JsonSchema]>([
    ["of another type", { type: "string", default: null }],
    ["a number for a text", { type: "string", default: 5 }],
    ["not among the values", { enum: ["a", "b"], default: "c" }],
    ["too short", { type: "string", minLength: 3, default: "" }],
    ["refused by what is referred to", { $ref: "#/$defs/positive", default: -1 }],
  ])("a default that does not fit its own schema is left out: %s", async (_name, b) => {
    const seen: Value[] = [];
    const tool = functionTool({
      name: "t",
      description: "",
      input: {
        type: "object",
        properties: { a: { type: "integer", default: 3 }, b },
        additionalProperties: false,
        $defs: { positive: { type: "integer", minimum: 0 } },
      },
      run: (input) => {
        seen.push(input);
        return null;
      },
    });

    await call(tool, {});

    expect(seen).toEqual([{ a: 3 }]);
    await expect(call(tool, { b: [] })).rejects.toThrow("Parameter 'b'");
  });

  test("a default of a part that all of must hold is left out where it does not fit, and kept where it does", async () => {
    const seen: Value[] = [];
    const tool = functionTool({
      name: "t",
      description: "",
      input: {
        type: "object",
        allOf: [
          {
            properties: {
              short: { type: "string", minLength: 3, default: "" },
              unit: { enum: ["C", "F"], default: "C" },
              size: { $ref: "#/$defs/positive", default: -1 },
            },
          },
        ],
        $defs: { positive: { type: "integer", minimum: 0 } },
      },
      run: (input) => {
        seen.push(input);
        return null;
      },
    });

    await call(tool, {});

    expect(seen).toEqual([{ unit: "C" }]);
  });

  test.each([
    { type: "string", enum: null, default: "x" },
    { type: null, default: 1 },
    { type: ["string", null], default: true },
    { type: "array", items: null, default: [1] },
    { enum: "abc", default: "x" },
  ])("a schema that holds what no schema may is no reason to fail before it is used: %j", (b) => {
    const input = { type: "object", properties: { b } } as unknown as JsonSchema;

    expect(functionTool({ name: "t", description: "", input, run: () => null }).tool.callables).toHaveLength(1);
  });

  test("a result that is not as its schema says is the tool's failure", async () => {
    const liar = functionTool({
      name: "liar",
      description: "",
      input: { type: "object" },
      output: { type: "object", properties: { sent: { type: "integer" } } },
      run: () => ({ sent: "many" }),
    });

    expect(await call(send, { to: ["a", "b"] })).toEqual({ sent: 2 });
    await expect(call(liar, {})).rejects.toMatchObject({
      code: "TOOL_CALL",
      message: "Tool 'liar' failed: Its result is not what its schema says: 'sent' must be an integer, not str 'many'",
    });
  });
});

describe("a function tool with a schema of another library", () => {
  const even: StandardSchema<{ n: number }, { half: number }> = {
    "~standard": {
      version: 1,
      vendor: "test",
      validate: async (value) => {
        await Promise.resolve();
        const { n } = z.object({ n: z.number() }).parse(value);
        return n % 2 === 0 ? { value: { half: n / 2 } } : { issues: [{ message: "Odd", path: ["n"] }] };
      },
    },
  };

  test("is checked by it, also when it takes its time, and takes what JSON Schema cannot tell of", async () => {
    const halve = functionTool({ name: "halve", description: "", input: even, run: ({ half }) => half });

    expect(await call(halve, { n: 4 })).toBe(2);
    await expect(call(halve, { n: 3 })).rejects.toThrow("Tool 'halve' failed: Parameter 'n': Odd");
  });

  test("is described by the JSON Schema that the library offers", () => {
    const described: StandardSchema = {
      "~standard": {
        version: 1,
        vendor: "test",
        validate: (value) => ({ value }),
        jsonSchema: {
          input: () => ({ type: "object", properties: { city: { type: "string" } }, required: ["city"] }),
          output: () => ({}),
        },
      },
    };

    const { tool } = functionTool({ name: "x", description: "", input: described, run: () => null });

    expect(tool.callables[0]?.parameters).toMatchObject([{ name: "city", type: "string", required: true }]);
  });
});

describe("a function tool that is an async generator", () => {
  async function heard(adapter: ToolAdapter): Promise<{ result: unknown; progress: ToolProgress[] }> {
    const progress: ToolProgress[] = [];
    const report = (step: ToolProgress): void => {
      progress.push(step);
    };
    return { result: await prepare(adapter).invoke({}, { ...context, report }), progress };
  }

  test("is heard piece by piece, and what it returns is the result", async () => {
    const count = functionTool({
      name: "count",
      description: "",
      input: z.object({}),
      run: async function* () {
        await Promise.resolve();
        yield "a";
        yield "b";
        return "done";
      },
    });

    expect(await heard(count)).toEqual({
      result: "done",
      progress: [
        { progress: 1, piece: "a" },
        { progress: 2, piece: "b" },
      ],
    });
  });

  test("that returns nothing has the list of its pieces as result", async () => {
    const count = functionTool({
      name: "count",
      description: "",
      input: z.object({}),
      run: async function* () {
        await Promise.resolve();
        yield 1;
        yield 2;
        return undefined;
      },
    });

    expect((await heard(count)).result).toEqual([1, 2]);
  });

  test("cleans up when nobody waits any more", async () => {
    let cleaned = (): void => undefined;
    const cleaning = new Promise<void>((resolve) => {
      cleaned = resolve;
    });
    const controller = new AbortController();
    const endless = functionTool({
      name: "endless",
      description: "",
      input: z.object({}),
      run: async function* () {
        try {
          for (;;) {
            await new Promise((resolve) => setTimeout(resolve, 1));
            yield 1;
          }
        } finally {
          cleaned();
        }
      },
    });
    const report = (): void => {
      controller.abort();
    };

    const calling = prepare(endless).invoke({}, { ...context, signal: controller.signal, report });

    await expect(calling).rejects.toMatchObject({ code: "TOOL_CANCELLED" });
    await cleaning;
  });
});

describe("a definition that is none", () => {
  const whole = { name: "weather", description: "Weather.", input: { type: "object" }, run: () => null };
  const define =
    (options: object): (() => unknown) =>
    // As plain JavaScript calls it, which no type holds back.
    () =>
      Reflect.apply(functionTool, undefined, [options]) as unknown;

  test.each(["name", "description", "input", "run"])("without `%s` is refused at once", (option) => {
    expect(define({ ...whole, [option]: undefined })).toThrow(
      expect.objectContaining({ code: "INVALID_OPTION", of: "functionTool", option }),
    );
  });

  test.each([
    [{ city: "string" }, "its `input` is an object with the key `city`; pass a schema of the arguments"],
    [{ city: { type: "string" } }, "its `input` is an object with the key `city`"],
    ["string", "its `input` is a string"],
    [{ type: "string" }, 'its `input` is a schema of type "string"'],
    [{ type: "object", properties: { city: "string" } }, 'write `city: { type: "string" }`'],
  ])("with the input %j is refused with what to write", (input, message) => {
    expect(define({ ...whole, input })).toThrow(expect.objectContaining({ code: "TOOL_DEFINITION" }));
    expect(define({ ...whole, input })).toThrow(message);
  });

  test.each([[{}], [{ type: "object" }], [{ properties: {} }], [{ $ref: "#/$defs/a" }], [{ description: "None." }]])(
    "but the schema %j is one",
    (input) => {
      expect(define({ ...whole, input })).not.toThrow();
    },
  );
});

test("plain JSON Schema gives `run` the types of its arguments", async () => {
  const tool = functionTool({
    name: "order",
    description: "Orders.",
    input: {
      type: "object",
      properties: {
        city: { type: "string" },
        size: { enum: ["s", "m"] },
        count: { type: "integer", default: 1 },
        notes: { type: "array", items: { type: "string" } },
        where: { type: "object", properties: { street: { type: "string" } }, required: ["street"] },
        limit: { type: ["number", "null"] },
      },
      required: ["city", "size"],
    },
    run: (input) => {
      expectTypeOf(input.city).toEqualTypeOf<string>();
      expectTypeOf(input.size).toEqualTypeOf<"s" | "m">();
      expectTypeOf(input.count).toEqualTypeOf<number>();
      expectTypeOf(input.notes).toEqualTypeOf<readonly string[] | undefined>();
      expectTypeOf(input.where?.street).toEqualTypeOf<string | undefined>();
      expectTypeOf(input.limit).toEqualTypeOf<number | null | undefined>();
      return `${input.city} ${input.size} ${String(input.count)}`;
    },
  });

  expect(await call(tool, { city: "Oslo", size: "s" })).toBe("Oslo s 1");
});
