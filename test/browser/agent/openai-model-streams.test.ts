import { describe, expect, test } from "vitest";

import { countTokens } from "../../../src/model/index.js";
import { callsOf, textOf, thoughtOf } from "../../servers/read-chunks.js";
import { complete, modelOf, question } from "./asked-model.js";

describe("a stream that a page reads", () => {
  test("has calls in pieces, put together", async () => {
    const { chunks, error } = await complete(modelOf("calls-in-pieces"));

    expect(error).toBeUndefined();
    expect(textOf(chunks)).toBe("Let me look.");
    expect(callsOf(chunks)).toEqual([
      { id: "a", name: "weather", arguments: '{"city":"Oslo"}' },
      { id: "b", name: "add", arguments: '{"x":2}' },
    ]);
    expect(chunks.at(-1)).toMatchObject({ finishReason: "tool-calls", usage: { inputTokens: 11, outputTokens: 7 } });
  });

  test("has what the model thinks apart from what it says", async () => {
    const { chunks } = await complete(modelOf("reasons"));

    expect(thoughtOf(chunks)).toBe("Two and three are five.");
    expect(textOf(chunks)).toBe("5");
  });

  test("has a refusal as text, and says that it is one", async () => {
    const { chunks } = await complete(modelOf("refuses"));

    expect(textOf(chunks)).toBe("I cannot help.");
    expect(chunks.at(-1)).toMatchObject({ finishReason: "refusal" });
  });

  test("passes over chunks without anything in them", async () => {
    const { chunks } = await complete(modelOf("empty-chunks"));

    expect(chunks).toEqual([
      { type: "text", text: "5" },
      { type: "done", finishReason: "stop", usage: { inputTokens: 11, outputTokens: 7 } },
    ]);
  });

  test("is waited for as long as the server shows that it is there", async () => {
    // All of it takes longer, and no part of it nearly so long.
    const { chunks, error } = await complete(modelOf("drips", 2000));

    expect(error).toBeUndefined();
    expect(textOf(chunks)).toBe("5");
  });

  test("that breaks off has all that it sent, however slowly it is read", async () => {
    let text = "";
    const read = (async () => {
      for await (const chunk of modelOf("drips-and-drops").complete(question)) {
        // Longer than the server takes to send the rest and to break off.
        if (text === "") await new Promise((resolve) => setTimeout(resolve, 1000));
        if (chunk.type === "text") text += chunk.text;
      }
    })();

    await expect(read).rejects.toMatchObject({ code: "MODEL_UNREACHABLE" });
    expect(text).toBe("Two and three are five");
  });

  test("that was cut at the length limit says so", async () => {
    const { chunks } = await complete(modelOf("truncated"));

    expect(textOf(chunks)).toBe("The sum fol");
    expect(chunks.at(-1)).toMatchObject({ finishReason: "length" });
  });

  test("without a count of tokens is counted here", async () => {
    const { chunks } = await complete(modelOf("no-usage"));

    expect(chunks.at(-1)).toMatchObject({ usage: null });
    expect(await countTokens([{ role: "assistant", content: "Two and three are five." }])).toEqual({
      tokens: 10,
      estimated: true,
    });
  });
});
