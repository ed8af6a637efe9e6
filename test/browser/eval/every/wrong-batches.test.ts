import { describe, expect, test } from "vitest";

import { checkBatch } from "../../../../eval/batches/check-batch.js";
import { evalBatches } from "../../../../eval/batches/index.js";
import { applyChanges } from "../../../../eval/projects/read-diff.js";

// The first of each batch is tried in batches.test.ts.
describe.each(evalBatches)("the checker of the batch $name", (batch) => {
  const solution = new Map([...batch.files, ...batch.right]);

  test.each(batch.wrong.slice(1))("rejects it where $mistake", async ({ changes, rejectedBy }) => {
    const problems = await checkBatch(batch, applyChanges(solution, changes));

    expect([...new Set(problems.map(({ part }) => part))]).toEqual(rejectedBy);
  });
});
