import type { MimeBundle, OutputChunk, SignalType } from "../../../protocol/index.js";
import { endOf } from "./text-ends.js";

/** What a run printed or showed; text of one stream that came in a row is one block. */
export type OutputBlock =
  | { readonly kind: "text"; readonly stream: "stdout" | "stderr"; text: string; length: number }
  | { readonly kind: "signal"; readonly type: SignalType; readonly message: string }
  | { readonly kind: "rich"; readonly source: "value" | "display" | "figure"; readonly data: MimeBundle };

/** Characters of one block that are kept for the eye, fewer where it has many lines; the result of the run has more. */
const LONGEST_BLOCK = 40_000;

/** Blocks that are kept for the eye, the newest ones, and characters of text in all of them. */
const MOST_BLOCKS = 300;
const MOST_TEXT = 1_000_000;

/** The output of one run, as it comes. */
export class OutputLog {
  readonly blocks: OutputBlock[] = [];
  /** Blocks before these that are not kept. */
  leftOut = 0;
  #textLength = 0;

  add(chunk: OutputChunk): void {
    if (chunk.kind === "display") {
      this.#push({ kind: "rich", source: chunk.source, data: chunk.data });
      return;
    }
    if (chunk.kind === "signal") {
      this.#push(chunk);
      return;
    }
    const last = this.blocks.at(-1);
    if (last?.kind === "text" && last.stream === chunk.kind) {
      this.#textLength -= last.text.length;
      last.length += chunk.text.length;
      last.text = tail(last.text + chunk.text);
      this.#textLength += last.text.length;
      this.#forget();
    } else {
      this.#push({
        kind: "text",
        stream: chunk.kind,
        text: tail(chunk.text),
        length: chunk.text.length,
      });
    }
  }

  #push(block: OutputBlock): void {
    this.blocks.push(block);
    this.#textLength += textLength(block);
    this.#forget();
  }

  #forget(): void {
    while (this.blocks.length > MOST_BLOCKS || (this.#textLength > MOST_TEXT && this.blocks.length > 1)) {
      const oldest = this.blocks.shift();
      if (oldest !== undefined) this.#textLength -= textLength(oldest);
      this.leftOut += 1;
    }
  }
}

function textLength(block: OutputBlock): number {
  return block.kind === "text" ? block.text.length : 0;
}

function tail(text: string): string {
  return endOf(text, LONGEST_BLOCK);
}
