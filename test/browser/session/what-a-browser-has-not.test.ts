import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";

import { functionTool, type Session } from "../../../src/index.js";
import { openSession } from "./hosts.js";

describe("what a browser has not", () => {
  let session: Session;
  beforeAll(async () => {
    session = await openSession();
  });
  afterAll(async () => {
    await session.close();
  });

  const noNetwork = /At trust level 'sandboxed' code has no network: call a tool/;
  const oneThread = /one thread\. Calls of tools overlap with `asyncio\.gather/;
  const noProcesses = /runs no processes\..*`!ls`/;
  test.each([
    ["urllib", "import urllib.request\nurllib.request.urlopen('http://127.0.0.1:9/')", noNetwork],
    ["urllib with TLS", "import urllib.request\nurllib.request.urlopen('https://127.0.0.1:9/')", noNetwork],
    ["http.client", "import http.client\nhttp.client.HTTPConnection('127.0.0.1', 9).request('GET', '/')", noNetwork],
    ["socket", "import socket\nsocket.create_connection(('127.0.0.1', 9), 1)", noNetwork],
    ["asyncio's streams", "import asyncio\nawait asyncio.open_connection('127.0.0.1', 9)", /no sockets\. Call a tool/],
    ["a server of asyncio", "import asyncio\nawait asyncio.start_server(print, '127.0.0.1', 9)", /no sockets/],
    ["a thread", "import threading\nthreading.Thread(target=print).start()", oneThread],
    [
      "a pool of threads",
      "from concurrent.futures import ThreadPoolExecutor\nThreadPoolExecutor().submit(print)",
      oneThread,
    ],
    [
      "a pool of processes",
      "from concurrent.futures import ProcessPoolExecutor\nProcessPoolExecutor().submit(print)",
      noProcesses,
    ],
    ["multiprocessing", "import multiprocessing\nmultiprocessing.Pool()", noProcesses],
    ["subprocess", "import subprocess\nsubprocess.run(['ls'])", noProcesses],
    ["a process of asyncio", "import asyncio\nawait asyncio.create_subprocess_exec('ls')", noProcesses],
    ["a shell of asyncio", "import asyncio\nawait asyncio.create_subprocess_shell('ls')", noProcesses],
    ["a debugger", "breakpoint()", /Print what you want to see/],
  ])("%s says what to use instead", async (_what, code, expected) => {
    const { error } = await session.run(code);

    expect(error?.message).toMatch(expected);
    expect(error?.traceback).toMatch(expected);
  });

  test("os.system says that it did nothing, but where it would clear a screen", async () => {
    const { value, stderr } = await session.run("import os\n[os.system('ls'), os.system('clear')]");

    expect(value).toEqual([-1, 0]);
    expect(stderr).toMatch(/^os\.system\('ls'\) did nothing\. A browser runs no processes/);
  });

  test("a link is named once as not kept, the file that it shows is", async () => {
    const code =
      "import os\nopen('/workspace/a.txt', 'w').write('x')\nos.symlink('/workspace/a.txt', '/workspace/b.txt')";
    const linked = await session.run(code);
    const after = await session.run("open('/workspace/b.txt').read()");

    expect(linked.notices.join("\n")).toMatch(/b\.txt.*link/);
    expect([after.value, after.notices]).toEqual(["x", []]);
    expect((await session.workspace.list()).map(({ path }) => path)).toEqual(["a.txt"]);
  });

  test("code that only the compiler refuses is shown with its line", async () => {
    const { error } = await session.run("x = 1\nreturn x");

    expect(error?.pythonType).toBe("SyntaxError");
    expect(error?.traceback).toMatch(/line 2\n\s+return x\n/);
  });
});

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

  test("runs go on with json's functions replaced", async () => {
    session = await openSession();
    await session.run("import json\njson.dumps = json.loads = None");

    expect((await session.run("artifacts.save('a', [1])\nartifacts.load('a')")).value).toEqual([1]);
    expect((await session.run("1 / 0")).error?.pythonType).toBe("ZeroDivisionError");
  });

  test("data that JSON cannot hold is an ArtifactDataError, whatever json says of it", async () => {
    session = await openSession();
    const errors = await Promise.all(
      [
        "a = []\na.append(a)\nartifacts.save('x', a)",
        "artifacts.save('x', 10**5000)",
        "artifacts.save('x', 1, metadata={'a': 10**5000})",
      ].map(async (code) => (await session.run(code)).error?.pythonType),
    );

    expect(errors).toEqual(Array(3).fill("ArtifactDataError"));
  });

  test("help() of a skill shows how to call it", async () => {
    session = await openSession();
    await session.run(
      `skills.create("greet", '''def run(name: str, loud: bool = False) -> str:\n    """Greets.\n\n    Args:\n        name: Whom.\n    """\n    return name''')`,
    );

    const { stdout } = await session.run("help(skills.greet)");
    expect(stdout).toMatch(/^skills\.greet\(.*name: str.*loud: bool = False\)\n\nGreets\.\n\nArgs:\n {4}name: Whom/);
  });

  test("an object that cannot cross is no dict, and its class is named", async () => {
    const take = functionTool({
      name: "take",
      description: "Takes a dict.",
      input: { type: "object", properties: { value: { type: "object" } } },
      run: () => "taken",
    });
    session = await openSession({ tools: [take] });

    const { error } = await session.run("from fractions import Fraction\ntools.take(value=Fraction(1, 2))");
    expect(error?.pythonType).toBe("ToolArgumentError");
    expect(error?.message).toContain("Fraction");
    expect((await session.run("tools.take(value={'repr': 'x', 'type': 'y'})")).value).toBe("taken");
  });

  test("relative addresses are the page's at trust level local", async () => {
    session = await openSession({ trust: "local" });

    const { value, error } = await session.run(
      "from pyodide.http import pyfetch, open_url\nimport js\n" +
        "[(await pyfetch('/package.json')).status, 'vitrine' in open_url('/package.json').read(), js.Request.new('x.txt').url]",
    );
    expect(error).toBeNull();
    expect(value).toEqual([200, true, new URL("x.txt", document.baseURI).href]);
  });
});
