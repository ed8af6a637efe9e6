import type { CallsPage, Side } from "./bench-page.js";
import { measureSteps } from "./call-steps.js";
import { coincidentSide } from "./sides/coincident-side.js";
import { pyscriptSide } from "./sides/pyscript-side.js";
import { rawBlobSide } from "./sides/raw-blob-side.js";
import { rawSide } from "./sides/raw-side.js";
import { primitiveSide, toolSide } from "./sides/vitrine-side.js";

const factories = new Map<string, () => Side | Promise<Side>>([
  ["tool, shared memory", () => toolSide({ trust: "local", transport: "shared-memory" })],
  ["tool, JSPI, page", () => toolSide({ trust: "local", transport: "jspi" })],
  ["tool, JSPI, sealed frame", () => toolSide({ trust: "sandboxed", transport: "jspi" })],
  ["tool, blob channel, sealed frame", () => toolSide({ trust: "sandboxed", transport: "blob-channel" })],
  ["primitive, shared memory", () => primitiveSide({ trust: "local", transport: "shared-memory" })],
  ["primitive, JSPI, page", () => primitiveSide({ trust: "local", transport: "jspi" })],
  ["primitive, JSPI, sealed frame", () => primitiveSide({ trust: "sandboxed", transport: "jspi" })],
  ["primitive, blob channel, sealed frame", () => primitiveSide({ trust: "sandboxed", transport: "blob-channel" })],
  ["raw Atomics", () => rawSide("javascript", "atomics")],
  ["raw Atomics from Python", () => rawSide("python", "atomics")],
  ["raw postMessage", () => rawSide("javascript", "promise")],
  ["raw postMessage from Python", () => rawSide("python", "promise")],
  ["raw blob channel, sealed frame", () => rawBlobSide()],
  ["coincident", () => coincidentSide("javascript")],
  ["coincident from Python", () => coincidentSide("python")],
  ["coincident from Python, service worker", () => coincidentSide("python", { serviceWorker: "/coincident-sw.js" })],
  ["PyScript sync", () => pyscriptSide()],
  ["PyScript sync, service worker", () => pyscriptSide({ serviceWorker: "/coincident-sw.js" })],
]);

const sides = new Map<string, Promise<Side>>();

function sideOf(name: string): Promise<Side> {
  let side = sides.get(name);
  if (side === undefined) {
    const create = factories.get(name);
    if (create === undefined) throw new RangeError(`There is no side "${name}".`);
    side = Promise.resolve(create());
    sides.set(name, side);
  }
  return side;
}

const page: CallsPage = {
  missing: () => ({
    "shared memory":
      typeof SharedArrayBuffer === "undefined"
        ? `the browser has no SharedArrayBuffer${globalThis.crossOriginIsolated ? ", also where the page is isolated" : " here"}`
        : null,
    JSPI: "Suspending" in WebAssembly ? null : "the browser has no JSPI",
    "service worker":
      "serviceWorker" in navigator && navigator.serviceWorker.controller !== null
        ? null
        : "no service worker controls a page here",
  }),
  time: async (name, operation, count) => (await sideOf(name)).time(operation, count),
  breakdown: (transport) => measureSteps(transport),
};
globalThis.calls = page;
