import { Slices } from "../protocol/index.js";

/** Bytes that are turned into text at once: a multiple of three, so that texts of several go together. */
const AT_ONCE = 3 * 8192;

/** In slices between which the page goes on. */
export async function base64InSlices(bytes: Uint8Array): Promise<string> {
  const parts: string[] = [];
  const slices = new Slices();
  for (let start = 0; start < bytes.length; start += AT_ONCE) {
    parts.push(btoa(String.fromCharCode(...bytes.subarray(start, start + AT_ONCE))));
    await slices.rest();
  }
  return parts.join("");
}
