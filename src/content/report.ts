import type { ContentFacts, ContentFaultCode, ContentFormat, ContentOddity } from "../protocol/index.js";

/**
 * How far content was looked into: all of it was read; only how it begins; only whether it is text; nothing but that it
 * is there.
 */
export type ContentDepth = "content" | "signature" | "text" | "size";

interface Looked {
  readonly format: ContentFormat;
  /** Bytes; of a text those of its UTF-8. */
  readonly size: number;
  readonly checked: ContentDepth;
}

/** What was looked at is what it is said to be. */
export interface ValidContent extends Looked {
  readonly kind: "valid";
  readonly facts: ContentFacts;
}

/** It can be read, and something about it is odd. */
export interface OddContent extends Looked {
  readonly kind: "warning";
  readonly facts: ContentFacts;
  /** At least one. */
  readonly warnings: readonly ContentOddity[];
}

/** It cannot be read as what it is said to be, or is too much to look at. */
export interface InvalidContent {
  readonly kind: "invalid";
  readonly format: ContentFormat;
  /** Bytes. */
  readonly size: number;
  readonly code: ContentFaultCode;
  /** The code and what is wrong: `xlsx_open_failed: …`. Of an empty file the code alone. */
  readonly message: string;
  /** From 1, where it can be told. */
  readonly line?: number;
  /** From 1, in characters. */
  readonly column?: number;
}

/** What was found out about content: it is what it is said to be, it is so with oddities, or it is not. */
export type ContentReport = ValidContent | OddContent | InvalidContent;
