import { messageOf, shortenUnitsTo } from "../../src/protocol/index.js";
import { ContentFault } from "./content-fault.js";
import { Crc32 } from "./crc32.js";
import { unpack, type Expansion } from "./expansion.js";
import type { Look } from "./look.js";

/** A file or a folder of an archive, as its directory has it. */
export interface ZipEntry {
  readonly name: string;
  readonly isFolder: boolean;
  readonly method: number;
  readonly crc: number;
  readonly size: number;
  /** Where its packed bytes are. */
  readonly start: number;
  readonly end: number;
}

const END_OF_DIRECTORY = 0x06054b50;
const WIDE_END = 0x06064b50;
const WIDE_LOCATOR = 0x07064b50;
const DIRECTORY_ENTRY = 0x02014b50;
const LOCAL_HEADER = 0x04034b50;

/** What stands in place of a number that is in the extra field. */
const WIDE = 0xffffffff;

const STORED = 0;
const DEFLATED = 8;

/**
 * A ZIP archive in memory. Archives are read by their directory at the end and by the headers before each entry, and
 * what the two say differently makes two programs see two archives, so both are read and compared.
 */
export class ZipArchive {
  /** In the order of the directory. */
  readonly entries: readonly ZipEntry[];
  readonly #bytes: Uint8Array;

  /** @throws {ContentFault} @throws {Error} where the directory is damaged. */
  constructor(bytes: Uint8Array, look: Look) {
    this.#bytes = bytes;
    this.entries = readDirectory(bytes, look);
  }

  /**
   * Unpacks an entry piece by piece and compares its size and its checksum.
   *
   * @returns false for a method of packing that is not known here; nothing was taken then.
   */
  read(entry: ZipEntry, expansion: Expansion, take: (bytes: Uint8Array) => void): boolean {
    if (entry.method !== STORED && entry.method !== DEFLATED) return false;
    const packed = this.#bytes.subarray(entry.start, entry.end);
    const crc = new Crc32();
    let size = 0;
    const hear = (bytes: Uint8Array): void => {
      expansion.add(bytes.length);
      size += bytes.length;
      if (size > entry.size) throw damaged(entry, "is larger than its directory says");
      crc.add(bytes);
      take(bytes);
    };
    if (entry.method === STORED) hear(packed);
    else this.#unpack(entry, packed, hear);
    if (size !== entry.size) throw damaged(entry, "is smaller than its directory says");
    if (crc.value !== entry.crc) throw damaged(entry, "has a wrong checksum");
    return true;
  }

  #unpack(entry: ZipEntry, packed: Uint8Array, hear: (bytes: Uint8Array) => void): void {
    // What the listener throws is not the archive's damage.
    let heard: Error | undefined;
    try {
      unpack(packed, "deflate", (bytes) => {
        try {
          hear(bytes);
        } catch (error) {
          heard = error instanceof Error ? error : new Error(String(error));
          throw heard;
        }
      });
    } catch (error) {
      throw heard ?? damaged(entry, `is damaged (${messageOf(error)})`);
    }
  }
}

function damaged({ name }: Pick<ZipEntry, "name">, what: string): Error {
  return new Error(`its entry ${shortenUnitsTo(name, 100)} ${what}`);
}

interface Directory {
  readonly count: number;
  readonly start: number;
  readonly end: number;
}

function readDirectory(bytes: Uint8Array, look: Look): readonly ZipEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { count, start, end } = findDirectory(view, look);
  if (count > look.limits.parts) {
    throw new ContentFault("too_many_parts", `it has more than ${String(look.limits.parts)} entries`);
  }
  const entries: ZipEntry[] = [];
  const names = new Set<string>();
  let at = start;
  for (let index = 0; index < count; index += 1) {
    if (at + 46 > end || view.getUint32(at, true) !== DIRECTORY_ENTRY) throw new Error("its directory is damaged");
    const { entry, next } = readEntry(view, at, start);
    if (names.has(entry.name)) look.odd("damaged_index", `two entries are named ${shortenUnitsTo(entry.name, 100)}`);
    names.add(entry.name);
    entries.push(entry);
    at = next;
  }
  throwIfOverlapping(entries);
  return entries;
}

/** Bytes of the end of the directory, without the comment after it, and of the longest comment. */
const END_LENGTH = 22;
const LONGEST_COMMENT = 0xffff;

function findDirectory(view: DataView, look: Look): Directory {
  const last = view.byteLength - END_LENGTH;
  for (let at = last; at >= Math.max(0, last - LONGEST_COMMENT); at -= 1) {
    if (view.getUint32(at, true) !== END_OF_DIRECTORY) continue;
    const after = last - at - view.getUint16(at + 20, true);
    if (after < 0) continue;
    if (after > 0) look.odd("data_after_end", `after its end there are ${String(after)} bytes`);
    const directory = wideDirectory(view, at) ?? {
      count: view.getUint16(at + 10, true),
      start: view.getUint32(at + 16, true),
      end: view.getUint32(at + 16, true) + view.getUint32(at + 12, true),
    };
    if (directory.end > at) throw new Error("its directory is not where it should be");
    return directory;
  }
  throw new Error("it has no directory at its end, so a part of it is missing");
}

