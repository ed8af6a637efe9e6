/** Bytes that are turned into text at once: an argument each. */
const AT_ONCE = 8192;

export function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let start = 0; start < bytes.length; start += AT_ONCE) {
    text += String.fromCharCode(...bytes.subarray(start, start + AT_ONCE));
  }
  return btoa(text);
}

/** @throws {DOMException} for a text that is not base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let index = 0; index < bytes.length; index++) bytes[index] = characters.charCodeAt(index);
  return bytes;
}
