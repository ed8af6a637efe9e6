import { indexedDBStorage, Session } from "../../src/index.js";
import { startHeartbeat } from "./heartbeat.js";

const FILES = 1000;

/** Bytes of one: ten megabytes in all. */
const SIZE = 10_000;

/** Of so many files one holds what is searched for, so that all are looked at. */
const ONE_IN = 100;

const STORE = "bench-search";

let filling: Promise<void> | undefined;
let warm: Promise<Session> | undefined;

/** Milliseconds of one search, and the longest stretch of the page's thread meanwhile. */
export interface SearchTimes {
  readonly elapsed: number;
  readonly longest: number;
}

/** The first search of a session: its worker starts, and all contents are read. */
export async function firstSearch(): Promise<SearchTimes> {
  await (filling ??= fill());
  const session = await open();
  try {
    return await search(session);
  } finally {
    await session.close();
  }
}

/** One of a session that has searched before. */
export async function laterSearch(): Promise<SearchTimes> {
  const session = await (warm ??= openAndSearch());
  return search(session);
}

async function openAndSearch(): Promise<Session> {
  await (filling ??= fill());
  const session = await open();
  await search(session);
  return session;
}

function open(): Promise<Session> {
  return Session.open({ storage: indexedDBStorage(STORE), trust: "sandboxed", fileTools: true });
}

async function search(session: Session): Promise<SearchTimes> {
  const heartbeat = startHeartbeat();
  const started = performance.now();
  const found = await session.client().callTool("grep_files", { pattern: "^def answer_\\d+\\(zebra" });
  const elapsed = performance.now() - started;
  const longest = await heartbeat();
  if (typeof found !== "string" || found.split("\n").length !== FILES / ONE_IN)
    throw new Error(`Other files were found: ${JSON.stringify(found).slice(0, 200)}`);
  return { elapsed, longest };
}

async function fill(): Promise<void> {
  const session = await open();
  // A page before this one may have: what is written over is tidied up by the browser while others read.
  if ((await session.workspace.list()).length === FILES) {
    await session.close();
    return;
  }
  const files = Array.from({ length: FILES }, (_, index): [string, string] => [
    `src/part_${String(index % 20)}/module_${String(index)}.py`,
    textOf(index),
  ]);
  await session.workspace.writeAll(new Map(files));
  await session.close();
}

function textOf(index: number): string {
  const wanted = index % ONE_IN === 0 ? `def answer_${String(index)}(zebra):\n    return zebra\n\n` : "";
  const lines = Array.from(
    { length: SIZE / 50 },
    (_, line) => `value_${String(line)} = compute(${String(index)}, "a text of line ${String(line)}")\n`,
  );
  return (wanted + lines.join("")).slice(0, SIZE - 1) + "\n";
}
