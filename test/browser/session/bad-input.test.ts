import { afterEach, describe, expect, inject, test } from "vitest";
import { z } from "zod";

import type { SpawnedWorker } from "../../../src/executor/index.js";
import {
  functionTool,
  memoryStorage,
  pageHost,
  Session,
  type SessionOptions,
  type ToolAdapter,
  type WorkerHost,
} from "../../../src/index.js";
import { hosts, openSession } from "./hosts.js";

const weather = functionTool({
  name: "weather",
  description: "Weather of a city.",
  input: z.object({ city: z.string(), days: z.int().default(1) }),
  run: ({ city, days }) => `${city} ${String(days)}`,
});

const named = (name: string): ToolAdapter =>
  functionTool({ name, description: "", input: z.object({}), run: () => `of the page: ${name}` });

const httpTool = (name: string): { file: string; text: string } => ({
  file: `tools/${name}.yaml`,
  text: `name: ${name}\ntype: http\nbase_url: https://example.invalid\nrecipes:\n  get:\n    method: GET\n    path: /x\n`,
});

let session: Session | undefined;
afterEach(async () => {
  await session?.close();
  session = undefined;
});

describe.each(hosts)("what code does wrong at the $host host", ({ trust }) => {
  test("an unknown tool or argument is named, with what there is, and the session goes on", async () => {
    session = await openSession({ trust, tools: [weather] });

    const unknown = await session.run("tools.whether(city='Oslo')");
    const argument = await session.run("tools.weather(town='Oslo')");
    const type = await session.run("tools.weather(city='Oslo', days='many')");
    const many = await session.run("tools.weather('Oslo', 1, 2)");

    expect(unknown.error?.message).toBe("Unknown tool: whether. Available: weather");
    expect(argument.error).toMatchObject({ code: "TOOL_ARGUMENT", pythonType: "ToolArgumentError" });
    expect(argument.error?.message).toContain("town");
    expect(argument.error?.message).toContain("city");
    expect(type.error).toMatchObject({ code: "TOOL_ARGUMENT" });
    expect(type.error?.message).toContain("days");
    expect(many.error).toMatchObject({ pythonType: "TypeError" });
    expect((await session.run("tools.weather('Oslo', days=2)")).value).toBe("Oslo 2");
  });
});

describe("options that are wrong", () => {
  test.each([
    ["a limit of text", { limits: { callsPerRun: "10" } }, "limits.callsPerRun is a whole number of at least 0"],
    [
      "a limit below what makes sense",
      { limits: { openCalls: 0 } },
      "limits.openCalls is a whole number of at least 1",
    ],
    ["a heap too small for Python", { limits: { heapSize: 1024 } }, "limits.heapSize is a whole number of at least"],
    ["an unknown trust level (T5)", { trust: "sealed" }, 'trust is one of local, isolated, sandboxed; not "sealed"'],
    ["an unknown policy of spares", { spare: 2 }, "spare is one of none, one"],
    ["a timeout of no time", { timeout: 0 }, "A timeout is a number of milliseconds from 1"],
    ["no storage", { storage: undefined }, "Session.open needs a storage"],
    ["seeds that are no list", { seeds: { "tools/a.yaml": "name: a" } }, "seeds is a list of files such as `{ file: "],
    [
      "a seed with other keys",
      { seeds: [httpTool("a"), { name: "tools/b.yaml", content: "name: b" }] },
      'seeds[1] is a file with its text, such as `{ file: "tools/weather.yaml", text: "name: weather …" }`; ' +
        "not an object with name: string, content: string",
    ],
    ["a seed of bytes", { seeds: [{ file: "tools/b.yaml", text: new Uint8Array() }] }, "text: object"],
    ["a seed that is a text", { seeds: ["tools/b.yaml"] }, "not string"],
  ])("%s is refused with what to write instead", async (_, options, message) => {
    // As plain JavaScript calls it, which no type holds back.
    const opening: unknown = Reflect.apply((given: SessionOptions) => Session.open(given), undefined, [
      { storage: memoryStorage(), ...options },
    ]);

    await expect(opening).rejects.toMatchObject({ code: "SESSION_OPTIONS" });
    await expect(opening).rejects.toThrow(message);
  });
});

