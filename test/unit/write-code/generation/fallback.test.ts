import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import {
  ModelQuotaError,
  ModelRequestError,
  ModelServerError,
  ModelTimeoutError,
  ModelUnreachableError,
} from "../../../../src/model/index.js";
import { scriptedModel, scriptedWork } from "../../../write-code/scripted-models.js";
import { address, code, generate, limited, textOf, unauthorized, unavailable, withoutWaiting } from "./generating.js";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("no model comes to a text", () => {
  const failing = () => [scriptedModel("A", unavailable()), scriptedModel("B", new Error("broken"))];

  test("the fallback is asked, once for the file, with the same prompt (W27)", async () => {
    const models = failing();
    const fallback = scriptedModel("F", code("x = 1"));
    const work = scriptedWork({ models, fallback });

    const generated = await generate(work);

    expect(generated).toMatchObject({
      kind: "text",
      text: "x = 1",
      model: "F",
      telemetry: { chosen: "F", retries: 0 },
    });
    expect(fallback.asked.length).toBe(1);
    expect(fallback.asked[0]?.messages).toEqual(models[0]?.asked[0]?.messages);
    expect(generated.telemetry.attempts.map(({ role }) => role)).toEqual(["candidate", "candidate", "fallback"]);
    expect(work.events.at(-1)).toMatchObject({ type: "chosen", candidate: 2, model: "F", arbiter: null });
  });

  test("the fallback alone writes where there is no other model (W85)", async () => {
    const generated = await generate(scriptedWork({ fallback: scriptedModel("F", code("x = 1")) }));

    expect(textOf(generated)).toBe("x = 1");
  });

  test("429, 429 and a reply are three attempts, with waits of 4 seconds (W30)", async () => {
    const fallback = scriptedModel("F", limited(), limited(), code("x = 1"));
    const work = scriptedWork({ models: failing(), fallback });

    const { result, waited } = await withoutWaiting(generate(work));

    expect(textOf(result)).toBe("x = 1");
    expect(waited).toBe(8000);
    expect(result.telemetry).toMatchObject({ retries: 2, chosen: "F" });
    expect(work.events.filter(({ type }) => type === "candidate-retry")).toMatchObject([
      { candidate: 2, failures: 1, delay: 4000, code: "MODEL_RATE_LIMIT" },
      { candidate: 3, failures: 2, delay: 4000, code: "MODEL_RATE_LIMIT" },
    ]);
  });

  test("three times 503 is the end, and the fault has the last reason (W31, W35)", async () => {
    const fallback = scriptedModel("F", unavailable());

    const { result, waited } = await withoutWaiting(generate(scriptedWork({ models: failing(), fallback })));

    expect(result).toMatchObject({
      kind: "failed",
      fault: { code: "GENERATION_FAILED" },
      telemetry: { chosen: null, retries: 2 },
    });
    expect(textOf(result)).toMatch(/^No model wrote 'a\.py'\. F \(asked 3 times\): .*503/);
    expect(fallback.asked.length).toBe(3);
    expect(waited).toBe(8000);
  });

  test("keys that every model refuses are one clear error, and the fallback is left alone (W32)", async () => {
    const fallback = scriptedModel("F", code("x = 1"));
    const models = [scriptedModel("A", unauthorized), scriptedModel("B", unauthorized)];

    const generated = await generate(scriptedWork({ models, fallback }));

    expect(generated).toMatchObject({ kind: "failed", fault: { code: "MODEL_AUTH" } });
    expect(textOf(generated)).toContain("refused the API key");
    expect(fallback.asked.length).toBe(0);
  });

  test("one refused key of two is no reason to leave the fallback alone (W32)", async () => {
    const models = [scriptedModel("A", unauthorized), scriptedModel("B", unavailable())];

    const generated = await generate(scriptedWork({ models, fallback: scriptedModel("F", code("x = 1")) }));

    expect(textOf(generated)).toBe("x = 1");
  });

  test("three empty replies are the end (W33)", async () => {
    const fallback = scriptedModel("F", "");

    const { result } = await withoutWaiting(generate(scriptedWork({ models: failing(), fallback })));

    expect(result).toMatchObject({ kind: "failed", fault: { code: "GENERATION_FAILED" } });
    expect(textOf(result)).toContain("Invalid or empty completion content from F");
    expect(fallback.asked.length).toBe(3);
  });

  test.each([
    ["an empty reply", "", 3],
    ["no code", code(""), 3],
    ["a placeholder", "# Error: Code generation failed for a.py", 3],
    ["a broken connection", new ModelUnreachableError(address, { reason: "", received: 0 }), 3],
    ["a silence", new ModelTimeoutError(address, { limit: 1, received: 0 }), 3],
    ["408", new ModelRequestError(address, { status: 408, reason: "" }), 3],
    ["429", limited(), 3],
    ["500", new ModelServerError(address, { status: 500, reason: "" }), 3],
    ["503", unavailable(), 3],
    ["400", new ModelRequestError(address, { status: 400, reason: "" }), 1],
    ["401", unauthorized, 1],
    ["404", new ModelRequestError(address, { status: 404, reason: "" }), 1],
    ["402", new ModelQuotaError(address, { status: 402, reason: "" }), 1],
    ["a plain error", new Error("broken"), 1],
    ["a refusal", "I cannot help with that.", 1],
  ])("after %s the fallback is asked so many times in all (W34)", async (_, manner, times) => {
    const fallback = scriptedModel("F", manner);

    await withoutWaiting(generate(scriptedWork({ fallback })));

    expect(fallback.asked.length).toBe(times);
  });

  test("without a fallback the file fails, with the reason of each model (W35)", async () => {
    const generated = await generate(scriptedWork({ models: failing() }));

    expect(textOf(generated)).toMatch(/^No model wrote 'a\.py'\..*B: "B" failed: .*broken.*A: .*503/);
  });

  test("a Markdown file of blanks is empty code (W37)", async () => {
    const generated = await generate(scriptedWork({ models: [scriptedModel("A", " \n")] }), "README.md");

    expect(generated).toMatchObject({ fault: { code: "EMPTY_CODE" } });
    expect(textOf(generated)).toMatch(/^Generated code was empty/);
  });

  test.each([
    [12_000, 12_000],
    [500, 500],
    [600_000, 60_000],
  ])("a server that asks to wait %d ms is waited for, a minute at most (W87)", async (retryAfter, expected) => {
    const fallback = scriptedModel("F", limited(retryAfter), code("x = 1"));

    const { result, waited } = await withoutWaiting(generate(scriptedWork({ fallback })));

    expect(textOf(result)).toBe("x = 1");
    expect(waited).toBe(expected);
  });
});
