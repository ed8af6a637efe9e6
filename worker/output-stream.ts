import { outputSize, textPieces, type OutputChunk } from "../src/protocol/index.js";

/** Milliseconds between two messages of output while the code is busy printing. */
const INTERVAL = 16;
/** Characters after which a message is sent at once. */
const BATCH = 131_072;
/** Characters of one piece of text. */
const LONGEST = 2 ** 20;

/** Gathers what the code prints and sends it in messages few enough for the page to draw. */
export class OutputStream {
  readonly #send: (chunks: readonly OutputChunk[]) => void;
  #chunks: OutputChunk[] = [];
  #size = 0;
  #lastFlush = 0;
  #remaining = Infinity;
  #hasEnded = false;
  #onOverflow: () => void = () => undefined;

  constructor(send: (chunks: readonly OutputChunk[]) => void) {
    this.#send = send;
  }

  /**
   * Begins a run. Output over its limit is dropped here, so that a flood never reaches the page, which counts for
   * itself. @param limit - bytes.
   */
  begin(limit: number, onOverflow: () => void): void {
    this.#remaining = limit;
    this.#onOverflow = onOverflow;
  }

  /** Sends what there is; whatever comes from here on is no output of code. */
  end(): void {
    this.flush();
    this.#hasEnded = true;
  }

  write(kind: "stdout" | "stderr", text: string): void {
    // A long text in messages of its own: what the page does with each is done in one go.
    for (const piece of textPieces(text, LONGEST)) this.#write(kind, piece);
  }

  #write(kind: "stdout" | "stderr", text: string): void {
    if (this.#hasEnded) return;
    const last = this.#chunks.at(-1);
    if (last?.kind === kind) this.#chunks[this.#chunks.length - 1] = { kind, text: last.text + text };
    else this.#chunks.push({ kind, text });
    this.#sendIfDue(text.length);
  }

  /** A rich output, or a signal. */
  add(chunk: OutputChunk): void {
    if (this.#hasEnded) return;
    this.#chunks.push(chunk);
    this.#sendIfDue(outputSize(chunk));
  }

  /** Called from the interrupt signal too, so that text does not lie here while the code computes. */
  flushIfDue(now: number): void {
    if (this.#chunks.length > 0 && now - this.#lastFlush >= INTERVAL) this.flush();
  }

  #sendIfDue(added: number): void {
    this.#size += added;
    if (this.#size >= BATCH || performance.now() - this.#lastFlush >= INTERVAL) this.flush();
  }

  flush(): void {
    this.#lastFlush = performance.now();
    if (this.#chunks.length === 0) return;
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#size = 0;
    const hadRoom = this.#remaining >= 0;
    for (const chunk of chunks) this.#remaining -= outputSize(chunk);
    // What passes the limit is sent too: the page has to see that.
    if (hadRoom) this.#send(chunks);
    if (this.#remaining < 0) this.#onOverflow();
  }
}
