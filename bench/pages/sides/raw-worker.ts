import type { PyodideAPI } from "pyodide";
import type { PyBuffer, PyProxy } from "pyodide/ffi";

import { LARGE, MEASURE, TEXT, type Operation } from "../bench-page.js";
import { loadBarePyodide } from "./bare-pyodide.js";
import { LENGTH, PAYLOAD, STATE, type RawAnswer, type RawCall, type RawEnd, type RawTask } from "./raw-messages.js";

type Payload = RawCall["payload"];
type Answer = RawAnswer["payload"];

interface Memory {
  readonly control: Int32Array<SharedArrayBuffer>;
  readonly bytes: Uint8Array<SharedArrayBuffer>;
}

let memory: Memory | undefined;
let answered: (answer: Answer) => void = () => undefined;

self.onmessage = ({ data }: MessageEvent<RawTask | RawAnswer>) => {
  if (data.kind === "answer") answered(data.payload);
  else void carryOut(data);
};

async function carryOut(task: RawTask): Promise<void> {
  const { memory: shared } = task;
  if (shared !== null) {
    memory = { control: new Int32Array(shared, 0, 2), bytes: new Uint8Array(shared, PAYLOAD) };
  }
  try {
    const time = await (task.from === "python" ? timeInPython(task) : timeInJavaScript(task));
    reply({ kind: "end", time });
  } catch (error) {
    reply({ kind: "failed", message: error instanceof Error ? error.message : String(error) });
  }
}

function reply(end: RawEnd): void {
  postMessage(end);
}

function send(waiting: RawTask["waiting"], payload: Payload): void {
  const call: RawCall = { kind: "call", waiting, payload };
  postMessage(call, { transfer: payload instanceof Uint8Array ? [payload.buffer] : [] });
}

const decoder = new TextDecoder();

function callBlocking(payload: Payload): Answer {
  if (memory === undefined) throw new Error("There is no shared memory here.");
  const { control, bytes } = memory;
  send("atomics", payload);
  Atomics.wait(control, STATE, 0);
  Atomics.store(control, STATE, 0);
  // A copy in either case: neither text nor Python can look into shared memory.
  const answer = bytes.slice(0, control[LENGTH]);
  return payload === null ? new Uint8Array(answer) : decoder.decode(answer);
}

function callAwaited(payload: Payload): Promise<Answer> {
  return new Promise((resolve) => {
    answered = resolve;
    send("promise", payload);
  });
}

const large = new Uint8Array(LARGE);

async function timeInJavaScript({ waiting, operation, count }: RawTask): Promise<number> {
  const payload = (): Payload =>
    ({ echo: TEXT, give: operation === "give" ? large.slice() : null, take: null })[operation];
  const started = performance.now();
  for (let index = 0; index < count; index++) {
    if (waiting === "atomics") callBlocking(payload());
    else await callAwaited(payload());
  }
  return performance.now() - started;
}

let python: Promise<PyodideAPI> | undefined;

const awaited = (call: string): string => `run_sync(${call})`;
const asIs = (call: string): string => call;

async function timeInPython({ waiting, operation, count }: RawTask): Promise<number> {
  python ??= startPython();
  const pyodide = await python;
  const wrap = waiting === "atomics" ? asIs : awaited;
  const calls: Record<Operation, string> = {
    echo: wrap(`raw.${waiting}(${JSON.stringify(TEXT)})`),
    give: wrap(`raw.${waiting}(large)`),
    take: `${wrap(`raw.${waiting}(None)`)}.to_bytes()`,
  };
  return (await pyodide.runPythonAsync(`measure(lambda: ${calls[operation]}, ${String(count)})`)) as number;
}

async function startPython(): Promise<PyodideAPI> {
  const pyodide = await loadBarePyodide();
  pyodide.registerJsModule("raw", {
    atomics: (payload: PyProxy | string | undefined) => callBlocking(fromPython(payload)),
    promise: (payload: PyProxy | string | undefined) => callAwaited(fromPython(payload)),
  });
  pyodide.runPython(`${MEASURE}\nimport raw\nfrom pyodide.ffi import run_sync\nlarge = bytes(${String(LARGE)})`);
  return pyodide;
}

/** The bytes are copied out of the interpreter's memory, which cannot be transferred. */
function fromPython(payload: PyProxy | string | undefined): Payload {
  if (payload === undefined || typeof payload === "string") return payload ?? null;
  const buffer = (payload as PyBuffer).getBuffer("u8");
  const copy = new Uint8Array(buffer.data as Uint8Array);
  buffer.release();
  return copy;
}
