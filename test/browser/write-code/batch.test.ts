import { afterEach, expect, inject, test } from "vitest";

import {
  CodeAgent,
  codingAgent,
  memorySecrets,
  memoryStorage,
  openaiModel,
  Session,
  type ApprovalRequest,
  type ImageModel,
  type SessionOptions,
  type WriteCodeEvent,
  type WriteCodeOptions,
} from "../../../src/index.js";
import { fenced, pageModel, writes } from "./page-models.js";

let session: Session | undefined;

afterEach(async () => {
  await session?.close();
  session = undefined;
});

const ALLOW = { "tools.write_codebase_tool": "allow" } as const;

function open(writeCode: WriteCodeOptions, options: Partial<SessionOptions> = {}): Promise<Session> {
  return Session.open({ storage: memoryStorage(), approvals: ALLOW, writeCode, ...options }).then(
    (opened) => (session = opened),
  );
}

interface Answer {
  readonly tool_name: string;
  readonly command: string;
  readonly error: string | null;
  readonly output: {
    readonly status: string;
    readonly message: string;
    readonly results: readonly Readonly<Record<string, unknown>>[];
    readonly errors: readonly string[];
    readonly warnings: readonly string[];
    readonly telemetry: readonly unknown[];
    readonly write_path: string;
    readonly changes: string | null;
  } | null;
}

type FileDetail = Readonly<Record<"filename" | "code_description", string>> & { readonly internal_imports?: string[] };

async function write(opened: Session, ...files: FileDetail[]): Promise<Answer> {
  const answer: unknown = await opened.client().callTool("write_codebase_tool", { command: "write_codebase", files });
  return answer as Answer;
}

async function textOf(opened: Session, path: string): Promise<string> {
  return new TextDecoder().decode(await opened.workspace.read(path));
}

const GREET = { filename: "greet.py", code_description: "A function greet(name)." };
const CODE = 'def greet(name):\n    return f"Hello, {name}"';

test("code of a session writes a file and imports it in the same run (W17, W19)", async () => {
  const opened = await open({ models: [writes("quick", CODE)] });
  const { value, error } = await opened.run(
    [
      "answer = tools.write_codebase_tool(command='write_codebase', files=[",
      "    {'filename': 'deep/er/greet.py', 'code_description': 'A function greet(name).'}])",
      "from deep.er.greet import greet",
      "[answer['error'], answer['output']['status'], answer['output']['results'][0]['operation'], greet('Ada')]",
    ].join("\n"),
  );
  expect(error).toBeNull();
  expect(value).toEqual([null, "success", "create", "Hello, Ada"]);
});

test("codex_tools has it, too", async () => {
  const opened = await open({ models: [writes("quick", CODE)] });
  const { value, error } = await opened.run(
    "import codex_tools\ncodex_tools.write_codebase_tool(command='write_codebase', files=[{'filename': 'a.py', 'code_description': 'x'}])['output']['files_successful']",
  );
  expect(error).toBeNull();
  expect(value).toBe(1);
});

test("a session that was opened without `writeCode` has no such tool", async () => {
  const opened = (session = await Session.open({ storage: memoryStorage() }));
  expect(opened.tools.list().map(({ name }) => name)).not.toContain("write_codebase_tool");
});

test("what is wrong with a call is its answer, and no model is asked (W3, W4, W10)", async () => {
  const model = writes("quick", CODE);
  const opened = await open({ models: [model] });
  const call = (args: Record<string, unknown>) => opened.client().callTool("write_codebase_tool", args as never);

  expect(await call({ command: "invalid_command", files: [GREET] as never })).toMatchObject({
    tool_name: "write_codebase_tool",
    command: "invalid_command",
    output: null,
    error: expect.stringContaining("Unsupported command: invalid_command"),
  });
  expect(await call({ command: "write_codebase", files: [] })).toMatchObject({
    error: expect.stringContaining("No files specified"),
  });
  expect(await call({ command: "write_codebase", files: null })).toMatchObject({
    error: expect.stringContaining("Invalid format for 'files' parameter"),
  });
  expect(model.prompts).toEqual([]);
});

