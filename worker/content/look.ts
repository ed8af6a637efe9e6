import {
  shortenUnitsTo,
  type ContentFacts,
  type ContentLimits,
  type ContentOddity,
  type ContentOddityCode,
} from "../../src/protocol/index.js";
import type { Position } from "./content-fault.js";

/** Oddities of one content that are told; of a thousand alike nobody reads the rest. */
const MOST_ODDITIES = 20;

/** Characters of a message. A parser may quote all that it read. */
export const LONGEST_MESSAGE = 500;

/** One look into one content: what it may cost, and what was odd. */
export class Look {
  readonly limits: ContentLimits;
  readonly oddities: ContentOddity[] = [];

  constructor(limits: ContentLimits) {
    this.limits = limits;
  }

  odd(code: ContentOddityCode, message: string, position: Position = {}): void {
    if (this.oddities.length < MOST_ODDITIES)
      this.oddities.push({ code, message: shortenUnitsTo(message, LONGEST_MESSAGE), ...position });
  }
}

/** Reads a text. @throws {ContentFault} */
export type ReadText = (text: string, look: Look) => ContentFacts;

/** Reads bytes. @throws {ContentFault} */
export type ReadBytes = (bytes: Uint8Array, look: Look) => ContentFacts | Promise<ContentFacts>;
