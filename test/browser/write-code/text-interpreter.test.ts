import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";

import { planRun } from "../../../src/session/runs/run-plan.js";
import { callPython, SealedPython } from "../../../src/session/runs/sealed-python.js";
import { sessionParts, type SessionParts } from "../../../src/session/session-parts.js";
import type { SessionOptions } from "../../../src/session/session-options.js";
import { memoryStorage } from "../../../src/storage/index.js";
import { functionTool } from "../../../src/tools/index.js";
import { checkText, type CheckedText, type TextCheck } from "../../../src/write-code/text/check-text.js";
import { prepareTexts } from "../../../src/write-code/text/prepare-texts.js";

const folder = { folder: `${inject("packageServer")}/folder/` };
const weather = functionTool({
  name: "weather",
  description: "Weather of a city.",
  input: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  run: () => null,
});

/** A session, in parts. */
function open(options: Partial<SessionOptions> = {}): SessionParts {
  const parts = sessionParts({ storage: memoryStorage(), ...options });
  parts.services.registry.register(weather);
  return parts;
}

function close({ texts, interpreter }: SessionParts): void {
  texts.close();
  interpreter.close();
}

/** Runs code in the session's own interpreter. */
async function run(parts: SessionParts, code: string): Promise<unknown> {
  const result = await parts.queue.run(planRun(code, {}, { ...parts.planning, name: "run" }), undefined);
  expect(result.error).toBeNull();
  return result.value;
}

describe("Python of a model", () => {
  let opened: SessionParts;
  beforeAll(() => {
    opened = open({ packages: [folder] });
  });
  afterAll(() => {
    close(opened);
  });
  const look = (text: string, more: Partial<CheckedText> = {}): Promise<TextCheck> =>
    checkText({ path: "app.py", text, language: "python", batchPaths: ["app.py"], ...more }, () => opened.texts.open());

  test("is looked at by its syntax, its names and what it calls", async () => {
    const { problems, words } = await look('def f(:\n    return "a"\n');
    expect(problems).toEqual([expect.stringMatching(/^line 1, column \d+: SyntaxError: invalid syntax/)]);
    expect(words).toContain('1 | def f(:\n2 |     return "a"');

    expect((await look("print(totals)\n")).problems).toEqual([
      expect.stringContaining("NameError: name 'totals' is not defined"),
    ]);
    expect((await look("tools.wether(city='Oslo')\n")).problems).toEqual([
      expect.stringMatching(/Unknown tool: wether.*Write tools\.weather/),
    ]);
    expect(await look("import json\n\n\ndef f():\n    return tools.weather(city=json.dumps(1))\n")).toEqual({
      ...{ problems: [], words: "", warnings: [] },
    });
  });

  test("is a module: what only a cell may have is a mistake", async () => {
    for (const text of ["import asyncio\nawait asyncio.sleep(0)\n", "!ls\n", "%pip install attrs\n"]) {
      const { problems } = await look(text);

      expect(problems).toEqual([expect.stringContaining("A file is a module")]);
    }
  });

  test("finds modules of its batch, of the call and of the workspace, and no others", async () => {
    const text = "import totals\nimport flask\nimport stored\n";
    expect((await look(text)).problems).toEqual([
      expect.stringContaining("No module named 'totals'"),
      expect.stringContaining("No module named 'flask'"),
      expect.stringContaining("No module named 'stored'"),
    ]);
    await opened.services.workspace.write("lib/stored.py", "");

    const { problems, warnings } = await look(text, {
      batchPaths: ["app.py", "src/totals.py"],
      externalImports: ["from flask import Flask"],
    });

    expect(problems).toEqual([]);
    expect(warnings).toEqual([
      expect.stringContaining("No module named 'totals'"),
      expect.stringContaining("No module named 'flask'"),
    ]);
  });

  test("finds packages that the session has installed meanwhile, and ftfy only then", async () => {
    expect((await look("import attrs\nimport ftfy\n")).problems).toHaveLength(2);
    await run(opened, "deps.add('attrs')");

    expect((await look("import attrs\nimport ftfy\n")).problems).toEqual([
      expect.stringContaining("No module named 'ftfy'"),
    ]);
  });

  test("is looked at while the session's own interpreter is at work", async () => {
    const running = run(opened, "import time\ntime.sleep(30)").catch(() => undefined);

    const { problems } = await look("x = (\n");

    expect(problems).toHaveLength(1);
    opened.queue.interrupt();
    await running;
  });

  test("too long or too deep is not checked, and that is a warning", async () => {
    const { problems, warnings } = await look(`x = ${"(".repeat(5000)}${")".repeat(5000)}\n`);

    expect(problems).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining("not checked whole")]);
    expect((await look("x = (\n")).problems).toHaveLength(1);
  });
});

