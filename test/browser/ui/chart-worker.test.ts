import { afterEach, expect, test } from "vitest";

import type { SpawnedWorker, WorkerHost } from "../../../src/executor/index.js";
import { drawChart, type ChartDrawing } from "../../../src/ui/drawing/draw-chart.js";

const chart = { language: "vega-lite", spec: "{}" } as const;
const facts = { name: "Rain", rows: "[]", rowCount: 0 };
const READY = { kind: "ready" };
const READ = { kind: "read", facts };
const DRAWN = { kind: "drawn", svg: "<svg/>", warnings: [] };

let ended = 0;

afterEach(() => {
  ended = 0;
});

/** A worker that says these things, those after the first once it has its order. */
function worker([first, ...rest]: readonly unknown[], failed = new Promise<Error>(() => undefined)): WorkerHost {
  return {
    kind: "page",
    spawn: () => {
      const { port1, port2 } = new MessageChannel();
      port2.onmessage = () => {
        for (const message of rest) port2.postMessage(message);
      };
      port2.postMessage(first);
      const spawned: SpawnedWorker = {
        port: port1,
        blobUrls: { create: () => Promise.resolve([]), revoke: () => undefined },
        failed,
        removed: new Promise<Error>(() => undefined),
        removal: () => undefined,
        terminate: () => {
          ended += 1;
          port1.close();
        },
      };
      return Promise.resolve(spawned);
    },
  };
}

function drawIn(host: WorkerHost, time = 60_000): Promise<ChartDrawing> {
  return drawChart(chart, { signal: new AbortController().signal, width: 300, time, host });
}

test("what the worker draws is handed on, and the worker is ended", async () => {
  const { facts: known, outcome } = await drawIn(worker([READY, READ, DRAWN]));

  expect(known).toEqual(facts);
  expect(outcome).toMatchObject({ kind: "drawn", svg: "<svg/>" });
  expect(ended).toBe(1);
});

test.each([
  ["is no message", ["x"]],
  ["is ready twice", [READY, READY, READ, DRAWN]],
  ["draws what it has not read", [READY, DRAWN]],
  ["reads twice", [READY, READ, READ, DRAWN]],
  ["says more than there is to say", [READY, { ...READ, facts: { ...facts, more: 1 } }]],
  ["draws more than is drawn", [READY, READ, { ...DRAWN, svg: "x".repeat(2_000_001) }]],
  ["warns without end", [READY, READ, { ...DRAWN, warnings: Array.from({ length: 6 }, () => "x") }]],
  ["draws something else than a text", [READY, READ, { ...DRAWN, svg: { text: "<svg/>" } }]],
  ["fails at length", [READY, READ, { kind: "fault", reason: "x".repeat(1001) }]],
])("a worker that has been taken over and %s is ended", async (_what, messages) => {
  const { outcome } = await drawIn(worker(messages));

  expect(outcome).toEqual({ kind: "fault", reason: "what draws it sent a message of unknown form" });
  expect(ended).toBe(1);
});

test("a worker that fails or says nothing is ended, and the next one draws", async () => {
  const failing = await drawIn(worker([READY], Promise.resolve(new Error("out of memory"))));
  const silent = await drawIn(worker([READY, READ]), 20);

  expect(failing.outcome).toEqual({ kind: "fault", reason: "what draws it failed: out of memory" });
  expect(silent).toEqual({ facts, outcome: { kind: "fault", reason: "it was not drawn within 0.02 s" } });
  expect((await drawIn(worker([READY, READ, DRAWN]))).outcome.kind).toBe("drawn");
  expect(ended).toBe(3);
});

test("a page that starts no worker says why", async () => {
  const { outcome } = await drawIn({ kind: "page", spawn: () => Promise.reject(new Error("not here")) });

  expect(outcome).toEqual({ kind: "fault", reason: "not here" });
});
