import { describe, expect, inject, test } from "vitest";

import { messageText, openaiModel, type Model } from "../../../src/model/index.js";
import type { FileRequest } from "../../../src/write-code/call/file-request.js";
import { askAgain } from "../../../src/write-code/generation/ask-again.js";
import { generateFile } from "../../../src/write-code/generation/generate-file.js";
import type { Generated } from "../../../src/write-code/generation/generated-file.js";
import { preflight } from "../../../src/write-code/generation/preflight.js";
import type { PromptContext } from "../../../src/write-code/generation/prompt-context.js";
import { F } from "../../agents/replies.js";
import { inTurnScenario } from "../../servers/answers-in-turn.js";
import { chunkLine, END, errorBody } from "../../servers/model-chunks.js";
import type { ModelAnswer } from "../../servers/model-exchange.js";
import { scriptedWork, type ScriptedWork } from "../../write-code/scripted-models.js";
import { fileRequest } from "../../write-code/scripted-writing.js";

const NOTHING: PromptContext = { task: null, siblings: [], present: null, related: [], log: [] };

/** A model behind the real server that answers so, request by request. */
const served = (name: string, ...answers: readonly ModelAnswer[]): Model =>
  openaiModel({
    baseURL: `${inject("modelServer")}/${inTurnScenario(answers)}/v1`,
    apiKey: "sk-test-0123456789",
    model: name,
  });

const says = (text: string, finishReason = "stop"): ModelAnswer => ({ kind: "reply", text, finishReason });
const code = (text: string, tag = "python"): string => `${F}${tag}\n${text}\n${F}`;
const fails = (status: number, message: string, headers: Record<string, string> = {}): ModelAnswer => ({
  kind: "status",
  status,
  body: errorBody(message),
  headers,
});
/** Line by line, with a moment before each. */
const slowly = (text: string): ModelAnswer => ({
  kind: "lines",
  lines: [...text.split(/(?<=\n)/).map((content) => chunkLine({ content })), chunkLine({}, "stop"), END],
  pause: 40,
});
const soon = "Please try again in 20ms.";

const generate = (work: ScriptedWork, request: FileRequest = fileRequest("a.py")): Promise<Generated> =>
  generateFile(request, NOTHING, work);
const codes = ({ telemetry }: Generated): (string | null)[] =>
  telemetry.attempts.map(({ failure }) => failure?.code ?? null);

