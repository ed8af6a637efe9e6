import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { z } from "zod";

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
    ["pyfetch", "from pyodide.http import pyfetch\nawait pyfetch('https://127.0.0.1:9/')", noNetwork],
    ["fetch of JavaScript", "import js\nawait js.fetch('https://127.0.0.1:9/')", noNetwork],
    ["open_url", "from pyodide.http import open_url\nopen_url('https://127.0.0.1:9/')", noNetwork],
    ["asyncio's streams", "import asyncio\nawait asyncio.open_connection('127.0.0.1', 9)", noNetwork],
    [
      "a socket of asyncio",
      "import asyncio, socket\nawait asyncio.get_running_loop().sock_connect(socket.socket(), ('127.0.0.1', 9))",
      noNetwork,
    ],
    ["a datagram", "import socket\nsocket.socket(type=socket.SOCK_DGRAM).sendto(b'', ('127.0.0.1', 9))", noNetwork],
    ["a server", "import socket\nsocket.create_server(('127.0.0.1', 0))", noNetwork],
    ["requests", "import requests", noNetwork],
    ["httpx", "import httpx", noNetwork],
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

  test("an error for want of a network names the tool that fetches addresses, also where code catches it", async () => {
    const names = [
      ["fetch_page", z.object({ url: z.string(), limit: z.int().optional() }), "Fetches a web page."],
      ["mirror", z.object({ url: z.string(), to: z.string() }), "Downloads a site."],
      ["shorten", z.object({ url: z.string() }), "A short name for an address."],
    ] as const;
    const others = await openSession({
      tools: names.map(([name, input, description]) => functionTool({ name, description, input, run: () => "" })),
    });
    const instead = "call a tool, `tools.fetch_page(url=…)` for instance.";

    const { error } = await others.run("import urllib.request\nurllib.request.urlopen('http://127.0.0.1:9/')");
    const { stdout } = await others.run(
      "import socket\ntry:\n    socket.create_connection(('127.0.0.1', 9), 1)\nexcept OSError as error:\n    print(error)",
    );
    const missing = await others.run("import requests");
    await others.close();

    expect(error?.message).toContain(instead);
    expect(stdout).toContain(instead);
    expect(missing.error?.message).toContain(instead);
    expect(missing.error?.message).not.toContain("deps.add");
  });

  test.each(["sandboxed", "isolated"] as const)("a package that makes requests says the same, %s", async (trust) => {
    const folder = new URL("/test/wheels/", location.href).href;
    const others = await openSession({ trust, packages: [{ folder }], deps: ["urllib3"] });

    const { error } = await others.run("import urllib3\nurllib3.PoolManager().request('GET', 'http://127.0.0.1:9/')");
    await others.close();

    expect(error?.message).toContain(`At trust level '${trust}' code has no network: call a tool`);
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
