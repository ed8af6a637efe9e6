import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, stepCountIs } from "ai";
import OpenAI from "openai";
import { describe, expect, test, vi } from "vitest";

import { aiSdkFileTools, fileToolFunctions, runPythonFunction, type FileToolOptions } from "../../../src/index.js";
import { untilShown } from "../../timeouts.mjs";
import { baseURL, codingPage, EIGHT, fileText, PATCH, plainFetch, PNG_TEXT, prompt } from "./coding-page.js";

const page = codingPage();
const BLIND = EIGHT.filter((name) => name !== "view_image");

/** What a coding model does, in its order. */
const SEQUENCE = prompt(
  ["list_dir", { dir_path: "/workspace/src" }],
  ["grep_files", { pattern: "Hello", path: "src" }],
  ["read_file", { file_path: "/workspace/src/greet.py", offset: 2, limit: 1 }],
  ["apply_patch", { input: PATCH }],
  ["shell_command", { command: "grep -c Hello src/greet.py" }],
  ["read_file", { file_path: "/workspace/nothing.py" }],
);

async function expectSequence(answers: readonly (string | undefined)[]): Promise<void> {
  expect(answers.slice(0, 3)).toEqual([
    "Absolute path: /workspace/src\ngreet.py\nmain.py",
    "/workspace/src/greet.py",
    'L2:     return "Hello " + name',
  ]);
  expect(JSON.parse(answers[3] ?? "")).toMatchObject({
    output: "Success. Updated the following files:\nM src/greet.py\n",
    metadata: { exit_code: 0 },
  });
  expect(answers[4]).toMatch(/^Exit code: 0\nWall time: [\d.]+ seconds\nOutput:\n1\n$/);
  expect(answers[5]).toBe("failed to read file: No such file or directory (os error 2)");
  expect(await fileText(page.session, "src/greet.py")).toContain("Hello, {name}!");
  expect(page.asked.map(({ name, caller }) => [name, caller])).toEqual([
    ["tools.apply_patch", "client"],
    ["tools.shell_command", "client"],
  ]);
}

describe("the tools on files in OpenAI's form", () => {
  test("the official client takes them over HTTP, streamed, and its calls are answered", async () => {
    const files = fileToolFunctions(page.session);
    const client = new OpenAI({
      ...{ baseURL: baseURL(), apiKey: "sk-test", dangerouslyAllowBrowser: true, maxRetries: 0, fetch: plainFetch },
    });
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: SEQUENCE }];

    for (;;) {
      const stream = client.chat.completions.stream({ model: "m", messages, tools: files.definitions });
      const message = (await stream.finalChatCompletion()).choices[0]?.message;
      if (message === undefined) break;
      messages.push(message);
      if (message.tool_calls === undefined || message.tool_calls.length === 0) break;
      messages.push(...(await files.answer(message.tool_calls)));
    }

    const answers = messages.flatMap((message) => (message.role === "tool" ? [message.content] : []));
    expect(answers).toHaveLength(6);
    await expectSequence(answers.map((answer) => (typeof answer === "string" ? answer : undefined)));
  });

  test("apply_patch as a custom tool takes the patch itself, of a model that the server holds to the grammar", async () => {
    const files = fileToolFunctions(page.session, { freeformPatch: true });
    const client = new OpenAI({
      ...{ baseURL: baseURL(), apiKey: "sk-test", dangerouslyAllowBrowser: true, maxRetries: 0, fetch: plainFetch },
    });
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: SEQUENCE }];

    for (;;) {
      const completion = await client.chat.completions.create({ model: "m", messages, tools: files.definitions });
      const message = completion.choices[0]?.message;
      if (message?.tool_calls === undefined) break;
      messages.push(message, ...(await files.answer(message.tool_calls)));
    }

    const answers = messages.flatMap((message) => (message.role === "tool" ? [message.content] : []));
    await expectSequence(answers.map((answer) => (typeof answer === "string" ? answer : undefined)));
    const made = messages.flatMap((message) => (message.role === "assistant" ? (message.tool_calls ?? []) : []));
    expect(made.map(({ type }) => type)).toEqual([
      "function",
      "function",
      "function",
      "custom",
      "function",
      "function",
    ]);
    const custom = files.definitions.filter(({ type }) => type === "custom");
    expect(custom).toMatchObject([{ custom: { name: "apply_patch", format: { grammar: { syntax: "lark" } } } }]);
    const others = await files.answer([
      { id: "1", custom: { name: "shell", input: "ls" } },
      { id: "2", custom: { name: "apply_patch", input: "no patch" } },
    ]);
    expect(others).toMatchObject([
      { tool_call_id: "1", content: "unsupported call: shell" },
      { tool_call_id: "2", content: expect.stringContaining("The first line of the patch must be") as unknown },
    ]);
  });

  test("beside run_python, which sees what they wrote", async () => {
    const [files, python] = [fileToolFunctions(page.session), runPythonFunction(page.session)];
    await files.handle("apply_patch", JSON.stringify({ input: PATCH }));

    const { text } = await python.handle(JSON.stringify({ code: "open('src/greet.py').read().count('Hello, ')" }));

    expect(text).toBe("1");
  });

  test("mistakes of the model are answered in the words of the protocol, and nothing is thrown", async () => {
    const files = fileToolFunctions(page.session);
    const failing: [name: string, args: string, text: unknown][] = [
      ["read_file", "{", expect.stringMatching(/^failed to parse function arguments: /)],
      ["read_file", "[]", "failed to parse function arguments: they are no JSON object"],
      ["read_file", "null", expect.stringContaining("file_path")],
      [
        "read_file",
        '{"path": "/workspace/README.md"}',
        expect.stringContaining("failed to parse function arguments: "),
      ],
      ["remove_file", "{}", "unsupported call: remove_file"],
      ["view_image", '{"path": "dot.png"}', "unsupported call: view_image"],
      ["read_file", '{"file_path": "/workspace/../etc/passwd"}', expect.stringContaining("leads out of /workspace")],
    ];
    for (const [name, args, text] of failing) {
      const result = await files.handle(name, args);
      expect(result.isError).toBe(true);
      expect(result.text).toEqual(text);
    }
    const call = { id: "7", function: { name: "rm", arguments: "{}" } };
    expect(await files.answer([call])).toEqual([{ role: "tool", tool_call_id: "7", content: "unsupported call: rm" }]);
  });

  test("a model that sees has view_image, whose pictures follow the answers of all calls", async () => {
    const names = (options?: FileToolOptions): string[] =>
      fileToolFunctions(page.session, options).definitions.map((definition) => definition.function.name);
    expect(names()).toEqual(BLIND);
    expect(names({ images: true })).toEqual(EIGHT);

    const messages = await fileToolFunctions(page.session, { images: true }).answer([
      { id: "1", function: { name: "view_image", arguments: '{"path": "dot.png"}' } },
      { id: "2", function: { name: "list_dir", arguments: '{"dir_path": "/workspace/src"}' } },
    ]);

    expect(messages.map(({ role }) => role)).toEqual(["tool", "tool", "user"]);
    expect(messages[0]).toMatchObject({ tool_call_id: "1", content: "attached local image path" });
    expect(messages[2]?.content).toEqual([
      { type: "text", text: "What view_image has shown:" },
      { type: "image_url", image_url: { url: `data:image/png;base64,${PNG_TEXT}` } },
    ]);
  });

  test("a scope leaves names out, and what the person refuses is not done", async () => {
    const files = fileToolFunctions(page.session, { scope: { without: ["shell", "shell_command"] } });
    page.answer = { decision: "deny", reason: "no" };

    expect(files.definitions.map((definition) => definition.function.name)).toEqual(
      BLIND.filter((name) => !name.startsWith("shell")),
    );
    expect((await files.handle("shell", '{"command": ["ls"]}')).text).toBe("unsupported call: shell");
    expect(await files.handle("apply_patch", JSON.stringify({ input: PATCH }))).toEqual({
      text: "patch rejected by user: no",
      isError: true,
      images: [],
    });
  });

  test("a signal stops a call that waits for the person, and one that is made", async () => {
    const files = fileToolFunctions(page.session);
    const [first, second] = [new AbortController(), new AbortController()];
    page.answer = () => new Promise(() => undefined);
    const asking = files.handle("shell", '{"command": ["ls"]}', { signal: first.signal });
    await vi.waitFor(() => expect(page.asked).toHaveLength(1), untilShown);
    first.abort();
    expect(await asking).toMatchObject({ isError: true });

    page.answer = { decision: "allow" };
    const sleeping = files.handle("shell", '{"command": ["sleep", "600"], "timeout_ms": 600000}', {
      signal: second.signal,
    });
    await vi.waitFor(() => expect(page.asked).toHaveLength(2), untilShown);
    second.abort();

    expect(await sleeping).toMatchObject({ isError: true });
  });
});

