import { describe, expect, test } from "vitest";

import type { ModelRequest } from "../../../src/model/index.js";
import { chunkLine, dataLine, END, usageLine } from "../../servers/model-chunks.js";
import { textOf, thoughtOf } from "../../servers/read-chunks.js";
import { collect, KEY, request, ServedModel } from "./served-model.js";

const served = new ServedModel();
const lines = (...all: readonly string[]) => ({ kind: "lines", lines: all }) as const;

describe("a reply", () => {
  test("is streamed in pieces and ends with why and what it cost", async () => {
    served.answer = () => ({ kind: "reply", text: "Here you are: 5, as expected." });

    const chunks = await collect(served.model().complete(request));

    expect(textOf(chunks)).toBe("Here you are: 5, as expected.");
    expect(chunks.filter(({ type }) => type === "text").length).toBeGreaterThan(2);
    expect(chunks.at(-1)).toEqual({ type: "done", finishReason: "stop", usage: { inputTokens: 11, outputTokens: 7 } });
  });

  test("is asked for with messages, model, temperature and key, and no header that CORS would stop", async () => {
    served.answer = () => ({ kind: "reply", text: "5" });

    await collect(served.model().complete(request));

    const [received] = served.requests;
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
    served.answer = () => ({ kind: "reply", text: "5" });

    await collect(served.model({ apiKey: "" }).complete(request));

    expect(served.requests[0]?.headers.authorization).toBeUndefined();
  });

  test("that was cut at the length limit says so", async () => {
    served.answer = () => ({ kind: "reply", text: "```python\nprint(", finishReason: "length" });

    const chunks = await collect(served.model().complete(request));

    expect(chunks.at(-1)).toMatchObject({ finishReason: "length" });
  });

  test("without any text is a reply all the same", async () => {
    served.answer = () => ({
      kind: "lines",
      lines: [chunkLine({ content: null }), chunkLine({}, "stop"), "data: [DONE]"],
    });

    const chunks = await collect(served.model().complete(request));

    expect(chunks).toEqual([{ type: "done", finishReason: "stop", usage: null }]);
  });

  test("may come whole, as one completion", async () => {
    const message = {
      role: "assistant",
      content: "Here it is.",
      reasoning_content: "Hm.",
      tool_calls: [
        { id: "call_a", type: "function", function: { name: "add", arguments: '{"a": 2}' } },
        { id: "call_b", type: "function", function: { name: "add", arguments: '{"a": 3}' } },
      ],
    };
    const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };
    const completion = {
      object: "chat.completion",
      choices: [{ index: 0, message, finish_reason: "tool_calls" }],
      usage,
    };
    served.answer = () => ({
      kind: "body",
      contentType: "application/json; charset=utf-8",
      body: JSON.stringify(completion, null, 2),
    });

    expect(await collect(served.model().complete(request))).toEqual([
      { type: "reasoning", text: "Hm." },
      { type: "text", text: "Here it is." },
      { type: "tool-call", call: { id: "call_a", name: "add", arguments: '{"a": 2}' } },
      { type: "tool-call", call: { id: "call_b", name: "add", arguments: '{"a": 3}' } },
      { type: "done", finishReason: "tool-calls", usage: { inputTokens: 11, outputTokens: 7 } },
    ]);
  });

  test.each([
    ["data: [DONE]", "\n\n"],
    ["data:[DONE]", "\n\n"],
    ["data: [DONE]", ""],
  ])("that the server marks as done with %j needs no reason for its end", async (mark, end) => {
    const chunk = chunkLine({ content: "Whole." });
    served.answer = () => ({ kind: "body", contentType: "text/event-stream", body: `${chunk}\n\n${mark}${end}` });

    expect(await collect(served.model().complete(request))).toEqual([
      { type: "text", text: "Whole." },
      { type: "done", finishReason: "stop", usage: null },
    ]);
  });

  test("stops when its signal is aborted, with the signal's reason", async () => {
    served.answer = () => ({ kind: "stall", text: "One moment" });
    const stop = new AbortController();
    const reason = new Error("enough");

    const ended = (async () => {
      for await (const chunk of served.model().complete(request, { signal: stop.signal })) {
        if (chunk.type === "text") stop.abort(reason);
      }
    })();

    await expect(ended).rejects.toBe(reason);
  });

  test("is not asked for when the signal was aborted before", async () => {
    served.answer = () => ({ kind: "reply", text: "5" });

    await expect(collect(served.model().complete(request, { signal: AbortSignal.abort() }))).rejects.toMatchObject({
      name: "AbortError",
    });

    expect(served.requests).toEqual([]);
  });
});

