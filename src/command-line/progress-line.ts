import { harmless, sizeInWords } from "./in-words.js";

/** Where progress is shown: standard error. */
export interface TextStream {
  write(text: string): unknown;
  /** Whether a person looks at it. */
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

/** One line of a terminal that says how far a download has come; nothing at all elsewhere. */
export class ProgressLine {
  readonly #stream: TextStream;
  #shown = "";

  constructor(stream: TextStream) {
    this.#stream = stream;
  }

  show(received: number, total: number | undefined, filename: string): void {
    if (this.#stream.isTTY !== true) return;
    const size = total === undefined ? sizeInWords(received) : `${sizeInWords(received)} of ${sizeInWords(total)}`;
    const text = harmless(`${size}  ${filename}`).slice(0, (this.#stream.columns ?? 80) - 1);
    if (text === this.#shown) return;
    this.#shown = text;
    this.#stream.write(`\r\u001B[2K${text}`);
  }

  /** Takes the line away. */
  end(): void {
    if (this.#shown !== "") this.#stream.write("\r\u001B[2K");
    this.#shown = "";
  }
}
