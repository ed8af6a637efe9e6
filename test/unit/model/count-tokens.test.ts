import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, test } from "vitest";

import { countTokens, type ModelMessage } from "../../../src/model/index.js";
import { countTurns } from "../count-turns.js";

const words = (text: string): number => encode(text).length;
const user = (content: string): ModelMessage => ({ role: "user", content });

describe("the tokens of a conversation", () => {
  test("are those of its words, and a few for each message", async () => {
    const texts = [
      "You write Python.",
      "Add 2 and 3, dann schreib die Summe auf.",
      "```python\nfinal_answer(2 + 3)\n```",
    ];

    const count = await countTokens(texts.map(user));

    expect(count).toEqual({ tokens: texts.reduce((sum, text) => sum + words(text) + 4, 0), estimated: true });
  });

  test("of a long text are counted in slices: the page goes on in between", async () => {
    await countTokens([user("The vocabulary is there.")]);
    const turns = countTurns();

    const { tokens } = await countTokens([user("abc ".repeat(50_000))]);

    expect(turns()).toBeGreaterThan(100);
    expect(tokens).toBeGreaterThan(40_000);
  });

  test("of a long text are an estimate once the signal is aborted, and are no precise count later", async () => {
    const message = user("one two three ".repeat(1000));
    const stop = AbortSignal.abort(new Error("Stopped."));

    const rough = await countTokens([message], { signal: stop });
    const precise = await countTokens([message]);

    expect(rough.tokens).toBe(14_000 / 4 + 4);
    expect(precise.tokens).not.toBe(rough.tokens);
  });

  test("are none where there are no messages", async () => {
    expect(await countTokens([])).toEqual({ tokens: 0, estimated: true });
  });

  test("count calls, their answers, and the tools that a server is told of", async () => {
    const asked: ModelMessage = { role: "assistant", content: "Let me look." };
    const call = { id: "a", name: "weather", arguments: '{"city":"Oslo"}' };
    const tool = { name: "weather", description: "Current weather of a city.", parameters: { type: "object" } };

    const [plain, calling, equipped] = await Promise.all([
      countTokens([asked]),
      countTokens([
        { ...asked, toolCalls: [call] },
        { role: "tool", content: "7", toolCallId: "a" },
      ]),
      countTokens([asked], { tools: [tool] }),
    ]);

    expect(calling.tokens).toBeGreaterThanOrEqual(plain.tokens + words(call.arguments) + words("weather") + 4 + 1);
    expect(equipped.tokens).toBeGreaterThanOrEqual(plain.tokens + words(tool.description) + words("weather"));
  });

  test("count an image as an image for a model that sees, and as its text for others", async () => {
    const image = { type: "image", mime: "image/png", data: new Uint8Array(9), text: "[a chart of 12 bars]" } as const;
    const messages: ModelMessage[] = [{ role: "user", content: [{ type: "text", text: "What is this?" }, image] }];

    expect((await countTokens(messages)).tokens).toBe(words(`What is this?\n\n${image.text}`) + 4);
    expect((await countTokens(messages, { sees: true })).tokens).toBeGreaterThan(700);
  });

  test("of a text that quotes a mark of the vocabulary are counted like any other", async () => {
    expect((await countTokens([user("What does <|endoftext|> mean?")])).tokens).toBeGreaterThan(8);
  });

  test("of a long text are close to those of the whole, also where it has no spaces and few letters fit a cut", async () => {
    const text = `${"Быстрая лиса. ".repeat(300)}${"快速的棕色狐狸".repeat(300)}${"👩‍💻".repeat(500)}`;
    const whole = words(text);

    const { tokens } = await countTokens([user(text)]);

    expect(tokens).toBeGreaterThanOrEqual(whole);
    expect(tokens).toBeLessThan(whole * 1.02);
  });

  test("follow a message that another text was put into", async () => {
    const message = { role: "user" as const, content: "short" };
    const before = await countTokens([message]);
    message.content = "now there are quite a few more words in it";

    expect((await countTokens([message])).tokens).toBeGreaterThan(before.tokens);
  });
});
