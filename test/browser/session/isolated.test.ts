import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { z } from "zod";
import { functionTool, memoryStorage, Session } from "../../../src/index.js";

/** What a worker of the page's origin has otherwise, each a way out. */
const WAYS_OUT = [
  ...["fetch", "XMLHttpRequest", "WebSocket", "EventSource", "WebTransport", "Request", "Response", "importScripts"],
  ...["Worker", "SharedWorker", "BroadcastChannel", "postMessage", "close", "Notification", "indexedDB", "caches"],
  ...["navigator", "location", "cookieStore", "FileReader", "FileReaderSync", "FontFace", "OffscreenCanvas"],
];

/** Reaches JavaScript past the import gate, as code that wants out would. */
const REACH_JS = "import sys\nself_ = sys.modules['_vitrine_host'].post.constructor('return globalThis')()\n";

let session: Session;

beforeAll(async () => {
  const echo = functionTool({
    name: "echo",
    description: "Says it again.",
    input: z.object({ text: z.string() }),
    run: ({ text }) => text,
  });
  session = await Session.open({ storage: memoryStorage(), trust: "isolated", tools: [echo] });
});
afterAll(() => session.close());

describe("an isolated session", () => {
  test("runs in a worker of the page's origin and says its level", () => {
    expect(session.trust).toBe("isolated");
    expect(session.capabilities).toMatchObject({ trust: "isolated", host: "page" });
  });

  test("runs Python whole: tools, skills, artifacts, time, random, asyncio, threads of none", async () => {
    const { value, error } = await session.run(
      [
        "import asyncio, json, random, time, datetime, re, decimal, hashlib, secrets, uuid",
        "skills.create('twice', 'def run(text): return tools.echo(text=text) * 2')",
        "artifacts.save('a.json', {'n': [1, 2]})",
        "time.sleep(0.01)",
        "async def slow(n):",
        "    await asyncio.sleep(0.01)",
        "    return await tools.echo.call_async(text=str(n))",
        "gathered = await asyncio.gather(*[slow(n) for n in range(5)])",
        "datetime.datetime.strptime('2026-01-02', '%Y-%m-%d')",
        "[skills.twice(text='a'), artifacts.load('a.json'), gathered, len(secrets.token_bytes(4)), len(str(uuid.uuid4()))]",
      ].join("\n"),
    );

    expect(error).toBeNull();
    expect(value).toEqual(["aa", { n: [1, 2] }, ["0", "1", "2", "3", "4"], 4, 36]);
  });

  test("is interrupted at its deadline, and goes on with its variables", async () => {
    const late = await session.run("kept = 7\nwhile True: pass", { timeout: 300 });
    const next = await session.run("kept");

    expect(late.error).toMatchObject({ code: "RUN_TIMEOUT" });
    expect(next.value).toBe(7);
  });

  test("draws rich output, streams, completes names and is reset", async () => {
    const shown = await session.run("class Page:\n    def _repr_html_(self): return '<b>x</b>'\nprint('out')\nPage()");
    const completion = await session.complete("kep");
    await session.reset();
    const fresh = await session.run("'kept' in globals()");

    expect(shown.stdout).toBe("out\n");
    expect(shown.outputs[0]?.data["text/html"]).toBe("<b>x</b>");
    expect(completion.options.map(({ label }) => label)).toContain("kept");
    expect(fresh.value).toBe(false);
  });

  test.each(WAYS_OUT)("has no %s, own or inherited, past the gate as well", async (name) => {
    const { value, error } = await session.run(
      `${REACH_JS}found = self_.Function('name', 'return typeof globalThis[name]')\nfound(${JSON.stringify(name)})`,
    );

    expect(error).toBeNull();
    expect(value).toBe("undefined");
  });

  test("has only what is known to be harmless: nothing that a browser adds is there by itself", async () => {
    const { value } = await session.run(
      `${REACH_JS}self_.Function('const names = []; for (let o = globalThis; o; o = Object.getPrototypeOf(o)) names.push(...Object.getOwnPropertyNames(o)); return names.filter((name) => globalThis[name] !== undefined && /fetch|socket|worker|storage|channel|navigator|cache|request|port|url/i.test(name)).join()')()`,
    );

    expect((value as string).split(",").sort()).toEqual([
      "MessageChannel",
      "MessagePort",
      "URL",
      "URLSearchParams",
      "reportError",
    ]);
  });
});

describe("the import gate of an isolated session", () => {
  test.each([
    ["import js", "Import 'js' not allowed"],
    ["from js import fetch", "Import from 'js' not allowed"],
    ["import pyodide_js", "Import 'pyodide_js' not allowed"],
    ["from pyodide.code import run_js", "Import from 'pyodide.code' not allowed"],
    ["from pyodide.ffi import to_js", "Import from 'pyodide.ffi' not allowed"],
    ["import pyodide.http as h", "Import 'pyodide.http' not allowed"],
    ["import _pyodide_core", "Import '_pyodide_core' not allowed"],
    ["import _vitrine_host", "Import '_vitrine_host' not allowed"],
    ["from vitrine import _host", "Import 'vitrine._host' not allowed"],
    ["import vitrine._host", "Import 'vitrine._host' not allowed"],
    ["import ctypes", "Import 'ctypes' not allowed"],
    ["if False:\n    import js", "Import 'js' not allowed"],
    ["__import__('js')", "Import 'js' not allowed"],
    ["import importlib\nimportlib.import_module('js')", "Import 'js' not allowed"],
    ["name = 'j' + 's'\n__import__(name)", "Import 'js' not allowed"],
    ["import importlib\nname = 'j' + 's'\nimportlib.import_module(name)", "Import 'js' not allowed"],
    ["exec('import js')", "Import 'js' not allowed"],
  ])("refuses %j", async (code, text) => {
    const { error } = await session.run(code);

    expect(error).toMatchObject({ code: "IMPORT_NOT_ALLOWED", pythonType: "ImportNotAllowedError" });
    expect(error?.message).toContain(text);
  });

  test("says module and line, before anything runs", async () => {
    const { error, stdout } = await session.run("print('ran')\n\nimport js");

    expect(error?.message).toMatch(/^Import 'js' not allowed \(line 3 of <.+>\)\./);
    expect(stdout).toBe("");
  });

  test("holds for skills and for modules of the workspace", async () => {
    const skill = await session.run("skills.create('sly', 'def run():\\n    import js\\n    return 1')\nskills.sly()");
    const file = await session.run(
      "import sys\nopen('sly_file.py', 'w').write('import js')\nsys.path.insert(0, '/workspace')\nimport sly_file",
    );

    expect(skill.error).toMatchObject({ code: "IMPORT_NOT_ALLOWED" });
    expect(skill.error?.message).toContain("line 2 of <skill:sly>");
    expect(file.error).toMatchObject({ code: "IMPORT_NOT_ALLOWED" });
  });

  test("can be caught as ImportError, and as what it is", async () => {
    const { value } = await session.run(
      "try:\n    exec('import js')\nexcept ImportError as error:\n    caught = [type(error).__name__, error.module, error.line, error.code]\ncaught",
    );

    expect(value).toEqual(["ImportNotAllowedError", "js", 1, "IMPORT_NOT_ALLOWED"]);
  });

  test("leaves the standard library and our own errors alone", async () => {
    const { error } = await session.run(
      "import os.path, sys, collections.abc, urllib.parse, xml.etree.ElementTree, sqlite3\nfrom vitrine import ToolTimeoutError",
    );

    expect(error === null || error.message.includes("sqlite3")).toBe(true);
  });
});
