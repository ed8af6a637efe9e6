import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { Client } from "@modelcontextprotocol/client";
import OpenAI from "openai";
import { expect, inject, test } from "vitest";
import { commands } from "vitest/browser";

import { mend } from "../../../docs/samples/ai-sdk-files.js";
import { answer } from "../../../docs/samples/ai-sdk.js";
import { code } from "../../../docs/samples/file-tool-functions.js";
import { answerCalls } from "../../../docs/samples/run-code-function.js";
import { turn } from "../../../docs/samples/run-python-function.js";
import { serveCodingClient } from "../../../docs/samples/serve-file-tools.js";
import { serveFrame } from "../../../docs/samples/serve-mcp.js";
import { offer } from "../../../docs/samples/web-mcp.js";
import { messagePortTransport } from "../../../src/index.js";
import { servedPage } from "../outward/served-page.js";

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
const client = (): OpenAI =>
  new OpenAI({
    baseURL: baseURL(),
    apiKey: "sk-test",
    dangerouslyAllowBrowser: true,
    maxRetries: 0,
    fetch: plainFetch,
  });
const asked = (): OpenAI.ChatCompletionMessageParam[] => [{ role: "user", content: JSON.stringify({ code: "6 * 7" }) }];

test("the official client's calls of run_code and run_python are answered", async () => {
  const [code, python] = [asked(), asked()];

  await answerCalls(client(), page.session, code);
  await turn(client(), page.session, python, new AbortController().signal);

  expect([code.at(-1), python.at(-1)]).toMatchObject([
    { role: "tool", content: "42" },
    { role: "tool", content: "42" },
  ]);
});

test("the Vercel AI SDK runs Python until the model has what it wants", async () => {
  const model = createOpenAICompatible({ name: "test", baseURL: baseURL(), apiKey: "sk-test", fetch: plainFetch })("m");

  expect(await answer(page.session, model, JSON.stringify({ code: "6 * 7" }))).toBe("42");
});

test("a client in a frame reaches the session as an MCP server", async () => {
  const port = new Promise<MessagePort>((resolve) => {
    addEventListener("message", ({ data, ports: [first] }) => {
      if (data === "connect" && first !== undefined) resolve(first);
    });
  });
  const service = await serveFrame(page.session, window, location.origin);
  const connected = new Client({ name: "test", version: "1" });
  await connected.connect(messagePortTransport(await port));

  expect((await connected.listTools()).tools.map(({ name }) => name)).toContain("run_code");
  await connected.close();
  await service.close();
});

test("coding models and clients look at the files of the session", async () => {
  await page.session.workspace.write("a.txt", "text");
  const content = `read_file ${JSON.stringify({ file_path: "/workspace/a.txt" })}`;
  const model = createOpenAICompatible({ name: "test", baseURL: baseURL(), apiKey: "sk-test", fetch: plainFetch })("m");
  const { port1, port2 } = new MessageChannel();
  const service = await serveCodingClient(page.session, port1);
  const connected = new Client({ name: "test", version: "1" });
  await connected.connect(messagePortTransport(port2));

  const functions = await code(client(), page.session, [{ role: "user", content }], new AbortController().signal);

  expect(functions).toBe("L1: text");
  expect(await mend(page.session, model, content)).toBe("L1: text");
  expect((await connected.listTools()).tools.map(({ name }) => name)).toEqual([
    ...["read_file", "list_dir", "grep_files", "view_image", "update_plan", "apply_patch"],
  ]);
  await connected.close();
  await service.close();
});

test("the browser's agent is offered the tools of the session", async () => {
  await offer(page.session);

  expect((await commands.webMcpTools()).map(({ name }) => name)).toContain("vitrine_run_code");
  dispatchEvent(new Event("pagehide"));
  await expect.poll(() => commands.webMcpTools()).toEqual([]);
});
