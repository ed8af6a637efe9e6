import { countParts, weighBySize } from "./count-parts.js";
import type { DecodeOptions } from "./decode-large-value.js";
import type { SentValue } from "./messages.js";
import { decodeValue, encodeValue, type EncodedValue } from "./value-codec.js";
import type { Value } from "./value.js";

/** Characters of a text that is read in one go, and parts of a value that is written in one go: some milliseconds. */
const TEXT_AT_ONCE = 200_000;
const PARTS_AT_ONCE = 20_000;

/**
 * `decodeValue` for values of any size: a large one is read in slices, and the page goes on in between.
 *
 * @throws {MalformedValueError}
 */
export async function decodeValueInSlices(encoded: EncodedValue, options: DecodeOptions = {}): Promise<Value> {
  if (encoded.text.length <= TEXT_AT_ONCE) return decodeValue(encoded);
  const { decodeLargeValue } = await import("./decode-large-value.js");
  return await decodeLargeValue(encoded, options);
}

/**
 * `encodeValue` for values of any size: a large one is written in slices, and what is large in it becomes a blob. It must not
 * change meanwhile.
 *
 * @throws {ValueNotTransferableError}
 */
export async function encodeValueInSlices(value: Value): Promise<SentValue> {
  if (countParts(value, PARTS_AT_ONCE, weighBySize) <= PARTS_AT_ONCE) return encodeValue(value);
  const { encodeLargeValue } = await import("./encode-large-value.js");
  return await encodeLargeValue(value);
}
