import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";

import { functionTool, type Session } from "../../../src/index.js";
import { hosts, openSession } from "./hosts.js";

describe.each(hosts)("tracebacks at the $host host", ({ trust }) => {
  let session: Session;

  beforeAll(async () => {
    session = await openSession({
      trust,
      tools: [
        functionTool({
          name: "refuse",
          description: "Fails.",
          input: z.object({}),
          run: () => {
            throw new Error("no");
          },
        }),
      ],
    });
    await session.skills.create({ name: "bad", source: "import math\n\ndef run(n):\n    return math.sqrt(n) + 1 / 0" });
    await session.skills.create({ name: "bad_async", source: "async def run(n):\n    return await tools.refuse()" });
  });
  afterAll(async () => {
    await session.close();
  });

  /** The traceback, which must hold no frame but the author's and Python's. */
  const traceback = async (...code: string[]): Promise<string> => {
    const { error } = await session.run(code.join("\n"), { name: "cell" });
    const text = String(error);
    expect(text).not.toMatch(/vitrine\/|site-packages|pyodide|blob:|wasm|<exec>|base_events|_loop/);
    return text;
  };
  const frames = (text: string): string[] =>
    [...text.matchAll(/File "([^"]*)", line (\d+), in (\S+)/g)].map(([, file, line, name]) =>
      [file, line, name].join(" "),
    );

  test.each([
    ["that is not Python", "x = (\n"],
    ["that fails", "x = 1 / 0\n"],
  ])("a module %s is imported by the author's line, without the importer's frames", async (_what, source) => {
    await session.workspace.write("broken_module.py", new TextEncoder().encode(source));

    const text = await traceback("import broken_module");

    expect(text).toContain("broken_module.py");
    expect(text).not.toContain("importlib");
    expect(frames(text)[0]).toBe("<cell> 1 <module>");
  });

  test("show the author's lines with carets", async () => {
    expect(await traceback("def f(x):", "    return 1 / x", "f(0)")).toBe(
      [
        "Traceback (most recent call last):",
        '  File "<cell>", line 3, in <module>',
        "    f(0)",
        "    ~^^^",
        '  File "<cell>", line 2, in f',
        "    return 1 / x",
        "           ~~^~~",
        "ZeroDivisionError: division by zero",
        "",
      ].join("\n"),
    );
  });

  test("show the place of a syntax error", async () => {
    expect(await traceback("x = 1", "y = = 2")).toBe(
      ['  File "<cell>", line 2', "    y = = 2", "        ^", "SyntaxError: invalid syntax", ""].join("\n"),
    );
  });

  test("keep the lines of earlier runs apart", async () => {
    await session.run("def earlier():\n    raise ValueError('from before')", { name: "before" });

    const text = await traceback("", "earlier()");

    expect(frames(text)).toEqual(["<cell> 2 <module>", "<before> 2 earlier"]);
    expect(text).toContain("    raise ValueError('from before')\n");
  });

  test("go into a skill", async () => {
    const text = await traceback("skills.bad(n=4)");

    expect(frames(text)).toEqual(["<cell> 1 <module>", "<skill:bad> 4 run"]);
    expect(text).toContain("    return math.sqrt(n) + 1 / 0\n                          ~~^~~\n");
  });

  test("go into an asynchronous skill, and end at the call that failed", async () => {
    expect(frames(await traceback("skills.bad_async(n=4)"))).toEqual(["<cell> 1 <module>", "<skill:bad_async> 2 run"]);
    expect(frames(await traceback("await skills.bad_async(n=4)"))).toEqual([
      "<cell> 1 <module>",
      "<skill:bad_async> 2 run",
    ]);
  });

  test("end at the line that called a tool", async () => {
    const text = await traceback("def ask():", "    return tools.refuse()", "ask()");

    expect(frames(text)).toEqual(["<cell> 3 <module>", "<cell> 2 ask"]);
    expect(text).toMatch(/ToolCallError: Tool 'refuse' failed: no\n$/);
  });

  test("follow asynchronous code, gathered and run", async () => {
    const prelude = ["import asyncio", "async def leaf():", "    await asyncio.sleep(0)", "    return [][1]"];

    expect(frames(await traceback(...prelude, "await leaf()"))).toEqual(["<cell> 5 <module>", "<cell> 4 leaf"]);
    expect(frames(await traceback(...prelude, "await asyncio.gather(leaf(), leaf())"))).toEqual([
      "<cell> 5 <module>",
      "<cell> 4 leaf",
    ]);
    expect(frames(await traceback(...prelude, "asyncio.run(leaf())"))).toEqual(["<cell> 5 <module>", "<cell> 4 leaf"]);
    expect(frames(await traceback(...prelude, "leaf()"))).toEqual(["<cell> 4 leaf"]);
  });

  test("show what an exception was raised from", async () => {
    const text = await traceback(
      "try:",
      "    skills.bad(n=4)",
      "except ZeroDivisionError as error:",
      "    raise RuntimeError('outer') from error",
    );

    expect(frames(text)).toEqual(["<cell> 2 <module>", "<skill:bad> 4 run", "<cell> 4 <module>"]);
    expect(text).toContain("The above exception was the direct cause of the following exception:");
    expect(text).toMatch(/RuntimeError: outer\n$/);
  });

  test("show what was being handled", async () => {
    const text = await traceback("try:", "    tools.refuse()", "except Exception:", "    undefined_name");

    expect(frames(text)).toEqual(["<cell> 2 <module>", "<cell> 4 <module>"]);
    expect(text).toContain("During handling of the above exception, another exception occurred:");
  });

  test("show the members of an exception group", async () => {
    const text = await traceback(
      "import asyncio",
      "async def fail(): raise ValueError('member')",
      "async with asyncio.TaskGroup() as group:",
      "    group.create_task(fail())",
    );

    expect(text).toContain("ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception)");
    expect(text).toContain("ValueError: member");
  });

  test("go through exec", async () => {
    expect(frames(await traceback('exec("def g(): 1/0")', "g()"))).toEqual(["<cell> 2 <module>", "<string> 1 g"]);
  });

  test("keep the frames of libraries below the author's", async () => {
    const found = frames(await traceback("import json", "json.loads('{')"));

    expect(found[0]).toBe("<cell> 2 <module>");
    expect(found.at(-1)).toMatch(/json\/decoder\.py \d+ raw_decode$/);
  });

  test("show where a run was interrupted", async () => {
    const { error } = await session.run("def spin():\n    while True: pass\nspin()", { name: "cell", timeout: 200 });

    expect(frames(String(error))).toEqual(["<cell> 3 <module>", "<cell> 2 spin"]);
    expect(String(error)).toMatch(/RunTimeoutError: Execution timeout after 0\.2 seconds\n$/);
  });

  test("of a deep recursion are short", async () => {
    const text = await traceback("def down(n): return down(n + 1)", "down(0)");

    expect(text).toMatch(/RecursionError: maximum recursion depth exceeded/);
    expect(text).toMatch(/Previous line repeated \d+ more times/);
    expect((await session.run("1 + 1")).value).toBe(2);
  });

  test("quote the source that a function was made of, also where another run had the same name", async () => {
    await session.run("def divide(x):\n    return 1 / x  # the first", { name: "step 1" });
    await session.run("def root(x):\n    return x ** 0.5  # the second\ndef other(x): pass", { name: "step 1" });

    const text = String((await session.run("y = 0\n\ndivide(y)", { name: "step 1" })).error);
    expect(frames(text)).toEqual(["<step 1> 3 <module>", "<step 1> 2 divide"]);
    expect(text).toContain("\n    divide(y)\n");
    expect(text).toContain("\n    return 1 / x  # the first\n");
    const syntax = String((await session.run("x = = 1", { name: "step 1" })).error);
    expect(syntax).toContain('File "<step 1>", line 1\n');
  });

  test("survive an exception whose str fails", async () => {
    const { error } = await session.run(
      "class Bad(Exception):\n    def __str__(self): raise RuntimeError\nraise Bad()",
    );

    expect(error).toMatchObject({ pythonType: "Bad" });
    expect((await session.run("1 + 1")).value).toBe(2);
  });

  test("of an error of JavaScript end at the author's line", async () => {
    const text = String((await session.run("import js\njs.JSON.parse('{')", { name: "cell" })).error);

    expect(frames(text)).toEqual(["<cell> 2 <module>"]);
    expect(text).toContain("SyntaxError");
  });

  test("of import numpy name the package, the lockfile, how to allow it and what the level forbids", async () => {
    const { error } = await session.run("import numpy", { name: "cell" });
    const message = error?.message ?? "";

    expect(error).toMatchObject({ pythonType: "ModuleNotFoundError" });
    expect(message).toContain("No module named 'numpy'");
    expect(message).toContain("numpy comes with the package numpy");
    expect(message).toContain("Pyodide's lockfile");
    expect(message).toContain(trust === "local" ? "Trust level 'local'" : "Trust level 'sandboxed' forbids");
    expect(String(error)).toContain("numpy comes with the package numpy");
  });

  test("of an unknown package say how to allow it", async () => {
    const { error } = await session.run("import no_such_package");

    expect(error?.message).toContain("no package in Pyodide's lockfile provides it");
    expect(error?.message).toContain('deps.add("no_such_package")');
  });
});
