import { Inflate } from "fflate";

/** An archive, or a file in it, is not what it says of itself. */
export class DamagedArchive extends Error {}

/** Whether reading an archive failed by what it is. */
export function isDamage(error: unknown): boolean {
  return error instanceof DamagedArchive || error instanceof RangeError || isOfFflate(error);
}

/** What unpacks has errors with numbers. */
function isOfFflate(error: unknown): boolean {
  return error instanceof Error && "code" in error && typeof error.code === "number";
}

/** Bytes that are unpacked in one go: they may become a thousand times as many. */
const UNPACKED_AT_ONCE = 1024;

/** A file of an archive, as its central directory has it. */
export interface ZipEntry {
  readonly name: string;
  readonly method: number;
  readonly isEncrypted: boolean;
  /** Of the content, by CRC-32. */
  readonly checksum: number;
  /** Bytes in the archive, and unpacked. */
  readonly packed: number;
  readonly size: number;
  readonly offset: number;
  /** As Unix has it, where the archive was made there; 0 elsewhere. */
  readonly mode: number;
}

/** The longest comment behind the directory, with the directory's own end. */
const LONGEST_END = 65_557;

/** What made an archive, where that has modes of files. */
const UNIX = 3;

/** The files of an archive (APPNOTE 4.3). @throws {DamagedArchive} @throws {RangeError} where it points out of itself. */
export function* entriesOf(archive: Uint8Array): Generator<ZipEntry> {
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
      isEncrypted: (view.getUint16(at + 8, true) & 1) === 1,
      checksum: view.getUint32(at + 16, true),
      packed: view.getUint32(at + 20, true),
      size: view.getUint32(at + 24, true),
      offset: view.getUint32(at + 42, true),
      mode: view.getUint8(at + 5) === UNIX ? view.getUint16(at + 40, true) : 0,
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

/**
 * The bytes of a file, each time those that come of a little of the archive.
 *
 * @throws {DamagedArchive} where they are not as many as the directory says, or packed in another way than is read here.
 */
export function* unpackedPieces(
  archive: Uint8Array,
  { method, packed, size, offset }: ZipEntry,
): Generator<readonly Uint8Array[]> {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const from = offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
  const content = archive.subarray(from, from + packed);
  if (content.length < packed) throw new DamagedArchive();
  if (method === 0) {
    yield [content];
    return;
  }
  if (method !== 8) throw new DamagedArchive();
  let pieces: Uint8Array[] = [];
  let received = 0;
  const inflate = new Inflate((piece) => {
    pieces.push(piece);
    received += piece.length;
  });
  for (let at = 0; at < content.length; at += UNPACKED_AT_ONCE) {
    inflate.push(content.subarray(at, at + UNPACKED_AT_ONCE), at + UNPACKED_AT_ONCE >= content.length);
    if (received > size) throw new DamagedArchive();
    yield pieces;
    pieces = [];
  }
}
