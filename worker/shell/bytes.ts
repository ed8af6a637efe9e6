/** Characters at a time that fit into the arguments of one call. */
const SLICE = 32_768;

export function encodeText(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/** The shell's bytes: a text in which each character is one. */
export function binaryText(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let start = 0; start < bytes.length; start += SLICE)
    pieces.push(String.fromCharCode(...bytes.subarray(start, start + SLICE)));
  return pieces.join("");
}

export function bytesOfBinaryText(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index += 1) bytes[index] = text.charCodeAt(index);
  return bytes;
}
