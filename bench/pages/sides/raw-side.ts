import { LARGE, type Side } from "../bench-page.js";
import { LENGTH, PAYLOAD, STATE, type RawCall, type RawEnd, type RawTask, type Waiting } from "./raw-messages.js";

/** The bare mechanism, written by hand: no names, no errors, no checks, one call at a time. */
export function rawSide(from: RawTask["from"], waiting: Waiting): Side {
  const worker = new Worker(new URL("./raw-worker.ts", import.meta.url), { type: "module" });
  const memory = waiting === "atomics" ? new SharedArrayBuffer(PAYLOAD + LARGE) : null;
  const answer = memory === null ? answerByMessage(worker) : answerInMemory(memory);
  return {
    time: (operation, count) =>
      new Promise((resolve, reject) => {
        worker.onerror = (event) => {
          reject(new Error(event.message));
        };
        worker.onmessage = ({ data }: MessageEvent<RawCall | RawEnd>) => {
          if (data.kind === "call") answer(data.payload);
          else if (data.kind === "end") resolve(data.time);
          else reject(new Error(data.message));
        };
        const task: RawTask = { kind: "task", from, waiting, operation, count, memory };
        worker.postMessage(task);
      }),
    close: () => worker.terminate(),
  };
}

const large = new Uint8Array(LARGE);

/** What the page answers: a text is given back, bytes by a short word, and no payload asks for bytes. */
function answerOf(payload: RawCall["payload"]): string | Uint8Array<ArrayBuffer> {
  if (typeof payload === "string") return payload;
  return payload === null ? large : "ok";
}

function answerInMemory(memory: SharedArrayBuffer): (payload: RawCall["payload"]) => void {
  const control = new Int32Array(memory, 0, 2);
  const bytes = new Uint8Array(memory, PAYLOAD);
  const encoder = new TextEncoder();
  return (payload) => {
    const answer = answerOf(payload);
    const encoded = typeof answer === "string" ? encoder.encode(answer) : answer;
    bytes.set(encoded);
    control[LENGTH] = encoded.byteLength;
    Atomics.store(control, STATE, 1);
    Atomics.notify(control, STATE);
  };
}

function answerByMessage(worker: Worker): (payload: RawCall["payload"]) => void {
  return (payload) => {
    const answer = answerOf(payload);
    if (typeof answer === "string") {
      worker.postMessage({ kind: "answer", payload: answer });
      return;
    }
    const copy = answer.slice();
    worker.postMessage({ kind: "answer", payload: copy }, [copy.buffer]);
  };
}
