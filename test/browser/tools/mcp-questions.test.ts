import { afterEach, describe, expect, inject, test } from "vitest";

import {
  mcpTool,
  type McpAnswers,
  type McpElicitation,
  type McpElicitationAnswer,
  type McpSampling,
  type Value,
} from "../../../src/index.js";
import { ToolRegistry } from "../../../src/tools/index.js";
import { callTool } from "../../lone-calls/lone-call.js";
import { RUN } from "../../timeouts.mjs";

const { stateful = "", stateless = "" } = inject("mcpServers");

let ends: (() => Promise<void>)[] = [];

afterEach(async () => {
  await Promise.all(ends.map((end) => end()));
  ends = [];
});

interface Asked {
  readonly asked: (McpElicitation | McpSampling)[];
  call(name: string): Promise<Value>;
  /** What a server's `request` came to: the answers to what it asked. */
  request(method: "elicitation/create" | "sampling/createMessage", params: Record<string, Value>): Promise<unknown[]>;
}

/** A page that agrees to all, and the server that asks it. */
async function connect(url = `${stateful}/mcp`, answer: McpElicitationAnswer = { action: "accept" }): Promise<Asked> {
  const asked: (McpElicitation | McpSampling)[] = [];
  const mcp: McpAnswers = {
    onElicitation: (elicitation) => {
      asked.push(elicitation);
      return Promise.resolve(answer);
    },
    onSampling: (sampling) => {
      asked.push(sampling);
      return Promise.resolve({ model: "a-model", text: "Yes." });
    },
  };
  const registry = new ToolRegistry({ environment: { mcp } });
  ends.push(() => registry.close());
  registry.register(mcpTool({ name: "x", timeout: RUN, url }));
  await registry.whenKnown("x");
  const call = (callable: string, args: Record<string, Value> = {}): Promise<Value> =>
    callTool(registry, { tool: "x", callable, args });
  return {
    asked,
    call,
    request: async (method, params) => JSON.parse((await call("request", { method, params })) as string) as unknown[],
  };
}

const elicitation = (message: string, property: Record<string, Value> = {}): Record<string, Value> => ({
  message,
  requestedSchema: { type: "object", properties: { colour: { type: "string", ...property } } },
});

const sampling = (...texts: string[]): Record<string, Value> => ({
  messages: texts.map((text) => ({ role: "user", content: { type: "text", text } })),
  maxTokens: 10,
});

const tooLong = {
  code: -32602,
  message: expect.stringMatching(/100,000/) as string,
  data: { code: "MCP_QUESTION_TOO_LONG", limit: 100_000 },
};

describe("the texts of a question of an MCP server", () => {
  test("of up to 100,000 characters are handed to the page as they are", async () => {
    const server = await connect();
    const message = "x".repeat(99_000);

    expect(await server.request("elicitation/create", elicitation(message))).toEqual([{ action: "accept" }]);
    expect(await server.request("sampling/createMessage", sampling(message))).toEqual([
      expect.objectContaining({ model: "a-model" }),
    ]);
    expect(server.asked).toEqual([
      expect.objectContaining({ message }),
      expect.objectContaining({ messages: [{ role: "user", content: { type: "text", text: message } }] }),
    ]);
  });

  const half = "x".repeat(50_000);
  test.each([
    ["a message of 1 MB", "elicitation/create", elicitation("x".repeat(1_000_000))],
    ["a message and a description", "elicitation/create", elicitation(half, { description: half })],
    ["a message and a title", "elicitation/create", elicitation(half, { title: half })],
    ["a message and a default", "elicitation/create", elicitation(half, { default: half })],
    ["a message and choices", "elicitation/create", elicitation(half, { enum: [half] })],
    ["a message and names of choices", "elicitation/create", elicitation(half, { enum: ["a"], enumNames: [half] })],
    ["titles of choices", "elicitation/create", elicitation("", { oneOf: Array(3).fill({ const: "a", title: half }) })],
    [
      "a name of a field",
      "elicitation/create",
      { message: half, requestedSchema: { type: "object", properties: { [half]: { type: "string" } } } },
    ],
    [
      "an address",
      "elicitation/create",
      { mode: "url", elicitationId: "1", message: half, url: `https://a.example/${half}` },
    ],
    ["prompts", "sampling/createMessage", sampling(half, half)],
    ["instructions", "sampling/createMessage", { ...sampling(half), systemPrompt: half }],
    ["texts that end a reply", "sampling/createMessage", { ...sampling(half), stopSequences: [half] }],
  ] as const)("that are longer together are refused, and the page is not asked: %s", async (_, method, params) => {
    const server = await connect();

    expect(await server.request(method, params)).toEqual([tooLong]);
    expect(server.asked).toEqual([]);
  });

  test("do not count pictures and sounds", async () => {
    const server = await connect();
    const data = btoa("x".repeat(150_000));
    const content = { type: "image", data, mimeType: "image/png" };

    await server.request("sampling/createMessage", { messages: [{ role: "user", content }], maxTokens: 10 });

    expect(server.asked).toEqual([expect.objectContaining({ messages: [{ role: "user", content }] })]);
  });
});

