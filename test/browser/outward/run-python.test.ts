import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, stepCountIs, streamText } from "ai";
import OpenAI from "openai";
import { describe, expect, inject, test, vi } from "vitest";

import { aiSdkTool, runPythonFunction } from "../../../src/index.js";
import { untilShown } from "../../timeouts.mjs";
import { servedPage } from "./served-page.js";

const page = servedPage();

/** The server lets through what servers do, and the clients' own headers are not among it. */
const plainFetch: typeof fetch = (url, init) => {
  const given = new Headers(init?.headers);
  const headers = new Headers();
  for (const name of ["authorization", "content-type"]) {
    const value = given.get(name);
    if (value !== null) headers.set(name, value);
  }
  return fetch(url, { ...init, headers });
};

const baseURL = (): string => `${inject("modelServer")}/calls-functions/v1`;
const calls = (...codes: string[]): string => codes.map((code) => JSON.stringify({ code })).join("\n");
const PICTURE = `class Dot:
    def _repr_png_(self):
        return b"\\x89PNG"
display(Dot())`;

describe("run_python in OpenAI's form", () => {
  const call = (code: string, id = "1", name = "run_python") => ({
    id,
    function: { name, arguments: JSON.stringify({ code }) },
  });

  test("the official client takes it over HTTP, streamed, and is answered with value, output and error", async () => {
    const python = runPythonFunction(page.session);
    const client = new OpenAI({
      baseURL: baseURL(),
      apiKey: "sk-test",
      dangerouslyAllowBrowser: true,
      maxRetries: 0,
      fetch: plainFetch,
    });
    const content = calls("print('working')\n6 * 7", "print('before')\n1/0", "tools.weather(city='Oslo')");
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content }];

    for (;;) {
      const stream = client.chat.completions.stream({ model: "m", messages, tools: [python.definition] });
      const message = (await stream.finalChatCompletion()).choices[0]?.message;
      if (message === undefined) break;
      messages.push(message);
      if (message.tool_calls === undefined || message.tool_calls.length === 0) break;
      messages.push(...(await python.answer(message.tool_calls)));
    }

    const answers = messages.flatMap((message) => (message.role === "tool" ? [message.content] : []));
    expect(answers).toHaveLength(3);
    expect(answers[0]).toBe("42\n\nStdout:\nworking\n");
    expect(answers[1]).toContain("ZeroDivisionError: division by zero");
    expect(answers[1]).toContain("before");
    expect(answers[2]).toBe("sunny in Oslo");
  });

  test("the description has the tools as Python calls them, those that code defines later too", async () => {
    const python = runPythonFunction(page.session);
    expect(python.definition.function.name).toBe("run_python");
    expect(python.definition.function.description).toContain("- tools.weather(*, city: str)  # Weather of a city");

    await page.session.run(
      'from vitrine import tool\n@tool\ndef twice(x: int) -> int:\n    """Twice."""\n    return x * 2',
    );

    expect(python.definition.function.description).toContain("- tools.twice(*, x: int) -> int  # Twice.");
    expect(
      runPythonFunction(page.session, { scope: { names: ["erase"] } }).definition.function.description,
    ).not.toContain("tools.weather(");
    await page.session.reset();
  });

  test("output is heard while the code runs, and the caller in the journal is the client", async () => {
    const python = runPythonFunction(page.session);
    const heard: string[] = [];
    const stop = new AbortController();
    const running = python.handle(JSON.stringify({ code: "print('first')\ntools.forever(name='streamed')" }), {
      signal: stop.signal,
      onOutput: (chunk) => {
        if (chunk.kind === "stdout") heard.push(chunk.text);
      },
    });
    await vi.waitFor(() => expect(heard.join("")).toContain("first"), untilShown);
    await vi.waitFor(() => expect(page.started).toContain("streamed"), untilShown);

    stop.abort();

    expect(await running).toMatchObject({
      isError: true,
      text: expect.stringContaining("RunInterruptedError") as unknown,
    });
    expect(page.ended).toContain("streamed");
  });

  test("what the model got wrong is told, and nothing is thrown", async () => {
    const python = runPythonFunction(page.session, { maxLength: 60 });

    expect(await python.handle("no JSON")).toMatchObject({
      isError: true,
      text: expect.stringContaining("no JSON") as unknown,
    });
    expect(await python.handle('{"kode": "1"}')).toMatchObject({ isError: true });
    expect(await python.answer([call("1", "7", "rm")])).toMatchObject([
      { role: "tool", tool_call_id: "7", content: expect.stringContaining("There is no function rm") as unknown },
    ]);
    expect((await python.handle(JSON.stringify({ code: "print('x' * 500)" }))).text).toContain("more characters");
  });

  test("pictures follow the answers of all calls, for models that see", async () => {
    const both = [call(PICTURE, "1"), call("1 + 1", "2")];

    const messages = await runPythonFunction(page.session, { images: true }).answer(both);
    expect(messages.map(({ role }) => role)).toEqual(["tool", "tool", "user"]);
    expect(messages[2]?.content).toContainEqual({
      type: "image_url",
      image_url: { url: `data:image/png;base64,${btoa("\x89PNG")}` },
    });
    expect(await runPythonFunction(page.session).answer(both)).toHaveLength(2);
  });

  test("destructive tools are asked about as those of an agent are", async () => {
    page.answer = { decision: "deny", reason: "no" };

    const { text, isError } = await runPythonFunction(page.session).handle(JSON.stringify({ code: "tools.erase()" }));

    expect(isError).toBe(true);
    expect(text).toContain("ToolNotAllowedError");
    expect(page.asked).toMatchObject([{ name: "tools.erase", caller: "client" }]);
  });
});

