import { describe, expect, inject, test } from "vitest";

import { openaiModel, type ModelChunk, type ModelRequest } from "../../../src/model/index.js";

const KEY = "sk-proj-1234567890abcdef";
const request: ModelRequest = { messages: [{ role: "user", content: "Add 2 and 3." }], temperature: 0 };

async function ask(scenario: string, timeout = 10_000): Promise<ModelChunk[]> {
  const baseURL = `${inject("modelServer")}/${scenario}/v1`;
  const chunks: ModelChunk[] = [];
  const model = openaiModel({ baseURL, apiKey: KEY, model: "test-model", timeout });
  for await (const chunk of model.complete(request)) chunks.push(chunk);
  return chunks;
}

// What each fault is called and says is tested in Node; here, that a browser's network stack leads to the same.
describe("a model on another origin, asked from a page", () => {
  test("streams its reply through CORS rules that allow Authorization and Content-Type only", async () => {
    const chunks = await ask("streams");

    const text = chunks.map((chunk) => (chunk.type === "text" ? chunk.text : "")).join("");
    expect(text).toBe("The sum follows.\n```python\nfinal_answer(2 + 3)\n```");
    expect(chunks.at(-1)).toMatchObject({ type: "done", finishReason: "stop" });
  });

  test.each([
    { scenario: "unauthorized", code: "MODEL_AUTH", fields: { status: 401 } },
    { scenario: "rate-limited", code: "MODEL_RATE_LIMIT", fields: { retryAfter: 20_000 } },
    { scenario: "broken", code: "MODEL_SERVER", fields: { status: 500 } },
    { scenario: "unknown-model", code: "MODEL_REQUEST", fields: { status: 404 } },
    { scenario: "nonsense", code: "MODEL_RESPONSE", fields: {} },
    { scenario: "malformed", code: "MODEL_RESPONSE", fields: {} },
    { scenario: "redirects", code: "MODEL_RESPONSE", fields: {} },
    { scenario: "drops", code: "MODEL_UNREACHABLE", fields: {} },
    { scenario: "without-cors", code: "MODEL_UNREACHABLE", fields: { received: 0 } },
  ])("fails as $code when it answers like $scenario", async ({ scenario, code, fields }) => {
    const reply = ask(scenario);

    await expect(reply).rejects.toMatchObject({ code, ...fields });
    await expect(reply).rejects.not.toMatchObject({ message: expect.stringContaining(KEY) });
  });

  test("fails as MODEL_TIMEOUT when it never answers", async () => {
    await expect(ask("silent", 200)).rejects.toMatchObject({ code: "MODEL_TIMEOUT", limit: 200 });
  });

  test("fails as MODEL_UNREACHABLE when nothing listens, and says that it may be CORS", async () => {
    const model = openaiModel({ baseURL: "http://127.0.0.1:9/v1", model: "test-model" });
    const reply = model.complete(request)[Symbol.asyncIterator]().next();

    await expect(reply).rejects.toMatchObject({ code: "MODEL_UNREACHABLE", message: expect.stringContaining("CORS") });
  });
});
