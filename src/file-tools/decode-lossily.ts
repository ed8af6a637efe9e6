import { Slices } from "../protocol/index.js";

/** Bytes that are decoded in one go: some milliseconds. */
const DECODED_AT_ONCE = 2 ** 20;

/** The text of bytes, in slices between which the page goes on. What is no UTF-8 becomes U+FFFD. */
export async function decodeLossily(bytes: Uint8Array): Promise<string> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const slices = new Slices();
  let text = "";
  for (let at = 0; at < bytes.byteLength; at += DECODED_AT_ONCE) {
    text += decoder.decode(bytes.subarray(at, at + DECODED_AT_ONCE), { stream: true });
    await slices.rest();
  }
  return text + decoder.decode();
}
