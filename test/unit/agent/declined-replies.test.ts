import { describe, expect, test } from "vitest";

import { CodeAgent, ReactAgent, TaskStore } from "../../../src/agent/index.js";
import { memoryStorage } from "../../../src/storage/index.js";
import { callLine, chunkLine, END, usageLine } from "../../servers/model-chunks.js";
import type { ModelAnswer } from "../../servers/model-server.js";
import {
  add,
  added,
  answer42,
  asks,
  calls,
  dictate,
  F,
  model,
  ofType,
  sent,
  solve,
  temperatures,
  text,
  toldBefore,
  useModelServer,
} from "./react-setup.js";
import { scriptedSession, type ScriptedRun } from "./scripted-session.js";
import { toolSession } from "./tool-session.js";

useModelServer();

const words = "I cannot help with that.";
const declines: ModelAnswer = {
  kind: "lines",
  lines: [chunkLine({ refusal: words }), chunkLine({}, "stop"), usageLine(), END],
};

describe("the JSON agent: a model that declines", () => {
  test.each(["native", "structured", "validated", "parsed"] as const)(
    "ends the task in an error of its own when %s, with what it said and what it cost",
    async (toolCallingMode) => {
      dictate(asks("add", { a: 1 }), declines);
      const first = calls({ id: "a", name: "add", arguments: '{"a":1}' });
      if (toolCallingMode === "native") dictate(first, declines);
      const run = solve([add], { toolCallingMode, retries: 2 });

      const result = await run.result;

      expect(result).toMatchObject({
        state: "error",
        output: "",
        answer: null,
        error: { code: "MODEL_REFUSED", model: "test-model", reply: words },
        usage: { modelCalls: 2, toolCalls: 1 },
      });
      expect(result.error?.message).toContain(words);
      expect(result.steps).toMatchObject([{ observation: expect.stringContaining("2") }, { reply: words }]);
      expect(result.steps[1]?.usage).toMatchObject({ inputTokens: 11, isEstimated: false });
      expect(ofType(run, "model-ended").at(-1)).toMatchObject({ reply: words, finishReason: "refusal" });
      expect(ofType(run, "error")).toMatchObject([{ step: 2, code: "MODEL_REFUSED" }]);
      expect(ofType(run, "model-retry")).toEqual([]);
      expect(temperatures()).toEqual([0.7, 0.7]);
    },
  );

  test("in the last attempt gives no answer either", async () => {
    dictate(asks("add", { a: 1 }), declines);

    const result = await solve([add], { maxSteps: 1 }).result;

    expect(result).toMatchObject({ state: "error", answer: null, error: { code: "MODEL_REFUSED" } });
  });

  test("is asked anew in a task after it, without what it said", async () => {
    dictate(declines, text("42"));
    const agent = new ReactAgent({ session: toolSession([]), model: model(), toolCallingMode: "native" });
    const first = agent.run("What is it?");
    await first.result;

    const result = await agent.run("Please.", { after: first }).result;

    expect(result).toMatchObject({ state: "completed", output: "42" });
    expect(sent(2).messages.slice(1)).toMatchObject([{ role: "user", content: "What is it?\n\nPlease." }]);
  });
});

describe("the JSON agent: a reply that the server withholds", () => {
  test.each(["native", "structured", "validated", "parsed"] as const)(
    "is asked for again when %s, and the model is told why",
    async (toolCallingMode) => {
      dictate(text("", "content_filter"), text('{"answer": "4', "content_filter"), answer42);

      const result = await solve([add], { toolCallingMode }).result;

      expect(result).toMatchObject({ state: "completed", steps: { length: 3 } });
      expect(toldBefore(2)).toMatch(/content filter withheld your reply/);
      expect(toldBefore(3)).toMatch(/content filter withheld your reply/);
      expect(temperatures()).toEqual([0.7, 0.7, 0.7]);
    },
  );

  test("in the middle of a call makes none", async () => {
    dictate(
      {
        kind: "lines",
        lines: [
          callLine({ index: 0, id: "a", name: "add", arguments: '{"a": 1}' }),
          callLine({ index: 1, id: "b", name: "add", arguments: '{"a": ' }),
          chunkLine({}, "content_filter"),
          END,
        ],
      },
      text("2"),
    );

    const result = await solve([add], { toolCallingMode: "native" }).result;

    expect(added).toEqual([[1, 1]]);
    expect(result.steps[0]?.toolCalls).toHaveLength(1);
  });
});

