import { describe, expect, test } from "vitest";

import { callLine, chunkLine, END, usageLine } from "../../servers/model-chunks.js";
import { callsOf, textOf } from "../../servers/read-chunks.js";
import { ServedModel } from "./served-model.js";

const served = new ServedModel();

function streamed(lines: readonly string[], finishReason: string | null = "tool_calls"): void {
  served.answer = () => ({ kind: "lines", lines: [...lines, chunkLine({}, finishReason), usageLine(), END] });
}

const oslo = { id: "a", name: "weather", arguments: '{"city":"Oslo"}' };
const sum = { id: "b", name: "add", arguments: '{"x":2,"y":3}' };

describe("tool calls", () => {
  test("come whole, after the text, whatever pieces they came in", async () => {
    streamed([
      chunkLine({ role: "assistant", content: "Let me look." }),
      callLine({ index: 0, id: "a", name: "weather", arguments: "" }),
      ...Array.from(oslo.arguments, (letter) => callLine({ index: 0, arguments: letter })),
    ]);

    const chunks = await served.ask();

    expect(textOf(chunks)).toBe("Let me look.");
    expect(callsOf(chunks)).toEqual([oslo]);
    expect(chunks.slice(-2).map(({ type }) => type)).toEqual(["tool-call", "done"]);
    expect(chunks.at(-1)).toEqual({
      type: "done",
      finishReason: "tool-calls",
      usage: { inputTokens: 11, outputTokens: 7 },
    });
  });

  test.each<{ server: string; lines: string[] }>([
    {
      server: "mixes their pieces",
      lines: [
        callLine({ index: 0, id: "a", name: "weather" }),
        callLine({ index: 1, id: "b", name: "add" }),
        callLine({ index: 1, arguments: '{"x":2,' }),
        callLine({ index: 0, arguments: '{"city":' }),
        callLine({ index: 1, arguments: '"y":3}' }, { index: 0, arguments: '"Oslo"}' }),
      ],
    },
    {
      server: "says the id late",
      lines: [
        callLine({ index: 0, name: "weather" }),
        callLine({ index: 0, arguments: '{"city":"Os' }),
        callLine({ index: 0, id: "a", arguments: 'lo"}' }),
        callLine({ index: 1, id: "", name: "add", arguments: sum.arguments }),
        callLine({ index: 1, id: "b" }),
      ],
    },
    {
      server: "repeats id and name in every piece",
      lines: [
        callLine({ index: 0, id: "a", name: "weather", arguments: '{"city":' }),
        callLine({ index: 0, id: "a", name: "weather", arguments: '"Oslo"}' }),
        callLine({ index: 0, id: "a", name: "weather", arguments: "" }),
        callLine({ index: 1, id: "b", name: "add", arguments: '{"x":2,' }),
        callLine({ index: 1, id: "b", name: "add", arguments: '"y":3}' }),
      ],
    },
    {
      server: "sends the name in pieces",
      lines: [
        callLine({ index: 0, id: "a", name: "wea" }),
        callLine({ index: 0, name: "ther" }),
        callLine({ index: 0, arguments: oslo.arguments }),
        callLine({ index: 1, ...sum }),
      ],
    },
    {
      server: "sends them whole, all with the same index",
      lines: [callLine({ index: 0, ...oslo }), callLine({ index: 0, ...sum })],
    },
    { server: "sends them whole and at once", lines: [callLine({ index: 0, ...oslo }, { index: 1, ...sum })] },
    { server: "sends them whole, without index", lines: [callLine(oslo), callLine(sum)] },
    { server: "sends them whole and at once, without index", lines: [callLine(oslo, sum)] },
    {
      server: "sends pieces without index, with the id in each",
      lines: [
        callLine({ id: "a", name: "weather", arguments: "" }),
        callLine({ id: "b", name: "add", arguments: "" }),
        callLine({ id: "a", arguments: oslo.arguments }),
        callLine({ id: "b", arguments: sum.arguments }),
      ],
    },
    {
      server: "sends pieces without index, with the id in the first",
      lines: [
        callLine({ index: null, id: "a", name: "weather", arguments: '{"city":' }),
        callLine({ index: null, arguments: '"Oslo"}' }),
        callLine({ index: null, id: "b", name: "add", arguments: '{"x":2,' }),
        callLine({ index: null, id: null, arguments: '"y":3}' }),
      ],
    },
    {
      server: "begins at a later index, and leaves an empty piece at the end",
      lines: [callLine({ index: 3, ...oslo }), callLine({ index: 4, ...sum }), callLine({ index: 5, arguments: "" })],
    },
  ])("are the same where a server $server", async ({ lines }) => {
    streamed(lines);

    expect(callsOf(await served.ask())).toEqual([oslo, sum]);
  });

  test("without an id, or with another's, get one of their own", async () => {
    streamed([
      callLine({ index: 0, id: "", name: "weather", arguments: oslo.arguments }),
      callLine({ index: 1, name: "weather", arguments: oslo.arguments }),
      callLine({ index: 2, ...sum }),
      callLine({ index: 3, ...sum }),
    ]);

    const ids = callsOf(await served.ask()).map(({ id }) => id);

    expect(new Set(ids).size).toBe(4);
    expect(ids[2]).toBe("b");
    for (const index of [0, 1, 3]) expect(ids[index]).toMatch(/^[A-Za-z0-9]{9}$/);
  });

  test("without index and id, one after the other, are told apart", async () => {
    streamed([
      callLine({ name: "weather", arguments: oslo.arguments }),
      callLine({ name: "add", arguments: '{"x":2,' }),
      callLine({ arguments: '"y":3}' }),
    ]);

    expect(callsOf(await served.ask())).toMatchObject([
      { name: "weather", arguments: oslo.arguments },
      { name: "add", arguments: sum.arguments },
    ]);
  });

  test("without arguments have an empty object, and arguments sent as an object are written as JSON", async () => {
    served.answer = () => ({
      kind: "lines",
      lines: [
        callLine({ index: 0, id: "a", name: "now" }),
        chunkLine({ tool_calls: [{ index: 1, id: "b", function: { name: "weather", arguments: { city: "Oslo" } } }] }),
        chunkLine({}, "tool_calls"),
        END,
      ],
    });

    expect(callsOf(await served.ask()).map(({ arguments: text }) => text)).toEqual(["{}", '{"city":"Oslo"}']);
  });

  test("are handed on as the model wrote them, broken JSON too", async () => {
    streamed([callLine({ index: 0, id: "a", name: "weather", arguments: '{"city": Oslo' })]);

    expect(callsOf(await served.ask())).toEqual([{ id: "a", name: "weather", arguments: '{"city": Oslo' }]);
  });

  test("that the length limit cut are left out, and the reason says so", async () => {
    streamed(
      [callLine({ index: 0, ...oslo }), callLine({ index: 1, id: "b", name: "add", arguments: '{"x":' })],
      "length",
    );

    const chunks = await served.ask();

    expect(callsOf(chunks)).toEqual([oslo]);
    expect(chunks.at(-1)).toMatchObject({ finishReason: "length" });
  });

  test("end a reply for tool-calls, whatever reason the server names", async () => {
    streamed([callLine({ index: 0, ...oslo })], "stop");

    expect((await served.ask()).at(-1)).toMatchObject({ finishReason: "tool-calls" });
  });
});