describe("other formats", () => {
  const look = (path: string, text: string): Promise<TextCheck> =>
    checkText({ path, text, language: "unknown", batchPaths: [path] }, () => Promise.reject(new Error("No Python.")));

  test.each([
    ["a.json", '{\n  "a": 1,\n}\n', 3],
    ["a.yaml", "a:\n  b: 1\n c: 2\n", 3],
    ["pyproject.toml", "[a]\nname = web\n", 2],
    ["page.html", "<p>one</p>\n<script>let a =", 2],
    ["icon.svg", '<svg xmlns="http://www.w3.org/2000/svg">\n  <g>\n</svg>\n', 3],
    ["style.css", "p { color: red }\na {\n  color: red;\n", 2],
    ["a.xml", "<a>\n  <b>\n</a>\n", 3],
    ["a.csv", 'a,b\n1,"two\n3,4\n', 2],
  ])("%s that cannot be read goes back with its lines (W66)", async (path, text, line) => {
    const { problems, words } = await look(path, text);

    expect(problems).toEqual([expect.stringMatching(/[a-z]+_(?:parse_failed)/)]);
    expect(words).toContain(`${path} was checked and cannot be used as it is:`);
    expect(words).toContain(`\n${String(line)} | ${text.split("\n")[line - 1] ?? ""}`);
  });

  test.each([
    ["a.json", '{"a": 1}\n'],
    ["icon.svg", '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0"/></svg>\n'],
    ["style.css", "a { color: red }\n"],
    ["main.go", "package main {\n"],
    ["Makefile", "all:\n"],
  ])("%s is fine", async (path, text) => {
    expect(await look(path, text)).toEqual({ problems: [], words: "", warnings: [] });
  });

  test("comments in a JSON file that may have them are a warning", async () => {
    const { problems, warnings } = await look("web/tsconfig.json", '{\n  // strict\n  "strict": true\n}\n');

    expect(problems).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining("json_parse_failed")]);
  });
});

