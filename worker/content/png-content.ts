import type { ContentFacts } from "../../src/protocol/index.js";
import { ContentFault } from "./content-fault.js";
import { Crc32 } from "./crc32.js";
import { unpack } from "./expansion.js";
import type { Look } from "./look.js";

interface Chunk {
  readonly type: string;
  readonly data: Uint8Array;
}

interface Header {
  readonly width: number;
  readonly height: number;
  readonly bitDepth: number;
  /** Bits of a pixel. */
  readonly pixelBits: number;
  readonly hasPalette: boolean;
  readonly interlaced: boolean;
}

/** Every chunk with its checksum, and all of the image data: whether it unpacks, and to as much as the header says. */
export function readPng(bytes: Uint8Array, look: Look): ContentFacts {
  const chunks = readChunks(bytes, look);
  const [first] = chunks;
  if (first?.type !== "IHDR") throw new Error("its first chunk is not IHDR");
  const header = readHeader(first.data);
  const { width, height, bitDepth, hasPalette } = header;
  if (width * height > look.limits.pixels) {
    const most = `of which ${String(look.limits.pixels)} at most are looked at`;
    throw new ContentFault("expands_too_much", `it has ${String(width)} × ${String(height)} pixels, ${most}`);
  }
  const types = chunks.map(({ type }) => type);
  if (hasPalette && !types.includes("PLTE")) throw new Error("it has no palette, and its pixels are numbers of one");
  const stray = types.slice(types.indexOf("IDAT"), types.lastIndexOf("IDAT")).find((type) => type !== "IDAT");
  if (stray !== undefined) throw new Error(`between its image data stands a chunk ${stray}`);
  readPixels(chunks, header);
  return { format: "png", width, height, bitDepth, animated: types.includes("acTL") };
}

const SIGNATURE = 8;

/** Of a chunk: its length, its type and its checksum. */
const FRAME = 12;

const KNOWN = new Set(["IHDR", "PLTE", "IDAT", "IEND"]);

function readChunks(bytes: Uint8Array, look: Look): readonly Chunk[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE; ;) {
    if (at + FRAME > bytes.length) throw new Error("it ends before its last chunk (IEND)");
    const length = view.getUint32(at);
    const end = at + FRAME + length;
    if (end > bytes.length) throw new Error("it ends in the middle of a chunk");
    const named = bytes.subarray(at + 4, end - 4);
    const type = String.fromCharCode(...named.subarray(0, 4));
    if (!/^[A-Za-z]{4}$/.test(type)) throw new Error("where a chunk should begin stands something else");
    if (new Crc32().add(named).value !== view.getUint32(end - 4))
      throw new Error(`the checksum of its chunk ${type} is wrong`);
    // A capital letter says that nobody may do without it.
    if (/^[A-Z]/.test(type) && !KNOWN.has(type)) throw new Error(`it needs a chunk that nobody knows: ${type}`);
    chunks.push({ type, data: named.subarray(4) });
    if (chunks.length > look.limits.parts) {
      throw new ContentFault("too_many_parts", `it has more than ${String(look.limits.parts)} chunks`);
    }
    if (type === "IEND") {
      if (end < bytes.length) look.odd("data_after_end", `after its end there are ${String(bytes.length - end)} bytes`);
      return chunks;
    }
    at = end;
  }
}

/** By type of colour: samples of a pixel, and bits that a sample may have. */
const COLOURS: ReadonlyMap<number, { readonly samples: number; readonly depths: readonly number[] }> = new Map([
  [0, { samples: 1, depths: [1, 2, 4, 8, 16] }],
  [2, { samples: 3, depths: [8, 16] }],
  [3, { samples: 1, depths: [1, 2, 4, 8] }],
  [4, { samples: 2, depths: [8, 16] }],
  [6, { samples: 4, depths: [8, 16] }],
]);

const PALETTE = 3;

function readHeader(data: Uint8Array): Header {
  if (data.length !== 13) throw new Error("its header has the wrong length");
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const [width, height] = [view.getUint32(0), view.getUint32(4)];
  const [bitDepth = 0, colour = 0, compression, filter, interlace = 0] = data.subarray(8);
  const known = COLOURS.get(colour);
  if (width === 0 || height === 0 || width > 0x7fffffff || height > 0x7fffffff)
    throw new Error("its header has no valid size");
  if (known?.depths.includes(bitDepth) !== true) {
    throw new Error(`its header has no valid colours (type ${String(colour)} with ${String(bitDepth)} bits)`);
  }
  if (compression !== 0 || filter !== 0 || interlace > 1) throw new Error("its header has a method that nobody knows");
  const pixelBits = known.samples * bitDepth;
  return { width, height, bitDepth, pixelBits, hasPalette: colour === PALETTE, interlaced: interlace === 1 };
}

/** Column and row where each pass of an interlaced image begins, and the steps between its pixels. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

interface Rows {
  count: number;
  /** With the byte of its filter. */
  readonly bytes: number;
}

function rowsOf({ width, height, pixelBits, interlaced }: Header): Rows[] {
  const passes = interlaced ? PASSES : ([[0, 0, 1, 1]] as const);
  return passes
    .map(([x, y, stepX, stepY]) => ({
      columns: Math.ceil((width - x) / stepX),
      count: Math.ceil((height - y) / stepY),
    }))
    .filter(({ columns, count }) => columns > 0 && count > 0)
    .map(({ columns, count }) => ({ count, bytes: 1 + Math.ceil((columns * pixelBits) / 8) }));
}

/** Kinds of filter of a row. */
const FILTERS = 5;

function readPixels(chunks: readonly Chunk[], header: Header): void {
  const passes = rowsOf(header);
  /** Bytes of the current row that are still to come. */
  let left = 0;
  const take = (bytes: Uint8Array): void => {
    for (let at = 0; at < bytes.length;) {
      if (left === 0) {
        const [pass] = passes;
        if (pass === undefined) throw new Error("it has more image data than its header says");
        if ((bytes[at] ?? 0) >= FILTERS) throw new Error("a row of its image data has a filter that nobody knows");
        left = pass.bytes;
        pass.count -= 1;
        if (pass.count === 0) passes.shift();
      }
      const taken = Math.min(left, bytes.length - at);
      left -= taken;
      at += taken;
    }
  };
  const pieces = chunks.filter(({ type }) => type === "IDAT").map(({ data }) => data);
  if (pieces.length === 0) throw new Error("it has no image data");
  unpack(joined(pieces), "zlib", take);
  if (left > 0 || passes.length > 0) throw new Error("it has less image data than its header says");
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