test("the answer has the keys that callers know, and what is new behind them (W40, W41)", async () => {
  const opened = await open({ models: [writes("quick", CODE)], root: "project" });
  const answer = await write(opened, GREET);

  expect(answer).toMatchObject({ tool_name: "write_codebase_tool", command: "write_codebase", error: null });
  expect(Object.keys(answer.output ?? {})).toEqual([
    ...["status", "message", "files_processed", "files_successful", "code_files_processed", "code_files_successful"],
    ...["image_files_processed", "image_files_successful", "write_path", "results", "errors"],
    ...["warnings", "telemetry", "changes"],
  ]);
  expect(JSON.parse(JSON.stringify(answer))).toEqual(answer);
  expect(answer.output).toMatchObject({
    write_path: "/workspace/project",
    message:
      "Codebase generation finished. Status: success. 1/1 files written successfully to HOST path '/workspace/project'.",
    results: [{ filename: "greet.py", status: "success", operation: "create", code: `${CODE}\n`, model: "quick" }],
  });
  expect(await textOf(opened, "project/greet.py")).toBe(`${CODE}\n`);
});

test("a file that is there is replaced, and one undo brings the batch back (W18, W89)", async () => {
  const opened = await open({ models: [writes("quick", CODE)] });
  await opened.workspace.write("greet.py", "old = 1\n");
  const answer = await write(opened, GREET, { filename: "other.py", code_description: "The same." });

  expect(answer.output?.results.map(({ operation }) => operation)).toEqual(["modify", "create"]);
  const changes = await opened.workspace.changes(answer.output?.changes ?? "");
  await changes?.undo();
  expect(await textOf(opened, "greet.py")).toBe("old = 1\n");
  expect((await opened.workspace.list()).map(({ path }) => path)).toEqual(["greet.py"]);

  const again = await write(opened, GREET);
  expect(again.output?.results[0]).toMatchObject({ operation: "modify" });
});

test("a file that imports another of the batch is written after it, by models that read it (W57)", async () => {
  const model = writes("quick", CODE);
  const opened = await open({ models: [model] });
  await write(
    opened,
    { filename: "service.py", code_description: "Uses greet.", internal_imports: ["store"] },
    { filename: "store.py", code_description: "A function greet(name)." },
  );

  const [first = "", second = ""] = model.prompts;
  expect(first).toContain("service.py");
  expect(second).toContain('return f"Hello, {name}"');
});

test("one file that fails takes no other along, and leaves what was there (W35, W36, W38)", async () => {
  const model = pageModel("quick", ({ prompt }) => (prompt.includes("## Target File\nmute.py") ? "" : fenced(CODE)));
  const opened = await open({ models: [model] });
  await opened.workspace.write("mute.py", "old = 1\n");
  const answer = await write(opened, { filename: "mute.py", code_description: "Say nothing." }, GREET);

  expect(answer.error).toBeNull();
  expect(answer.output).toMatchObject({ status: "partial_success", files_processed: 2, files_successful: 1 });
  expect(answer.output?.results.map(({ filename, status }) => [filename, status])).toEqual([
    ["mute.py", "error"],
    ["greet.py", "success"],
  ]);
  expect(answer.output?.errors).toHaveLength(1);
  expect(await textOf(opened, "mute.py")).toBe("old = 1\n");
});

test("where no file was written the answer is an error, and has the whole result (W39)", async () => {
  const opened = await open({ models: [pageModel("mute", () => "")] });
  const answer = await write(opened, GREET);

  expect(answer.output).toMatchObject({ status: "error", files_successful: 0 });
  expect(answer.error).toBe(answer.output?.message);
});

test("of a Markdown file without a text the answer says so (W37)", async () => {
  const opened = await open({ models: [pageModel("mute", () => "  \n ")] });
  const answer = await write(opened, { filename: "README.md", code_description: "About the project." });

  expect(answer.output).toMatchObject({ status: "error", results: [{ error_code: "EMPTY_CODE" }] });
  expect(answer.error).not.toBeNull();
  expect(answer.output?.errors[0]).toContain("Generated code was empty");
});

