import { expose } from "comlink";
import { loadPyodide } from "pyodide";

import { everyAttempt, slugOf, type Attempt } from "../attempts/index.js";
import { placeOf, readSetting } from "./places.js";

/**
 * A page that trusts what it runs. Its address names an attempt to deny service, which it makes on its own thread once the
 * server lets it, or `reference`, which makes none. Requests to the server show that its thread is alive.
 */
const name = new URLSearchParams(location.search).get("attempt");
let begin: (() => void) | undefined;
if (name !== null) void Promise.all([beatOf(name), name === "reference" ? undefined : prepare(name)]);

async function beatOf(page: string): Promise<never> {
  for (;;) {
    const query = begin === undefined ? "" : "?ready";
    const isToBegin = (await (await fetch(`/beat/${page}${query}`, { cache: "no-store" })).text()) === "yes";
    if (!isToBegin) continue;
    begin?.();
    begin = undefined;
  }
}

async function prepare(slug: string): Promise<void> {
  const attempt = everyAttempt.find((candidate) => slugOf(candidate) === slug);
  if (attempt === undefined) throw new Error(`There is no attempt "${slug}".`);
  begin = await beginning(attempt, attempt.code(placeOf(attempt, readSetting())));
}

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
