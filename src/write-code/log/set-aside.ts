import { listKeys, type StorageBackend } from "../../storage/index.js";
import type { LogSegment } from "./log-segment.js";

const LOGS = "write-code/";
const DAMAGED = "write-code/damaged/";

/** Damaged records that are kept. */
const MOST_DAMAGED = 4;

/** What is to be written, and said, where records of a log cannot be read. */
export interface SetAside {
  readonly records: readonly (readonly [key: string, bytes: Uint8Array | null])[];
  readonly warnings: readonly string[];
}

/** Keeps records that are written over though they could not be read. Of many the oldest go. */
export async function setAside(
  storage: StorageBackend,
  damaged: readonly LogSegment<unknown>[],
  now: Date,
): Promise<SetAside> {
  if (damaged.length === 0) return { records: [], warnings: [] };
  const time = String(now.getTime()).padStart(15, "0");
  const warnings: string[] = [];
  const kept: [string, Uint8Array][] = [];
  const last = new Set(damaged.filter(({ bytes }) => bytes !== null).slice(-MOST_DAMAGED));
  for (const each of damaged) {
    const { key, bytes, damage = "" } = each;
    const aside = `${DAMAGED}${time}-${key.slice(LOGS.length).replaceAll("/", "-")}`;
    const isKept = bytes !== null && last.has(each);
    if (isKept) kept.push([aside, bytes]);
    const dropped = bytes === null ? "Nothing of it could be kept" : "It was dropped, since others are set aside";
    const left = isKept ? `It was set aside as ${aside}` : dropped;
    warnings.push(`The log ${key} could not be read (${damage}). ${left}, and a new one was begun.`);
  }
  const before = await listKeys(storage, DAMAGED);
  const tooOld = before.slice(0, Math.max(0, before.length + kept.length - MOST_DAMAGED));
  return { records: [...tooOld.map((key) => [key, null] as const), ...kept], warnings };
}