test("Python that cannot be read goes back to its model once, with the lines around the mistake", async () => {
  const model = pageModel("quick", ({ call }) => fenced(call === 1 ? "def greet(name:\n    return 1" : CODE));
  const opened = await open({ models: [model] });
  const answer = await write(opened, GREET);

  expect(answer.output).toMatchObject({ status: "success", results: [{ attempts: 2 }] });
  expect(model.prompts).toHaveLength(2);
  expect(model.prompts[1]).toMatch(/1 *[|:].*def greet\(name:/);
});

test("what fails its check twice is not written, unless the caller allows it, and then marked", async () => {
  const broken = pageModel("quick", () => fenced("def greet(name:\n    return 1"));
  const strict = await open({ models: [broken] });
  const refused = await write(strict, GREET);
  expect(refused.output?.results[0]).toMatchObject({ status: "error", error_code: "CHECK_FAILED" });
  expect(await strict.workspace.list()).toEqual([]);
  await strict.close();

  const lenient = await open({ models: [broken], writesFaulty: true });
  const written = await write(lenient, GREET);
  expect(written.output?.results[0]).toMatchObject({
    status: "success",
    warnings: [expect.stringContaining("does not pass its check")],
  });
});

test("a person sees every file with its difference, and accepts some", async () => {
  const asked: ApprovalRequest[] = [];
  const opened = await open(
    { models: [writes("quick", CODE)] },
    {
      approvals: {},
      onApproval: (request) => {
        asked.push(request);
        return { decision: "allow", files: { "greet.py": "accept", "other.py": "refuse" } };
      },
    },
  );
  await opened.workspace.write("greet.py", "old = 1\n");
  const answer = await write(opened, GREET, { filename: "other.py", code_description: "The same." });

  expect(asked).toHaveLength(1);
  expect(
    asked[0]?.files?.map(({ path, operation, difference }) => [path, operation, difference.includes("+def greet")]),
  ).toEqual([
    ["greet.py", "modify", true],
    ["other.py", "create", true],
  ]);
  expect(answer.output).toMatchObject({
    status: "partial_success",
    results: [{ status: "success" }, { filename: "other.py", status: "refused", error_code: "REFUSED" }],
  });
  expect((await opened.workspace.list()).map(({ path }) => path)).toEqual(["greet.py"]);
});

test("code of an agent that nobody can be asked about is refused before a model is", async () => {
  const model = writes("quick", CODE);
  const opened = await open({ models: [model] }, { approvals: {} });
  const { error } = await opened.run(
    "tools.write_codebase_tool(command='write_codebase', files=[{'filename': 'a.py', 'code_description': 'x'}])",
  );

  expect(error?.message).toContain("nobody can be asked");
  expect(model.prompts).toEqual([]);
});

test("a file that somebody changed meanwhile is reported and stays (W76)", async () => {
  const opened: Session = await open({
    models: [
      pageModel("quick", async () => {
        await opened.workspace.write("greet.py", "theirs = 1\n");
        return fenced(CODE);
      }),
    ],
  });
  await opened.workspace.write("greet.py", "old = 1\n");
  const answer = await write(opened, GREET);

  expect(answer.output?.results[0]).toMatchObject({ status: "conflict", error_code: "CONFLICT" });
  expect(await textOf(opened, "greet.py")).toBe("theirs = 1\n");
});

test("a later round shows a file as it was read, which is what the write of it is held against", async () => {
  const model = pageModel("quick", async ({ call }) => {
    if (call === 1) await opened.workspace.write("service.py", "theirs = 1\n");
    return fenced(CODE);
  });
  const opened: Session = await open({ models: [model] });
  await opened.workspace.write("service.py", "old = 1\n");
  const answer = await write(
    opened,
    { filename: "service.py", code_description: "Uses greet.", internal_imports: ["store"] },
    { filename: "store.py", code_description: "A function greet(name)." },
  );

  expect(model.prompts[1]).toContain("old = 1");
  expect(model.prompts[1]).not.toContain("theirs = 1");
  expect(answer.output?.results).toMatchObject([{ status: "conflict" }, { status: "success" }]);
  expect(await textOf(opened, "service.py")).toBe("theirs = 1\n");
});

test("a person has the model bring both together, once", async () => {
  const asked: ApprovalRequest[] = [];
  const opened: Session = await open(
    {
      models: [
        pageModel("quick", async ({ prompt, call }) => {
          if (call === 1) await opened.workspace.write("greet.py", "theirs = 1\n");
          return fenced(prompt.includes("theirs = 1") ? `theirs = 1\n\n${CODE}` : CODE);
        }),
      ],
    },
    {
      approvals: {},
      onApproval: (request) => {
        asked.push(request);
        return { decision: "allow", ...(asked.length === 1 ? { files: { "greet.py": "merge" } } : {}) };
      },
    },
  );
  await opened.workspace.write("greet.py", "old = 1\n");
  const { value } = await opened.run(
    "tools.write_codebase_tool(command='write_codebase', files=[{'filename': 'greet.py', 'code_description': 'x'}])['output']['status']",
  );

  expect(value).toBe("success");
  expect(asked.map(({ files }) => files?.[0]?.conflict)).toEqual([{ theirs: "theirs = 1\n" }, undefined]);
  expect(await textOf(opened, "greet.py")).toBe(`theirs = 1\n\n${CODE}\n`);
});

test("a stop ends every request, and nothing is written (W78)", async () => {
  const stop = new AbortController();
  let aborted = 0;
  const hangs = (name: string) =>
    pageModel(name, (_, signal) => {
      signal?.addEventListener("abort", () => (aborted += 1));
      queueMicrotask(() => {
        stop.abort();
      });
      return new Promise(() => undefined);
    });
  const opened = await open({ models: [hangs("one"), hangs("two")] });
  const { error } = await opened.run(
    "tools.write_codebase_tool(command='write_codebase', files=[{'filename': 'a.py', 'code_description': 'x'}])",
    { signal: stop.signal },
  );

  expect(error).not.toBeNull();
  expect(aborted).toBe(2);
  expect(await opened.workspace.list()).toEqual([]);
});

test("the display is shown what is done, in its order (W72, W73)", async () => {
  const shown: string[] = [];
  const opened = await open({
    models: [writes("quick", CODE)],
    display: { addMessage: (_, text) => void shown.push(text.split("\n")[1] ?? "") },
  });
  const names = ["a.py", "b.py", "c.py", "d.py"];
  await write(opened, ...names.map((filename) => ({ filename, code_description: "The same." })));

  expect(shown).toEqual([
    "$ write_code generate_code a.py ... +3 more",
    ...names.map((name) => `$ write_code write_file ${name}`),
    "$ write_code write_codebase a.py ... +3 more",
  ]);
});

test("a display that fails is a warning, and none is the same result (W64, W75)", async () => {
  const failing = await open({
    models: [writes("quick", CODE)],
    display: {
      addMessage: () => {
        throw new Error("no room");
      },
    },
  });
  const shown = await write(failing, GREET);
  await failing.close();
  const silent = await write(await open({ models: [writes("quick", CODE)] }), GREET);

  expect(shown.output?.warnings).toEqual(["The display of the page failed: no room"]);
  expect(silent.output).toMatchObject({ status: "success", warnings: [] });
  expect(silent.output?.results).toEqual(shown.output?.results);
});

test("events tell a batch from its beginning to its end, and telemetry each file (W79)", async () => {
  const events: WriteCodeEvent[] = [];
  const telemetry: unknown[] = [];
  const opened = await open({
    models: [writes("one", CODE), writes("two", `${CODE}  # two`)],
    arbiter: pageModel("judge", () => "2\nIt has a comment."),
    onEvent: (event) => void events.push(event),
    onTelemetry: (each) => void telemetry.push(each),
  });
  const answer = await write(opened, GREET);

  expect(new Set(events.map(({ type }) => type))).toEqual(
    new Set([
      ...["batch-started", "candidate-started", "candidate-text", "candidate-ended", "chosen", "checked", "proposed"],
      ...["file-ended", "batch-ended"],
    ]),
  );
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index));
  expect(events.at(-1)?.type).toBe("batch-ended");
  expect(answer.output?.results[0]).toMatchObject({ model: "two", reason: expect.stringContaining("comment") });
  expect(telemetry).toMatchObject([
    { path: "greet.py", chosen: "two", arbiter: { used: true, model: "judge" }, attempts: [{}, {}] },
  ]);
});

