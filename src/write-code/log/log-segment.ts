import { jsonIn, Slices } from "../../protocol/index.js";
import { decodeLargeText, StorageReadError, type StorageBackend } from "../../storage/index.js";
import type { LogForm } from "./log-form.js";

/** One record of a log, as it was read. */
export interface LogSegment<Entry> extends StoredRecord {
  /** The oldest first. What cannot be read is not there. */
  readonly entries: readonly Entry[];
}

interface StoredRecord {
  readonly key: string;
  /** As it is stored; null where there is none, or none that can be read. */
  readonly bytes: Uint8Array | null;
  /** What is wrong with it. */
  readonly damage: string | undefined;
}

export async function readSegment<Entry>(
  storage: StorageBackend,
  key: string,
  form: LogForm<Entry>,
): Promise<LogSegment<Entry>> {
  return segmentOf(await readRecord(storage, key), form);
}

/** Reads several in one go of the storage, and parses them in slices. */
export async function readSegments<Entry>(
  storage: StorageBackend,
  keys: readonly string[],
  form: LogForm<Entry>,
): Promise<readonly LogSegment<Entry>[]> {
  const records = await Promise.all(keys.map((key) => readRecord(storage, key)));
  const segments: LogSegment<Entry>[] = [];
  const slices = new Slices();
  for (const record of records) {
    segments.push(await segmentOf(record, form));
    await slices.rest();
  }
  return segments;
}

async function readRecord(storage: StorageBackend, key: string): Promise<StoredRecord> {
  try {
    return { key, bytes: (await storage.get(key)) ?? null, damage: undefined };
  } catch (error) {
    if (!(error instanceof StorageReadError)) throw error;
    return { key, bytes: null, damage: error.reason };
  }
}

async function segmentOf<Entry>(stored: StoredRecord, { schema }: LogForm<Entry>): Promise<LogSegment<Entry>> {
  if (stored.bytes === null) return { ...stored, entries: [] };
  const text = await decodeLargeText(stored.bytes);
  const record = text === null ? undefined : jsonIn(text);
  if (record === undefined) return { ...stored, damage: "it is not JSON", entries: [] };
  const parsed = schema.safeParse(record);
  if (parsed.success) return { ...stored, entries: parsed.data };
  const [issue] = parsed.error.issues;
  const damage = `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "it has another form"}`;
  return { ...stored, damage, entries: [] };
}
