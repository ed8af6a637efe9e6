import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";

import type { RunOptions, RunResult, Session, TrustLevel } from "../../../src/index.js";
import { openSession } from "../session/hosts.js";

/** The rows about imports and built-ins hold where a run is given `imports`, whatever its trust level. */
describe.each<TrustLevel>(["sandboxed", "isolated", "local"])("a run with a list of imports, %s", (trust) => {
  let session: Session;

  beforeAll(async () => {
    session = await openSession({ trust });
  });
  afterAll(() => session.close());

  const run = (code: string, imports: readonly string[] = [], options: RunOptions = {}): Promise<RunResult> =>
    session.run(code, { helpers: { kind: "agent", taskId: "task", failures: [] }, imports, ...options });

  test("`import random` is not allowed, and the lines before it are not run (T25)", async () => {
    const { error, stdout } = await run("print('before')\nimport random");

    expect(error?.message).toMatch(/^Import 'random' not allowed/);
    expect(stdout).toBe("");
  });

  test("`import os.path` is named whole, and so is what `from` imports from (T26)", async () => {
    expect((await run("import os.path")).error?.message).toMatch(/^Import 'os\.path' not allowed/);
    expect((await run("from os.path import join")).error?.message).toMatch(/^Import from 'os\.path' not allowed/);
    expect((await run("from a.b import c")).error?.message).toMatch(/^Import from 'a\.b' not allowed/);
  });

  test("an allowed module works, by both forms of import (T28)", async () => {
    expect((await run("import math\nfrom math import sqrt\n[math.floor(2.5), sqrt(9)]", ["math"])).value).toEqual([
      2, 3,
    ]);
  });

  test("the root of a module is what counts (T29)", async () => {
    expect((await run("import json.decoder\njson.decoder.JSONDecoder().decode('[1]')", ["json"])).value).toEqual([1]);
    expect((await run("import json\njson.loads('[2]')", ["json.decoder"])).value).toEqual([2]);
  });

  test("an import that is never reached is refused too (T30)", async () => {
    const { error, stdout } = await run(
      "print('before')\nif False:\n    import random\ndef f():\n    from os import path",
    );

    expect(error?.message).toMatch(/^Import 'random' not allowed/);
    expect(stdout).toBe("");
  });

  test("`__import__` is held to the same rule, with a RuntimeError (T31)", async () => {
    const { value, error } = await run(
      "name = 'o' + 's'\ntry:\n    __import__(name)\nexcept RuntimeError as e:\n    text = str(e)\ntext",
    );

    expect(error).toBeNull();
    expect(value).toMatch(/^Import 'os' not allowed/);
    expect((await run("__import__('os')")).error?.message).toMatch(/^Import 'os' not allowed/);
    expect((await run("__import__('math').floor(1.5)", ["math"])).value).toBe(1);
  });

  test("a relative import is a clear import error (T32)", async () => {
    const { error } = await run("from . import x");

    expect(error?.pythonType).toBe("ImportError");
    expect(error?.message).toContain("relative import");
  });

  test("a syntax error is told with its line, and nothing is run (T33)", async () => {
    const { error, stdout } = await run("print('before')\n1/");

    expect(error).toMatchObject({
      pythonType: "SyntaxError",
      message: expect.stringContaining("invalid syntax") as unknown,
    });
    expect(error?.traceback).toContain("line 2");
    expect(stdout).toBe("");
  });

  test.each([
    "open('f')",
    "eval('1')",
    "exec('x = 1')",
    "input()",
    "globals()",
    "locals()",
    "compile('1', '', 'eval')",
  ])("%s is a NameError (T34)", async (call) => {
    const name = call.slice(0, call.indexOf("("));

    expect((await run(call)).error).toMatchObject({
      pythonType: "NameError",
      message: expect.stringMatching(new RegExp(`^name '${name}' is not defined`)) as unknown,
    });
    expect((await run(`try:\n    ${call}\nexcept NameError as e:\n    caught = e.name\ncaught`)).value).toBe(name);
  });

  test("what is withheld is found before the code runs, and not suggested in its own place (T34)", async () => {
    const [finding] = await session.check("input()", { imports: [] });

    expect(finding?.message).toMatch(/^name 'input' is not defined/);
    expect(finding?.message).not.toContain("`input`");
  });

  test("exceptions can be caught by their class (T35)", async () => {
    expect((await run("try:\n    1/0\nexcept ZeroDivisionError as e:\n    text = str(e)\ntext")).value).toBe(
      "division by zero",
    );
    expect((await run("issubclass(KeyError, LookupError) and issubclass(ToolTimeoutError, ToolError)")).value).toBe(
      true,
    );
  });

  test("classes work, with super and property (T36)", async () => {
    const code = `class A:
    def name(self): return "a"
class B(A):
    @property
    def size(self): return 2
    def name(self): return super().name() + "b"
[B().name(), B().size, isinstance(B(), object)]`;

    expect((await run(code)).value).toEqual(["ab", 2, true]);
  });

  test("hex bin bytes bytearray complex object are there (T37)", async () => {
    const code =
      "[hex(255), bin(5), bytes([1]) == b'\\x01', bytearray(2) == bytearray(2), complex(1, 2).imag, type(object()) is object]";

    expect((await run(code)).value).toEqual(["0xff", "0b101", true, true, 2, true]);
  });

  test("what the modules of the standard library use of them they have", async () => {
    const code = `import dataclasses, collections, json
@dataclasses.dataclass
class P:
    x: int
Q = collections.namedtuple("Q", "y")
[P(1).x, Q(2).y, json.dumps({"a": 1})]`;

    expect((await run(code, ["dataclasses", "collections", "json"])).value).toEqual([1, 2, '{"a": 1}']);
  });

  test("skills are not held to it: they were read before", async () => {
    await session.skills.create({ name: "looks", source: "def run():\n    return eval('40 + 2')" });

    expect((await run("skills.looks()")).value).toBe(42);
  });

  test("a later run without a list has them all, and files of the workspace are reached again", async () => {
    await run("x = 5");

    expect((await session.run("[eval('x'), callable(open), 'x' in globals(), callable(input)]")).value).toEqual([
      5,
      true,
      true,
      true,
    ]);
    expect((await session.check("open('f')", { imports: [] })).map(({ code }) => code)).toEqual(["UNKNOWN_NAME"]);
    expect(await session.check("len('f')", { imports: [] })).toEqual([]);
  });
});