describe("the page that a server wants visited", () => {
  const visit = (url: string): Record<string, Value> => ({
    mode: "url",
    elicitationId: "1",
    message: "Go there.",
    url,
  });

  test.each([
    ["https://bank.example/a?b=c#d", "https://bank.example/a?b=c#d"],
    ["http://127.0.0.1:8080/", "http://127.0.0.1:8080/"],
    // What is shown is what is opened, not what a parser makes the same of.
    ["https:\\\\bank.example\\a", "https://bank.example/a"],
    ["https://b\u0430nk.example/\u202egnp.exe", "https://xn--bnk-6cd.example/%E2%80%AEgnp.exe"],
  ])("is named as a browser opens it: %s", async (url, shown) => {
    const server = await connect();

    expect(await server.request("elicitation/create", visit(url))).toEqual([{ action: "accept" }]);
    expect(server.asked).toEqual([expect.objectContaining({ kind: "url", url: shown })]);
  });

  test.each([
    "javascript:alert(1)",
    "JavaScript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "blob:https://bank.example/1",
    "file:///etc/passwd",
    "mailto:ada@bank.example",
    "https://bank.example@evil.example/",
    "https://:secret@evil.example/",
  ])("is refused unless it is a plain web address, and the page is not asked: %s", async (url) => {
    const server = await connect();

    expect(await server.request("elicitation/create", visit(url))).toEqual([
      expect.objectContaining({ code: -32602, data: { code: "MCP_QUESTION" } }),
    ]);
    expect(server.asked).toEqual([]);
  });

  test.each(["/agree", "//bank.example/agree", "bank.example", "", "https://"])(
    "is refused where it is no whole address: %j",
    async (url) => {
      const server = await connect();

      expect(await server.request("elicitation/create", visit(url))).toEqual([
        expect.objectContaining({ code: -32602 }),
      ]);
      expect(server.asked).toEqual([]);
    },
  );

  test("is refused by a call of the stateless protocol, which says why", async () => {
    const server = await connect(stateless);

    await expect(server.call("lure")).rejects.toMatchObject({ code: "MCP_QUESTION" });
    expect(server.asked).toEqual([]);
  });
});

test("a server that wants tools offered to the model is refused, since they would be left out", async () => {
  const server = await connect();
  const tools = [{ name: "wipe", inputSchema: { type: "object" } }];

  expect(await server.request("sampling/createMessage", { ...sampling("Hello"), tools })).toEqual([
    expect.objectContaining({ code: -32602, data: { code: "MCP_QUESTION" } }),
  ]);
  expect(server.asked).toEqual([]);
});

test("what a person left empty is not sent, also where the server would have had something filled in", async () => {
  const server = await connect(`${stateful}/mcp`, { action: "accept", content: { name: "Ada" } });
  const properties = { name: { type: "string" }, colour: { type: "string", default: "blue" } };

  expect(
    await server.request("elicitation/create", { message: "?", requestedSchema: { type: "object", properties } }),
  ).toEqual([{ action: "accept", content: { name: "Ada" } }]);
});
