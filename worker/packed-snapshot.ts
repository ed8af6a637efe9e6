/** Bytes. A page of WebAssembly's memory. */
const BLOCK = 65_536;
/** Of the whole snapshot's length, at the beginning. */
const LENGTH_BYTES = 4;

/**
 * A snapshot without the blocks that hold nothing, which are about half of it and would be read, hashed and kept all
 * the same: the length of the whole, a byte for each block that says whether it is there, and the blocks that are.
 */
export function packSnapshot(snapshot: Uint8Array): Uint8Array<ArrayBuffer> {
  const blocks = Array.from({ length: Math.ceil(snapshot.length / BLOCK) }, (_, index) =>
    snapshot.subarray(index * BLOCK, (index + 1) * BLOCK),
  );
  const kept = blocks.map((block) => block.some((byte) => byte !== 0));
  const present = blocks.filter((_, index) => kept[index]);
  const header = LENGTH_BYTES + blocks.length;
  const packed = new Uint8Array(present.reduce((sum, { length }) => sum + length, header));
  new DataView(packed.buffer).setUint32(0, snapshot.length, true);
  packed.set(kept.map(Number), LENGTH_BYTES);
  let offset = header;
  for (const block of present) {
    packed.set(block, offset);
    offset += block.length;
  }
  return packed;
}

/** @throws {RangeError} when this is not what `packSnapshot` made: its hash may not be known yet. */
export function unpackSnapshot(packed: Uint8Array): Uint8Array<ArrayBuffer> {
  const length = new DataView(packed.buffer, packed.byteOffset, packed.byteLength).getUint32(0, true);
  const count = Math.ceil(length / BLOCK);
  const kept = packed.subarray(LENGTH_BYTES, LENGTH_BYTES + count);
  const sizeOf = (index: number): number => Math.min(BLOCK, length - index * BLOCK);
  const size = kept.reduce((sum, isKept, index) => sum + (isKept === 0 ? 0 : sizeOf(index)), LENGTH_BYTES + count);
  if (size !== packed.length) throw new RangeError("This is no packed snapshot: its length is not the one it names.");
  const snapshot = new Uint8Array(length);
  let offset = LENGTH_BYTES + count;
  for (const [index, isKept] of kept.entries()) {
    if (isKept === 0) continue;
    snapshot.set(packed.subarray(offset, offset + sizeOf(index)), index * BLOCK);
    offset += sizeOf(index);
  }
  return snapshot;
}
