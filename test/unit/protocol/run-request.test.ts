import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

import { RunRequest } from "../../../src/protocol/index.js";
import { planRun, planToolRun, type RunPlanning } from "../../../src/session/runs/run-plan.js";
import { memoryStorage } from "../../../src/storage/index.js";
import { ToolRegistry } from "../../../src/tools/index.js";

const planning: RunPlanning & { readonly name: string } = {
  session: { storage: memoryStorage() },
  guarded: (listener) => listener,
  name: "run 3",
};

test("what a run asks of the worker is what the protocol says, with all options and with none", () => {
  const bare = planRun("1", {}, planning);
  const full = planRun(
    "1",
    {
      name: "run 4",
      timeout: null,
      helpers: { kind: "agent", taskId: "t", failures: [] },
      imports: ["json"],
      heapGrowth: 2 ** 20,
    },
    planning,
  );
  const toolCall = { name: "add", callId: "call" };
  const { signal } = new AbortController();
  const serving = planToolRun(
    { id: "run", toolCall, timeout: 1000, signal, tools: new ToolRegistry(), isFromClient: false, task: undefined },
    planning,
  );

  for (const { wire } of [bare, full, serving]) expect(RunRequest.parse(wire)).toEqual(wire);
  expect(bare.wire).toMatchObject({ filename: "<run 3>", imports: null, heapGrowth: null, toolCall: null });
  expect(serving.wire).toMatchObject({ runId: "run", filename: "<tools.add>", toolCall });
});

test("Python reads every field of the request that is its own", () => {
  const python = readFileSync(new URL("../../../worker/python/vitrine/_run_request.py", import.meta.url), "utf8");
  const read = Array.from(python.matchAll(/wire\["(\w+)"\]/g), ([, name]) => name);

  // The code comes beside it, the heap is the worker's, and calls carry the run's id by the transport.
  const own = Object.keys(RunRequest.unwrap().shape).filter((name) => !["code", "runId", "heapGrowth"].includes(name));
  expect(read.sort()).toEqual([...own, "toolsVersion"].sort());
});
