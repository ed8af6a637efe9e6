import { describe, expect, test } from "vitest";

import { callLine, chunkLine, dataLine, errorBody } from "../../servers/model-chunks.js";
import type { ModelAnswer } from "../../servers/model-server.js";
import { thoughtOf } from "../../servers/read-chunks.js";
import { fail, freePort, KEY, request, ServedModel } from "./served-model.js";

const served = new ServedModel();

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
      fields: { status: 401, isRetryable: false, retryAfter: null },
    },
    {
      fault: "403",
      answer: status(403, errorBody("No access.")),
      code: "MODEL_AUTH",
      name: "ModelAuthError",
      says: /does not let this API key use the model "test-model"/,
      fields: { status: 403, isRetryable: false },
    },
    {
      fault: "429 with Retry-After",
      answer: status(429, errorBody("Slow down."), { "Retry-After": "20" }),
      code: "MODEL_RATE_LIMIT",
      name: "ModelRateLimitError",
      says: /Slow down.*Wait 20 seconds/,
      fields: { retryAfter: 20_000, isRetryable: true },
    },
    {
      fault: "429 without",
      answer: status(429, ""),
      code: "MODEL_RATE_LIMIT",
      name: "ModelRateLimitError",
      says: /Wait a little and try again/,
      fields: { retryAfter: null, isRetryable: true },
    },
    {
      fault: "429 of an empty account",
      answer: status(429, errorBody("You exceeded your current quota.", { code: "insufficient_quota" })),
      code: "MODEL_QUOTA",
      name: "ModelQuotaError",
      says: /account .* is used up \(429: You exceeded your current quota\.\)\. Look at its plan/,
      fields: { status: 429, isRetryable: false },
    },
    {
      fault: "402",
      answer: status(402, errorBody("Insufficient credits.", { code: 402 })),
      code: "MODEL_QUOTA",
      name: "ModelQuotaError",
      says: /402: Insufficient credits/,
      fields: { status: 402, isRetryable: false },
    },
    {
      fault: "503 with Retry-After",
      answer: status(503, errorBody("Overloaded."), { "Retry-After": "3" }),
      code: "MODEL_SERVER",
      name: "ModelServerError",
      says: /503: Overloaded/,
      fields: { status: 503, isRetryable: true, retryAfter: 3000 },
    },
    {
      fault: "408",
      answer: status(408, errorBody("Too slow.")),
      code: "MODEL_REQUEST",
      name: "ModelRequestError",
      says: /408: Too slow\.\)\. Try again/,
      fields: { status: 408, isRetryable: true },
    },
    {
      fault: "409",
      answer: status(409, errorBody("Conflict.")),
      code: "MODEL_REQUEST",
      name: "ModelRequestError",
      says: /409: Conflict/,
      fields: { status: 409, isRetryable: true },
    },
    {
      fault: "500",
      answer: status(500, "<html><body>oops</body></html>"),
      code: "MODEL_SERVER",
      name: "ModelServerError",
      says: /failed while answering.*500: an HTML page.*Try again later/,
      fields: { status: 500, isRetryable: true },
    },
    {
      fault: "404",
      answer: status(404, JSON.stringify({ error: 'model "test-model" not found' })),
      code: "MODEL_REQUEST",
      name: "ModelRequestError",
      says: /not found.*Check in the settings/,
      fields: { status: 404, isRetryable: false },
    },
    {
      fault: "400",
      answer: status(400, errorBody("Too long.")),
      code: "MODEL_REQUEST",
      name: "ModelRequestError",
      says: /400: Too long\./,
      fields: { status: 400, isRetryable: false },
    },
    {
      fault: "a web page",
      answer: { kind: "body", contentType: "text/html", body: "<html>hi</html>" },
      code: "MODEL_RESPONSE",
      name: "ModelResponseError",
      says: /no content \(it came as text\/html\).*base URL/,
      fields: { isRetryable: false },
    },
    {
      fault: "one JSON document",
      answer: { kind: "body", contentType: "application/json", body: '{"choices":[]}' },
      code: "MODEL_RESPONSE",
      name: "ModelResponseError",
      says: /application\/json.*base URL/,
    },
    {
      fault: "an error in a JSON document",
      answer: { kind: "body", contentType: "application/json", body: errorBody("Overloaded.") },
      code: "MODEL_SERVER",
      name: "ModelServerError",
      says: /it says: Overloaded\./,
    },
    {
      fault: "words of a reply that are no mark of its end",
      answer: { kind: "lines", lines: [chunkLine({ content: "data: [DONE]" })] },
      code: "MODEL_RESPONSE",
      name: "ModelResponseError",
      says: /sent a reply that cannot be used: the stream stopped after 12 characters.*Try again; if it stays/,
    },
    {
      fault: "an empty stream",
      answer: { kind: "lines", lines: ["data: [DONE]"] },
      code: "MODEL_RESPONSE",
      name: "ModelResponseError",
      says: /no content \(it came as text\/event-stream/,
      fields: { isRetryable: true },
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
      fields: { isRetryable: true },
    },
    {
      fault: "a redirect",
      answer: status(307, "", { Location: "http://127.0.0.1:1/" }),
      code: "MODEL_RESPONSE",
      name: "ModelResponseError",
      says: /redirects/,
      fields: { isRetryable: false },
    },
    {
      fault: "an error inside the stream",
      answer: { kind: "lines", lines: [chunkLine({ content: "Half" }), `data: ${errorBody("Overloaded.")}`] },
      code: "MODEL_SERVER",
      name: "ModelServerError",
      says: /it says: Overloaded\./,
      fields: { status: null, isRetryable: true },
    },
    {
      fault: "an error inside the stream that is the whole chunk",
      answer: { kind: "lines", lines: [`data: {"object":"error","message":"CUDA out of memory","code":500}`] },
      code: "MODEL_SERVER",
      name: "ModelServerError",
      says: /500: CUDA out of memory/,
      fields: { status: 500 },
    },
    {
      fault: "an error inside the stream that is a word",
      answer: { kind: "lines", lines: [`data: {"error":"boom"}`] },
      code: "MODEL_SERVER",
      name: "ModelServerError",
      says: /it says: boom/,
    },
    {
      fault: "a reply that ends in an error",
      answer: { kind: "lines", lines: [chunkLine({ content: "Half" }, "error")] },
      code: "MODEL_SERVER",
      name: "ModelServerError",
      says: /it gave no reason/,
    },
    {
      fault: "a context too long inside the stream",
      answer: { kind: "lines", lines: [`data: ${errorBody("Too long.", { code: "context_length_exceeded" })}`] },
      code: "MODEL_CONTEXT_TOO_LONG",
      name: "ModelContextError",
      says: /too long for "test-model"/,
      fields: { isRetryable: false },
    },
    {
      fault: "a limit of the rate inside the stream, by its name alone",
      answer: { kind: "lines", lines: [`data: ${errorBody("Busy.", { code: "rate_limit_exceeded" })}`] },
      code: "MODEL_RATE_LIMIT",
      name: "ModelRateLimitError",
      says: /Busy/,
    },
    {
      fault: "a call that the server cannot read",
      answer: status(400, errorBody("Failed to call a function.", { code: "tool_use_failed" })),
      code: "MODEL_RESPONSE",
      name: "ModelResponseError",
      says: /tool call that its server cannot read/,
      fields: { isRetryable: true },
    },
    {
      fault: "a call without a name",
      answer: { kind: "lines", lines: [callLine({ index: 0, id: "a", arguments: "{}" }), chunkLine({}, "tool_calls")] },
      code: "MODEL_RESPONSE",
      name: "ModelResponseError",
      says: /tool call has no name/,
      fields: { isRetryable: true },
    },
    {
      fault: "calls of another shape",
      answer: { kind: "lines", lines: [chunkLine({ tool_calls: "weather" })] },
      code: "MODEL_RESPONSE",
      name: "ModelResponseError",
      says: /malformed \(choices\.0\.delta\.tool_calls: /,
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
      fields: { received: 10, isRetryable: true },
    },
  ];

  test.each(faults)("$fault is $name", async ({ answer: given, code, name, says, fields = {} }) => {
    served.answer = () => given;

    const { error } = await fail(served.model().complete(request));

    expect(error).toMatchObject({ code, name, model: "test-model", server: served.server.baseURL(), ...fields });
    expect(error.message).toMatch(says);
    expect(served.requests).toHaveLength(1);
  });

  const elsewhere = ["a web page", "one JSON document", "a redirect"];
  test.each(faults.filter(({ code }) => code === "MODEL_RESPONSE"))(
    "$fault has the address doubted only where what came is of no such server",
    async ({ fault, answer: given }) => {
      served.answer = () => given;

      const { error } = await fail(served.model().complete(request));

      expect(error.message.includes("Check that the base URL")).toBe(elsewhere.includes(fault));
    },
  );

  test.each([
    { says: "Rate limit reached for m: Limit 3, Used 3. Please try again in 7.66s. Visit the console.", wait: 7660 },
    { says: "Please try again in 350ms.", wait: 350 },
    { says: "Please try again in 1m12.5s.", wait: 72_500 },
    { says: "Please try again in 2h5m.", wait: 7_500_000 },
    { says: "Please retry in 33.5s.", wait: 33_500 },
    { says: "Please try again in a while.", wait: null },
  ])("429 that says $says waits $wait, for pages that may not read the header", async ({ says, wait }) => {
    served.answer = () => status(429, errorBody(says));

    const { error } = await fail(served.model().complete(request));

    expect(error).toMatchObject({ code: "MODEL_RATE_LIMIT", retryAfter: wait });
  });

  test("a missing key is asked for", async () => {
    served.answer = () => status(401, errorBody("No key."));

    const { error } = await fail(served.model({ apiKey: "" }).complete(request));

    expect(error.message).toMatch(/wants an API key, and none is set \(401: No key\.\)\. Enter one in the settings\./);
  });

  test("leaves the text that came before it", async () => {
    served.answer = () => ({ kind: "drop", text: "Half of it" });

    expect((await fail(served.model().complete(request))).text).toBe("Half of it");
  });

  test("silence before the reply is ModelTimeoutError", async () => {
    served.answer = () => ({ kind: "silence" });

    const { error } = await fail(served.model({ timeout: 50 }).complete(request));

    expect(error).toMatchObject({ code: "MODEL_TIMEOUT", name: "ModelTimeoutError", limit: 50, isRetryable: true });
    expect(error.message).toMatch(/sent nothing for 0.05 seconds\. Try again/);
  });

  test("silence in the middle of the reply is ModelTimeoutError, and the text before it stays", async () => {
    served.answer = () => ({ kind: "stall", text: "One moment" });

    const { error, text } = await fail(served.model({ timeout: 200 }).complete(request));

    expect(error).toMatchObject({ code: "MODEL_TIMEOUT" });
    expect(text).toBe("One moment");
  });

  test("no server is ModelUnreachableError, which names the address and both possible reasons", async () => {
    const baseURL = `http://127.0.0.1:${String(await freePort())}/v1`;

    const { error } = await fail(served.model({ baseURL }).complete(request));

    expect(error).toMatchObject({ code: "MODEL_UNREACHABLE", name: "ModelUnreachableError", received: 0 });
    expect(error.message).toContain(baseURL);
    expect(error.message).toMatch(/nothing can be reached there, or .* \(CORS\)/);
  });

  test.each<{ end: string; answer: ModelAnswer; code: string }>([
    { end: "a chunk that is not JSON", answer: halfThen("data: {oops"), code: "MODEL_RESPONSE" },
    { end: "a chunk of another shape", answer: halfThen(dataLine({ choices: 3 })), code: "MODEL_RESPONSE" },
    { end: "an error inside the stream", answer: halfThen(`data: ${errorBody("Overloaded.")}`), code: "MODEL_SERVER" },
    { end: "no end", answer: halfThen(), code: "MODEL_RESPONSE" },
    { end: "a broken connection", answer: { ...halfThen(), end: "drop" }, code: "MODEL_UNREACHABLE" },
    { end: "silence", answer: { ...halfThen(), end: "stall" }, code: "MODEL_TIMEOUT" },
  ])(
    "that is $end leaves text and thought, even what was held back for the key's sake, and no half a call",
    async ({ answer, code }) => {
      served.answer = () => answer;
      const timeout = code === "MODEL_TIMEOUT" ? 300 : 30_000;

      const { error, text, chunks } = await fail(served.model({ timeout }).complete(request));

      expect(error.code).toBe(code);
      expect(text).toBe(`Half of it ${KEY.slice(0, 4)}`);
      expect(thoughtOf(chunks)).toBe("Hm.");
      expect(chunks.some(({ type }) => type === "tool-call" || type === "done")).toBe(false);
    },
  );

  test("that is a reply without end is stopped, and what came before it stays", async () => {
    served.answer = () => ({ kind: "endless", line: `${chunkLine({ content: "no end ".repeat(10_000) })}\n\n` });

    const { error, text } = await fail(served.model().complete(request));

    expect(error).toMatchObject({ code: "MODEL_RESPONSE", isRetryable: false });
    expect(error.message).toMatch(/longer than 4000000 characters\. Ask for a shorter reply/);
    expect(error.message).not.toContain("base URL");
    expect(text.length).toBeGreaterThan(3_900_000);
    expect(text.length).toBeLessThan(4_100_000);
  });

  test("that is one event without end is stopped", async () => {
    served.answer = () => ({ kind: "endless", line: "x".repeat(100_000) });

    const { error } = await fail(served.model().complete(request));

    expect(error).toMatchObject({ code: "MODEL_RESPONSE", isRetryable: false });
    expect(error.message).toMatch(/event of more than 2000000 bytes/);
  });
});

function halfThen(...end: readonly string[]): Extract<ModelAnswer, { kind: "lines" }> {
  return {
    kind: "lines",
    lines: [
      chunkLine({ reasoning_content: "Hm." }),
      chunkLine({ content: "Half of it " }),
      chunkLine({ content: KEY.slice(0, 4) }),
      callLine({ index: 0, id: "a", name: "weather", arguments: '{"city":' }),
      ...end,
    ],
  };
}