describe("three models behind a server write a file", () => {
  test("at once, each in its manner; the arbiter chooses, and its reason is kept (W22, W24)", async () => {
    const models = [
      served("quick", says(code("x = 1"))),
      served("slow", slowly(code("# Slow.\nx = 2\ny = 3"))),
      served("talks", says(`Here you are:\n\n${code("x = 3", "Python")}\n\nIt is short.`)),
    ];
    const arbiter = served("judge", says("Version 2: it has y as well."));
    const work = scriptedWork({ models, arbiter });

    const generated = await generate(work);

    expect(generated).toMatchObject({
      kind: "text",
      text: "# Slow.\nx = 2\ny = 3",
      language: "python",
      model: "slow",
      telemetry: {
        chosen: "slow",
        retries: 0,
        arbiter: { used: true, model: "judge", reason: "Version 2: it has y as well." },
      },
    });
    expect(generated.telemetry.attempts.map(({ model, failure }) => [model, failure])).toEqual([
      ["quick", null],
      ["slow", null],
      ["talks", null],
    ]);
    const texts = work.events.flatMap((event) =>
      event.type === "candidate-text" && event.candidate === 1 ? [event.text] : [],
    );
    expect(texts.join("")).toBe(code("# Slow.\nx = 2\ny = 3"));
  });

  test.each([
    ["prose", says("All of them are good.")],
    ["a number that no version has", says("9")],
    ["an error", fails(500, "The server had an error.")],
    ["a stream that breaks", { kind: "drop", text: "I think " } as const],
    ["nothing", says("")],
  ])("and %s of the arbiter leaves the first (W24)", async (_, answer) => {
    const models = [served("A", says(code("x = 1"))), served("B", says(code("x = 2")))];

    const generated = await generate(scriptedWork({ models, arbiter: served("judge", answer) }));

    expect(generated).toMatchObject({
      kind: "text",
      text: "x = 1",
      telemetry: { arbiter: { used: true, model: "judge" } },
    });
    expect(generated.telemetry.arbiter.reason).toContain("The first version was taken.");
  });

  const faults: readonly (readonly [what: string, answer: ModelAnswer, failure: string])[] = [
    ["refuses the key", fails(401, "Incorrect API key."), "MODEL_AUTH"],
    ["forbids the model", fails(403, "Not yours."), "MODEL_AUTH"],
    ["takes no more requests", fails(429, "Slow down."), "MODEL_RATE_LIMIT"],
    ["is used up", fails(402, "Nothing left."), "MODEL_QUOTA"],
    ["fails", fails(500, "The server had an error."), "MODEL_SERVER"],
    ["is not there for now", fails(503, "Later."), "MODEL_SERVER"],
    ["does not know the model", fails(404, "No such model."), "MODEL_REQUEST"],
    ["breaks off", { kind: "drop", text: `${F}python\nx = ` }, "MODEL_UNREACHABLE"],
    ["ends without saying so", { kind: "lines", lines: [chunkLine({ content: "x = 1" })] }, "MODEL_RESPONSE"],
    ["sends no JSON", { kind: "lines", lines: ["data: {broken", END] }, "MODEL_RESPONSE"],
    [
      "sends a page",
      { kind: "body", contentType: "text/html", body: "<!doctype html><title>Hi</title>" },
      "MODEL_RESPONSE",
    ],
    ["says nothing at all", { kind: "silence" }, "REPLY_TIMEOUT"],
    ["stops in the middle", { kind: "stall", text: `${F}python\nx = ` }, "REPLY_TIMEOUT"],
    ["never stops", { kind: "repeat", text: "x = 1\n", length: 1e12 }, "REPLY_TOO_LONG"],
    ["writes 5 MB", { kind: "repeat", text: "x = 1\n", length: 5e6 }, "REPLY_TOO_LONG"],
    ["replies with nothing", says(""), "EMPTY_REPLY"],
    ["sends an empty block", says(code("")), "NO_CODE"],
    ["sends an error text", says("# Error: Code generation failed for a.py"), "PLACEHOLDER"],
    ["leaves it for later", says(code("def f():\n    # your code here\n    pass")), "PLACEHOLDER"],
    ["writes another language", says(code("let x = 1;", "javascript")), "WRONG_LANGUAGE"],
    ["writes it without saying so", says(code("const x = 1;\nfunction f() {\n  return x;\n}", "")), "WRONG_LANGUAGE"],
    ["is cut at its length", says(code("x = 1"), "length"), "REPLY_CUT"],
    ["is cut by a filter", says("x", "content_filter"), "REPLY_CUT"],
    ["declines in words", says("I'm sorry, but I cannot help with that."), "MODEL_REFUSED"],
    [
      "declines",
      { kind: "lines", lines: [chunkLine({ refusal: "I cannot help." }), chunkLine({}, "stop"), END] },
      "MODEL_REFUSED",
    ],
  ];

  test.each(faults)("and one that %s is out, typed, while the others count (W26)", async (_, answer, failure) => {
    const models = [
      served("faulty", answer),
      served("good", says(code("x = 1"))),
      served("same", slowly(code("x = 1"))),
    ];
    const work = scriptedWork({
      models,
      arbiter: served("judge", says("1")),
      replyTimeout: failure === "REPLY_TIMEOUT" ? 3000 : 60_000,
    });

    const generated = await generate(work);

    expect(codes(generated)).toEqual([failure, null, null]);
    expect(generated).toMatchObject({
      kind: "text",
      text: "x = 1",
      model: "good",
      telemetry: { arbiter: { used: false } },
    });
    expect(generated.telemetry.attempts[0]?.failure?.message).toMatch(/^[^\n]{10,601}$/);
    expect(JSON.stringify([generated, work.events])).not.toContain("sk-test-0123456789");
  });

  test.each(faults)("and when it alone %s the file has a typed fault and no text (W35)", async (_, answer, failure) => {
    const work = scriptedWork({
      models: [served("faulty", answer)],
      replyTimeout: failure === "REPLY_TIMEOUT" ? 500 : 60_000,
    });

    const generated = await generate(work);

    expect(generated).toMatchObject({
      kind: "failed",
      fault: { code: failure === "MODEL_AUTH" ? "MODEL_AUTH" : "GENERATION_FAILED" },
      telemetry: { chosen: null, attempts: [{ model: "faulty", failure: { code: failure } }] },
    });
    expect(work.events.some(({ type }) => type === "chosen")).toBe(false);
  });
});

