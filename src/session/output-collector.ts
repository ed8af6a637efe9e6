import type { OutputChunk } from "../protocol/index.js";
import type { DisplayChunk } from "./run-result.js";

/** Where the whole of a cut text is kept. Answers with the name it can be read under. */
export type KeepOutput = (name: string, text: string) => Promise<string>;

export interface OutputCollectorOptions {
  /** Characters of each stream that a result shows. */
  readonly limit: number;
  readonly onOutput: ((chunk: OutputChunk) => void) | undefined;
}

/** Gathers the output of a run and hands it on as it comes, up to a limit. */
export class OutputCollector {
  readonly #limit: number;
  readonly #onOutput: ((chunk: OutputChunk) => void) | undefined;
  readonly #streams = { stdout: new TextStream(), stderr: new TextStream() };
  readonly displays: DisplayChunk[] = [];

  constructor({ limit, onOutput }: OutputCollectorOptions) {
    this.#limit = limit;
    this.#onOutput = onOutput;
  }

  take(chunks: readonly OutputChunk[]): void {
    for (const chunk of chunks) {
      if (chunk.kind === "display") {
        this.displays.push(chunk);
        this.#onOutput?.(chunk);
      } else {
        this.#takeText(chunk.kind, chunk.text);
      }
    }
  }

  /**
   * The text of a stream as the result shows it. Text over the limit is cut with
   * a mark that says so, and the whole is kept.
   */
  async finish(stream: "stdout" | "stderr", keep: KeepOutput): Promise<{ text: string; notice: string | undefined }> {
    const whole = this.#streams[stream].join();
    if (whole.length <= this.#limit) return { text: whole, notice: undefined };
    const name = await keep(stream, whole);
    const mark = `[OUTPUT TRUNCATED: ${count(this.#limit)} of ${count(whole.length)} characters shown, all of them in ${name}]`;
    return { text: `${whole.slice(0, this.#limit)}\n${mark}\n`, notice: `${stream} was cut: ${mark}` };
  }

  #takeText(kind: "stdout" | "stderr", text: string): void {
    const stream = this.#streams[kind];
    const room = this.#limit - stream.length;
    stream.append(text);
    if (room <= 0) return;
    const shown = text.length > room ? `${text.slice(0, room)}\n[OUTPUT TRUNCATED]\n` : text;
    this.#onOutput?.({ kind, text: shown });
  }
}

/** Text that grows by pieces; joined once, because a growing string would be copied again and again. */
class TextStream {
  readonly #pieces: string[] = [];
  length = 0;

  append(text: string): void {
    this.#pieces.push(text);
    this.length += text.length;
  }

  join(): string {
    return this.#pieces.join("");
  }
}

function count(characters: number): string {
  return characters.toLocaleString("en-US");
}
