import { describe, expect, test } from "vitest";

import { savedArtifacts } from "../../../eval/agents/agent.js";
import { judge, type Outcome } from "../../../eval/task.js";
import { ArtifactStore } from "../../../src/artifacts/index.js";
import { memoryStorage } from "../../../src/storage/index.js";
import { evalTasks } from "../../../eval/tasks/index.js";

test("there are at least thirty tasks, of all levels, each under a name of its own", () => {
  expect(new Set(evalTasks.map(({ name }) => name)).size).toBeGreaterThanOrEqual(30);
  expect([...new Set(evalTasks.map(({ level }) => level))]).toEqual([1, 2, 3, 4, 5]);
});

describe.each(evalTasks)("the checker of $name", (task) => {
  const { correct, wrong } = task;

  test("accepts a right outcome", () => {
    expect(judge(task, correct)).toEqual([]);
  });

  // Of a project and of a batch no artifact is asked for; their wrong solutions are tried in test/browser/eval.
  test("has at least one wrong answer and one wrong artifact to reject", () => {
    const parts = new Set(wrong.map(({ part }) => part));
    const wanted = [(task.project ?? task.batch) ? [] : ["artifact"], task.effects ? ["effects"] : []].flat();
    expect([...parts]).toEqual(expect.arrayContaining(["answer", ...wanted]));
  });

  test.each(wrong)("rejects $part: $mistake", ({ part, outcome }) => {
    const found = judge(task, merged(correct, outcome));

    expect(found).toHaveLength(1);
    if (part === "artifact") expect(found[0]).not.toMatch(/^(answer|effects): /);
    else expect(found[0]).toMatch(new RegExp(`^${part}: `));
  });

  test.each(Object.keys(task.artifacts))("rejects an outcome without %s", (name) => {
    const artifacts = Object.fromEntries(Object.entries(correct.artifacts).filter(([key]) => key !== name));
    expect(judge(task, { ...correct, artifacts })).toEqual([`${name}: it was not saved`]);
  });

  // The second name is one that every object knows.
  test.each(["notes.txt", "constructor"])("rejects an artifact %s, that nobody asked for", (name) => {
    const artifacts = { ...correct.artifacts, [name]: "done" };
    expect(judge(task, { ...correct, artifacts })).toEqual([`${name}: nobody asked for it`]);
  });
});

test("an artifact under a name that objects keep for themselves is seen", async () => {
  const [task] = evalTasks.filter(({ artifacts }) => Object.keys(artifacts).length === 0);
  if (task === undefined) throw new TypeError("There is no task without artifacts.");
  const saved = new ArtifactStore(memoryStorage());
  await saved.save("__proto__", "done");

  const artifacts = await savedArtifacts({ artifacts: saved });

  expect(judge(task, { ...task.correct, artifacts })).toEqual(["__proto__: nobody asked for it"]);
});

function merged(correct: Outcome, outcome: Partial<Outcome>): Outcome {
  return { ...correct, ...outcome, artifacts: { ...correct.artifacts, ...outcome.artifacts } };
}
