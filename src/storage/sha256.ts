const BLOCK = 64;
/** The last bytes of a block hold the length. */
const LENGTH_AT = 56;

/** SHA-256 of the UTF-8 text, in hexadecimal. */
export function sha256(text: string): string {
  const hash = new Sha256();
  hash.update(new TextEncoder().encode(text));
  return hash.digest();
}

/**
 * SHA-256 of bytes that come one after the other.
 *
 * Not `crypto.subtle`, which wants them all at once, answers later, and is missing on pages served over plain HTTP, where
 * everything else here works. Not `@noble/hashes` either: 2.6 kB where this is 0.8, on each page that opens a session.
 */
export class Sha256 {
  readonly #state = Int32Array.from(firstPrimes(8), (prime) => fraction(Math.sqrt(prime)));
  readonly #block = new Uint8Array(BLOCK);
  readonly #view = new DataView(this.#block.buffer);
  readonly #words = new Int32Array(BLOCK);
  #size = 0;

  update(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) {
      const used = this.#size % BLOCK;
      const piece = bytes.subarray(at, at + BLOCK - used);
      this.#block.set(piece, used);
      this.#size += piece.length;
      at += piece.length;
      if (used + piece.length === BLOCK) this.#mix();
    }
  }

  /** The digest as hexadecimal digits. Nothing can be added afterwards. */
  digest(): string {
    const size = this.#size;
    const zeros = (2 * BLOCK - 1 + LENGTH_AT - (size % BLOCK)) % BLOCK;
    const end = new Uint8Array(1 + zeros + BLOCK - LENGTH_AT);
    end[0] = 0x80;
    new DataView(end.buffer).setBigUint64(1 + zeros, BigInt(size) * 8n);
    this.update(end);
    return Array.from(this.#state, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
  }

  #mix(): void {
    const [state, words, view] = [this.#state, this.#words, this.#view];
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
    for (let i = 0; i < BLOCK; i += 1) {
      const word = i < 16 ? view.getInt32(4 * i) : nextWord(words, i);
      words[i] = word;
      const sum1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
      const first = (h + sum1 + ((e & f) ^ (~e & g)) + (ROUNDS[i] ?? 0) + word) | 0;
      const sum0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
      h = g;
      g = f;
      f = e;
      e = (d + first) | 0;
      const second = (sum0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      d = c;
      c = b;
      b = a;
      a = (first + second) | 0;
    }
    const mixed = [a, b, c, d, e, f, g, h];
    for (let i = 0; i < mixed.length; i += 1) state[i] = ((state[i] ?? 0) + (mixed[i] ?? 0)) | 0;
  }
}

function nextWord(words: Int32Array, i: number): number {
  const near = words[i - 2] ?? 0;
  const far = words[i - 15] ?? 0;
  const sigma0 = rotated(far, 7) ^ rotated(far, 18) ^ (far >>> 3);
  const sigma1 = rotated(near, 17) ^ rotated(near, 19) ^ (near >>> 10);
  return ((words[i - 16] ?? 0) + sigma0 + (words[i - 7] ?? 0) + sigma1) | 0;
}

/** The standard's constants are the first 32 bits of fractions of roots of primes. */
const ROUNDS = Int32Array.from(firstPrimes(BLOCK), (prime) => fraction(Math.cbrt(prime)));

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let number = 2; primes.length < count; number += 1) {
    if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  }
  return primes;
}

function fraction(root: number): number {
  return Math.floor((root % 1) * 2 ** 32);
}

function rotated(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}
