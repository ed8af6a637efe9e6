const BLOCK = 64;
/** The last bytes of the last block hold the length. */
const LENGTH = 8;

/**
 * SHA-1 of the UTF-8 text, in hexadecimal. It names things, as others name them, and protects nothing. Not `crypto.subtle`,
 * which answers later and is missing on pages served over plain HTTP.
 */
export function sha1(text: string): string {
  const state = Int32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0);
  const bytes = padded(new TextEncoder().encode(text));
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < bytes.length; at += BLOCK) mix(state, view, at);
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

function padded(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const blocks = Math.ceil((bytes.length + 1 + LENGTH) / BLOCK);
  const whole = new Uint8Array(blocks * BLOCK);
  whole.set(bytes);
  whole[bytes.length] = 0x80;
  new DataView(whole.buffer).setBigUint64(whole.length - LENGTH, BigInt(bytes.length) * 8n);
  return whole;
}

function mix(state: Int32Array, view: DataView, start: number): void {
  const words = new Int32Array(80);
  for (let index = 0; index < 16; index += 1) words[index] = view.getInt32(start + index * 4);
  for (let index = 16; index < words.length; index += 1) {
    const [a, b, c, d] = [3, 8, 14, 16].map((back) => words[index - back] ?? 0);
    words[index] = rotated((a ?? 0) ^ (b ?? 0) ^ (c ?? 0) ^ (d ?? 0), 1);
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0] = state;
  words.forEach((word, index) => {
    const [mixed, constant] = round(index, b, c, d);
    const next = (rotated(a, 5) + mixed + e + constant + word) | 0;
    [a, b, c, d, e] = [next, a, rotated(b, 30), c, d];
  });
  [a, b, c, d, e].forEach((value, index) => {
    state[index] = ((state[index] ?? 0) + value) | 0;
  });
}

function round(index: number, b: number, c: number, d: number): readonly [number, number] {
  if (index < 20) return [(b & c) | (~b & d), 0x5a827999];
  if (index < 40) return [b ^ c ^ d, 0x6ed9eba1];
  if (index < 60) return [(b & c) | (b & d) | (c & d), 0x8f1bbcdc];
  return [b ^ c ^ d, 0xca62c1d6];
}

function rotated(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by));
}