test("a child session has the tool for itself alone", async () => {
  const opened = (session = await Session.open({ storage: memoryStorage(), approvals: ALLOW }));
  const child = await opened.openChild({ writeCode: { models: [writes("quick", CODE)] } });
  const { value, error } = await child.run(
    "tools.write_codebase_tool(command='write_codebase', files=[{'filename': 'a.py', 'code_description': 'x'}])['output']['status']",
  );
  await child.close();

  expect(error).toBeNull();
  expect(value).toBe("success");
  expect(opened.tools.list().map(({ name }) => name)).not.toContain("write_codebase_tool");
  expect(await textOf(opened, "a.py")).toBe(`${CODE}\n`);
});

const PIXEL = Uint8Array.from(
  atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="),
  (character) => character.charCodeAt(0),
);
const LOGO = { filename: "logo.png", code_description: "A red square." };

function paints(order: string[], fails = false): ImageModel {
  return {
    name: "painter",
    kind: "test",
    generate: () => {
      order.push("image");
      if (fails) return Promise.reject(new Error("no paint"));
      return Promise.resolve({ bytes: PIXEL, mime: "image/png", notices: [] });
    },
  };
}

test("images come before code, and stand behind it in the answer (W61)", async () => {
  const order: string[] = [];
  const model = pageModel("quick", () => {
    order.push("code");
    return fenced(CODE);
  });
  const opened = await open({ models: [model], images: paints(order) });
  const answer = await write(opened, LOGO, GREET);

  expect(order).toEqual(["image", "code"]);
  expect(answer.output).toMatchObject({
    status: "success",
    results: [
      { filename: "greet.py", operation: "create" },
      { filename: "logo.png", operation: "image_generation", message: "Image generated successfully" },
    ],
  });
  expect(answer.output?.message).toContain("  - Code files: 1/1 successful\n  - Image files: 1/1 successful");
  expect(await opened.workspace.read("logo.png")).toEqual(PIXEL);
});

