import { describe, expect, test } from "vitest";

import { pageCommands, type CommandCall, type PageCommand } from "../../../src/commands/index.js";
import { PythonFloat, type Value } from "../../../src/protocol/index.js";
import { loadToolFiles, type ToolAdapter, type ToolContext } from "../../../src/tools/index.js";
import { loneContext } from "../../lone-calls/lone-call.js";

function toolOf(text: string, commands: Readonly<Record<string, PageCommand>>): ToolAdapter {
  const { adapters, problems } = loadToolFiles([{ file: "tools/x.yaml", text }], { commands: pageCommands(commands) });
  expect(problems).toEqual([]);
  return adapters[0]!;
}

function call(
  tool: ToolAdapter,
  args: Readonly<Record<string, Value>>,
  context: Partial<ToolContext> = {},
): Promise<Value> {
  return tool.call(null, args, loneContext(context));
}

interface DashedFile {
  readonly preset?: Readonly<Record<string, string>>;
  readonly end?: string;
}

describe("a command", () => {
  test("gets its arguments, input and environment, and its output is the result", async () => {
    const calls: unknown[] = [];
    const file = "name: x\nenv: {LEVEL: 3}\nschema: {options: {num: {type: number}}, stdin: data}\nrecipes: {x: {}}\n";
    const tool = toolOf(file, {
      x: (argv, { stdin, env }) => {
        calls.push([argv, new TextDecoder().decode(stdin), env]);
        return "out\n";
      },
    });

    expect(await call(tool, { num: new PythonFloat(2), data: "in" })).toBe("out\n");
    expect(calls).toEqual([[["--num", "2.0"], "in", { LEVEL: "3" }]]);
  });

  test("gets each item of a list as an argument of its own", async () => {
    const file = "name: x\nschema: {positional: [{name: first}, {name: rest, type: array}]}\nrecipes: {x: {}}\n";
    const tool = toolOf(file, { x: (argv) => argv.join("|") });

    expect(await call(tool, { first: "a", rest: ["b c", "-d", ""] })).toBe("a|b c|-d|");
    expect(await call(tool, { first: "a", rest: [] })).toBe("a");
  });

  test("has options that begin with a plus, as some programs do", async () => {
    const options = 'options: {short: {type: boolean, flag: "+short"}, time: {type: integer, flag: "+time="}}';
    const file = `name: dig\nschema: {${options}, positional: [{name: host}]}\nrecipes: {dig: {}}\n`;
    const tool = toolOf(file, { dig: (argv) => argv.join("|") });

    expect(await call(tool, { host: "a.example", short: true, time: 5 })).toBe("+short|+time=5|a.example");
  });

  test("takes one item of a list by itself for a list of one", async () => {
    const options =
      "options: {header: {type: array, short: H}, n: {type: list, items: int}, mode: {type: array, choices: [a, b]}}";
    const file = `name: x\nschema: {${options}, positional: [{name: rest, type: array}]}\nrecipes: {x: {preset: {n: 7}}}\n`;
    const tool = toolOf(file, { x: (argv) => argv.join("|") });

    expect(await call(tool, { header: "abc", n: 3, mode: "b", rest: "one" })).toBe("-H|abc|--n|3|--mode|b|one");
    expect(await call(tool, { header: ["a", "b"] })).toBe("-H|a|-H|b|--n|7");
    expect(await call(tool, { header: null })).toBe("--n|7");
    await expect(call(tool, { n: "three" })).rejects.toThrow("Parameter 'n' must be a list, not str 'three'");
    await expect(call(tool, { mode: "c" })).rejects.toThrow("Parameter 'mode' must be a list, not str 'c'");
  });

  test.each<[string, DashedFile, Readonly<Record<string, Value>>, number | undefined]>([
    ["that a call gives", {}, { file: "-v" }, 1],
    ["that a list has", {}, { more: ["a", "-v"] }, 1],
    ["that is standard input", {}, { file: "-" }, undefined],
    ["that a preset gives", { preset: { file: "-v" } }, {}, undefined],
    ["that the file says is none", { end: "end_of_options: false, " }, { file: "-v" }, undefined],
    ["that is none", {}, { file: "v" }, undefined],
  ])(
    "is told where `--` belongs before what looks like an option %s",
    async (_, { preset = {}, end = "" }, args, at) => {
      const calls: CommandCall[] = [];
      const commands = {
        run: (one: CommandCall) => {
          calls.push(one);
          return Promise.resolve({ exitCode: 0, stdout: new Uint8Array(), stderr: new Uint8Array() });
        },
      };
      const schema = `{${end}options: {l: {type: bool, short: l}}, positional: [{name: file}, {name: more, type: array}]}`;
      const text = `name: x\nschema: ${schema}\nrecipes: {x: {preset: ${JSON.stringify(preset)}}}\n`;
      const { adapters } = loadToolFiles([{ file: "tools/x.yaml", text }], { commands });

      await call(adapters[0]!, { l: true, ...args });

      expect(calls[0]?.endOfOptionsAt).toBe(at);
      expect(calls[0]?.argv).not.toContain("--");
    },
  );

  test("that writes what is no text gives bytes", async () => {
    const tool = toolOf("name: x\nrecipes: {x: {}}\n", { x: () => new Uint8Array([0xff, 0xfe]) });

    expect(await call(tool, {})).toEqual(new Uint8Array([0xff, 0xfe]));
  });

  test("that writes nothing gives an empty text", async () => {
    const tool = toolOf("name: x\nrecipes: {x: {}}\n", { x: () => undefined });

    expect(await call(tool, {})).toBe("");
  });

  test.each([
    ["oops\n", "Command failed: oops\n"],
    ["", "Command failed: Exit code 2"],
  ])("that fails with %j on standard error is an error with all it wrote", async (stderr, reason) => {
    const tool = toolOf("name: x\nrecipes: {x: {}}\n", { x: () => ({ exitCode: 2, stdout: "half", stderr }) });

    const failure = await call(tool, {}).catch((error: unknown) => error);

    expect(failure).toMatchObject({ name: "ToolCallError", reason });
    expect((failure as { details(): unknown }).details()).toMatchObject({ exit_code: 2, stdout: "half", stderr });
  });

  test("that breaks is a failed call with the reason", async () => {
    const cause = new TypeError("it broke");
    const tool = toolOf("name: x\nrecipes: {x: {}}\n", { x: () => Promise.reject(cause) });

    await expect(call(tool, {})).rejects.toMatchObject({ name: "ToolCallError", reason: "it broke", cause });
  });

  test("is told when its time is over, and when its run is stopped", async () => {
    const aborted: boolean[] = [];
    const tool = toolOf("name: x\ntimeout: 0.02\nrecipes: {x: {}}\n", {
      x: (_argv, { signal }) => {
        signal.addEventListener("abort", () => aborted.push(true));
        return new Promise(() => undefined);
      },
    });

    await expect(call(tool, {})).rejects.toMatchObject({ name: "ToolTimeoutError", timeout: 20 });
    const stopped = new AbortController();
    const second = call(tool, {}, { signal: stopped.signal });
    stopped.abort();
    await expect(second).rejects.toMatchObject({ code: "TOOL_CANCELLED" });
    expect(aborted).toEqual([true, true]);
  });

  test("may have a name that objects have by nature", async () => {
    const tool = toolOf("name: x\ncommand: constructor\nrecipes: {x: {}}\n", {});

    await expect(call(tool, {})).rejects.toThrow("There is no command 'constructor' on this page. There is none.");
  });

  test("gets what middleware changed, checked again", async () => {
    const file = "name: x\nschema: {positional: [{name: of, type: integer}]}\nrecipes: {x: {}}\n";
    const tool = toolOf(file, { x: (argv) => argv.join() });

    expect(tool.validate?.(null, { of: 1 })).toEqual({ of: 1 });
    expect(() => tool.validate?.(null, { of: "1" })).toThrow("Parameter 'of' must be an integer, not str '1'");
    await expect(call(tool, { of: "2" })).rejects.toMatchObject({ code: "TOOL_ARGUMENT" });
  });

  test("cannot be given what has no text", async () => {
    const file = "name: x\nschema: {options: {q: {type: object}}}\nrecipes: {x: {}}\n";
    const tool = toolOf(file, { x: () => "" });

    await expect(call(tool, { q: { n: 2n ** 70n } })).rejects.toThrow(
      "holds an integer that JSON cannot carry exactly",
    );
  });
});

test("hints of a file and of a recipe reach the tool", () => {
  const file =
    "name: x\nhints: {read_only: true}\nrecipes: {x: {}, rm: {hints: {destructive: true, readOnly: false}}}\n";
  const { tool } = toolOf(file, { x: () => "" });

  expect(tool.hints).toEqual({ readOnly: true });
  expect(tool.callables.map(({ hints }) => hints)).toEqual([{}, { destructive: true, readOnly: false }]);
});

test("a host is given the call whole", async () => {
  const calls: CommandCall[] = [];
  const host = {
    run: (one: CommandCall) => {
      calls.push(one);
      return Promise.resolve({ exitCode: 0, stdout: new Uint8Array(), stderr: new Uint8Array() });
    },
  };
  const { adapters } = loadToolFiles(
    [{ file: "tools/x.yaml", text: "name: other\ncommand: x\nrecipes: {other: {}}\n" }],
    {
      commands: host,
    },
  );

  expect(await call(adapters[0]!, {})).toBe("");
  expect(calls).toMatchObject([{ command: "x", argv: [], stdin: new Uint8Array(), env: new Map() }]);
});
