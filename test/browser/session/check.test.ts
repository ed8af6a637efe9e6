import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";

import { functionTool, memoryStorage, Session, type CheckOptions } from "../../../src/index.js";

let session: Session;
const sent: string[] = [];

const mail = functionTool({
  name: "mail",
  description: "Sends a mail.",
  input: z.object({ to: z.string(), urgent: z.boolean().default(false), copies: z.int().optional() }),
  run: ({ to }) => {
    sent.push(to);
    return "sent";
  },
});
const weather = functionTool({
  name: "weather",
  description: "Weather of a city.",
  input: z.object({ city: z.string(), unit: z.enum(["C", "F"]).default("C") }),
  run: () => ({ celsius: 3 }),
});

beforeAll(async () => {
  session = await Session.open({ storage: memoryStorage(), tools: [mail, weather] });
  await session.skills.create({
    name: "add_up",
    source: "def run(numbers: list, start: int = 0): return sum(numbers, start)",
  });
});
afterAll(() => session.close());

/** `error UNKNOWN_NAME 1:1`, in the order of the code. */
async function found(code: string, options: CheckOptions = {}): Promise<string[]> {
  const findings = await session.check(code, options);
  return findings.map(
    ({ severity, code: kind, line, column }) => `${severity} ${kind} ${String(line)}:${String(column)}`,
  );
}

describe("what is certain to fail is an error, with its place", () => {
  test.each([
    ["x = 1\nprint(y)", "error UNKNOWN_NAME 2:7"],
    ["print(total)\ntotal = 1", "error UNBOUND_NAME 1:7"],
    ["def f(:\n  pass", "error SYNTAX 1:7"],
    ["return 5", "error SYNTAX 1:1"],
    ["tools.wether(city='Oslo')", "error UNKNOWN_TOOL 1:1"],
    ["tools['wether'](city='Oslo')", "error UNKNOWN_TOOL 1:1"],
    ["tools.weather.today(city='Oslo')", "error UNKNOWN_CALLABLE 1:1"],
    ["tools.weather()", "error MISSING_ARGUMENT 1:1"],
    ["tools.weather(city='Oslo', units='F')", "error UNKNOWN_ARGUMENT 1:34"],
    ["tools.weather(city='Oslo', unit='K')", "error ARGUMENT_TYPE 1:33"],
    ["tools.mail(to='a', copies='three')", "error ARGUMENT_TYPE 1:27"],
    ["n = 3\ntools.mail(to='a', copies=f'{n}')", "error ARGUMENT_TYPE 2:27"],
    ["tools.mail('a', True, 1, 2)", "error UNKNOWN_ARGUMENT 1:26"],
    ["tools.mail('a', to='b')", "error UNKNOWN_ARGUMENT 1:20"],
    ["await tools.weather.call_async(city=3.5j, town=1)", "error UNKNOWN_ARGUMENT 1:48"],
    ["skills.ad_up(numbers=[1])", "error UNKNOWN_SKILL 1:1"],
    ["workflows.add_up()", "error MISSING_ARGUMENT 1:1"],
    ["skills.add_up(numbers=[1], begin=2)", "error UNKNOWN_ARGUMENT 1:34"],
    ["artifacts.save('a.txt')", "error MISSING_ARGUMENT 1:1"],
    ["artifacts.store('a.txt', '')", "error UNKNOWN_METHOD 1:1"],
    ["import numpy as np", "error IMPORT_NOT_FOUND 1:8"],
    ["import os.pathes", "error IMPORT_NOT_FOUND 1:8"],
    ["import asyncio\nasync def main():\n    tools.wether(city='Oslo')\nasyncio.run(main())", "error UNKNOWN_TOOL 3:5"],
    ["def report():\n    with open('x') as f:\n        f.wrte(); nope\nreport()", "error UNKNOWN_NAME 3:19"],
    ["s = '😀'; print(s, nope)", "error UNKNOWN_NAME 1:20"],
  ])("%j", async (code, expected) => {
    expect(await found(code)).toEqual([expected]);
  });

  test("and so are imports that the session does not allow, wherever they are", async () => {
    expect(await found("if False:\n    import csv", { imports: ["json"] })).toEqual(["error IMPORT_REFUSED 2:1"]);
  });
});

