import OpenAI from "openai";
import { describe, expect, inject, test, vi } from "vitest";

import { runCodeFunction } from "../../../src/index.js";
import { untilShown } from "../../timeouts.mjs";
import { servedPage } from "./served-page.js";

const page = servedPage();

describe("as a function of OpenAI's form", () => {
  const openai = (): OpenAI =>
    new OpenAI({
      baseURL: `${inject("modelServer")}/calls-functions/v1`,
      apiKey: "sk-test",
      dangerouslyAllowBrowser: true,
      maxRetries: 0,
      // The server lets through what servers do, and the client's own headers are not among it.
      fetch: (url, init) => {
        const headers = new Headers(init?.headers);
        for (const name of [...headers.keys()]) if (name.startsWith("x-stainless")) headers.delete(name);
        return fetch(url, { ...init, headers });
      },
    });

  test("the official client takes its definition, calls it over HTTP, and gets its answers back", async () => {
    const runCode = runCodeFunction(page.session);
    const client = openai();
    const said = [{ code: "y = 6" }, { code: "y * 7" }, { code: "1/0" }, { kode: "1" }].map((args) =>
      JSON.stringify(args),
    );
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: [...said, "no JSON"].join("\n") }];

    for (;;) {
      const completion = await client.chat.completions.create({ model: "m", messages, tools: [runCode.definition] });
      const message = completion.choices[0]?.message;
      if (message === undefined) break;
      messages.push(message);
      if (message.tool_calls === undefined) break;
      for (const call of message.tool_calls) if (call.type === "function") messages.push(await runCode.answer(call));
    }

    const answers = messages.flatMap((message) =>
      message.role === "tool" && typeof message.content === "string" ? [message.content] : [],
    );
    expect(answers.slice(0, 2)).toEqual(["(no output)", "42"]);
    expect(answers[2]).toContain("ZeroDivisionError");
    expect(answers[3]).toContain("code");
    expect(answers[4]).toContain("are no JSON");
    expect(messages.at(-1)).toMatchObject({ role: "assistant", content: answers.join("\n---\n") });
  });

  test("a call for another function is answered without running anything", async () => {
    const { content } = await runCodeFunction(page.session).answer({
      id: "1",
      function: { name: "rm", arguments: '{"code": "1"}' },
    });

    expect(content).toContain("There is no function rm");
  });

  test("a signal stops the run", async () => {
    const stop = new AbortController();
    const runCode = runCodeFunction(page.session);
    const running = runCode.handle('{"code": "tools.forever(name=\'function\')"}', { signal: stop.signal });
    await vi.waitFor(() => expect(page.started).toContain("function"), untilShown);

    stop.abort();

    expect(await running).toContain("RunInterruptedError");
  });
});
