import { expect, test } from "vitest";

import { runInLanes, type Job } from "../../../.ci/lanes.mjs";

/** Jobs that last as many turns of the event loop as they say, and what is told of their course. */
function course(jobs: readonly (Omit<Job, "run"> & { readonly turns?: number })[]): {
  readonly jobs: readonly Job[];
  readonly told: readonly string[];
} {
  const told: string[] = [];
  const run = (name: string, turns: number) => async () => {
    told.push(`${name} begins`);
    for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
    told.push(`${name} ends`);
  };
  return { told, jobs: jobs.map(({ turns = 1, ...job }) => ({ ...job, run: run(job.name, turns) })) };
}

test("as many jobs run at a time as there are lanes, in their order", async () => {
  const { jobs, told } = course([{ name: "a", turns: 5 }, { name: "b" }, { name: "c" }]);

  await runInLanes(jobs, 2);

  expect(told).toEqual(["a begins", "b begins", "b ends", "c begins", "c ends", "a ends"]);
});

test("a job that needs another one waits for it, and later ones go ahead", async () => {
  const { jobs, told } = course([
    { name: "build", turns: 3 },
    { name: "size", after: ["build"] },
    { name: "lint", turns: 5 },
  ]);

  await runInLanes(jobs, 2);

  expect(told).toEqual(["build begins", "lint begins", "build ends", "size begins", "size ends", "lint ends"]);
});

test("a job that wants to be alone runs beside no other, and none overtakes it", async () => {
  const { jobs, told } = course([{ name: "a", turns: 3 }, { name: "alone", alone: true, turns: 3 }, { name: "b" }]);

  await runInLanes(jobs, 2);

  expect(told).toEqual(["a begins", "a ends", "alone begins", "alone ends", "b begins", "b ends"]);
});

test("jobs that wait for each other are an error that names them", async () => {
  const { jobs } = course([
    { name: "a", after: ["b"] },
    { name: "b", after: ["a"] },
  ]);

  await expect(runInLanes(jobs, 2)).rejects.toThrow("These wait for each other: a, b.");
});