describe("each says what to write instead", () => {
  test.each([
    ["tools.wether(city='Oslo')", "Write tools.weather."],
    ["weather(city='Oslo')", "Write tools.weather."],
    ["tools.weather(town='Oslo')", "It is called tools.weather(*, city: str, unit:"],
    ["tools.mail(to='a', urgnt=True)", "Write `urgent=`."],
    ["tools.weather(place='Oslo')", "Write `city=`."],
    ["tools.mail(t='a')", "Write `to=`."],
    ["tools.mail(to='a', copies_of_it=2)", "Write `copies=`."],
    ["tools.weather('Oslo', place='Oslo')", "Leave out `place=`."],
    ["skills.ad_up(numbers=[])", "Write skills.add_up."],
    ["json.dumps(1)", "Write `import json` above."],
    ["reslt = 1\nprint(result)", "Did you mean `reslt`?"],
    ["import requests", "Code has no network here: call a tool instead, `tools.search("],
    ["import socket\nsocket.create_connection(('a', 1))", "Code has no network here: call a tool instead"],
    ["import numpy", "the package numpy, which Pyodide's lockfile has as numpy-"],
    ["artifacts.sav('a', 1)", "Write `artifacts.save`."],
  ])("%j", async (code, suggestion) => {
    const [finding] = await session.check(code);

    expect(finding?.suggestion).toContain(suggestion);
  });
});

test("a network that is not there is found, with the tool that is", async () => {
  const curl = functionTool({ name: "curl", description: "", input: z.object({ url: z.string() }), run: () => "" });
  session.tools.register(curl);
  const code = "from urllib.request import urlopen\nurlopen('https://a.example')\nurlopen('data:,a')\nimport httpx";

  const findings = await session.check(code);
  await session.tools.remove("curl");

  expect(findings).toMatchObject([
    { severity: "warning", code: "NO_NETWORK", line: 2, message: "urllib.request.urlopen() needs a network" },
    { severity: "error", code: "IMPORT_NOT_FOUND", line: 4 },
  ]);
  const suggestion = "Code has no network here: call a tool instead, `tools.curl(url=…)`.";
  expect(findings.map((finding) => finding.suggestion)).toEqual([suggestion, suggestion]);
});

test("at trust level local code has a network", async () => {
  const local = await Session.open({ storage: memoryStorage(), trust: "local" });

  const findings = await local.check("import urllib.request, requests\nurllib.request.urlopen('https://a.example')");
  await local.close();

  expect(findings.map(({ code }) => code)).toEqual(["IMPORT_NOT_FOUND"]);
  expect(findings[0]?.suggestion).toContain("Without it: `await pyodide.http.pyfetch(url)`.");
});

describe("what may fail is a warning", () => {
  test.each([
    "if x := 0:\n    nope()",
    "def later():\n    return nope",
    "for i in []:\n    tools.wether()",
    "print([nope for i in []])",
    "False and nope",
    "1 if True else nope",
    "try:\n    tools.wether()\nexcept Exception as error:\n    print(error)",
    "import contextlib\nwith contextlib.suppress(NameError):\n    nope",
    "lambda: nope",
    "import sys\nif True:\n    sys.exit()\nnope",
    "def early():\n    if True:\n        return\n    nope\nearly()",
    "tasks = [tools.weather.call_async(town='Oslo')]",
    "def define():\n    pass\ndefine('nope')\nnope",
  ])("%j", async (code) => {
    const findings = await found(code);

    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatch(/^warning/);
  });
});

describe("what nobody can know is no finding", () => {
  test.each([
    "try:\n    import numpy\nexcept ImportError:\n    numpy = None",
    "try:\n    nope\nexcept NameError:\n    nope = 1",
    "try:\n    tools.nope\nexcept AttributeError:\n    pass",
    "from vitrine import ToolCallError\ntry:\n    tools.weather(town=1)\nexcept ToolCallError:\n    pass",
    "exec('w = 3')\nw",
    "globals()['w'] = 3\nw",
    "from math import *\nfloor(2.5)",
    "t = tools\nt.nope()",
    "name = 'nope'\ngetattr(tools, name)",
    "tools = 5\ntools.nope",
    "import builtins\nbuiltins.w = 1\nw",
    "def set_it():\n    global w\n    w = 1\nset_it()\nw",
    "raise ValueError\nnope",
    "import sys\nsys.exit()\ntools.nope()",
    "while True:\n    pass\nnope",
    "options = {'town': 1}\ntools.weather(**options)",
    "city = input\ntools.weather(city=city)",
    "cities = ['Oslo']\ntools.weather(*cities)",
    "hasattr(tools, 'nope')",
    "x: Unknown = 1\ndef f(a: Unknown) -> Unknown: ...",
    "skills.create(name='fresh', source='def run(): return 1')\nskills.fresh()",
    "open('/workspace/made_here.py', 'w').write('x = 1')\nimport made_here",
    "deps.add('attrs')\nimport attr",
    "class A:\n    x = 1\n    y = x\n    def m(self): return __class__",
    "match 3:\n    case {'a': n, **rest}: n, rest\n    case [*some]: some\n    case other: other",
    "print(*(n for n in range(3)), [m := 1], m)\ndisplay(1)\n__name__",
    "type Pair[T] = tuple[T, T]\ndef first[T](x: T) -> T: return T and x\nfirst(1)",
  ])("%j", async (code) => {
    expect(await session.check(code)).toEqual([]);
  });
});