describe("files that are wrong", () => {
  test("one malformed tool file is listed with file and line, the others work", async () => {
    session = await openSession({
      seeds: [httpTool("good"), { file: "tools/bad.yaml", text: "name: bad\nrecipes: {get: [\n" }, httpTool("fine")],
    });

    expect(
      session.tools
        .list()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(["fine", "good"]);
    const problems = session.tools.problems();
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ file: "tools/bad.yaml", line: expect.any(Number) as number });
    expect((await session.run("sorted(t.name for t in tools.list())")).value).toEqual(["fine", "good"]);
  });

  test("tools that cannot have their names are listed, the others work, and the page's go before files", async () => {
    const reported: unknown[] = [];
    session = await openSession({
      seeds: [httpTool("register"), httpTool("_mail"), httpTool("good")],
      tools: [named("weather"), named("_secret"), named("a/b"), named("weather"), named("good")],
      onProblem: (error) => reported.push(error),
    });
    const { tools } = session;

    expect(tools.list().map(({ name }) => name)).toEqual(["_mail", "weather", "_secret", "good"]);
    expect(tools.problems()).toEqual([
      expect.objectContaining({ file: "tools/good.yaml", code: "TOOL_NAME_TAKEN" }),
      expect.objectContaining({ file: "tools/register.yaml", field: "name", code: "TOOL_NAME" }),
      expect.objectContaining({ file: "tools.a/b", field: "name", code: "TOOL_NAME" }),
      expect.objectContaining({ file: "tools.weather", field: "name", code: "TOOL_NAME_TAKEN" }),
    ]);
    expect(reported).toMatchObject([{ code: "TOOL_NAME" }, { code: "TOOL_NAME_TAKEN" }]);
    const run = await session.run("tools.x_secret(), tools['_secret'](), tools.good(), tools.x_mail.signature()");
    expect(run.value).toEqual(["of the page: _secret", "of the page: _secret", "of the page: good", "get()"]);

    await tools.remove("register");
    expect(tools.problems().map(({ file }) => file)).toEqual(["tools/good.yaml", "tools.a/b", "tools.weather"]);
  });

  test("what is no tool at all is refused among the tools", async () => {
    const opening: unknown = Reflect.apply((given: SessionOptions) => Session.open(given), undefined, [
      { storage: memoryStorage(), tools: [() => "sunny"] },
    ]);

    await expect(opening).rejects.toMatchObject({ code: "TOOL_INVALID" });
  });

  test("a malformed tool file is no problem any more once it is replaced or removed", async () => {
    session = await openSession({
      seeds: ["one", "two"].map((name) => ({ file: `tools/${name}.yaml`, text: `name: ${name}\nrecipes: {get: [\n` })),
    });
    const { tools } = session;
    expect(tools.problems().map(({ file }) => file)).toEqual(["tools/one.yaml", "tools/two.yaml"]);

    await tools.addFile(httpTool("one"));
    expect(tools.problems().map(({ file }) => file)).toEqual(["tools/two.yaml"]);

    await tools.remove("two");
    expect(tools.problems()).toEqual([]);
  });

  test("a file of several tools is neither overwritten nor removed by what is done with one", async () => {
    const text = "tools:\n  - { name: kit, recipes: { a: {} } }\n  - { name: saw, recipes: { a: {} } }\n";
    const storage = memoryStorage();
    session = await openSession({ storage, seeds: [{ file: "tools/kit.yaml", text }] });
    const { tools } = session;
    const stored = async (): Promise<string> => new TextDecoder().decode(await storage.get("tools/kit.yaml"));

    expect(tools.list().map(({ name }) => name)).toEqual(["kit", "saw"]);
    expect(await tools.remove("kit")).toBe(true);
    expect(await stored()).toBe(text);
    await expect(tools.addFile(httpTool("kit"))).rejects.toMatchObject({ code: "TOOL_FILE", field: "name" });
    await expect(tools.addFile({ file: "more.yaml", text })).rejects.toThrow("`seeds` of Session.open");
    expect(await stored()).toBe(text);
  });

  test("a skill with a syntax error is listed with its line, the others run", async () => {
    session = await openSession({
      seeds: [
        { file: "skills/good.py", text: "def run():\n    return 'good'\n" },
        { file: "skills/bad.py", text: "def run():\n    return (\n" },
      ],
    });

    const { skills, problems } = await session.skills.list();

    expect(skills.map(({ name }) => name)).toEqual(["good"]);
    expect(problems).toMatchObject([{ file: "skills/bad.py", code: "SKILL_SYNTAX", line: 2 }]);
    expect((await session.run("skills.good()")).value).toBe("good");
    const { error } = await session.run("skills.bad()");
    expect(error?.message).toMatch(/syntax/i);
  });

  test("a file of Python that does not load is named", async () => {
    const pyodideBaseURL = `${inject("embeddingServer")}/files/no-pyodide/`;

    const opening = Session.open({ storage: memoryStorage(), pyodideBaseURL });

    await expect(opening).rejects.toMatchObject({ code: "ASSET_LOAD", name: "AssetLoadError" });
    await expect(opening).rejects.toThrow(`${pyodideBaseURL}pyodide`);
    // A failure is not remembered, and costs the next session nothing.
    session = await openSession();
    expect((await session.run("1")).value).toBe(1);
  });

  test("files of Python that are something else fail the start", async () => {
    const pyodideBaseURL = `${inject("embeddingServer")}/files/wrong/`;
    for (const name of [
      "pyodide.mjs",
      "pyodide.asm.mjs",
      "pyodide.asm.wasm",
      "python_stdlib.zip",
      "pyodide-lock.json",
    ]) {
      await fetch(`${pyodideBaseURL}${name}`, { method: "PUT", body: "<!doctype html>" });
    }

    await expect(Session.open({ storage: memoryStorage(), pyodideBaseURL })).rejects.toMatchObject({
      code: "WORKER_START",
    });
  });
});

