const PLACEHOLDER = "[API key]";

// Servers without accounts take any word as a key ("ollama", "none"). Striking such a word from
// replies would damage ordinary text, and there is nothing to protect.
const SHORTEST_REAL_KEY = 12;

/** Strikes a secret from what a server says, for servers that repeat the key in errors or replies. */
export class SecretFilter {
  readonly #secret: string;
  #held = "";

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** The whole text, without the secret. */
  strike(text: string): string {
    return this.#secret === "" ? text : text.replaceAll(this.#secret, PLACEHOLDER);
  }

  /** The same of a text of somebody else's, in which a word that is no real key is a word. */
  strikeRealKey(text: string): string {
    return this.#secret.length < SHORTEST_REAL_KEY ? text : this.strike(text);
  }

  /** The next piece of a stream. An end that may be the start of the secret is held back until it is decided. */
  push(piece: string): string {
    if (this.#secret.length < SHORTEST_REAL_KEY) return piece;
    const text = this.strike(this.#held + piece);
    const kept = longestOverlap(text, this.#secret);
    this.#held = text.slice(text.length - kept);
    return text.slice(0, text.length - kept);
  }

  /** What was held back, at the end of the stream. */
  flush(): string {
    const rest = this.#held;
    this.#held = "";
    return rest;
  }
}

/** Length of the longest proper prefix of `secret` that `text` ends with. */
function longestOverlap(text: string, secret: string): number {
  for (let length = Math.min(text.length, secret.length - 1); length > 0; length--) {
    if (text.endsWith(secret.slice(0, length))) return length;
  }
  return 0;
}
