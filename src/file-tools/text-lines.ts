import { Slices } from "../protocol/index.js";

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** Bytes of a line that are shown. */
const SHOWN = 500;

/** A line of a file: where it begins, and where it ends without its line end. */
export interface LineSpan {
  readonly start: number;
  readonly end: number;
}

/** The lines of a text, in slices between which the page goes on. What is no UTF-8 becomes U+FFFD. */
export async function* linesOf(bytes: Uint8Array): AsyncGenerator<readonly LineSpan[]> {
  const slices = new Slices();
  let some: LineSpan[] = [];
  for (let start = 0; start < bytes.length;) {
    const feed = bytes.indexOf(LINE_FEED, start);
    const next = feed === -1 ? bytes.length : feed + 1;
    const last = feed === -1 ? bytes.length : feed;
    some.push({ start, end: last > start && bytes[last - 1] === CARRIAGE_RETURN ? last - 1 : last });
    start = next;
    if (some.length < LINES_AT_ONCE) continue;
    yield some;
    some = [];
    await slices.rest();
  }
  yield some;
}

/** A fraction of a millisecond. */
const LINES_AT_ONCE = 1000;

/** A line as it is shown: of a long one its first bytes, in whole characters, and how many it has. */
export function shownLine(bytes: Uint8Array, { start, end }: LineSpan): string {
  // With the rest of a character that begins within.
  const text = decode(bytes.subarray(start, Math.min(end, start + SHOWN + 3)));
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(SHOWN));
  return read < text.length ? `${text.slice(0, read)}…[${String(end - start)} bytes]` : text;
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}