describe("a stream", () => {
  test("may have chunks without anything in them, and comments between them", async () => {
    served.answer = () =>
      lines(
        ": keep-alive",
        dataLine({ choices: [] }),
        dataLine({}),
        dataLine({ choices: null }),
        chunkLine(null),
        chunkLine({ content: null, tool_calls: null, reasoning: null }),
        chunkLine({ content: "5" }),
        ": keep-alive",
        chunkLine({}, "stop"),
        usageLine(),
        END,
      );

    expect(await served.ask()).toEqual([
      { type: "text", text: "5" },
      { type: "done", finishReason: "stop", usage: { inputTokens: 11, outputTokens: 7 } },
    ]);
  });

  test.each([
    { where: "at its end", counts: [chunkLine({}, "stop"), usageLine(20, 3)] },
    {
      where: "in every chunk, and the last is what counts",
      counts: [
        dataLine({ choices: [{ index: 0, delta: {} }], usage: { prompt_tokens: 20, completion_tokens: 1 } }),
        dataLine({
          choices: [{ index: 0, delta: {}, finish_reason: "stop" }],
          usage: { prompt_tokens: 20, completion_tokens: 3 },
        }),
      ],
    },
    {
      where: "before an empty count",
      counts: [usageLine(20, 3), dataLine({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }], usage: null })],
    },
  ])("may say $where what it cost", async ({ counts }) => {
    served.answer = () => lines(chunkLine({ content: "5" }), ...counts, END);

    expect((await served.ask()).at(-1)).toMatchObject({ usage: { inputTokens: 20, outputTokens: 3 } });
  });

  test("may not say what it cost", async () => {
    served.answer = () => lines(chunkLine({ content: "5" }), chunkLine({}, "stop"), END);

    expect((await served.ask()).at(-1)).toMatchObject({ usage: null });
  });

  test.each([
    { tokens: "7" },
    { prompt_tokens: -1_000_000, completion_tokens: 3 },
    { prompt_tokens: 20, completion_tokens: 0.5 },
  ])("that counts in a way that cannot be is a reply all the same: %j", async (usage) => {
    served.answer = () => lines(chunkLine({ content: "5" }), chunkLine({}, "stop"), dataLine({ usage }));

    expect((await served.ask()).at(-1)).toMatchObject({ type: "done", usage: null });
  });

  test.each([
    { reason: "stop", is: "stop" },
    { reason: "eos", is: "stop" },
    { reason: "length", is: "length" },
    { reason: "MAX_TOKENS", is: "length" },
    { reason: "content_filter", is: "filter" },
    { reason: "refusal", is: "refusal" },
    { reason: "tool_calls", is: "stop" },
    { reason: "pause_turn", is: "other" },
  ])("that ends for $reason, without calls, ends for $is", async ({ reason, is }) => {
    served.answer = () => lines(chunkLine({ content: "5" }), chunkLine({}, reason), END);

    expect((await served.ask()).at(-1)).toMatchObject({ type: "done", finishReason: is });
  });

  test.each(["stop", "tool_calls", "pause_turn"])(
    "that the model refuses to fill has its refusal as text, and says that it is one, where it ends for %s",
    async (reason) => {
      served.answer = () =>
        lines(chunkLine({ refusal: "I cannot " }), chunkLine({ refusal: "help." }), chunkLine({}, reason), END);

      const chunks = await served.ask();

      expect(textOf(chunks)).toBe("I cannot help.");
      expect(chunks.at(-1)).toMatchObject({ finishReason: "refusal" });
    },
  );

  test("drips, and every sign of the server counts as one", async () => {
    served.answer = () => ({
      kind: "lines",
      lines: [": wait", ": wait", ": wait", ": wait", ": wait", chunkLine({ content: "5" }, "stop"), END],
      pause: 450,
    });

    // All of it takes longer, and no part of it nearly so long.
    expect(textOf(await served.ask(request, { timeout: 2000 }))).toBe("5");
  });
});

describe("what a model thinks before its reply", () => {
  test.each([
    { field: "reasoning_content", delta: (text: string) => ({ reasoning_content: text }) },
    { field: "reasoning", delta: (text: string) => ({ reasoning: text }) },
    { field: "both fields", delta: (text: string) => ({ reasoning: text, reasoning_content: text }) },
    {
      field: "parts of the content",
      delta: (text: string) => ({ content: [{ type: "thinking", thinking: [{ type: "text", text }] }] }),
    },
  ])("is no part of it, when it comes in $field", async ({ delta }) => {
    served.answer = () =>
      lines(
        chunkLine(delta("Two and three ")),
        chunkLine(delta("are five.")),
        chunkLine({ content: "It is 5" }),
        chunkLine({ content: "." }, "stop"),
        END,
      );

    const chunks = await served.ask();

    expect(thoughtOf(chunks)).toBe("Two and three are five.");
    expect(textOf(chunks)).toBe("It is 5.");
  });

  test("comes before the text, though its end is held back because it may be the start of the key", async () => {
    served.answer = () =>
      lines(chunkLine({ reasoning_content: `as${KEY.slice(0, 5)}` }), chunkLine({ content: "5" }, "stop"), END);

    const order = (await served.ask()).map((chunk) => ("text" in chunk ? `${chunk.type} ${chunk.text}` : chunk.type));

    expect(order).toEqual(["reasoning as", "reasoning sk-pr", "text 5", "done"]);
  });
});

test("text in parts is text", async () => {
  const asked: ModelRequest = { messages: [{ role: "user", content: "Hi" }] };
  served.answer = () =>
    lines(chunkLine({ content: [{ type: "text", text: "Hel" }] }), chunkLine({ content: "lo" }, "stop"), END);

  expect(textOf(await collect(served.model().complete(asked)))).toBe("Hello");
});
