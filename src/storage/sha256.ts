/**
 * SHA-256 of the UTF-8 text, in hexadecimal.
 *
 * Not `crypto.subtle`: it is asynchronous, and missing on pages served over plain
 * HTTP, where everything else here works.
 */
export function sha256(text: string): string {
  const state = Uint32Array.from(INITIAL);
  const message = pad(new TextEncoder().encode(text));
  const view = new DataView(message.buffer);
  const schedule = new Uint32Array(64);
  for (let offset = 0; offset < message.length; offset += 64) {
    for (let i = 0; i < 16; i += 1) schedule[i] = view.getUint32(offset + i * 4);
    compress(state, schedule);
  }
  return Array.from(state, (word) => word.toString(16).padStart(8, "0")).join("");
}

/** The first 32 bits of the fractional part of `root(prime)`, for the first `count` primes. */
function fractions(count: number, root: (prime: number) => number): number[] {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n += 1) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  return primes.map((prime) => Math.floor((root(prime) % 1) * 2 ** 32));
}

const INITIAL = fractions(8, Math.sqrt);
const ROUND = Uint32Array.from(fractions(64, Math.cbrt));

function pad(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  new DataView(padded.buffer).setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n);
  return padded;
}

function compress(state: Uint32Array, schedule: Uint32Array): void {
  const word = (index: number): number => schedule[index] ?? 0;
  for (let i = 16; i < 64; i += 1) {
    const a = word(i - 15);
    const b = word(i - 2);
    const s0 = rotate(a, 7) ^ rotate(a, 18) ^ (a >>> 3);
    const s1 = rotate(b, 17) ^ rotate(b, 19) ^ (b >>> 10);
    schedule[i] = word(i - 16) + s0 + word(i - 7) + s1;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i += 1) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const first = (h + s1 + ((e & f) ^ (~e & g)) + (ROUND[i] ?? 0) + word(i)) | 0;
    const second = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((value, i) => (state[i] = (state[i] ?? 0) + value));
}

function rotate(value: number, bits: number): number {
  return (value >>> bits) | (value << (32 - bits));
}
