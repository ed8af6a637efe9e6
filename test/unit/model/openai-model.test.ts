import { createServer } from "node:net";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { ModelError, openaiModel, type Model, type ModelChunk, type ModelRequest } from "../../../src/model/index.js";
import {
  chunkLine,
  errorBody,
  startModelServer,
  type ModelAnswer,
  type ModelServer,
  type ReceivedRequest,
} from "../../servers/model-server.js";

const KEY = "sk-proj-1234567890abcdef";
const request: ModelRequest = {
  messages: [
    { role: "system", content: "You write Python." },
    { role: "user", content: "Add 2 and 3." },
  ],
  temperature: 0,
};

let server: ModelServer;
let answer: (request: ReceivedRequest) => ModelAnswer;

beforeEach(async () => {
  server = await startModelServer((received) => answer(received));
});
afterEach(() => server.close());

function model(settings: { apiKey?: string; timeout?: number; baseURL?: string } = {}): Model {
  return openaiModel({ baseURL: server.baseURL(), apiKey: KEY, model: "test-model", ...settings });
}

async function collect(chunks: AsyncIterable<ModelChunk>): Promise<ModelChunk[]> {
  const all: ModelChunk[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return all;
}

function textOf(chunks: readonly ModelChunk[]): string {
  return chunks.map((chunk) => (chunk.type === "text" ? chunk.text : "")).join("");
}

/** The error that ends the reply, and the text that came before it. */
async function fail(chunks: AsyncIterable<ModelChunk>): Promise<{ error: ModelError; text: string }> {
  let text = "";
  try {
    for await (const chunk of chunks) if (chunk.type === "text") text += chunk.text;
  } catch (error) {
    if (error instanceof ModelError) return { error, text };
    throw error;
  }
  throw new Error("The reply did not fail.");
}

describe("a reply", () => {
  test("is streamed in pieces and ends with why and what it cost", async () => {
    answer = () => ({ kind: "reply", text: "Here you are: 5, as expected." });

    const chunks = await collect(model().complete(request));

    expect(textOf(chunks)).toBe("Here you are: 5, as expected.");
    expect(chunks.filter(({ type }) => type === "text").length).toBeGreaterThan(2);
    expect(chunks.at(-1)).toEqual({ type: "done", finishReason: "stop", usage: { inputTokens: 11, outputTokens: 7 } });
  });

  test("is asked for with messages, model, temperature and key, and no header that CORS would stop", async () => {
    answer = () => ({ kind: "reply", text: "5" });

    await collect(model().complete(request));

    const [received] = server.requests;
    expect(received?.body).toMatchObject({
      model: "test-model",
      temperature: 0,
      stream: true,
      messages: request.messages,
    });
    expect(received?.headers.authorization).toBe(`Bearer ${KEY}`);
    const names = Object.keys(received?.headers ?? {});
    expect(names.filter((name) => name.startsWith("x-stainless") || name.startsWith("openai-"))).toEqual([]);
  });

  test("of a server without keys is asked for without Authorization", async () => {
    answer = () => ({ kind: "reply", text: "5" });

    await collect(model({ apiKey: "" }).complete(request));

    expect(server.requests[0]?.headers.authorization).toBeUndefined();
  });

  test("that was cut at the length limit says so", async () => {
    answer = () => ({ kind: "reply", text: "```python\nprint(", finishReason: "length" });

    const chunks = await collect(model().complete(request));

    expect(chunks.at(-1)).toMatchObject({ finishReason: "length" });
  });

  test("without any text is a reply all the same", async () => {
    answer = () => ({ kind: "lines", lines: [chunkLine({ content: null }), chunkLine({}, "stop"), "data: [DONE]"] });

    const chunks = await collect(model().complete(request));

    expect(chunks).toEqual([{ type: "done", finishReason: "stop", usage: null }]);
  });

  test("that is a refusal comes as text", async () => {
    answer = () => ({
      kind: "lines",
      lines: [chunkLine({ refusal: "I cannot help." }), chunkLine({}, "stop"), "data: [DONE]"],
    });

    expect(textOf(await collect(model().complete(request)))).toBe("I cannot help.");
  });

  test("stops when its signal is aborted, with the signal's reason", async () => {
    answer = () => ({ kind: "stall", text: "One moment" });
    const stop = new AbortController();
    const reason = new Error("enough");

    const ended = (async () => {
      for await (const chunk of model().complete(request, { signal: stop.signal })) {
        if (chunk.type === "text") stop.abort(reason);
      }
    })();

    await expect(ended).rejects.toBe(reason);
  });

  test("is not asked for when the signal was aborted before", async () => {
    answer = () => ({ kind: "reply", text: "5" });

    await expect(collect(model().complete(request, { signal: AbortSignal.abort() }))).rejects.toMatchObject({
      name: "AbortError",
    });

    expect(server.requests).toEqual([]);
  });
});

describe("a parameter that the model refuses", () => {
  const refuseTemperature = ({ body }: ReceivedRequest): ModelAnswer =>
    body.temperature === undefined
      ? { kind: "reply", text: "5" }
      : {
          kind: "status",
          status: 400,
          body: errorBody("Unsupported value: 'temperature' does not support 0 with this model.", {
            param: "temperature",
          }),
        };

  test("is left out, with a notice", async () => {
    answer = refuseTemperature;

    const chunks = await collect(model().complete(request));

    expect(textOf(chunks)).toBe("5");
    expect(chunks[0]).toMatchObject({ type: "notice", notice: { code: "PARAMETER_REFUSED" } });
  });

  test("is not sent a second time", async () => {
    answer = refuseTemperature;
    const patient = model();
    await collect(patient.complete(request));

    const chunks = await collect(patient.complete(request));

    expect(server.requests).toHaveLength(3);
    expect(chunks.some(({ type }) => type === "notice")).toBe(false);
  });

  test("may be stream_options too", async () => {
    answer = ({ body }) =>
      body.stream_options === undefined
        ? { kind: "reply", text: "5" }
        : {
            kind: "status",
            status: 422,
            body: JSON.stringify({ detail: [{ loc: ["body", "stream_options"], msg: "extra" }] }),
          };

    expect(textOf(await collect(model().complete(request)))).toBe("5");
  });
});

describe("a fault", () => {
  const status = (code: number, body: string, headers: Record<string, string> = {}): ModelAnswer => ({
    kind: "status",
    status: code,
    body,
    headers,
  });
  const faults: {
    fault: string;
    answer: ModelAnswer;
    code: string;
    name: string;
    says: RegExp;
    fields?: Record<string, unknown>;
  }[] = [
    {
      fault: "401",
      answer: status(401, errorBody("Bad key.")),
      code: "MODEL_AUTH",
      name: "ModelAuthError",
      says: /refused the API key \(401: Bad key\.\)\. Check in the settings/,
      fields: { status: 401 },
    },
    {
      fault: "403",
      answer: status(403, errorBody("No access.")),
      code: "MODEL_AUTH",
      name: "ModelAuthError",
      says: /does not let this API key use the model "test-model"/,
      fields: { status: 403 },
    },
    {
      fault: "429 with Retry-After",
      answer: status(429, errorBody("Slow down."), { "Retry-After": "20" }),
      code: "MODEL_RATE_LIMIT",
      name: "ModelRateLimitError",
      says: /Slow down.*Wait 20 seconds/,
      fields: { retryAfter: 20_000 },
    },
    {
      fault: "429 without",
      answer: status(429, ""),
      code: "MODEL_RATE_LIMIT",
      name: "ModelRateLimitError",
      says: /Wait a little and try again/,
      fields: { retryAfter: null },
    },
    {
      fault: "500",
      answer: status(500, "<html><body>oops</body></html>"),
      code: "MODEL_SERVER",
      name: "ModelServerError",
      says: /failed while answering.*500: an HTML page.*Try again later/,
      fields: { status: 500 },
    },
    {
      fault: "404",
      answer: status(404, JSON.stringify({ error: 'model "test-model" not found' })),
      code: "MODEL_REQUEST",
      name: "ModelRequestError",
      says: /not found.*Check in the settings/,
      fields: { status: 404 },
    },
    {
      fault: "400",
      answer: status(400, errorBody("Too long.")),
      code: "MODEL_REQUEST",
      name: "ModelRequestError",
      says: /400: Too long\./,
      fields: { status: 400 },
    },
    {
      fault: "a web page",
      answer: { kind: "body", contentType: "text/html", body: "<html>hi</html>" },
      code: "MODEL_RESPONSE",
      name: "ModelResponseError",
      says: /no content \(it came as text\/html\).*base URL/,
    },
    {
      fault: "one JSON document",
      answer: { kind: "body", contentType: "application/json", body: '{"choices":[]}' },
      code: "MODEL_RESPONSE",
      name: "ModelResponseError",
      says: /application\/json/,
    },
    {
      fault: "an empty stream",
      answer: { kind: "lines", lines: ["data: [DONE]"] },
      code: "MODEL_RESPONSE",
      name: "ModelResponseError",
      says: /no content/,
    },
    {
      fault: "a chunk that is not JSON",
      answer: { kind: "lines", lines: [chunkLine({ content: "Hm" }), "data: {oops"] },
      code: "MODEL_RESPONSE",
      name: "ModelResponseError",
      says: /chunk of the stream is not JSON/,
    },
    {
      fault: "a chunk of another shape",
      answer: { kind: "lines", lines: ['data: {"choices":"none"}'] },
      code: "MODEL_RESPONSE",
      name: "ModelResponseError",
      says: /malformed \(choices: /,
    },
    {
      fault: "a null chunk",
      answer: { kind: "lines", lines: ["data: null"] },
      code: "MODEL_RESPONSE",
      name: "ModelResponseError",
      says: /malformed/,
    },
    {
      fault: "a reply without an end",
      answer: { kind: "lines", lines: [chunkLine({ content: "Half of" })] },
      code: "MODEL_RESPONSE",
      name: "ModelResponseError",
      says: /stopped after 7 characters/,
    },
    {
      fault: "a redirect",
      answer: status(307, "", { Location: "http://127.0.0.1:1/" }),
      code: "MODEL_RESPONSE",
      name: "ModelResponseError",
      says: /redirects/,
    },
    {
      fault: "an error inside the stream",
      answer: { kind: "lines", lines: [chunkLine({ content: "Half" }), `data: ${errorBody("Overloaded.")}`] },
      code: "MODEL_SERVER",
      name: "ModelServerError",
      says: /it says: Overloaded\./,
      fields: { status: null },
    },
    {
      fault: "a rate limit inside the stream",
      answer: { kind: "lines", lines: [`data: ${errorBody("Busy.", { code: 429 })}`] },
      code: "MODEL_RATE_LIMIT",
      name: "ModelRateLimitError",
      says: /Busy/,
    },
    {
      fault: "a broken connection",
      answer: { kind: "drop", text: "Half of it" },
      code: "MODEL_UNREACHABLE",
      name: "ModelUnreachableError",
      says: /broke after 10 characters of the reply/,
      fields: { received: 10 },
    },
  ];

  test.each(faults)("$fault is $name", async ({ answer: given, code, name, says, fields = {} }) => {
    answer = () => given;

    const { error } = await fail(model().complete(request));

    expect(error).toMatchObject({ code, name, model: "test-model", server: server.baseURL(), ...fields });
    expect(error.message).toMatch(says);
    expect(server.requests).toHaveLength(1);
  });

  test("a missing key is asked for", async () => {
    answer = () => status(401, errorBody("No key."));

    const { error } = await fail(model({ apiKey: "" }).complete(request));

    expect(error.message).toMatch(/wants an API key, and none is set \(401: No key\.\)\. Enter one in the settings\./);
  });

  test("leaves the text that came before it", async () => {
    answer = () => ({ kind: "drop", text: "Half of it" });

    expect((await fail(model().complete(request))).text).toBe("Half of it");
  });

  test("silence before the reply is ModelTimeoutError", async () => {
    answer = () => ({ kind: "silence" });

    const { error } = await fail(model({ timeout: 50 }).complete(request));

    expect(error).toMatchObject({ code: "MODEL_TIMEOUT", name: "ModelTimeoutError", limit: 50 });
    expect(error.message).toMatch(/sent nothing for 0.05 seconds\. Try again/);
  });

  test("silence in the middle of the reply is ModelTimeoutError, and the text before it stays", async () => {
    answer = () => ({ kind: "stall", text: "One moment" });

    const { error, text } = await fail(model({ timeout: 200 }).complete(request));

    expect(error).toMatchObject({ code: "MODEL_TIMEOUT" });
    expect(text).toBe("One moment");
  });

  test("no server is ModelUnreachableError, which names the address and both possible reasons", async () => {
    const baseURL = `http://127.0.0.1:${String(await freePort())}/v1`;

    const { error } = await fail(model({ baseURL }).complete(request));

    expect(error).toMatchObject({ code: "MODEL_UNREACHABLE", name: "ModelUnreachableError", received: 0 });
    expect(error.message).toContain(baseURL);
    expect(error.message).toMatch(/nothing can be reached there, or .* \(CORS\)/);
  });
});

describe("the API key", () => {
  const echoes: { where: string; answer: (key: string) => ModelAnswer }[] = [
    {
      where: "a 401",
      answer: (key) => ({ kind: "status", status: 401, body: errorBody(`Incorrect API key: ${key}`) }),
    },
    {
      where: "a 500 as text",
      answer: (key) => ({ kind: "status", status: 500, body: `Authorization: Bearer ${key}` }),
    },
    {
      where: "a 400 of an unknown shape",
      answer: (key) => ({ kind: "status", status: 400, body: JSON.stringify({ error: { got: key } }) }),
    },
    { where: "an error inside the stream", answer: (key) => ({ kind: "lines", lines: [`data: ${errorBody(key)}`] }) },
    { where: "a chunk of another shape", answer: (key) => ({ kind: "lines", lines: [`data: {"choices":"${key}"}`] }) },
    { where: "a chunk that is not JSON", answer: (key) => ({ kind: "lines", lines: [`data: {${key}`] }) },
  ];

  test.each(echoes)("is struck from $where", async ({ answer: echo }) => {
    answer = () => echo(KEY);

    const { error } = await fail(model().complete(request));

    const everything = [error.message, error.stack, JSON.stringify(error), String(error.cause)].join("\n");
    expect(everything).not.toContain(KEY);
  });

  test("is struck from a reply, even where it is spread over pieces", async () => {
    answer = () => ({ kind: "reply", text: `Your key is ${KEY}, isn't it? sk-proj-12` });

    expect(textOf(await collect(model().complete(request)))).toBe("Your key is [API key], isn't it? sk-proj-12");
  });

  test("does not show when the model is turned to text", () => {
    expect(JSON.stringify(model())).not.toContain(KEY);
  });
});

describe("settings", () => {
  test.each([
    { settings: { baseURL: "localhost:11434" }, field: "baseURL" },
    { settings: { baseURL: "not an address" }, field: "baseURL" },
    { settings: { baseURL: "ftp://127.0.0.1/v1" }, field: "baseURL" },
    { settings: { baseURL: "https://user:secret@127.0.0.1/v1" }, field: "baseURL" },
    { settings: { apiKey: "sk-abc def" }, field: "apiKey" },
    { settings: { apiKey: "sk-“abc”" }, field: "apiKey" },
    { settings: { model: " " }, field: "model" },
  ])("are refused: $settings", ({ settings, field }) => {
    const open = () => openaiModel({ baseURL: "http://127.0.0.1/v1", apiKey: "", model: "m", ...settings });

    expect(open).toThrow(expect.objectContaining({ code: "MODEL_SETTINGS", field }));
  });

  test("may have spaces around them, and a slash at the end of the address", async () => {
    answer = () => ({ kind: "reply", text: "5" });
    const padded = openaiModel({ baseURL: ` ${server.baseURL()}/ `, apiKey: ` ${KEY}\n`, model: " test-model " });

    expect(textOf(await collect(padded.complete(request)))).toBe("5");
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  test("errors show the address without its query", async () => {
    const baseURL = `http://127.0.0.1:${String(await freePort())}/v1?token=hush`;

    expect((await fail(model({ baseURL }).complete(request))).error.message).not.toContain("hush");
  });
});

/** A port on which nothing listens. */
async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}
