import { describe, expect, inject, test } from "vitest";

import { openaiModel, type ModelRequest, type OpenAIModelSettings } from "../../../src/model/index.js";
import { callsOf, textOf, thoughtOf } from "../../servers/read-chunks.js";
import { RUN } from "../../timeouts.mjs";
import { complete, KEY } from "./asked-model.js";

const weather = {
  name: "weather",
  description: "Current weather of a city.",
  parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
};

function ask(content: string, settings: Partial<OpenAIModelSettings> = {}, rest: Partial<ModelRequest> = {}) {
  const model = openaiModel({
    baseURL: `${inject("aimockServer")}/v1`,
    apiKey: KEY,
    model: "gpt-4o",
    timeout: RUN,
    ...settings,
  });
  return complete(model, { messages: [{ role: "user", content }], temperature: 0, tools: [weather], ...rest });
}

describe("@copilotkit/aimock, a server of the protocol that others wrote", () => {
  test("streams text, and counts", async () => {
    const { chunks, error } = await ask("say five");

    expect(error).toBeUndefined();
    expect(textOf(chunks)).toBe("Two and three are five.");
    expect(chunks.filter(({ type }) => type === "text").length).toBeGreaterThan(3);
    expect(chunks.at(-1)).toMatchObject({
      finishReason: "stop",
      usage: { inputTokens: expect.any(Number), outputTokens: expect.any(Number) },
    });
  });

  test("streams what a model thinks", async () => {
    const { chunks } = await ask("think");

    expect(thoughtOf(chunks)).toBe("Two and three are five.");
    expect(textOf(chunks)).toBe("5");
  });

  test("streams a call in pieces, and reads its answer", async () => {
    const { chunks } = await ask("weather, please");
    const calls = callsOf(chunks);

    expect(textOf(chunks)).toBe("Let me look.");
    expect(calls).toEqual([{ id: "call_weather", name: "weather", arguments: '{"city":"Oslo"}' }]);
    expect(chunks.at(-1)).toMatchObject({ finishReason: "tool-calls" });

    const next = await ask(
      "",
      {},
      {
        messages: [
          { role: "user", content: "weather, please" },
          { role: "assistant", content: "Let me look.", toolCalls: calls },
          { role: "tool", content: "7", toolCallId: "call_weather" },
        ],
      },
    );

    expect(textOf(next.chunks)).toBe("It is 7 degrees in Oslo.");
  });

  test("streams several calls, each with its own id", async () => {
    const { chunks } = await ask("two calls");
    const calls = callsOf(chunks);

    expect(calls.map(({ arguments: text }) => text)).toEqual(['{"city":"Oslo"}', '{"city":"Bergen"}']);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
  });

  test.each([
    { content: "stop short", finishReason: "length" },
    { content: "withhold", finishReason: "filter" },
  ])("that is told to $content ends for $finishReason", async ({ content, finishReason }) => {
    const { chunks } = await ask(content);

    expect(chunks.at(-1)).toMatchObject({ finishReason });
  });

  test.each([
    { content: "be busy", code: "MODEL_RATE_LIMIT", isRetryable: true },
    { content: "be full", code: "MODEL_CONTEXT_TOO_LONG", isRetryable: false },
    { content: "fail", code: "MODEL_SERVER", isRetryable: true },
    { content: "babble", code: "MODEL_RESPONSE", isRetryable: false },
    { content: "what nobody taught it", code: "MODEL_REQUEST", isRetryable: false },
  ])("that is told to $content fails as $code", async ({ content, code, isRetryable }) => {
    const { chunks, error } = await ask(content);

    expect(error).toMatchObject({ code, isRetryable });
    expect(chunks).toEqual([]);
  });

  test("that hangs up leaves what it said until then", async () => {
    const { chunks, error } = await ask("hang up");

    expect(error).toMatchObject({ code: "MODEL_UNREACHABLE", isRetryable: true });
    expect("A reply that breaks off in the middle.".startsWith(textOf(chunks))).toBe(true);
    expect(textOf(chunks)).not.toBe("");
  });
});
