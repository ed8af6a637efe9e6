import { expose } from "comlink";
import { loadPyodide } from "pyodide";

import { everyAttempt, titleOf, type Attempt } from "../attempts/index.js";
import { placeOf, readSetting } from "./places.js";

declare global {
  /** Settles when the attempt goes on. Whether it ends is another matter. */
  var attemptPlainly: (title: string) => Promise<void>;
}

globalThis.attemptPlainly = async (title) => {
  const attempt = everyAttempt.find((candidate) => titleOf(candidate) === title);
  if (attempt === undefined) throw new Error(`There is no attempt "${title}".`);
  const code = attempt.code(placeOf(attempt, readSetting()));
  const begin = await beginning(attempt, code);
  // The answer is on its way before the page stops.
  setTimeout(begin, 100);
};

/** What every attempt to deny service is shown with: the same code on the page's own thread, or on its port. */
async function beginning({ language }: Attempt, code: string): Promise<() => void> {
  if (language === "python") {
    const pyodide = await loadPyodide({ indexURL: `${location.origin}/pyodide/` });
    return () => {
      pyodide.runPython(code);
    };
  }
  if (language === "json") return () => floodedBy(code);
  return () => {
    const script = document.createElement("script");
    script.textContent = code;
    document.head.append(script);
  };
}

/** A worker that sends the message over and over, to functions that Comlink exposes. */
function floodedBy(message: string): void {
  const { port1, port2 } = new MessageChannel();
  expose({ request: () => null, output: () => null, phase: () => null }, port1);
  const script = `onmessage = ({ data, ports: [port] }) => { for (;;) port.postMessage(data); };`;
  const worker = new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
  worker.postMessage(JSON.parse(message), [port2]);
}