/** The directory of an archive that may be larger than 4 GB, as some programs always write it. */
function wideDirectory(view: DataView, end: number): Directory | undefined {
  const locator = end - 20;
  if (locator < 0 || view.getUint32(locator, true) !== WIDE_LOCATOR) return undefined;
  const at = wideNumber(view, locator + 8);
  if (at + 56 > locator || view.getUint32(at, true) !== WIDE_END) throw new Error("its directory is damaged");
  const start = wideNumber(view, at + 48);
  return { count: wideNumber(view, at + 32), start, end: start + wideNumber(view, at + 40) };
}

function wideNumber(view: DataView, at: number): number {
  return view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 32;
}

function readEntry(view: DataView, at: number, directory: number): { readonly entry: ZipEntry; readonly next: number } {
  const flags = view.getUint16(at + 8, true);
  const nameEnd = at + 46 + view.getUint16(at + 28, true);
  const extraEnd = nameEnd + view.getUint16(at + 30, true);
  const next = extraEnd + view.getUint16(at + 32, true);
  if (next > view.byteLength) throw new Error("its directory is damaged");
  const rawName = bytesAt(view, at + 46, nameEnd);
  const name = new TextDecoder().decode(rawName);
  throwIfUnsafe(name);
  // Encrypted by itself, by strong encryption, or with its directory.
  if ((flags & 0x2041) !== 0)
    throw new ContentFault("encrypted", `its entry ${shortenUnitsTo(name, 100)} is encrypted`);
  const [size, packed, offset] = wideFields(view, { from: nameEnd, to: extraEnd }, [
    view.getUint32(at + 24, true),
    view.getUint32(at + 20, true),
    view.getUint32(at + 42, true),
  ]);
  const start = startOf(view, offset, { name, rawName, directory });
  if (start + packed > directory) throw damaged({ name }, "reaches into the directory");
  const [method, crc] = [view.getUint16(at + 10, true), view.getUint32(at + 16, true)];
  return { entry: { name, isFolder: name.endsWith("/"), method, crc, size, start, end: start + packed }, next };
}

/** The numbers, each from the extra field where only that has room for it. */
function wideFields(
  view: DataView,
  { from, to }: { readonly from: number; readonly to: number },
  [size, packed, offset]: readonly [number, number, number],
): readonly [number, number, number] {
  let at = from;
  while (at + 4 <= to && view.getUint16(at, true) !== 1) at += 4 + view.getUint16(at + 2, true);
  at += 4;
  const next = (number: number): number => {
    if (number !== WIDE) return number;
    if (at + 8 > to) throw new Error("its directory is damaged");
    at += 8;
    return wideNumber(view, at - 8);
  };
  return [next(size), next(packed), next(offset)];
}

interface Expected {
  readonly name: string;
  readonly rawName: Uint8Array;
  /** Where the directory begins. */
  readonly directory: number;
}

/** Where the packed bytes begin: after the header in front of them, which must name the same entry. */
function startOf(view: DataView, offset: number, { name, rawName, directory }: Expected): number {
  if (offset + 30 > directory || view.getUint32(offset, true) !== LOCAL_HEADER) {
    throw damaged({ name }, "is not where its directory says");
  }
  const nameEnd = offset + 30 + view.getUint16(offset + 26, true);
  if (nameEnd > directory) throw damaged({ name }, "reaches into the directory");
  const found = bytesAt(view, offset + 30, nameEnd);
  if (found.length !== rawName.length || found.some((byte, index) => byte !== rawName[index])) {
    throw damaged({ name }, "has another name in its own header");
  }
  return nameEnd + view.getUint16(offset + 28, true);
}

/** Names that would be unpacked to somewhere else. */
function throwIfUnsafe(name: string): void {
  const isUnsafe = /^[/\\]|^[A-Za-z]:|\\|\0/.test(name) || name.split("/").includes("..") || name === "";
  if (isUnsafe)
    throw new ContentFault(
      "unsafe_name",
      `its entry ${JSON.stringify(shortenUnitsTo(name, 100))} leads out of its folder`,
    );
}

/** The same bytes under many names are how a small archive becomes a large one. */
function throwIfOverlapping(entries: readonly ZipEntry[]): void {
  let end = 0;
  for (const entry of [...entries].sort((one, other) => one.start - other.start)) {
    if (entry.start < end) throw damaged(entry, "shares its bytes with another");
    end = Math.max(end, entry.end);
  }
}

function bytesAt(view: DataView, start: number, end: number): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset + start, end - start);
}
