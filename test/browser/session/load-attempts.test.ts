import { afterEach, expect, test, vi } from "vitest";

import { WorkerExecutor } from "../../../src/executor/index.js";
import { loadAttempts, otherEntries } from "../../load/attempts/index.js";
import { openSession } from "./hosts.js";

afterEach(() => {
  vi.restoreAllMocks();
});

test("each method of the bridge, and what else can keep the page busy, has an attempt of the load suite", async () => {
  const start = vi.spyOn(WorkerExecutor.prototype, "start");
  const session = await openSession({ trust: "local" });
  await session.run("None");
  await session.close();

  const methods = [...(start.mock.calls[0]?.[0].handlers.keys() ?? [])];
  expect(methods.length).toBeGreaterThan(25);
  const tried = new Set(loadAttempts.map(({ entry }) => entry));
  // The executor itself answers this one.
  expect([...methods, "invoke.end", ...otherEntries].filter((entry) => !tried.has(entry))).toEqual([]);
  expect([...tried].filter((entry) => ![...methods, "invoke.end", ...otherEntries].includes(entry))).toEqual([]);
  expect(new Set(loadAttempts.map(({ name }) => name)).size).toBe(loadAttempts.length);
});