describe("ways around the list", () => {
  const around = `opened = print.__self__.open
classes = ().__class__.__base__.__subclasses__()
import json
found = json.codecs.builtins.open
js = json.codecs.builtins.__import__
[callable(opened), len(classes) > 100, callable(found)]`;

  test("ways around it end at the worker: no object of the page, no network, no storage (T38)", async () => {
    const session = await openSession();

    const { value } = await session.run(around, {
      helpers: { kind: "agent", taskId: "task", failures: [] },
      imports: ["json"],
    });
    expect(value).toEqual([true, true, true]);

    // Whoever is around the list has what code of a session has without one, and not more.
    expect(await reachOf(session, "sealed")).toEqual({
      objects: [false, false, false, false],
      requests: ["JsException", "JsException"],
      origin: "null",
      knocks: 0,
    });
    await session.close();
  });

  test("the same requests arrive where the worker is not sealed", async () => {
    const session = await openSession({ trust: "local" });

    expect(await reachOf(session, "open")).toMatchObject({
      requests: ["come in", "come in"],
      origin: location.origin,
      knocks: 2,
    });
    await session.close();
  });

  /** What code reaches of the page, how its requests ended, and how many of them the server heard of. */
  async function reachOf(session: Session, mark: string): Promise<Record<string, unknown>> {
    const server = `${inject("toolServer")}/open`;
    const knock = `${mark}-${crypto.randomUUID()}`;
    // Both have ended before the run does: what the server has not heard of by then never left.
    const { value, error } = await session.run(`import js
def read():
    request = js.XMLHttpRequest.new()
    request.open("GET", "${server}/knock/${knock}", False)
    request.send()
    return request.responseText
async def fetch():
    return await (await js.fetch("${server}/knock/${knock}")).text()
requests = []
try:
    requests.append(read())
except BaseException as error:
    requests.append(type(error).__name__)
try:
    requests.append(await fetch())
except BaseException as error:
    requests.append(type(error).__name__)
objects = [hasattr(js, name) for name in ("window", "document", "localStorage", "parent")]
[objects, requests, js.self.origin]`);
    expect(error).toBeNull();
    const [objects, requests, origin] = value as unknown[];
    const knocks: unknown = await (await fetch(`${server}/knocks/${knock}`)).json();
    return { objects, requests, origin, knocks };
  }
});
