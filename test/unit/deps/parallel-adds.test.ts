import { expect, test } from "vitest";

import { DepsStore } from "../../../src/deps/index.js";
import { memoryStorage } from "../../../src/storage/index.js";

test("packages that are added at once are no more than 200 either", async () => {
  const store = new DepsStore(memoryStorage());

  const added = await Promise.allSettled(Array.from({ length: 210 }, (_, index) => store.add(`p${String(index)}`)));

  const refused = added.filter(({ status }) => status === "rejected");
  expect(refused).toHaveLength(10);
  expect(refused[0]).toMatchObject({ reason: { code: "DEPS_FULL" } });
  expect(await store.list()).toHaveLength(200);
});
