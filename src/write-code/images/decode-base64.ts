import { Slices } from "../../protocol/index.js";

/** Characters that are decoded at once: a multiple of four, so that the bytes of several go together. */
const AT_ONCE = 4 * 8192;

/**
 * The bytes of base64 of any size, in slices between which the page goes on. A data address is taken for what it holds.
 *
 * @returns undefined for what is no base64.
 */
export async function decodeBase64(given: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const start = given.startsWith("data:") ? given.indexOf(",", 0) + 1 : 0;
  const text = start === 0 ? given : given.slice(start);
  const plain = /\s/u.test(text) ? text.replace(/\s+/gu, "") : text;
  const padding = plain.endsWith("==") ? 2 : plain.endsWith("=") ? 1 : 0;
  const bytes = new Uint8Array(Math.floor(((plain.length - padding) * 3) / 4));
  const slices = new Slices();
  let size = 0;
  for (let at = 0; at < plain.length; at += AT_ONCE) {
    const characters = decoded(plain.slice(at, at + AT_ONCE));
    if (characters === undefined || size + characters.length > bytes.length) return undefined;
    for (let index = 0; index < characters.length; index += 1) bytes[size + index] = characters.charCodeAt(index);
    size += characters.length;
    await slices.rest();
  }
  return size === bytes.length ? bytes : undefined;
}

function decoded(text: string): string | undefined {
  try {
    return atob(text);
  } catch {
    return undefined;
  }
}
