import { afterEach, describe, expect, test } from "vitest";

import { startEvalModelServer, type EvalModelServer } from "../../../eval/model-server.js";
import type { Script, ScriptedReply } from "../../../eval/transcript.js";
import { roleAddress, type WriterRole } from "../../../eval/writer-roles.js";
import { openaiModel, type ModelChunk, type ModelRequest } from "../../../src/model/index.js";
import { dictatedScenario } from "../../servers/dictated-replies.js";
import { startLocalServer } from "../../servers/local-server.js";
import { startModelServer, type ModelServer } from "../../servers/model-server.js";

const KEY = "sk-test-0123456789";
const request: ModelRequest = { messages: [{ role: "user", content: "Hello" }], temperature: 0 };

const open: { close: () => Promise<void> }[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

async function evalServer(): Promise<EvalModelServer> {
  const server = await startEvalModelServer();
  open.push(server);
  return server;
}

function script(...replies: readonly ScriptedReply[]): Script {
  return { replies, written: {} };
}

async function ask(baseURL: string, asked = request): Promise<ModelChunk[]> {
  const chunks: ModelChunk[] = [];
  for await (const chunk of openaiModel({ baseURL, model: "m" }).complete(asked)) chunks.push(chunk);
  return chunks;
}

async function textOf(baseURL: string, content: string): Promise<string> {
  const chunks = await ask(baseURL, { ...request, messages: [{ role: "user", content }] });
  return chunks.flatMap((chunk) => (chunk.type === "text" ? [chunk.text] : [])).join("");
}

describe("a transcript", () => {
  test("answers in turn, in words and in tool calls, and what was sent is kept word for word", async () => {
    const calls = [{ name: "weather", arguments: { city: "Oslo" } }];
    const { baseURL, exchanges } = (await evalServer()).converse(script("Hello back.", { text: "", calls }));

    const first = await ask(baseURL);
    const second = await ask(baseURL);

    expect(first).toMatchObject([
      { type: "text", text: "Hello back." },
      { type: "done", finishReason: "stop" },
    ]);
    expect(second).toMatchObject([
      { type: "tool-call", call: { name: "weather", arguments: '{"city":"Oslo"}' } },
      { type: "done", finishReason: "tool-calls" },
    ]);
    expect(exchanges).toMatchObject([
      {
        body: { model: "m", temperature: 0, messages: [{ role: "user", content: "Hello" }] },
        reply: { text: "Hello back." },
      },
      { reply: { text: "", toolCalls: [{ name: "weather", arguments: '{"city":"Oslo"}' }] }, usage: null },
    ]);
  });

  test("that has come to its end refuses, and is not counted", async () => {
    const { baseURL, exchanges } = (await evalServer()).converse(script("Only this."));
    await ask(baseURL);

    await expect(ask(baseURL)).rejects.toMatchObject({ code: "MODEL_REQUEST" });
    expect(exchanges).toHaveLength(1);
  });

  test("answers who writes a file by the file and by who is asked, in whatever order they come", async () => {
    const written = {
      "a.py": { "writer-1": ["first of a", "first of a, repaired"], "writer-2": ["second of a"], arbiter: ["2"] },
      "b.py": { "writer-1": ["first of b"], fallback: ["last of b"] },
    };
    const { baseURL, exchanges } = (await evalServer()).converse({ replies: ["Done."], written });
    const prompt = (path: string): string =>
      `## Overall Task Objective\nTwo files\n\n## Target File\n${path}\n\n- a.py, b.py`;
    const asks: [WriterRole, string][] = [
      ["writer-2", prompt("a.py")],
      ["writer-1", prompt("b.py")],
      ["writer-1", prompt("a.py")],
      ["arbiter", "Choose.\n\nFile: a.py\n\nRequirements:\nFile: b.py"],
      ["writer-1", prompt("a.py")],
      ["fallback", prompt("b.py")],
    ];
    const said: string[] = [];
    for (const [role, content] of asks) said.push(await textOf(roleAddress(baseURL, role), content));

    expect(said).toEqual([...["second of a", "first of b", "first of a", "2", "first of a, repaired", "last of b"]]);
    expect(await textOf(baseURL, "And?")).toBe("Done.");
    expect(exchanges).toHaveLength(7);
    await expect(textOf(roleAddress(baseURL, "writer-2"), prompt("a.py"))).rejects.toMatchObject({
      code: "MODEL_REQUEST",
    });
  });

  test("has an address that ends with it", async () => {
    const { baseURL, end } = (await evalServer()).converse(script("Only this."));
    end();
    await expect(ask(baseURL)).rejects.toThrow();
  });
});

describe("a model behind it", () => {
  async function upstream(): Promise<ModelServer> {
    const server = await startModelServer();
    open.push(server);
    return server;
  }

  test("gets the key from the server alone, and streams its reply and its count through", async () => {
    const model = await upstream();
    const { baseURL, exchanges } = (await evalServer()).converse({
      baseURL: `${model.origin}/${dictatedScenario(["Hi."])}/v1`,
      apiKey: KEY,
    });

    const chunks = await ask(baseURL);

    expect(chunks).toMatchObject([{ type: "text", text: "Hi." }, { type: "done" }]);
    expect(model.requests.at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(exchanges).toMatchObject([{ body: { messages: [{ content: "Hello" }] }, reply: { text: "Hi." } }]);
  });

  test("that refuses is heard with its status, without the key", async () => {
    const model = await upstream();
    const { baseURL, exchanges } = (await evalServer()).converse({
      baseURL: `${model.origin}/unauthorized/v1`,
      apiKey: KEY,
    });

    const answer = await fetch(`${baseURL}/chat/completions`, {
      method: "POST",
      body: JSON.stringify({ model: "m", stream: true, messages: [{ role: "user", content: "Hello" }] }),
    });

    expect(answer.status).toBe(401);
    expect(await answer.text()).not.toContain(KEY);
    expect(exchanges).toEqual([]);
  });

  test("that says the key in two pieces is heard without it, to its last letter", async () => {
    const said = `data: {"key":"${KEY}"} — äöü ${KEY.slice(0, 5)}`;
    const bytes = new TextEncoder().encode(said);
    const model = await startLocalServer((_request, response) => {
      const write = (at: number): void => {
        response.write(bytes.slice(at, at + 20));
        if (at + 20 < bytes.length) setTimeout(write, 20, at + 20);
        else response.end();
      };
      response.writeHead(200, { "content-type": "text/event-stream" });
      write(0);
    });
    open.push(model);
    const { baseURL } = (await evalServer()).converse({ baseURL: `${model.origin}/v1`, apiKey: KEY });

    const answer = await fetch(`${baseURL}/chat/completions`, { method: "POST", body: "{}" });

    expect(await answer.text()).toBe(said.replace(KEY, "[API key]"));
  });

  test("that cannot be reached is told of", async () => {
    const { baseURL } = (await evalServer()).converse({ baseURL: "http://127.0.0.1:9/v1", apiKey: "" });
    const answer = await fetch(`${baseURL}/chat/completions`, { method: "POST", body: "{}" });
    expect([answer.status, await answer.text()]).toEqual([502, expect.stringContaining("could not be asked")]);
  });
});
