import type { z } from "zod";

import { decodeTextInSlices, messageOf, Slices, type Problem, type Value } from "../protocol/index.js";
import type { StorageBackend } from "./backend.js";
import { StorageReadError } from "./errors.js";
import { parsePythonJson, stringifyPythonJson } from "./json-text.js";

const encoder = new TextEncoder();

export function encodeText(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text);
}

/** @returns null when the bytes are not UTF-8. A byte order mark is kept. */
export function decodeText(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** `decodeText` for bytes of any size, in slices between which the page goes on. */
export function decodeLargeText(bytes: Uint8Array): Promise<string | null> {
  return decodeTextInSlices(bytes, { fatal: true }).catch(() => null);
}

/** @throws {JsonValueError} when JSON has no word for the value. */
export function encodeJson(value: Value): Uint8Array<ArrayBuffer> {
  return encodeText(stringifyPythonJson(value));
}

/**
 * Parses the record that was read from `key`.
 *
 * @throws {StorageReadError} when it is not UTF-8, not JSON, or not what `schema` says.
 */
export function decodeJson<T>(key: string, bytes: Uint8Array, schema: z.ZodType<T>): T {
  const text = decodeText(bytes);
  if (text === null) throw new StorageReadError(key, "it is not UTF-8 text");
  const result = schema.safeParse(parseRecord(key, text));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const where = issue === undefined || issue.path.length === 0 ? "" : ` at "${issue.path.join(".")}"`;
  throw new StorageReadError(key, `it is damaged${where} (${issue?.message ?? "unknown"})`, { cause: result.error });
}

/**
 * @returns undefined when nothing is stored under `key`.
 * @throws {StorageReadError} when what is stored is not what `schema` says.
 */
export async function readJson<T>(storage: StorageBackend, key: string, schema: z.ZodType<T>): Promise<T | undefined> {
  const bytes = await storage.get(key);
  return bytes === undefined ? undefined : decodeJson(key, bytes, schema);
}

export async function listKeys(storage: StorageBackend, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of storage.keys(prefix)) keys.push(key);
  return keys;
}

/** Whether anything is stored under `key`, readable or not. */
export async function hasRecord(storage: StorageBackend, key: string): Promise<boolean> {
  // Not by `get`, which reads all of it.
  for await (const found of storage.keys(key)) if (found === key) return true;
  return false;
}

export interface ListJsonOptions<T> {
  readonly prefix: string;
  readonly schema: z.ZodType<T>;
  /** Whether what follows the prefix can be a name; a record under another one counts as damaged. */
  readonly isName?: (name: string) => boolean;
  /** Records that are not read again. Those under keys that are gone by now are left out. */
  readonly known?: ReadonlyMap<string, T>;
}

export interface JsonListing<T> {
  /** By what follows the prefix in the key, in key order. */
  readonly records: ReadonlyMap<string, T>;
  /** Those that are damaged. */
  readonly problems: readonly Problem[];
}

/** Records that are asked for at once: a backend reads them in one go, and then the page has its turn. */
const READ_AT_ONCE = 100;

/**
 * Reads all records under a prefix, in slices between which the page goes on. A damaged one is a problem in the list and
 * spoils no other.
 */
export async function listJson<T>(
  storage: StorageBackend,
  { prefix, schema, isName = () => true, known }: ListJsonOptions<T>,
): Promise<JsonListing<T>> {
  const keys = await listKeys(storage, prefix);
  const records = new Map<string, T>();
  const problems: Problem[] = [];
  const slices = new Slices();
  for (let at = 0; at < keys.length; at += READ_AT_ONCE) {
    const some = keys.slice(at, at + READ_AT_ONCE);
    const names = some.map((key) => key.slice(prefix.length));
    const contents = await Promise.allSettled(
      some.map(async (key, index) => (known?.has(names[index] ?? "") === true ? undefined : storage.get(key))),
    );
    for (const [index, key] of some.entries()) {
      await slices.rest();
      const name = names[index] ?? "";
      const content = contents[index];
      try {
        if (!isName(name)) throw new StorageReadError(key, "nothing can have that name");
        if (content?.status === "rejected") throw content.reason;
        const record = content?.value === undefined ? known?.get(name) : decodeJson(key, content.value, schema);
        if (record !== undefined) records.set(name, record);
      } catch (error) {
        problems.push(damageOf(error));
      }
    }
  }
  return { records, problems };
}

/** For `catch`: takes a damaged record for an absent one. */
export function ignoreDamage(error: unknown): undefined {
  if (!(error instanceof StorageReadError)) throw error;
  return undefined;
}

/** Numbers that grow with each call, and with time from one page to the next. */
export class OrderNumbers {
  #last = 0;

  next(): number {
    this.#last = Math.max(Date.now(), this.#last + 0.001);
    return this.#last;
  }
}

function damageOf(error: unknown): Problem {
  if (!(error instanceof StorageReadError)) throw error;
  return error.toProblem();
}

function parseRecord(key: string, text: string): Value {
  try {
    return parsePythonJson(text);
  } catch (cause) {
    throw new StorageReadError(key, `it is not JSON (${messageOf(cause)})`, {
      cause,
    });
  }
}
