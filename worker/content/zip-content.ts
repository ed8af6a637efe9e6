import { shortenUnitsTo, type ContentFacts } from "../../src/protocol/index.js";
import { Expansion } from "./expansion.js";
import type { Look } from "./look.js";
import { nameOfSignature } from "./signatures.js";
import { LONGEST_NAME } from "./text-content.js";
import { ZipArchive } from "./zip-archive.js";

/** Entries that are told by name. */
const MOST_NAMES = 1000;

/** Every entry is unpacked; an archive in it is not opened. */
export function readZip(bytes: Uint8Array, look: Look): ContentFacts {
  const archive = new ZipArchive(bytes, look);
  const expansion = new Expansion(bytes.length, look.limits);
  for (const entry of archive.entries) {
    let inside: string | undefined;
    let isStart = true;
    const wasRead = archive.read(entry, expansion, (piece) => {
      if (isStart) inside = nameOfSignature(piece);
      isStart = false;
    });
    const name = shortenUnitsTo(entry.name, 100);
    if (!wasRead)
      look.odd("unchecked_part", `${name} is packed by a method that is not known here (${String(entry.method)})`);
    if (inside !== undefined && /archive|gzip/.test(inside))
      look.odd("unchecked_part", `${name} is ${inside}, and was not opened`);
  }
  const names = archive.entries.map(({ name }) => name);
  return {
    ...{ format: "zip", entries: names.length, expandedBytes: expansion.bytes },
    names: names.slice(0, MOST_NAMES).map((name) => shortenUnitsTo(name, LONGEST_NAME)),
  };
}
