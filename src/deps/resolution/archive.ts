import { Slices } from "../../protocol/index.js";
import { DamagedArchive, entriesOf, isDamage, unpackedPieces, type ZipEntry } from "./zip-entries.js";

/** What an archive says of itself, as far as it is looked at before it is unpacked. */
export interface Archive {
  /** Lines of `Requires-Dist` (PEP 508); null where there is no METADATA that can be read, as in shared libraries. */
  readonly requires: readonly string[] | null;
  /** Bytes of its files, unpacked. */
  readonly size: number;
  readonly files: number;
}

/** Bytes of a METADATA that is read; descriptions are part of it. */
const LARGEST = 2 ** 21;

/** Characters of its headers; old ones have the description among them. */
const LONGEST_HEADERS = 1_000_000;

/** Requirements of one package: more than any that was published has. */
const MOST_REQUIREMENTS = 5_000;

const METADATA = /^[^/]+\.dist-info\/METADATA$/;

/**
 * Reads what a wheel, or another archive, holds; null where it is damaged. It may have been made to keep the page busy,
 * so that it is read in slices, and of its files METADATA alone is unpacked, as far as it may be.
 */
export async function readArchive(archive: Uint8Array): Promise<Archive | null> {
  const slices = new Slices();
  let size = 0;
  let files = 0;
  let metadata: ZipEntry | undefined;
  try {
    for (const entry of entriesOf(archive)) {
      size += entry.size;
      files += 1;
      if (METADATA.test(entry.name)) metadata ??= entry;
      await slices.rest();
    }
    const requires = metadata === undefined ? null : requirementsIn(await unpack(archive, metadata, slices));
    return { requires, size, files };
  } catch (error) {
    if (isDamage(error)) return null;
    throw error;
  }
}

/** The text of a file, which may be another than its directory says. @throws {DamagedArchive} for more than may be read. */
async function unpack(archive: Uint8Array, entry: ZipEntry, slices: Slices): Promise<string> {
  const { packed, size } = entry;
  if (size > LARGEST || packed > LARGEST) throw new DamagedArchive();
  const pieces: Uint8Array[] = [];
  for (const some of unpackedPieces(archive, entry)) {
    pieces.push(...some);
    await slices.rest();
  }
  return textOf(pieces);
}

function textOf(pieces: readonly Uint8Array[]): string {
  const decoder = new TextDecoder();
  let length = 0;
  const texts: string[] = [];
  for (const piece of pieces) {
    length += piece.length;
    if (length > LARGEST) throw new DamagedArchive();
    texts.push(decoder.decode(piece, { stream: true }));
  }
  return texts.join("");
}

/** The same. @throws {DamagedArchive} where there are more than a package has. */
function requirementsIn(text: string): readonly string[] {
  const requires = readRequirements(text);
  if (requires === null) throw new DamagedArchive();
  return requires;
}

/** The values of `Requires-Dist` in a METADATA; null for one that is longer, or needs more, than is read. */
export function readRequirements(text: string): readonly string[] | null {
  if (text.length > LARGEST || endOfHeaders(text) > LONGEST_HEADERS) return null;
  const requires = headersOf(text, "requires-dist");
  return requires.length > MOST_REQUIREMENTS ? null : requires;
}

/** The values of a header, which ends with the first empty line. Lines that begin with a blank go on with the one before. */
export function headersOf(text: string, wanted: string): string[] {
  const lines = text
    .slice(0, endOfHeaders(text))
    .replaceAll(/\r?\n[ \t]+/g, " ")
    .split(/\r?\n/);
  return lines.flatMap((line) => {
    const colon = line.indexOf(":");
    return line.slice(0, colon).toLowerCase() === wanted ? [line.slice(colon + 1).trim()] : [];
  });
}

function endOfHeaders(text: string): number {
  return /\r?\n\r?\n/.exec(text)?.index ?? text.length;
}
