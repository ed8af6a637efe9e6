import { z } from "zod";

import type { SourceFile } from "../protocol/index.js";
import type { StorageBackend } from "./backend.js";
import { StorageReadError } from "./errors.js";
import { decodeText, encodeJson, encodeText, readJson } from "./records.js";
import { sha256 } from "./sha256.js";

const SEEDED_KEY = "seeded";

/** Hash of the text that each file was seeded with. */
const Seeded = z.object({ files: z.record(z.string(), z.string()) });

/**
 * Puts the files that come with a site under their own paths as keys. A file
 * that a person has changed or deleted since stays so; one that nobody touched
 * follows the site's newer text. All are written in one go with the record of
 * what was seeded.
 *
 * @returns the keys that were written.
 */
export async function seedStorage(storage: StorageBackend, files: readonly SourceFile[]): Promise<string[]> {
  const [seeded, stored] = await Promise.all([
    readSeeded(storage),
    Promise.all(files.map(async ({ file }) => hashOf(await storage.get(file)))),
  ]);
  const entries = new Map<string, Uint8Array>();
  files.forEach(({ file, text }, index) => {
    const hash = sha256(text);
    const before = seeded.get(file);
    // Equal when nobody touched the file: absent and never seeded, or as it was seeded.
    if (before === hash || before !== stored[index]) return;
    entries.set(file, encodeText(text));
    seeded.set(file, hash);
  });
  const keys = [...entries.keys()];
  if (keys.length === 0) return [];
  entries.set(SEEDED_KEY, encodeJson({ files: Object.fromEntries(seeded) }));
  await storage.write(entries);
  return keys;
}

async function readSeeded(storage: StorageBackend): Promise<Map<string, string>> {
  try {
    const seeded = await readJson(storage, SEEDED_KEY, Seeded);
    return new Map(Object.entries(seeded?.files ?? {}));
  } catch (error) {
    // Without the record nothing is known to be untouched: only absent files are written.
    if (error instanceof StorageReadError) return new Map();
    throw error;
  }
}

function hashOf(bytes: Uint8Array | undefined): string | undefined {
  if (bytes === undefined) return undefined;
  const text = decodeText(bytes);
  return text === null ? "" : sha256(text);
}
