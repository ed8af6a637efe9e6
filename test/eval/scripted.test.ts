import { beforeAll, describe, expect, test } from "vitest";

import { agentNamed } from "../../eval/agents/index.js";
import { buildPage } from "../../eval/build-page.js";
import { evaluate, readTranscript, type Measurement } from "../../eval/evaluate.js";
import { evalTasks } from "../../eval/tasks/index.js";
import { BY_HAND } from "../../eval/transcript.js";

// Real pages, sessions, Python, tools and HTTP; only the replies are written down. `npm run eval` runs all of them, here
// the code agent does every task, and the others do the longest ones.
const longest = evalTasks.filter(({ level }) => level === 5);
const done: Measurement[] = [];

beforeAll(async () => {
  const common = { page: await buildPage(), model: null, repeat: 1, limit: 60_000 };
  const run = async (tasks: typeof longest, ...names: string[]): Promise<void> => {
    done.push(...(await evaluate({ ...common, tasks, agents: names.map(agentNamed) })));
  };
  await run([...evalTasks], "code");
  await run(longest, "react", "codegen");
}, 240_000);

describe.each(evalTasks)("the transcript of $name", ({ name, level }) => {
  test("is a person's, and its code agent's work is accepted", () => {
    const transcript = readTranscript(name);
    const work = done.find(({ task, agent }) => task === name && agent === "code");

    expect(transcript?.by).toBe(BY_HAND);
    expect(work).toMatchObject({ accepted: true, problems: [], failure: null, source: "scripted" });
    expect(work?.requests).toBe(transcript?.replies.code?.length);
  });

  test.runIf(level === 5).each(["react", "codegen"])("and so is what %s does", (agent) => {
    const work = done.find((each) => each.task === name && each.agent === agent);
    expect(work).toMatchObject({ accepted: true, problems: [], failure: null, source: "scripted" });
  });
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