describe("a worker that fails", () => {
  const spawning = (change: (source: string) => string): WorkerHost => {
    const host = pageHost();
    return { kind: "page", spawn: (source: string): Promise<SpawnedWorker> => host.spawn(change(source)) };
  };

  test("at its start is WorkerStartError", async () => {
    const host = spawning(() => "throw new Error('broken at once')");

    await expect(Session.open({ storage: memoryStorage(), trust: "local", host })).rejects.toMatchObject({
      code: "WORKER_START",
      message: expect.stringContaining("broken at once") as string,
    });
  });

  test("that is no script is WorkerStartError", async () => {
    const host = spawning(() => "this is no script");

    await expect(Session.open({ storage: memoryStorage(), trust: "local", host })).rejects.toMatchObject({
      code: "WORKER_START",
    });
  });

  test("in a run ends the run, and the next has a new interpreter", async () => {
    session = await openSession({ trust: "local" });
    await session.run("old = 1");

    const { error, notices } = await session.run("import os\nos._exit(1)");

    expect(error).not.toBeNull();
    const after = await session.run("'old' in globals()");
    expect(after.error).toBeNull();
    expect(after.value).toBe(notices.join().includes("variables are gone") ? false : true);
  });

  test("whose frame is removed ends the run, and the next has a new interpreter", async () => {
    session = await openSession({ trust: "sandboxed" });
    await session.run("old = 1");
    const running = session.run("import time\nprint('waiting')\ntime.sleep(600)", {
      timeout: null,
      onOutput: () => {
        for (const frame of document.querySelectorAll("iframe[sandbox]")) frame.remove();
      },
    });

    const { error, notices } = await running;

    expect(error).toMatchObject({ code: "WORKER_LOST" });
    expect(notices.join()).toContain("variables are gone");
    expect((await session.run("'old' in globals()")).value).toBe(false);
  });

  test("whose frame is removed between two runs: the next has a new interpreter, and says why", async () => {
    session = await openSession({ trust: "sandboxed" });
    await session.run("old = 1");
    for (const frame of document.querySelectorAll("iframe[sandbox]")) frame.remove();

    const { value, error, notices } = await session.run("'old' in globals()");

    expect([value, error]).toEqual([false, null]);
    expect(notices.join()).toContain("its frame was removed from the page");
  });
});
