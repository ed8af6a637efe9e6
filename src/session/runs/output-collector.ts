import { messageOf, outputSize, shortenUnits, type OutputChunk } from "../../protocol/index.js";
import type { DisplayChunk, Signal } from "./run-result.js";

/** Where the whole of a cut text is kept. Answers with the name it can be read under. */
export type KeepOutput = (name: string, text: string) => Promise<string>;

export interface OutputCollectorOptions {
  /** Characters of each stream that a result shows. */
  readonly limit: number;
  /** Bytes of all output together. What comes after is dropped. */
  readonly byteLimit: number;
  readonly onOutput: ((chunk: OutputChunk) => void) | undefined;
  /** There is more output than that. Called once. */
  readonly onOverflow: () => void;
}

/** Characters of a stream that are kept beyond what is shown, and of pictures and pages. More is counted and let go. */
const KEPT_LENGTH = 16_000_000;
const KEPT_DISPLAYS = 1000;
const KEPT_SIGNALS = 1000;
const KEPT_DISPLAY_SIZE = 64_000_000;

/**
 * Gathers the output of a run and hands it on as it comes, up to a limit: the
 * code may print without end.
 */
export class OutputCollector {
  readonly #limit: number;
  readonly #onOutput: ((chunk: OutputChunk) => void) | undefined;
  readonly #streams = { stdout: new TextStream(), stderr: new TextStream() };
  readonly displays: DisplayChunk[] = [];
  /** The first thousand, which alone are handed on. */
  readonly signals: Signal[] = [];
  #displaySize = 0;
  #droppedDisplays = 0;
  #droppedSignals = 0;
  readonly #byteLimit: number;
  readonly #onOverflow: () => void;
  #bytes = 0;

  constructor({ limit, byteLimit, onOutput, onOverflow }: OutputCollectorOptions) {
    this.#limit = limit;
    this.#byteLimit = byteLimit;
    this.#onOutput = onOutput;
    this.#onOverflow = onOverflow;
  }

  /** The run made more output than it may. */
  get isOverLimit(): boolean {
    return this.#bytes > this.#byteLimit;
  }

  take(chunks: readonly OutputChunk[]): void {
    for (const chunk of chunks) {
      if (this.isOverLimit) return;
      this.#bytes += outputSize(chunk);
      if (this.#bytes > this.#byteLimit) this.#onOverflow();
      if (chunk.kind === "display") {
        this.#takeDisplay(chunk);
      } else if (chunk.kind === "signal") {
        this.#takeSignal(chunk);
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
    const { length } = this.#streams[stream];
    const whole = this.#streams[stream].join();
    if (length <= this.#limit) return { text: whole, notice: undefined };
    const kept = await describeKept(() => keep(stream, whole), { kept: whole.length, length });
    const mark = `[OUTPUT TRUNCATED: ${count(this.#limit)} of ${count(length)} characters shown, ${kept}]`;
    return { text: `${whole.slice(0, this.#limit)}\n${mark}\n`, notice: `${stream} was cut: ${mark}` };
  }

  /** What the person should know of rich outputs and signals that were let go. */
  get notices(): string[] {
    const notices: string[] = [];
    if (this.#droppedDisplays > 0)
      notices.push(
        `${count(this.#droppedDisplays)} rich outputs were not kept: a run may show ${count(KEPT_DISPLAYS)}, 64 MB together.`,
      );
    if (this.#droppedSignals > 0)
      notices.push(`${count(this.#droppedSignals)} signals were not kept: a run may give ${count(KEPT_SIGNALS)}.`);
    return notices;
  }

  #takeDisplay(chunk: DisplayChunk): void {
    const size = Object.values(chunk.data).reduce((sum, data) => sum + data.length, 0);
    if (this.displays.length >= KEPT_DISPLAYS || this.#displaySize + size > KEPT_DISPLAY_SIZE) {
      this.#droppedDisplays += 1;
      return;
    }
    this.#displaySize += size;
    this.displays.push(chunk);
    this.#onOutput?.(chunk);
  }

  #takeSignal(chunk: Extract<OutputChunk, { kind: "signal" }>): void {
    if (this.signals.length >= KEPT_SIGNALS) {
      this.#droppedSignals += 1;
      return;
    }
    this.signals.push({ type: chunk.type, message: chunk.message });
    this.#onOutput?.(chunk);
  }

  #takeText(kind: "stdout" | "stderr", text: string): void {
    const stream = this.#streams[kind];
    const room = this.#limit - stream.length;
    stream.append(text);
    if (room < 0) return;
    this.#onOutput?.({ kind, text: shortenUnits(text, room, "\n[OUTPUT TRUNCATED]\n") });
  }
}

/** Text that grows by pieces; joined once, because a growing string would be copied again and again. */
class TextStream {
  readonly #pieces: string[] = [];
  /** All that came, also what was let go. */
  length = 0;

  append(text: string): void {
    const room = KEPT_LENGTH - this.length;
    if (room > 0) this.#pieces.push(text.slice(0, room));
    this.length += text.length;
  }

  join(): string {
    return this.#pieces.join("");
  }
}

/** Where the rest of a cut text is, or why it is nowhere. */
export async function describeKept(
  keep: () => Promise<string>,
  { kept, length }: { kept: number; length: number },
): Promise<string> {
  try {
    const name = await keep();
    return kept === length ? `all of them in ${name}` : `the first ${count(kept)} in ${name}`;
  } catch (error) {
    // The run is done; a full storage must not take its result away.
    return `the rest could not be kept (${messageOf(error)})`;
  }
}

function count(characters: number): string {
  return characters.toLocaleString("en-US");
}
