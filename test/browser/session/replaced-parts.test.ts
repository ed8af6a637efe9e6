import { afterEach, describe, expect, test } from "vitest";

import { type Session } from "../../../src/index.js";
import { openSession } from "./hosts.js";

describe("Python's own parts", () => {
  let session: Session;
  afterEach(async () => {
    await session.close();
  });

  test.each([
    ["a builtin", "import builtins\nbuiltins.sum = lambda x: 1 / 0", "sum([1])", "builtins.sum"],
    ["a function of json", "import json\njson.dumps = None", "json.dumps(1)", "json.dumps"],
    [
      "a method of ours",
      "type(tools).__getattr__ = lambda self, name: 1 / 0",
      "tools.nothing",
      "type(tools).__getattr__",
    ],
  ])("%s that a run replaced is named by the errors of later ones, until reset", async (_what, replace, code, name) => {
    session = await openSession();
    await session.run(replace);

    const { error } = await session.run(code);
    expect(error?.message).toContain(`Code of this session has replaced ${name}.`);
    expect(error?.message).toContain("reset the session");

    await session.reset();
    expect((await session.run("1 / 0")).error?.message).toBe("division by zero");
  });

  test.each([
    "len",
    "isinstance",
    "str",
    "type",
    "getattr",
    "repr",
    "print",
    "next",
    "hasattr",
    "list",
    "dict",
    "super",
  ])("runs go on with %s replaced, their errors name it, and reset heals", async (name) => {
    session = await openSession();
    await session.run("kept = 42");
    await session.run(`import builtins\nbuiltins.${name} = lambda *_, **__: 1 / 0`);

    const { value, stdout, lost } = await session.run("import sys\nsys.stdout.write('written')\n[kept, 'a', None]");
    expect({ value, stdout, lost }).toEqual({ value: [42, "a", null], stdout: "written", lost: false });

    const failed = await session.run(`${name}('a')`);
    expect(failed.lost).toBe(false);
    expect(failed.error?.message).toContain(`Code of this session has replaced builtins.${name}.`);
    expect((await session.run("kept")).value).toBe(42);

    await session.reset();
    expect((await session.run("1 / 0")).error?.message).toBe("division by zero");
  });

  test("code sees what other code has put in the place of a builtin", async () => {
    session = await openSession();
    await session.run("import builtins\nbuiltins.len = lambda value: 7");
    await session.skills.create({ name: "measure", source: "def run(text: str) -> int:\n    return len(text)\n" });
    await session.workspace.write("measures.py", new TextEncoder().encode("size = len('')\n"));

    expect((await session.run("import measures\n[len(''), skills.measure(text=''), measures.size]")).value).toEqual([
      7, 7, 7,
    ]);
  });

  test("runs go on with json's functions replaced", async () => {
    session = await openSession();
    await session.run("import json\njson.dumps = json.loads = None");

    expect((await session.run("artifacts.save('a', [1])\nartifacts.load('a')")).value).toEqual([1]);
    expect((await session.run("1 / 0")).error?.pythonType).toBe("ZeroDivisionError");
  });
});
