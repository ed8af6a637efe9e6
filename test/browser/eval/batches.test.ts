import { describe, expect, test } from "vitest";

import { checkBatch } from "../../../eval/batches/check-batch.js";
import { evalBatches } from "../../../eval/batches/index.js";
import { applyChanges } from "../../../eval/projects/read-diff.js";

describe.each(evalBatches)("the checker of the batch $name", (batch) => {
  const { files, asked, right, wrong } = batch;

  test("says of every file that it is to be written, while nothing was done", async () => {
    const problems = await checkBatch(batch, files);

    expect(problems.filter(({ part }) => part === "files").map(({ text }) => text.split(" ")[0])).toEqual(asked);
  });

  test("accepts the right solution", async () => {
    expect(await checkBatch(batch, new Map([...files, ...right]))).toEqual([]);
  });

  // The others: `npm run test:projects`.
  test.each(wrong.slice(0, 1))("rejects it where $mistake", async ({ changes, rejectedBy }) => {
    const problems = await checkBatch(batch, applyChanges(new Map([...files, ...right]), changes));

    expect([...new Set(problems.map(({ part }) => part))]).toEqual(rejectedBy);
  });
});