describe("the fallback behind a server", () => {
  test("is asked again after 429 and 500, and the waits are the server's (W27, W30, W87)", async () => {
    const fallback = served(
      "F",
      fails(429, "Slow down.", { "Retry-After": "1" }),
      fails(500, soon),
      says(code("x = 1")),
    );
    const work = scriptedWork({ models: [served("A", fails(500, "No.")), served("B", says(""))], fallback });

    const generated = await generate(work);

    expect(generated).toMatchObject({ kind: "text", text: "x = 1", model: "F", telemetry: { retries: 2 } });
    expect(codes(generated)).toEqual(["MODEL_SERVER", "EMPTY_REPLY", "MODEL_RATE_LIMIT", "MODEL_SERVER", null]);
    expect(work.events.filter(({ type }) => type === "candidate-retry")).toMatchObject([
      { candidate: 2, failures: 1, delay: 1000 },
      { candidate: 3, failures: 2, delay: 20 },
    ]);
  });

  test("is given up after three requests (W31)", async () => {
    const generated = await generate(scriptedWork({ fallback: served("F", fails(503, soon)) }));

    expect(codes(generated)).toEqual(["MODEL_SERVER", "MODEL_SERVER", "MODEL_SERVER"]);
    expect(generated).toMatchObject({ kind: "failed", fault: { code: "GENERATION_FAILED" } });
  });

  test("is left alone where every key was refused (W32)", async () => {
    const refused = fails(401, "Incorrect API key.");
    const work = scriptedWork({
      models: [served("A", refused), served("B", refused), served("C", refused)],
      fallback: served("F", says(code("x = 1"))),
    });

    const generated = await generate(work);

    expect(generated).toMatchObject({ kind: "failed", fault: { code: "MODEL_AUTH" } });
    expect(codes(generated)).toEqual(["MODEL_AUTH", "MODEL_AUTH", "MODEL_AUTH"]);
  });
});

test("a stop ends requests that are open (W78)", async () => {
  const stop = new AbortController();
  const models = [
    served("A", { kind: "stall", text: "Let me " }),
    served("B", { kind: "silence" }),
    served("C", says(code("x = 1"))),
  ];
  const work = scriptedWork({ models }, { signal: stop.signal });
  const generating = generate(work);

  await expect
    .poll(() => work.events.some((event) => event.type === "candidate-text" && event.candidate === 0))
    .toBe(true);
  stop.abort(new Error("Stopped."));

  expect(await generating).toMatchObject({ kind: "failed", fault: { code: "CANCELLED" } });
});

test("five files of three models each are written by two requests at a time (W80)", async () => {
  const reply = (file: number, model: string) => says(code(`x = "${model}${String(file)}"`));
  const files = Array.from({ length: 5 }, (_, file) => ({
    request: fileRequest(`f${String(file)}.py`),
    models: ["A", "B", "C"].map((name) => served(name, reply(file, name))),
  }));
  const shared = scriptedWork({}, { permits: 2 });

  const generated = await Promise.all(
    files.map(({ request, models }) =>
      generate({ ...shared, options: { models, arbiter: served("judge", says("3: Best.")) } }, request),
    ),
  );

  expect(generated.map((one) => (one.kind === "text" ? one.text : one.fault.message))).toEqual(
    files.map((_, file) => `x = "C${String(file)}"`),
  );
  expect(shared.mostOpen()).toBe(2);
});

test("the model that wrote a text is shown it and asked once more", async () => {
  const work = scriptedWork({ models: [served("A", says(code("x = ")), says(code("x = 1")))] });
  const previous = await generate(work);
  if (previous.kind !== "text") throw new Error(previous.fault.message);

  const again = await askAgain(previous, "Line 1 cannot be read.", "repair", fileRequest("a.py"), work);

  expect(again).toMatchObject({ kind: "text", text: "x = 1", telemetry: { chosen: "A" } });
  expect(again.kind === "text" && again.messages.map(messageText).slice(2)).toEqual([
    code("x = "),
    "Line 1 cannot be read.",
  ]);
});

test("a look before the batch asks no server, and knows what the browser has room for (W88)", async () => {
  const model = served("A", says(code("x = 1")));

  expect(await preflight({ models: [model] }, { hasCode: true })).toEqual({ problems: [], error: null });
  // It would have been answered with the first of its answers.
  expect(await generate(scriptedWork({ models: [model] }))).toMatchObject({ kind: "text" });
});
