import { functionTool, indexedDBStorage, memoryStorage, Session, type ToolAdapter } from "../../src/index.js";
import type { ManyToolsPage } from "./bench-page.js";
import { checkedCode } from "./checked-code.js";
import { firstSearch, laterSearch } from "./searched-files.js";

const COUNT = 10_000;

/** What the searches ask for, one after the other. */
const QUERIES = [
  "send a letter",
  "list open orders of a customer",
  "delete",
  "weather_42",
  "change the price",
  "zebra",
];

const verbs = ["list", "create", "delete", "update", "send", "cancel", "export", "approve"];
const nouns = ["order", "customer", "letter", "price", "invoice", "weather", "parcel", "contract", "meeting", "report"];

let adapters: readonly ToolAdapter[] | undefined;
let crowded: Promise<Session> | undefined;
let small: Promise<Session> | undefined;
let calling: Promise<Session> | undefined;

/** Calls of one sample. */
const CALLS = 200;

const echo = functionTool({
  name: "echo",
  description: "Answers with its text",
  input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  run: ({ text }) => text,
});

/** Tools as a page has them in hand before it opens a session. */
function manyTools(): readonly ToolAdapter[] {
  adapters ??= Array.from({ length: COUNT }, (_, index) => {
    const verb = verbs[index % verbs.length] ?? "";
    const noun = nouns[Math.floor(index / verbs.length) % nouns.length] ?? "";
    return functionTool({
      name: `${verb}_${noun}_${String(index)}`,
      description: `Use this to ${verb} the ${noun} of department ${String(index % 97)}`,
      input: {
        type: "object",
        properties: { id: { type: "string", description: `Which ${noun}` }, note: { type: "string" } },
        required: ["id"],
      },
      run: () => null,
    });
  });
  return adapters;
}

async function open(tools: readonly ToolAdapter[]): Promise<Session> {
  return Session.open({ storage: memoryStorage(), trust: "sandboxed", tools });
}

async function timeToOpen(tools: readonly ToolAdapter[]): Promise<number> {
  const started = performance.now();
  const session = await open(tools);
  const elapsed = performance.now() - started;
  await session.close();
  return elapsed;
}

/** The median of what each of these takes. */
async function medianTime(tasks: readonly (() => Promise<unknown>)[]): Promise<number> {
  const times: number[] = [];
  for (const task of tasks) {
    const started = performance.now();
    await task();
    times.push(performance.now() - started);
  }
  times.sort((a, b) => a - b);
  return times[Math.floor(times.length / 2)] ?? NaN;
}

async function timeToCheck(session: Session): Promise<number> {
  const findings = await session.check(checkedCode.join("\n"));
  if (findings.length > 0) throw new Error(`The code is to be free of findings: ${JSON.stringify(findings)}`);
  return medianTime(checkedCode.map((code) => () => session.check(code)));
}

const FILES = 20;
const HUNKS = 50;
const LINES = 500;

let patched: Promise<Session> | undefined;

/** A session whose database has twenty files of five hundred lines. */
async function openWithFiles(): Promise<Session> {
  const storage = indexedDBStorage(`bench-${String(Date.now())}`);
  const session = await Session.open({ storage, trust: "sandboxed", fileTools: true, approvals: { tools: "allow" } });
  const text = Array.from({ length: LINES }, (_, line) => `line ${String(line)} of a file, version 0\n`).join("");
  await session.workspace.writeAll(
    new Map(Array.from({ length: FILES }, (_, file) => [`src/module-${String(file)}.py`, text])),
  );
  return session;
}

/** Changes one line in each hunk, which the patch before has left in the version before. */
function patchOfVersion(version: number): string {
  const hunks = Array.from({ length: HUNKS }, (_, hunk) => {
    const line = (text: number, is: number): string => `line ${String(text)} of a file, version ${String(is)}`;
    const at = 5 + 3 * hunk;
    return [
      `*** Update File: src/module-${String(hunk % FILES)}.py`,
      "@@",
      ` ${line(at, 0)}`,
      `-${line(at + 1, version - 1)}`,
      `+${line(at + 1, version)}`,
    ];
  });
  return ["*** Begin Patch", ...hunks.flat(), "*** End Patch"].join("\n");
}

let version = 0;

async function applyNextPatch(session: Session): Promise<void> {
  version += 1;
  await session.client().callTool("apply_patch", { input: patchOfVersion(version) });
}

/** What `CALLS` calls of a tool take, as Python measures it. */
async function timeOfCalls(root: "tools" | "codex_tools"): Promise<number> {
  const session = await (calling ??= open([echo]));
  const { value, error } = await session.run(
    [
      "import codex_tools, time",
      `call = ${root}.echo`,
      "call(text='ready')",
      "started = time.perf_counter()",
      `for _ in range(${String(CALLS)}):`,
      "    call(text='hello')",
      "(time.perf_counter() - started) * 1000",
    ].join("\n"),
  );
  if (typeof value !== "number") throw new Error(`The calls failed: ${String(error)}`);
  return value;
}

const page: ManyToolsPage = {
  openWith: () => timeToOpen(manyTools()),
  openWithout: () => {
    // Both sides with the same heap on the page.
    manyTools();
    return timeToOpen([]);
  },
  search: async () => {
    const session = await (crowded ??= open(manyTools()));
    // The first search makes the index; a page makes many.
    await session.tools.search("anything");
    return medianTime(QUERIES.map((query) => () => session.tools.search(query)));
  },
  check: async () => timeToCheck(await (small ??= open(manyTools().slice(0, 10)))),
  toolCalls: () => timeOfCalls("tools"),
  moduleCalls: () => timeOfCalls("codex_tools"),
  checkAmongMany: async () => timeToCheck(await (crowded ??= open(manyTools()))),
  patch: async () => {
    const session = await (patched ??= openWithFiles());
    return medianTime(Array.from({ length: 5 }, () => () => applyNextPatch(session)));
  },
  grep: async () => {
    // The first one starts the worker and reads all contents.
    await laterSearch();
    return medianTime(Array.from({ length: 5 }, () => laterSearch));
  },
  firstGrep: async () => (await firstSearch()).elapsed,
  grepStretch: async () => {
    const first = await firstSearch();
    const later = await laterSearch();
    return Math.max(first.longest, later.longest);
  },
};
globalThis.tools = page;