test("names of earlier runs are known, and final_answer is an agent's alone", async () => {
  await session.run("earlier = 1\ndef helper(): return 2");

  expect(await session.check("earlier + helper()")).toEqual([]);
  expect(await session.check("final_answer(1)", { helpers: "agent" })).toEqual([]);
  expect(await found("final_answer(1)")).toEqual(["error UNKNOWN_NAME 1:1"]);
});

test("a function of an earlier run that sets globals takes the certainty away", async () => {
  await session.run("def load():\n    global loaded\n    loaded = 1");

  expect(await found("load()\nloaded")).toEqual(["warning UNKNOWN_NAME 2:1"]);
  await session.run("del load");
});

test("a module that the page wrote into the workspace can be imported", async () => {
  expect(await found("import from_the_page")).toEqual(["error IMPORT_NOT_FOUND 1:8"]);

  await session.workspace.write("from_the_page.py", new TextEncoder().encode("x = 1"));

  expect(await session.check("import from_the_page")).toEqual([]);
});

test("tools out of the run's scope are unknown", async () => {
  expect(await found("tools.mail(to='a')", { scope: { names: ["weather"] } })).toEqual(["error UNKNOWN_TOOL 1:1"]);
});

test("a check runs nothing, calls nothing and leaves nothing behind", async () => {
  const calls = (await session.run("1")).calls.length;
  const entries = (await session.journal.list()).length;

  await session.check(
    "planted = tools.mail(to='a')\nartifacts.save('a.txt', 'x')\nimport wave\nskills.add_up(numbers=[])",
  );

  expect(sent).toEqual([]);
  expect(await session.journal.list()).toHaveLength(entries);
  const { value, calls: after } = await session.run("import sys\n['planted' in globals(), 'wave' in sys.modules]");
  expect(value).toEqual([false, false]);
  expect(after).toHaveLength(calls);
});

describe("a run that is checked first", () => {
  test("is not begun where it would certainly fail, so that a mistake costs no side effect", async () => {
    const { error, findings, calls, ok } = await session.run("tools.mail(to='somebody')\ntools.mial(to='nobody')", {
      check: true,
    });

    expect(sent).toEqual([]);
    expect(calls).toEqual([]);
    expect(ok).toBe(false);
    expect(error).toMatchObject({ code: "CHECK_FAILED", pythonType: "AttributeError" });
    expect(String(error)).toContain("line 2\n    tools.mial(to='nobody')\n    ^^^^^^^^^^");
    expect(String(error)).toContain("Write tools.mail.");
    expect(findings.map(({ code }) => code)).toEqual(["UNKNOWN_TOOL"]);
  });

  test("goes on with warnings, which its result has", async () => {
    const { value, findings } = await session.run("def later():\n    return nope\n1 + 1", { check: true });

    expect(value).toBe(2);
    expect(findings).toMatchObject([{ severity: "warning", code: "UNKNOWN_NAME", line: 2 }]);
  });
});

describe("code that means harm", () => {
  test.each([
    ["brackets", "[".repeat(190) + "]".repeat(190)],
    ["minus signs", `${"-".repeat(5000)}1`],
    ["a long sum", Array(5000).fill("1").join("+")],
    ["a long chain", `x${".a".repeat(5000)}`],
    ["comprehensions", `${"[".repeat(60)}1${" for i in x]".repeat(60)}`],
    ["lambdas in lists", `${"(lambda:[-".repeat(60)}1${"])".repeat(60)}`],
    ["branches", `if 1: pass\n${"elif 1: pass\n".repeat(3000)}`],
    ["half a megabyte", "x = 1\n".repeat(90_000)],
  ])("neither crashes nor stalls the check: %s", async (_what, code) => {
    const findings = await session.check(code);

    expect(findings.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(findings.map((finding) => finding.code)).toContain("NOT_CHECKED");
    expect((await session.run("earlier")).value).toBe(1);
  });

  test("an interpreter whose parts were broken has no opinion, and stays", async () => {
    const other = await Session.open({ storage: memoryStorage() });
    try {
      await other.run(
        "import json, ast\nkept = 1\nast.literal_eval = ast.walk = None\njson.dumps = lambda *_: 'nonsense'\nast.NodeVisitor = ast.Name = None\nimport builtins\nbuiltins.compile = None",
      );
      expect(await other.check("nope")).toEqual([]);
      expect((await other.run("kept")).value).toBe(1);
    } finally {
      await other.close();
    }
  });
});

test("Stop ends the wait for a type checker that does not answer, and the next run works", async () => {
  const asked = Promise.withResolvers<undefined>();
  const mute = {
    check: () => {
      asked.resolve(undefined);
      return new Promise<never>(() => undefined);
    },
  };

  const running = session.run("tools.mail(to='nobody')", { check: { types: mute } });
  await asked.promise;
  session.interrupt();

  expect((await running).error).toMatchObject({ code: "RUN_INTERRUPTED" });
  expect(sent).not.toContain("nobody");
  expect((await session.run("1 + 1")).value).toBe(2);
});