describe("mojibake of a model", () => {
  let opened: SessionParts | undefined;
  beforeEach(() => caches.delete("vitrine-packages"));
  afterEach(() => {
    if (opened !== undefined) close(opened);
  });

  test("is repaired by ftfy of the package folder, and nothing else of the code is touched (W52)", async () => {
    const made = open({ packages: [folder], approvals: { "deps.add": "deny" }, allowRuntimeDeps: false });
    opened = made;
    const code = [
      "title = 'schÃ¶n'  # itâ€™s",
      "s.replace('&amp;', '&')  # schÃ¶n &lt;b&gt;",
      "“curly” ﬁne ｆｕｌｌ cafe\u0301 Ã¼",
      "real = 'größer'",
      "naïve = 'schÃ¶n'",
      "",
    ];

    const results = await prepareTexts(
      [
        { path: "a.py", text: code.join("\r\n") },
        { path: "b.py", text: "ж = 'РџСЂРёРІРµС‚'\n" },
      ],
      () => made.texts.open(),
    );

    expect(results.map(({ text }) => text)).toEqual([
      [
        "title = 'schön'  # it’s",
        "s.replace('&amp;', '&')  # schön &lt;b&gt;",
        "“curly” ﬁne ｆｕｌｌ cafe\u0301 ü",
        "real = 'größer'",
        "naïve = 'schön'",
        "",
      ].join("\n"),
      "ж = 'Привет'\n",
    ]);
    expect(await made.services.depsStore.list()).toEqual([]);
    expect(made.services.deps.handedOut()).toEqual([]);
    expect(await made.services.journal.list()).toEqual([]);
  });

  test("stays where no package source has ftfy, with the reason", async () => {
    const made = open();
    opened = made;

    const [result] = await prepareTexts([{ path: "a.py", text: "schÃ¶n" }], () => made.texts.open());

    expect(result?.text).toBe("schÃ¶n\n");
    expect(result?.warnings).toEqual([expect.stringContaining("the session has no packages to take ftfy from")]);
  });

  test("stays where the package folder does not answer", async () => {
    const made = open({ packages: [{ folder: `${inject("packageServer")}/nothing/` }] });
    opened = made;

    const texts = await made.texts.open();

    expect(await texts.repair(["schÃ¶n"])).toMatchObject({ texts: ["schÃ¶n"], isRepaired: false });
  });
});

test("a session that is closed looks at no texts", async () => {
  const parts = open();
  const texts = await parts.texts.open();
  close(parts);

  await expect(texts.check("1")).rejects.toMatchObject({ code: "SESSION_CLOSED" });
  await expect(parts.texts.open()).rejects.toMatchObject({ code: "SESSION_CLOSED" });
  const unused = open();
  close(unused);
  await expect(unused.texts.open()).rejects.toMatchObject({ code: "SESSION_CLOSED" });
});

describe("an interpreter beside the session's own", () => {
  test("is ended when it had nothing to do for a while, and started when it is needed", async () => {
    const python = new SealedPython({ storage: memoryStorage() }, { idle: 1 });
    await python.use({ wheels: [], work: () => Promise.resolve() });

    await expect.poll(() => python.isStarted).toBe(false);

    expect(await python.use({ wheels: [], work: () => Promise.resolve(python.isStarted) })).toBe(true);
    python.close();
    await expect(python.use({ wheels: [], work: () => Promise.resolve() })).rejects.toMatchObject({
      code: "SESSION_CLOSED",
    });
  });

  test("that is ended at its work fails that work alone", async () => {
    const python = new SealedPython({ storage: memoryStorage() });
    const lost = python.use({
      wheels: [],
      work: async (executor) => {
        executor.stop("a test ended it");
        await executor.check({ code: "1", filename: "<a>", helpers: "none", skills: [] });
      },
    });

    await expect(lost).rejects.toMatchObject({ code: "TEXT_INTERPRETER" });
    await python.use({ wheels: [], work: () => Promise.resolve() });
    python.close();
  });

  test("whose code does not end is stopped in its time, and works on", async () => {
    const python = new SealedPython({ storage: memoryStorage() });
    const call = (source: string): Promise<unknown> =>
      python.use({
        wheels: [],
        work: (executor) => callPython(executor, { source, name: "answer", given: [1], limit: 200 }),
      });

    const hanging = call(
      "def answer(given):\n    while True:\n        try:\n            while True: pass\n        except BaseException: pass",
    );

    await expect(hanging).rejects.toMatchObject({ code: "TEXT_INTERPRETER" });
    expect(await call("def answer(given):\n    return given")).toBe("[1]");
    await expect(call("def answer(given):\n    raise ValueError('no')")).rejects.toThrow("ValueError: no");
    python.close();
  });

  test("is no longer waited for once the signal is aborted", async () => {
    const python = new SealedPython({ storage: memoryStorage() });
    const stop = new AbortController();
    const waiting = python.use({ wheels: [], work: () => new Promise(() => undefined), signal: stop.signal });

    stop.abort(new Error("stopped"));

    await expect(waiting).rejects.toThrow("stopped");
    python.close();
  });
});
