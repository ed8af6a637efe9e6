import { expect, test } from "vitest";

import { CodeAgent, TaskStore, type AgentRun, type CodeAgentOptions } from "../../../src/agent/index.js";
import type { Model, ModelChunk } from "../../../src/model/index.js";
import { memoryStorage } from "../../../src/storage/index.js";
import { scriptedSession, type ScriptedRun } from "./scripted-session.js";

const BLOCK = "```python\nlook()\n```";

function modelThat(complete: () => AsyncIterable<ModelChunk>): Model {
  return { name: "test-model", kind: "openai", complete };
}

/** Says these chunks, and no more. */
function modelSaying(...chunks: ModelChunk[]): Model {
  return modelThat(async function* () {
    await Promise.resolve();
    yield* chunks;
  });
}

const done = { type: "done", finishReason: "stop", usage: { inputTokens: 1, outputTokens: 1 } } as const;
const says = modelSaying({ type: "text", text: BLOCK }, done);
const answersFive: ScriptedRun = () => ({ finalAnswer: { value: 5, text: "5", verifiedBy: null } });

function agent(runs: readonly ScriptedRun[], options: Partial<CodeAgentOptions> = {}): CodeAgent {
  return new CodeAgent({ session: scriptedSession(runs), model: says, retries: 0, ...options });
}

test("an answer that is there when the task is stopped is its answer", async () => {
  const stop = new AbortController();
  const answersLate: ScriptedRun = (options, code) => {
    stop.abort();
    return answersFive(options, code);
  };

  const result = await agent([answersLate]).run("Look.", { signal: stop.signal }).result;

  expect(result).toMatchObject({ state: "completed", output: "5", steps: { length: 1 } });
});

test("a session that cannot be closed does not hide why the task ended", async () => {
  const session = () =>
    Promise.resolve({
      ...scriptedSession([() => ({ stdout: "seen" })]),
      close: () => Promise.reject(new Error("it will not")),
    });

  const run = agent([], { session, budget: { modelCalls: 1 } }).run("Look.");

  expect(await run.result).toMatchObject({ state: "budget_reached", error: { kind: "modelCalls", limit: 1 } });
  const told = run.events.map((event) => (event.type === "notice" ? event.notice.code : event.type));
  expect(told).toEqual(expect.arrayContaining(["limit", "SESSION_NOT_CLOSED"]));
  expect(told).not.toContain("error");
});

test("what is said while the end is saved is known to the task that goes on from there", async () => {
  const storage = memoryStorage();
  const run: AgentRun = agent([answersFive], {
    tasks: new TaskStore({
      ...storage,
      write: async (entries, options) => {
        if (run.events.at(-1)?.type === "step-ended" && !said) {
          said = true;
          run.say("late words");
        }
        await storage.write(entries, options);
      },
    }),
  }).run("Look.");
  let said = false;
  await run.result;

  expect(said).toBe(true);
  expect(run.conversation.at(-1)).toEqual({ kind: "turn", message: { role: "user", content: "late words" } });
});

test.each<[string, (stop: AbortController) => Partial<CodeAgentOptions>, string]>([
  ["a person", () => ({}), "cancelled"],
  ["its time", () => ({ budget: { time: 40 } }), "budget_reached"],
])("a model that overlooks its signal does not hold up a task that is stopped by %s", async (_, options, state) => {
  const stop = new AbortController();
  const deaf = modelThat(async function* () {
    yield { type: "text", text: "Let me see" };
    await new Promise(() => undefined);
  });
  const run = agent([], { model: deaf, ...options(stop) }).run("Look.", { signal: stop.signal });
  for await (const event of run) if (event.type === "model-text" && state === "cancelled") stop.abort();

  expect(await run.result).toMatchObject({ state, steps: [{ reply: "Let me see" }] });
});

test("thoughts are counted where the server does not count", async () => {
  const thinks = modelSaying(
    { type: "reasoning", text: "and then again ".repeat(1000) },
    { type: "text", text: BLOCK },
    { ...done, usage: null },
  );

  const { usage } = await agent([answersFive], { model: thinks }).run("Look.").result;

  expect(usage.isEstimated).toBe(true);
  expect(usage.outputTokens).toBeGreaterThan(2000);
});

test("thoughts are counted of a reply that is stopped", async () => {
  const stop = new AbortController();
  const thinks = modelThat(async function* () {
    yield { type: "reasoning", text: "and then again ".repeat(1000) };
    await new Promise(() => undefined);
  });
  const run = agent([], { model: thinks }).run("Look.", { signal: stop.signal });
  for await (const event of run) if (event.type === "model-reasoning") stop.abort();

  expect((await run.result).usage.outputTokens).toBeGreaterThan(2000);
});