describe("the code agent", () => {
  const reply = (words: string, finishReason: string): ModelAnswer => ({ kind: "reply", text: words, finishReason });
  const block = (code: string): string => `${F}python\n${code}\n${F}`;
  const answers: ScriptedRun = () => ({ finalAnswer: { value: 1, text: "1", verifiedBy: null } });
  const begin = (...replies: readonly ModelAnswer[]) => {
    dictate(...replies);
    const session = scriptedSession([() => ({ stdout: "seen" }), answers]);
    return { session, run: new CodeAgent({ session, model: model() }).run("Look.") };
  };

  test("ends in an error of its own where the model declines, with all that was done before", async () => {
    const { run, session } = begin(text(block("look()")), declines);

    const result = await run.result;

    expect(result).toMatchObject({
      state: "error",
      answer: null,
      error: { code: "MODEL_REFUSED", reply: words, message: expect.stringContaining(words) },
      steps: [{ observation: "Observation:\nseen" }, { reply: words, code: null, observation: null }],
      usage: { modelCalls: 2 },
    });
    expect(ofType(run, "error")).toMatchObject([{ step: 2, code: "MODEL_REFUSED" }]);
    expect(session.codes).toEqual(["look()"]);
  });

  test.each([
    ["length", /cut off at the length limit before it held a whole python block/],
    ["content_filter", /content filter withheld your reply/],
  ])("runs nothing of a block that ends for %s, and tells the model why (T17)", async (reason, why) => {
    const cut = reply(`First:\n${F}python\ndelete_the_old()\nwrite_the_`, reason);
    const { run, session } = begin(
      cut,
      reply("Before I begin, let me", reason),
      reply("", reason),
      text(block("look()")),
    );

    const result = await run.result;

    expect(session.codes[0]).toBe("look()");
    expect(result.steps.slice(0, 3).map(({ code, run: ran }) => [code, ran])).toEqual(Array(3).fill([null, null]));
    for (const call of [2, 3, 4]) expect(toldBefore(call)).toMatch(why);
  });

  test.each(["length", "content_filter"])(
    "runs a block that is whole, though the reply ends for %s",
    async (reason) => {
      const { run, session } = begin(reply(`${block("look()")}\nAnd then I w`, reason), text(block("final_answer(1)")));

      expect(await run.result).toMatchObject({ state: "completed", steps: { length: 2 } });
      expect(session.codes).toEqual(["look()", "final_answer(1)"]);
    },
  );

  test("goes on with a saved task in which the model declined, once another one is asked", async () => {
    dictate(text(block("look()")), declines, text(block("final_answer(1)")));
    const tasks = new TaskStore(memoryStorage());
    const session = scriptedSession([() => ({ stdout: "seen" }), answers]);
    const agent = new CodeAgent({ session, model: model(), tasks });
    const { taskId } = await agent.run("Look.").result;

    const saved = await tasks.load(taskId);
    expect(saved).toMatchObject({ state: "error", problems: [], result: { error: { code: "MODEL_REFUSED" } } });
    expect(saved.steps.map((step) => step.reply)).toEqual([block("look()"), words]);

    expect(await agent.takeUp(saved).result).toMatchObject({ state: "completed", steps: { length: 3 } });
    expect(toldBefore(3)).toBe("Observation:\nseen");
  });
});
