import type { Attempt, Need, Place } from "./attempt.js";
import { needs } from "./needs.js";

/** JavaScript that says the same in a worker and in a document. */
interface Script {
  readonly name: string;
  readonly group: Attempt["group"];
  readonly sign: Attempt["sign"];
  readonly hasOwnPorts?: boolean;
  readonly needs?: Need;
  /** Where that is in a worker alone. */
  readonly workerNeeds?: Need;
  readonly code: (place: Place) => string;
}

const network: readonly Omit<Script, "group" | "sign">[] = [
  { name: "fetch", code: ({ url }) => `await fetch("${url}")` },
  {
    name: "fetch without CORS, with a body",
    code: ({ url }) => `await fetch("${url}", { method: "POST", mode: "no-cors", body: "secret" })`,
  },
  { name: "fetch that outlives its context", code: ({ url }) => `await fetch("${url}", { keepalive: true })` },
  { name: "fetch of a name that carries data", code: ({ namedUrl }) => `await fetch("${namedUrl}")` },
  {
    name: "fetch of the page's own server",
    code: ({ ownUrl }) => `await fetch("${ownUrl}", { credentials: "include" })`,
  },
  {
    name: "XMLHttpRequest",
    code: ({ url }) =>
      `await new Promise((resolve, reject) => { const request = new XMLHttpRequest(); request.onload = resolve; request.onerror = () => reject(new Error("refused")); request.open("GET", "${url}"); request.send(); })`,
  },
  {
    name: "XMLHttpRequest, synchronous",
    code: ({ url }) =>
      `const request = new XMLHttpRequest(); request.open("GET", "${url}", false); request.send(); return request.status`,
  },
  {
    name: "WebSocket",
    code: ({ webSocketUrl }) =>
      `await new Promise((resolve, reject) => { const socket = new WebSocket("${webSocketUrl}"); socket.onopen = resolve; socket.onerror = () => reject(new Error("closed")); })`,
  },
  {
    name: "WebSocket over TLS",
    hasOwnPorts: true,
    code: ({ rawPort }) =>
      `await new Promise((resolve, reject) => { const socket = new WebSocket("wss://127.0.0.1:${rawPort}/"); socket.onopen = resolve; socket.onerror = () => reject(new Error("closed")); })`,
  },
  {
    name: "WebTransport",
    needs: needs.webTransport,
    hasOwnPorts: true,
    code: ({ udpPort }) => `await new WebTransport("https://127.0.0.1:${udpPort}/").ready`,
  },
  {
    name: "EventSource",
    code: ({ url }) =>
      `await new Promise((resolve, reject) => { const source = new EventSource("${url}"); source.onopen = resolve; source.onerror = () => { source.close(); reject(new Error("closed")); }; })`,
  },
  { name: "import of a module", code: ({ url }) => `await import("${url}")` },
  {
    name: "import of a module that a blob imports",
    code: ({ url }) => `await import(URL.createObjectURL(new Blob(['import "${url}"'], { type: "text/javascript" })))`,
  },
  {
    name: "a font face",
    workerNeeds: needs.fontFaceOfWorker,
    code: ({ url }) => `await new FontFace("x", "url(${url})").load()`,
  },
  {
    name: "a nested worker that fetches",
    code: ({ url }) => nestedWorker(`fetch("${url}").then(() => postMessage("gained"), () => postMessage("refused"))`),
  },
  {
    name: "a nested worker that imports a script",
    code: ({ url }) => nestedWorker(`try { importScripts("${url}") } catch (error) { postMessage(String(error)) }`),
  },
  {
    name: "a nested module worker that imports",
    code: ({ url }) => nestedWorker(`import "${url}"; postMessage("gained")`, `{ type: "module" }`),
  },
  {
    name: "a worker from a data URL",
    code: ({ url }) =>
      `await new Promise((resolve, reject) => { const worker = new Worker("data:text/javascript," + encodeURIComponent('fetch("${url}").finally(() => postMessage(0))')); worker.onmessage = resolve; worker.onerror = () => reject(new Error("refused")); })`,
  },
  {
    name: "a chain of nested workers",
    code: ({ url }) =>
      nestedWorker(
        `const w = new Worker(URL.createObjectURL(new Blob(['fetch("${url}").finally(() => postMessage(0))']))); w.onmessage = () => postMessage(0); w.onerror = () => postMessage(1)`,
      ),
  },
];

