import { afterAll, describe, expect, test } from "vitest";

import { Session } from "../../../src/index.js";
import {
  allRows,
  conformanceCases,
  ConformanceRunner,
  fixtureSeeds,
  fixtureTools,
  pendingRows,
} from "../../conformance/index.js";
import { hosts } from "./hosts.js";

describe.each(hosts)("spec rows at the $host host", ({ trust }) => {
  const runner = new ConformanceRunner((storage) =>
    Session.open({ storage, trust, tools: fixtureTools, seeds: fixtureSeeds }),
  );
  afterAll(async () => {
    await runner.end();
  });

  describe.each(Object.entries(conformanceCases))("%s", (_section, cases) => {
    test.each(cases)("$id: $title", async (row) => {
      const { differences } = await runner.run(row);

      expect(differences).toEqual([]);
    });
  });
});

describe("rows that are not promised here", () => {
  for (const { id, reason } of pendingRows) test.todo(`${id}: ${reason}`);
});

test("every row of the specification is promised or pending", () => {
  const known = [...Object.values(conformanceCases).flat(), ...pendingRows].map(({ id }) => id);

  expect(known.toSorted()).toEqual(allRows.toSorted());
});
