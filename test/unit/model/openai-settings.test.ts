import { describe, expect, test } from "vitest";

import { openaiModel } from "../../../src/model/index.js";
import { callLine, chunkLine, END, errorBody } from "../../servers/model-chunks.js";
import type { ModelAnswer } from "../../servers/model-server.js";
import { callsOf, textOf, thoughtOf } from "../../servers/read-chunks.js";
import { collect, fail, freePort, KEY, noticesOf, request, ServedModel } from "./served-model.js";

const served = new ServedModel();

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
    served.answer = () => echo(KEY);

    const { error } = await fail(served.model().complete(request));

    const everything = [error.message, error.stack, JSON.stringify(error), String(error.cause)].join("\n");
    expect(everything).not.toContain(KEY);
  });

  test("is struck from a reply, even where it is spread over pieces", async () => {
    served.answer = () => ({ kind: "reply", text: `Your key is ${KEY}, isn't it? sk-proj-12` });

    expect(textOf(await collect(served.model().complete(request)))).toBe("Your key is [API key], isn't it? sk-proj-12");
  });

  test("is struck from a thought, where it is spread over pieces too", async () => {
    const lines = [KEY.slice(0, 8), KEY.slice(8), " it is"].map((piece) => chunkLine({ reasoning: piece }));
    served.answer = () => ({ kind: "lines", lines: [...lines, chunkLine({}, "stop"), END] });

    expect(thoughtOf(await served.ask())).toBe("[API key] it is");
  });

  test("is struck from the arguments of a call, its name and its id", async () => {
    served.answer = () => ({
      kind: "lines",
      lines: [
        callLine({ index: 0, id: KEY, name: KEY, arguments: `{"key":"${KEY.slice(0, 6)}` }),
        callLine({ index: 0, arguments: `${KEY.slice(6)}"}` }),
        chunkLine({}, "tool_calls"),
        END,
      ],
    });

    expect(callsOf(await served.ask())).toEqual([
      { id: "[API key]", name: "[API key]", arguments: '{"key":"[API key]"}' },
    ]);
  });

  test("is struck from the notice about a refused parameter", async () => {
    served.answer = ({ body }) =>
      body.temperature === undefined
        ? { kind: "reply", text: "5" }
        : { kind: "status", status: 400, body: errorBody(`${KEY} may not set a temperature`) };

    const notices = noticesOf(await served.ask());

    expect(notices).toHaveLength(1);
    expect(JSON.stringify(notices)).not.toContain(KEY);
  });

  test("does not show when the model is turned to text", () => {
    expect(JSON.stringify(served.model())).not.toContain(KEY);
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
    served.answer = () => ({ kind: "reply", text: "5" });
    const padded = openaiModel({
      baseURL: ` ${served.server.baseURL()}/ `,
      apiKey: ` ${KEY}\n`,
      model: " test-model ",
    });

    expect(textOf(await collect(padded.complete(request)))).toBe("5");
    expect(served.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  test("errors show the address without its query", async () => {
    const baseURL = `http://127.0.0.1:${String(await freePort())}/v1?token=hush`;

    expect((await fail(served.model({ baseURL }).complete(request))).error.message).not.toContain("hush");
  });
});