function nestedWorker(script: string, options = "{}"): string {
  return `await new Promise((resolve, reject) => {
    const worker = new Worker(URL.createObjectURL(new Blob([${JSON.stringify(script)}], { type: "text/javascript" })), ${options});
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = () => reject(new Error("refused"));
  })`;
}

const storage: readonly Omit<Script, "group">[] = [
  {
    name: "reading the origin's IndexedDB",
    sign: "secret",
    code: () => `return await new Promise((resolve, reject) => {
      const request = indexedDB.open("private");
      request.onerror = () => reject(request.error);
      request.onsuccess = () => {
        const get = request.result.transaction("private").objectStore("private").get("secret");
        get.onsuccess = () => resolve(get.result);
        get.onerror = () => reject(get.error);
      };
    })`,
  },
  {
    name: "writing to IndexedDB",
    sign: "effect",
    code: ({ mark }) => `await new Promise((resolve, reject) => {
      const request = indexedDB.open("${mark}");
      request.onerror = () => reject(request.error);
      request.onsuccess = () => { request.result.close(); resolve(); };
    })`,
  },
  {
    name: "reading the origin's caches",
    sign: "secret",
    code: ({ pageOrigin }) => `return await (await caches.match("${pageOrigin}/private")).text()`,
  },
  { name: "writing to the caches", sign: "effect", code: ({ mark }) => `await caches.open("${mark}")` },
  {
    name: "the cache's own loading",
    sign: "bytes",
    code: ({ url }) => `await (await caches.open("scratch")).add("${url}")`,
  },
  {
    name: "reading the origin's private files",
    needs: needs.privateFiles,
    sign: "secret",
    code: () =>
      `const folder = await navigator.storage.getDirectory(); return await (await (await folder.getFileHandle("private")).getFile()).text()`,
  },
  {
    name: "writing to the private files",
    needs: needs.privateFiles,
    sign: "effect",
    code: ({ mark }) => `await (await navigator.storage.getDirectory()).getFileHandle("${mark}", { create: true })`,
  },
  {
    name: "reading a file of the page's own server",
    sign: "secret",
    code: ({ pageOrigin }) => `return await (await fetch("${pageOrigin}/private.txt")).text()`,
  },
];

const sessions: readonly Omit<Script, "group">[] = [
  {
    name: "speaking on a BroadcastChannel",
    sign: "effect",
    code: ({ mark }) => `new BroadcastChannel("sessions").postMessage("${mark}")`,
  },
  {
    name: "listening on a BroadcastChannel",
    sign: "secret",
    code: () =>
      `return await new Promise((resolve) => { new BroadcastChannel("sessions").onmessage = ({ data }) => resolve(data); })`,
  },
  {
    name: "taking a lock of the origin",
    sign: "effect",
    code: ({ mark }) =>
      `await new Promise((resolve, reject) => { navigator.locks.request("${mark}", () => { resolve(); return new Promise(() => {}); }).catch(reject); })`,
  },
  {
    name: "stealing a lock",
    sign: "effect",
    code: ({ heldLock }) =>
      `await new Promise((resolve, reject) => { navigator.locks.request("${heldLock}", { steal: true }, () => { resolve(); return new Promise(() => {}); }).catch(reject); })`,
  },
];

const all: readonly Script[] = [
  ...network.map((script) => ({ ...script, group: "network" as const, sign: "bytes" as const })),
  ...storage.map((script) => ({ ...script, group: "storage" as const })),
  ...sessions.map((script) => ({ ...script, group: "other sessions" as const })),
];

/** Each of them in a worker and in a document. */
export const everywhere: readonly Attempt[] = all.flatMap(({ workerNeeds, ...script }) => [
  { ...script, ...(workerNeeds && { needs: workerNeeds }), ring: "worker", language: "javascript", twin: "local" },
  { ...script, ring: "frame", language: "javascript", twin: "plain frame" },
]);
