import { Inflate } from "fflate";

import { Slices } from "../../protocol/index.js";

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

/** Bytes that are unpacked in one go: they may become a thousand times as many. */
const UNPACKED_AT_ONCE = 1024;

const METADATA = /^[^/]+\.dist-info\/METADATA$/;

/**
 * Reads what a wheel, or another archive, holds; null where it is damaged. It may have been made to keep the page busy,
 * so that it is read in slices, and of its files METADATA alone is unpacked, as far as it may be.
 */
export async function readArchive(archive: Uint8Array): Promise<Archive | null> {
  const slices = new Slices();
  let size = 0;
  let files = 0;
  let metadata: Entry | undefined;
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
    if (error instanceof DamagedArchive || error instanceof RangeError || isOfFflate(error)) return null;
    throw error;
  }
}

class DamagedArchive extends Error {}

/** What unpacks has errors with numbers. */
function isOfFflate(error: unknown): boolean {
  return error instanceof Error && "code" in error && typeof error.code === "number";
}

/** A file of an archive, as its central directory has it. */
interface Entry {
  readonly name: string;
  readonly method: number;
  /** Bytes in the archive, and unpacked. */
  readonly packed: number;
  readonly size: number;
  readonly offset: number;
}

/** The longest comment behind the directory, with the directory's own end. */
const LONGEST_END = 65_557;

/** The files of an archive (APPNOTE 4.3). @throws {DamagedArchive} @throws {RangeError} where it points out of itself. */
function* entriesOf(archive: Uint8Array): Generator<Entry> {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const { count, offset } = directoryOf(view);
  const text = new TextDecoder();
  let at = offset;
  for (let index = 0; index < count; index += 1) {
    if (view.getUint32(at, true) !== 0x02014b50) throw new DamagedArchive();
    const nameEnd = at + 46 + view.getUint16(at + 28, true);
    yield {
      name: text.decode(archive.subarray(at + 46, nameEnd)),
      method: view.getUint16(at + 10, true),
      packed: view.getUint32(at + 20, true),
      size: view.getUint32(at + 24, true),
      offset: view.getUint32(at + 42, true),
    };
    at = nameEnd + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
}

function directoryOf(view: DataView): { readonly count: number; readonly offset: number } {
  const first = Math.max(0, view.byteLength - LONGEST_END);
  let end = view.byteLength - 22;
  while (end >= first && view.getUint32(end, true) !== 0x06054b50) end -= 1;
  if (end < first) throw new DamagedArchive();
  const count = view.getUint16(end + 10, true);
  const offset = view.getUint32(end + 16, true);
  if (end < 20 || view.getUint32(end - 20, true) !== 0x07064b50) return { count, offset };
  // With more files than two bytes can count, the directory has another end (zip64).
  const large = Number(view.getBigUint64(end - 12, true));
  if (view.getUint32(large, true) !== 0x06064b50) throw new DamagedArchive();
  return { count: Number(view.getBigUint64(large + 32, true)), offset: Number(view.getBigUint64(large + 48, true)) };
}

/** The bytes of a file, which may be other than its directory says. @throws {DamagedArchive} for more than may be read. */
async function unpack(archive: Uint8Array, { method, packed, size, offset }: Entry, slices: Slices): Promise<string> {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const from = offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
  const content = archive.subarray(from, from + packed);
  if (size > LARGEST || packed > LARGEST || content.length < packed) throw new DamagedArchive();
  if (method === 0) return textOf([content]);
  if (method !== 8) throw new DamagedArchive();
  const pieces: Uint8Array[] = [];
  let received = 0;
  const inflate = new Inflate((piece) => {
    pieces.push(piece);
    received += piece.length;
  });
  for (let at = 0; at < content.length; at += UNPACKED_AT_ONCE) {
    inflate.push(content.subarray(at, at + UNPACKED_AT_ONCE), at + UNPACKED_AT_ONCE >= content.length);
    if (received > size) throw new DamagedArchive();
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
