import { differ, type PageCase } from "../engine-case.js";
import { engineTools } from "../engine-tools.js";

/** Of a worker's global scope what leads out of it, however it got there. */
const WAYS_OUT = [
  ...["fetch", "XMLHttpRequest", "WebSocket", "EventSource", "WebTransport", "importScripts", "Worker", "SharedWorker"],
  ...["BroadcastChannel", "postMessage", "indexedDB", "caches", "navigator", "location", "cookieStore", "FileReader"],
];

/** Past the import gate, as code that wants out would. */
const leftOver = `
import sys
scope = sys.modules["_vitrine_host"].post.constructor("return globalThis")()
look = scope.Function("name", "return typeof globalThis[name]")
[name for name in ${JSON.stringify(WAYS_OUT)} if look(name) != "undefined"]
`;

/** The level between: a worker of the page's origin without what leads out of it. */
export const isolatedCases: readonly PageCase[] = [
  {
    id: "isolated-1",
    title: "an isolated session computes, calls, stops, imports what it may, and has no way out in its worker",
    needs: ["sync_calls"],
    run: async (open) => {
      const session = await open({ trust: "isolated", tools: engineTools() });
      try {
        const called = await session.run("import json, asyncio\nawait asyncio.sleep(0)\ntools.identity(value=[1, 2])");
        const late = await session.run("kept = 7\nwhile True: pass", { timeout: 500 });
        const kept = await session.run("kept");
        const gate = await session.run("import js");
        const ways = await session.run(leftOver);
        return [
          ...differ("where it runs", session.capabilities?.host, "page"),
          ...differ("the tool's answer", called.value, [1, 2]),
          ...differ("the error at the deadline", late.error?.code, "RUN_TIMEOUT"),
          ...differ("the variable after it", kept.value, 7),
          ...differ("the error of an import", gate.error?.code, "IMPORT_NOT_ALLOWED"),
          ...differ("the ways out", ways.error === null ? ways.value : ways.error.message, []),
        ];
      } finally {
        await session.close();
      }
    },
  },
];
