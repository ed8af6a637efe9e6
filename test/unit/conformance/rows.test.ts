import { expect, test } from "vitest";

import { allRows, conformanceCases, pendingRows } from "../../conformance/index.js";

test("every row of the specification is promised, and run in three engines, or pending with a reason", () => {
  const known = [...Object.values(conformanceCases).flat(), ...pendingRows].map(({ id }) => id);

  expect(known.toSorted()).toEqual(allRows.toSorted());
  expect(pendingRows.filter(({ reason }) => reason === "")).toEqual([]);
});
