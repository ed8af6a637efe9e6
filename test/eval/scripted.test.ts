import { beforeAll, expect, test } from "vitest";

import { agentNamed } from "../../eval/agents/index.js";
import { buildPage } from "../../eval/build-page.js";
import { evaluate, readTranscript, type Measurement } from "../../eval/evaluate.js";
import { evalTasks } from "../../eval/tasks/index.js";
import { BY_HAND } from "../../eval/transcript.js";

// Real pages, sessions, Python, tools and HTTP; only the replies are written down. `npm run eval` runs all of them; here,
// where each takes a second or two, it is the longer tasks, and all agents for the longest.
const longer = evalTasks.filter(({ level }) => level >= 3);
const longest = evalTasks.filter(({ level }) => level === 5);
const pairs = [
  ...longer.map(({ name }) => ({ task: name, agent: "code" })),
  ...longest.flatMap(({ name }) => ["react", "codegen"].map((agent) => ({ task: name, agent }))),
];
const done: Measurement[] = [];

beforeAll(async () => {
  const common = { page: await buildPage(), model: null, repeat: 1, limit: 60_000 };
  const run = async (tasks: typeof longest, ...names: string[]): Promise<void> => {
    done.push(...(await evaluate({ ...common, tasks, agents: names.map(agentNamed) })));
  };
  await run(longer, "code");
  await run(longest, "react", "codegen");
}, 240_000);

test.each(pairs)("the work of $agent on $task is accepted", ({ task, agent }) => {
  const work = done.find((each) => each.task === task && each.agent === agent);
  expect(work).toMatchObject({ accepted: true, problems: [], failure: null, source: "scripted" });
  expect(work?.requests).toBe(readTranscript(task)?.replies[agent]?.length);
});

test("every task has a transcript that a person wrote, for the code agent and for codegen at the least", () => {
  for (const { name } of evalTasks) {
    const transcript = readTranscript(name);
    expect(transcript?.by, name).toBe(BY_HAND);
    expect(Object.keys(transcript?.replies ?? {}), name).toEqual(expect.arrayContaining(["code", "codegen"]));
  }
});

test("runs that called tools are compared with an ideal JSON agent, whose calls are those of the journal", () => {
  const compared = done.filter(({ ideal }) => ideal !== null);
  const calling = done.filter(({ agent, toolCalls }) => agent === "code" && toolCalls > 0);

  expect(compared).toEqual(calling);
  expect(compared.length).toBeGreaterThanOrEqual(8);
  for (const { ideal, toolCalls, tokens } of compared) {
    expect(ideal?.single.steps).toBeGreaterThan(toolCalls);
    expect(ideal?.parallel.steps).toBeLessThanOrEqual(ideal?.single.steps ?? 0);
    expect(tokens.input).toBeGreaterThan(tokens.output);
  }
  // Fourteen cities that the task names need one round, and the artifact another.
  expect(done.find(({ task, ideal }) => task === "weather-fan-out" && ideal !== null)?.ideal).toMatchObject({
    single: { steps: 16 },
    parallel: { steps: 3 },
  });
});