test("an image that fails is one of the errors, and takes no code along (W62, W63)", async () => {
  const opened = await open({ models: [writes("quick", CODE)], images: paints([], true) });
  const mixed = await write(opened, LOGO, GREET);
  const alone = await write(opened, LOGO);

  expect(mixed.output).toMatchObject({ status: "partial_success", errors: ["Error generating image: no paint"] });
  expect(alone.output).toMatchObject({ status: "error" });
  expect(alone.error).toContain("Image Generation Errors: 1");
});

test("the folder that names are relative to comes with its first file, and with none of a wrong call (W15)", async () => {
  const opened = await open({ models: [writes("quick", CODE)], root: "deep/project" });
  await write(opened, { filename: "", code_description: "x" });
  expect((await opened.run("import os; os.path.exists('/workspace/deep')")).value).toBe(false);

  await write(opened, GREET);
  expect((await opened.run("os.listdir('/workspace/deep/project')")).value).toEqual(["greet.py"]);
});

test("no prompt, log or answer holds a key of a model or a secret of the session (W90)", async () => {
  const key = "sk-0123456789abcdef";
  const secret = "hunter-2-hunter-2";
  const storage = memoryStorage();
  const leaky = `TOKEN = "${secret}"  # ${key}`;
  const model = { ...writes("quick", leaky), withoutKey: (text: string) => text.replaceAll(key, "[API key]") };
  const opened = await open({ models: [model] }, { storage, secrets: memorySecrets({ HUNT: secret }) });
  await opened.workspace.write("settings.py", `${leaky}\n`);
  const answer = await write(opened, { filename: "settings.py", code_description: `Uses ${secret}.` });
  await write(opened, { filename: "other.py", code_description: "Reads settings.", internal_imports: ["settings"] });

  expect(answer.output?.status).toBe("success");
  const logs: string[] = [];
  for await (const name of storage.keys("write-code/")) logs.push(new TextDecoder().decode(await storage.get(name)));
  const everything = [...model.prompts, JSON.stringify(answer), ...logs];
  expect(everything.join("\n")).toContain("[secret HUNT]");
  for (const text of everything) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain(key);
  }
  // What the model wrote is what the file holds.
  expect(await textOf(opened, "settings.py")).toBe(`${leaky}\n`);
});

test("an SVG file is text of a model, and looked at as one (W66)", async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle r="4"/></svg>';
  const model = pageModel("quick", ({ call }) => fenced(call === 1 ? svg.replace("</svg>", "") : svg, "svg"));
  const opened = await open({ models: [model], images: paints([], true) });
  const answer = await write(opened, { filename: "icon.svg", code_description: "A circle." });

  expect(answer.output?.results[0]).toMatchObject({ status: "success", operation: "create", attempts: 2 });
  expect(await textOf(opened, "icon.svg")).toBe(`${svg}\n`);
});

test("a batch that cannot be begun asks no model (W14, W16, W85, W88)", async () => {
  const keyless = openaiModel({ baseURL: "https://api.openai.com/v1", model: "gpt" });
  const none = await write(await open({ models: [] }), GREET);
  await session?.close();
  const outside = await write(await open({ models: [writes("quick", CODE)], root: "../elsewhere" }), GREET);
  await session?.close();
  const withoutKey = await write(await open({ models: [keyless] }), GREET);

  for (const answer of [none, outside, withoutKey]) {
    expect(answer).toMatchObject({
      output: null,
      error: expect.stringMatching(/^Configuration Error in WriteCodeTool/),
    });
  }
  expect(withoutKey.error).toContain("API key");
});