describe("the tools on files for the Vercel AI SDK", () => {
  const model = () =>
    createOpenAICompatible({ name: "test", baseURL: baseURL(), apiKey: "sk-test", fetch: plainFetch })("m");

  test("generateText calls them over HTTP until the model has what it wants", async () => {
    const { text, steps } = await generateText({
      ...{ model: model(), maxRetries: 0, prompt: SEQUENCE, stopWhen: stepCountIs(10) },
      tools: { ...aiSdkFileTools(page.session) },
    });

    expect(steps).toHaveLength(7);
    await expectSequence(text.split("\n---\n"));
  });

  test("arguments that do not fit come to the session, which says what is wrong", async () => {
    const { text } = await generateText({
      ...{ model: model(), maxRetries: 0, prompt: prompt(["list_dir", { dir_path: 5 }]), stopWhen: stepCountIs(3) },
      tools: aiSdkFileTools(page.session),
    });

    expect(text).toMatch(/^failed to parse function arguments: .*dir_path/);
  });

  test("pictures are parts of the result, errors are results, and its signal stops a call", async () => {
    const { view_image: view, read_file: read, shell } = aiSdkFileTools(page.session, { images: true });
    if (view === undefined || read === undefined || shell === undefined) throw new Error("They are offered.");

    const output = await view.execute({ path: "dot.png" }, {});
    expect(view.toModelOutput({ output })).toEqual({
      type: "content",
      value: [
        { type: "text", text: "attached local image path" },
        { type: "image-data", data: PNG_TEXT, mediaType: "image/png" },
      ],
    });
    const missing = await read.execute({ file_path: "README.md" }, {});
    expect(read.toModelOutput({ output: missing })).toEqual({
      type: "error-text",
      value: "file_path must be an absolute path",
    });
    expect(Object.keys(aiSdkFileTools(page.session))).toEqual(BLIND);
    const stop = new AbortController();
    const running = shell.execute({ command: ["sleep", "600"], timeout_ms: 600_000 }, { abortSignal: stop.signal });
    await vi.waitFor(() => expect(page.asked).toHaveLength(1), untilShown);
    stop.abort();
    expect(await running).toMatchObject({ isError: true });
  });
});