describe("run_python for the Vercel AI SDK", () => {
  const model = () =>
    createOpenAICompatible({ name: "test", baseURL: baseURL(), apiKey: "sk-test", fetch: plainFetch })("m");

  test("generateText runs it over HTTP until the model has what it wants", async () => {
    const { text, steps } = await generateText({
      model: model(),
      maxRetries: 0,
      prompt: calls("y = 6", "y * 7", "1/0"),
      tools: { run_python: aiSdkTool(page.session) },
      stopWhen: stepCountIs(6),
    });

    expect(steps).toHaveLength(4);
    const [first, second, third] = text.split("\n---\n");
    expect([first, second]).toEqual(["(no output)", "42"]);
    expect(third).toContain("ZeroDivisionError: division by zero");
  });

  test("streamText shows what the code prints before it has ended", async () => {
    const { fullStream } = streamText({
      model: model(),
      maxRetries: 0,
      prompt: calls("import time\nprint('one')\ntime.sleep(0.3)\nprint('two')\n'end'"),
      tools: { run_python: aiSdkTool(page.session) },
      stopWhen: stepCountIs(3),
    });

    const results: [string, boolean][] = [];
    for await (const part of fullStream) {
      if (part.type === "tool-result" && !part.dynamic) results.push([part.output.text, part.preliminary === true]);
    }
    expect(results[0]?.[0]).toMatch(/^one/);
    expect(results.map(([, isPreliminary]) => isPreliminary)).toEqual([...results.slice(1).map(() => true), false]);
    expect(results.length).toBeGreaterThan(1);
    expect(results.at(-1)).toEqual(["end\n\nStdout:\none\ntwo\n", false]);
  });

  test("its abort signal stops the run", async () => {
    const stop = new AbortController();
    const { fullStream } = streamText({
      model: model(),
      maxRetries: 0,
      prompt: calls("tools.forever(name='ai')"),
      tools: { run_python: aiSdkTool(page.session) },
      abortSignal: stop.signal,
    });
    const reading = (async () => {
      const types: string[] = [];
      for await (const { type } of fullStream) types.push(type);
      return types;
    })();
    await vi.waitFor(() => expect(page.started).toContain("ai"), untilShown);

    stop.abort();

    await vi.waitFor(() => expect(page.ended).toContain("ai"), untilShown);
    expect(await reading).toContain("abort");
  });

  test("a consumer that stops reading stops the run", async () => {
    const python = aiSdkTool(page.session, { timeout: null });
    for await (const { text } of python.execute({ code: "print('on', end='')\nwhile True: pass" }, {})) {
      expect(text).toBe("on");
      break;
    }

    expect((await page.session.run("6 * 7")).value).toBe(42);
  });

  test("pictures are parts of the result, and errors are results", async () => {
    const last = async (code: string, images = true) => {
      const python = aiSdkTool(page.session, { images });
      let output = null;
      for await (const each of python.execute({ code }, {})) output = each;
      if (output === null) throw new Error("there is always a result");
      return python.toModelOutput({ output });
    };

    expect(await last(PICTURE)).toEqual({
      type: "content",
      value: [
        { type: "text", text: "(no output)" },
        { type: "image-data", data: btoa("\x89PNG"), mediaType: "image/png" },
      ],
    });
    expect(await last(PICTURE, false)).toEqual({ type: "text", value: "(no output)" });
    for (const code of ["nope", `${PICTURE}\nnope`]) {
      expect(await last(code)).toMatchObject({
        type: "error-text",
        value: expect.stringContaining("NameError") as unknown,
      });
    }
  });

  test("preliminary results and pictures are bounded as the result is", async () => {
    const python = aiSdkTool(page.session, { maxLength: 20 });
    const outputs = [];
    const code = `${PICTURE}\nfor i in range(9): display(Dot())\nfor i in range(50): print(i, flush=True)`;
    for await (const output of python.execute({ code }, {})) outputs.push(output);

    expect(Math.max(...outputs.slice(0, -1).map(({ text }) => text.length))).toBeLessThanOrEqual(22);
    expect(outputs.at(-1)?.images).toHaveLength(4);
  });
});
