import { describe, expect, test } from "vitest";

import { VitrineError } from "../../../../src/protocol/index.js";
import type { CallingTask, TokenCounts, TokenPrices } from "../../../../src/tools/index.js";
import { scriptedModel, scriptedWork } from "../../../write-code/scripted-models.js";
import { code, generate, textOf, unavailable } from "./generating.js";

describe("the budget of the task that calls", () => {
  class Reached extends VitrineError {
    override readonly name = "Reached";
    readonly code = "BUDGET_REACHED";
  }

  const account = (most: number) => {
    const counted: { tokens: TokenCounts; prices: TokenPrices | undefined }[] = [];
    let calls = 0;
    const task: CallingTask = {
      taskId: "t",
      path: [],
      account: {
        get reached() {
          return calls >= most ? new Reached(`${String(most)} requests were made.`) : null;
        },
        countModelCall: () => {
          calls += 1;
        },
        countTokens: (tokens, prices) => {
          counted.push({ tokens, prices });
        },
      },
    };
    return { task, counted, calls: () => calls };
  };

  test("counts each request, its tokens and what the model costs", async () => {
    const { task, counted, calls } = account(10);
    const models = [scriptedModel("A", code("x = 1")), scriptedModel("B", { pieces: [code("x = 2")], usage: null })];
    const prices = { A: { input: 1, output: 2 } };

    const generated = await generate(scriptedWork({ models, arbiter: scriptedModel("J", "1"), prices }, { task }));

    expect(calls()).toBe(3);
    expect(counted.map((each) => each.prices)).toEqual(expect.arrayContaining([{ input: 1, output: 2 }, undefined]));
    expect(generated.telemetry.attempts).toMatchObject([
      { inputTokens: 11, outputTokens: 7, isEstimated: false },
      { isEstimated: true },
    ]);
    expect(generated.telemetry.attempts[1]?.outputTokens).toBeGreaterThan(0);
  });

  test("ends the file when it is reached, and the fallback is not asked", async () => {
    const { task, calls } = account(1);
    const models = [scriptedModel("A", unavailable()), scriptedModel("B", code("x = 1"))];
    const fallback = scriptedModel("F", code("x = 1"));

    const generated = await generate(scriptedWork({ models, fallback }, { task }));

    expect(generated).toMatchObject({
      kind: "failed",
      fault: { code: "BUDGET_REACHED", message: "1 requests were made." },
    });
    expect(calls()).toBe(1);
    expect(fallback.asked.length).toBe(0);
  });

  test("leaves the first version where the arbiter is beyond it", async () => {
    const { task } = account(2);
    const models = [scriptedModel("A", code("x = 1")), scriptedModel("B", code("x = 2"))];

    const generated = await generate(scriptedWork({ models, arbiter: scriptedModel("J", "2") }, { task }));

    expect(textOf(generated)).toBe("x = 1");
    expect(generated.telemetry.arbiter.reason).toContain("2 requests were made.");
  });
});