test("mojibake is repaired, and what only looks odd stays (W52)", async () => {
  const text = 'name = "schÃ¶n"\nshown = "&amp; “quoted” ﬁ"';
  const opened = await open(
    { models: [writes("quick", text)] },
    { packages: [{ folder: `${inject("packageServer")}/folder/` }] },
  );
  const answer = await write(opened, { filename: "names.py", code_description: "Two names." });

  expect(await textOf(opened, "names.py")).toBe('name = "schön"\nshown = "&amp; “quoted” ﬁ"\n');
  expect(answer.output?.results[0]).toMatchObject({ warnings: ["Mojibake was repaired: line 1."] });
});

test("the models count in the budget of the task that calls, and a budget that is reached ends a file", async () => {
  const call = `answer = tools.write_codebase_tool(command="write_codebase", files=[{"filename": "a.py", "code_description": "x"}])\nfinal_answer(answer["output"]["results"][0].get("error_code") or "written")`;
  const opened = await open({ models: [writes("one", CODE), writes("two", `${CODE}  # two`)] });
  const agent = (modelCalls: number) =>
    new CodeAgent({ session: opened, model: pageModel("agent", () => fenced(call)), budget: { modelCalls } });
  const enough = await agent(10).run("Write a file.").result;
  const tight = await agent(1).run("Write a file.").result;

  expect(enough).toMatchObject({ output: "written", usage: { modelCalls: 3 } });
  expect(tight.output).not.toBe("written");
});

test("a coding agent has the tool in its tasks alone, and its undo has what the tool wrote", async () => {
  const opened = (session = await Session.open({ storage: memoryStorage(), approvals: ALLOW }));
  const call = `answer = tools.write_codebase_tool(command="write_codebase", files=[{"filename": "a.py", "code_description": "x"}])\nfinal_answer(answer["output"]["changes"])`;
  const agent = codingAgent({
    session: opened,
    model: pageModel("agent", () => fenced(call)),
    writeCode: { models: [writes("quick", CODE)] },
  });
  const run = agent.run("Write a file.");
  const { output } = await run.result;

  expect(await textOf(opened, "a.py")).toBe(`${CODE}\n`);
  expect(opened.tools.list().map(({ name }) => name)).not.toContain("write_codebase_tool");
  await (await opened.workspace.changes(output))?.undo();
  expect(await opened.workspace.list()).toEqual([]);
  // What the batch has undone is not undone twice, and nothing is lost by asking for it.
  const ofTask = await opened.workspace.changes(run.taskId);
  await expect(ofTask?.undo()).rejects.toMatchObject({ code: "WORKSPACE_CONFLICT" });
});

test("what cannot be read beside the files keeps no file from being written", async () => {
  const storage = memoryStorage();
  const opened = await open({ models: [writes("quick", CODE)] }, { storage });
  await opened.workspace.write("task.txt", "A greeter.");
  await opened.workspace.write("store.py", "x = 1\n");
  // Of both the record is there, and the content is gone.
  await storage.write(new Map([["workspace/data/task.txt", null]]));
  await storage.write(new Map([["workspace/data/store.py", null]]));
  const answer = await write(opened, { ...GREET, internal_imports: ["store"] });

  expect(answer.output).toMatchObject({ status: "success" });
});

test("a bound within which nothing can be done is refused when the session is opened", async () => {
  for (const bound of [{ concurrentRequests: 0 }, { replyTimeout: -1 }, { maxTokens: Number.NaN }]) {
    await expect(open({ models: [writes("quick", CODE)], ...bound })).rejects.toMatchObject({ code: "INVALID_OPTION" });
  }
});

test("two versions that are too large for a model to read are left to the person", async () => {
  const theirs = `theirs = 1\n${"# a long line of theirs\n".repeat(5000)}`;
  const opened: Session = await open(
    {
      models: [
        pageModel("quick", async ({ call }) => {
          if (call === 1) await opened.workspace.write("greet.py", theirs);
          return fenced(CODE);
        }),
      ],
    },
    { approvals: {}, onApproval: () => ({ decision: "allow", files: { "greet.py": "merge" } }) },
  );
  await opened.workspace.write("greet.py", "old = 1\n");
  const answer = await write(opened, GREET);

  expect(answer.output?.results[0]).toMatchObject({ error_code: "CONFLICT" });
  expect(await textOf(opened, "greet.py")).toBe(theirs);
});

test("a text that was not mended is still its model's", async () => {
  const opened = await open({
    models: [pageModel("quick", ({ call }) => (call === 1 ? fenced("def greet(name:") : ""))],
    writesFaulty: true,
  });
  const answer = await write(opened, GREET);

  expect(answer.output).toMatchObject({
    results: [{ status: "success", model: "quick" }],
    telemetry: [{ chosen: "quick" }],
  });
});
