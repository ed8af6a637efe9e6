import { describe, expect, test } from "vitest";

import { openaiModel } from "../../../src/model/index.js";
import { callsOf, textOf } from "../../servers/read-chunks.js";
import { complete, KEY, modelOf, question } from "./asked-model.js";

const tools = [{ name: "add", description: "Adds.", parameters: { type: "object", properties: {} } }];

// What each fault is called and says is tested in Node; here, that a browser's network stack leads to the same.
describe("a model on another origin, asked from a page", () => {
  test("streams its reply through CORS rules that allow Authorization and Content-Type only", async () => {
    const { chunks } = await complete(modelOf("streams"));

    expect(textOf(chunks)).toBe("The sum follows.\n```python\nfinal_answer(2 + 3)\n```");
    expect(chunks.at(-1)).toMatchObject({ type: "done", finishReason: "stop" });
  });

  test.each([
    { scenario: "unauthorized", code: "MODEL_AUTH", fields: { status: 401 } },
    { scenario: "rate-limited", code: "MODEL_RATE_LIMIT", fields: { retryAfter: 20_000, isRetryable: true } },
    { scenario: "used-up", code: "MODEL_QUOTA", fields: { isRetryable: false } },
    { scenario: "too-long", code: "MODEL_CONTEXT_TOO_LONG", fields: { limit: 8192, requested: 9001 } },
    { scenario: "no-tools", code: "MODEL_TOOLS_UNSUPPORTED", fields: {} },
    { scenario: "broken", code: "MODEL_SERVER", fields: { status: 500 } },
    { scenario: "busy", code: "MODEL_SERVER", fields: { status: 503, retryAfter: 3000, isRetryable: true } },
    { scenario: "unknown-model", code: "MODEL_REQUEST", fields: { status: 404 } },
    { scenario: "nonsense", code: "MODEL_RESPONSE", fields: { isRetryable: false } },
    { scenario: "redirects", code: "MODEL_RESPONSE", fields: {} },
    { scenario: "endless-event", code: "MODEL_RESPONSE", fields: { isRetryable: false } },
    { scenario: "without-cors", code: "MODEL_UNREACHABLE", fields: { received: 0 } },
  ])("fails as $code when it answers like $scenario", async ({ scenario, code, fields }) => {
    const { chunks, error } = await complete(modelOf(scenario), { ...question, tools });

    expect(error).toMatchObject({ code, ...fields });
    expect(error?.message).not.toContain(KEY);
    expect(chunks).toEqual([]);
  });

  test.each([
    { scenario: "malformed", code: "MODEL_RESPONSE", kept: /^Let me $/ },
    { scenario: "error-inside", code: "MODEL_SERVER", kept: /^Half$/ },
    { scenario: "drops", code: "MODEL_UNREACHABLE", kept: /^The sum follows\.\n```python\nfinal_$/ },
    { scenario: "call-that-drops", code: "MODEL_UNREACHABLE", kept: /^Let me look\.$/ },
    { scenario: "endless", code: "MODEL_RESPONSE", kept: /^(no end ){500000}/ },
  ])(
    "fails as $code when it breaks off like $scenario, and what came before stays",
    async ({ scenario, code, kept }) => {
      const { chunks, error } = await complete(modelOf(scenario));

      expect(error).toMatchObject({ code });
      expect(textOf(chunks)).toMatch(kept);
      expect(callsOf(chunks)).toEqual([]);
      expect(chunks.some(({ type }) => type === "done")).toBe(false);
    },
  );

  test("fails as MODEL_TIMEOUT when it never answers", async () => {
    const { error } = await complete(modelOf("silent", 200));

    expect(error).toMatchObject({ code: "MODEL_TIMEOUT", limit: 200, isRetryable: true });
  });

  test("fails as MODEL_UNREACHABLE when nothing listens, and says that it may be CORS", async () => {
    const model = openaiModel({ baseURL: "http://127.0.0.1:9/v1", model: "test-model" });
    const { error } = await complete(model);

    expect(error).toMatchObject({ code: "MODEL_UNREACHABLE", message: expect.stringContaining("CORS") });
  });
});
