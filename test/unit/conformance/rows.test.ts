import { expect, test } from "vitest";

import { allRows, conformanceCases, pendingRows } from "../../conformance/index.js";

test("every row of the specification is among the cases of the engines' suite, or pending with a reason", () => {
  const known = [...Object.values(conformanceCases).flat(), ...pendingRows].map(({ id }) => id);

  expect(known.toSorted()).toEqual(allRows.toSorted());
  expect(pendingRows.filter(({ reason }) => reason === "")).toEqual([]);
});
