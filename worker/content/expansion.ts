import { Inflate, Unzlib } from "fflate";

import type { ContentLimits } from "../../src/protocol/index.js";
import { ContentFault } from "./content-fault.js";

/** Bytes that are handed to the decoder at once. It makes at most a thousand times as many of them before it can be stopped. */
const PIECE = 1 << 14;

/** Bytes up to which it does not matter how many times its size something unpacks to. */
const HARMLESS = 50e6;

/** What everything in one content may unpack to, together. */
export class Expansion {
  readonly #packed: number;
  readonly #limits: ContentLimits;
  #bytes = 0;

  constructor(packed: number, limits: ContentLimits) {
    this.#packed = packed;
    this.#limits = limits;
  }

  /** Bytes that were unpacked so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** @throws {ContentFault} for a byte too many. */
  add(bytes: number): void {
    const { expandedBytes, expansion } = this.#limits;
    this.#bytes += bytes;
    if (this.#bytes > expandedBytes) {
      throw new ContentFault("expands_too_much", `it unpacks to more than ${String(expandedBytes)} bytes`);
    }
    if (this.#bytes > HARMLESS && this.#bytes > this.#packed * expansion) {
      throw new ContentFault("expands_too_much", `it unpacks to more than ${String(expansion)} times its size`);
    }
  }
}

/**
 * Unpacks piece by piece, so that `take` can stop it by throwing.
 *
 * @throws {Error} where the data is damaged or ends too early.
 */
export function unpack(packed: Uint8Array, kind: "deflate" | "zlib", take: (bytes: Uint8Array) => void): void {
  const stream = kind === "deflate" ? new Inflate(take) : new Unzlib(take);
  for (let start = 0; start < packed.length || start === 0; start += PIECE) {
    stream.push(packed.subarray(start, start + PIECE), start + PIECE >= packed.length);
  }
}
