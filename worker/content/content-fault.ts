import type { ContentFaultCode } from "../../src/protocol/index.js";

/** From 1, both. */
export interface Position {
  readonly line?: number;
  readonly column?: number;
}

/** Content is not what it is said to be. */
export class ContentFault extends Error {
  override readonly name = "ContentFault";

  constructor(
    readonly code: ContentFaultCode,
    readonly reason: string,
    readonly position: Position = {},
  ) {
    super(reason);
  }
}

/** A parser failed, and says where. The format decides about the code. */
export class ParseFailure extends Error {
  override readonly name = "ParseFailure";

  constructor(
    reason: string,
    readonly position: Position = {},
  ) {
    super(reason);
  }
}

export function tooDeep(limit: number, position: Position): ContentFault {
  return new ContentFault("nested_too_deep", `it is nested more than ${String(limit)} levels deep`, position);
}

/** Firefox has a class of its own for it. */
export function isStackOverflow(error: unknown): boolean {
  return error instanceof Error && /call stack|too much recursion/i.test(error.message);
}
