import coincident from "coincident/worker";

import { LARGE, MEASURE, TEXT, type Operation } from "../bench-page.js";
import { loadBarePyodide } from "./bare-pyodide.js";
import type { PageFunctions, WorkerFunctions } from "./coincident-side.js";

const { proxy, sync } = await coincident<{ page: PageFunctions; worker: WorkerFunctions }>();

const pyodide = await loadBarePyodide();
pyodide.registerJsModule("page", {
  echo: (text: string) => proxy.echo(text),
  give: (data: { toJs(): Uint8Array<ArrayBuffer> }) => proxy.give(data.toJs()),
  take: () => proxy.take(),
});
pyodide.runPython(`${MEASURE}\nimport page\nlarge = bytes(${String(LARGE)})`);

const large = new Uint8Array(LARGE);
const text = JSON.stringify(TEXT);
const pythonCalls: Readonly<Record<Operation, string>> = {
  echo: `page.echo(${text})`,
  give: "page.give(large)",
  take: "page.take().to_bytes()",
};
const calls: Readonly<Record<Operation, () => unknown>> = {
  echo: () => proxy.echo(TEXT),
  give: () => proxy.give(large),
  take: () => proxy.take(),
};

proxy.time = (from, operation, count) => {
  if (!sync) throw new Error("coincident cannot make synchronous calls here");
  if (from === "python") {
    return pyodide.runPython(`measure(lambda: ${pythonCalls[operation]}, ${String(count)})`) as number;
  }
  const started = performance.now();
  for (let index = 0; index < count; index++) calls[operation]();
  return performance.now() - started;
};
postMessage("ready");
