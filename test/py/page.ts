import { memoryStorage, Session, type OutputChunk } from "../../src/index.js";
import { shippedSeeds, shippedTasks } from "../../src/ui/tasks/index.js";
import type { Message, Order } from "./messages.js";

/** Runs one order, and tells of it to whoever asks `next`. */
class PyPage {
  #messages: Message[] = [];
  #wake = Promise.withResolvers<undefined>();

  /** What there is to tell since the last time, as soon as there is something. */
  async next(): Promise<readonly Message[]> {
    if (this.#messages.length === 0) await this.#wake.promise;
    const messages = this.#messages;
    this.#messages = [];
    this.#wake = Promise.withResolvers();
    return messages;
  }

  run(order: Order): void {
    this.#run(order).then(
      (failure) => this.#tell({ kind: "end", failure }),
      (error: unknown) => this.#tell({ kind: "end", failure: String(error) }),
    );
  }

  /** @returns the traceback of the piece that failed. */
  async #run({ pieces, trust, timeout }: Order): Promise<string | null> {
    const session = await Session.open({
      storage: memoryStorage(),
      seeds: shippedSeeds,
      trust,
      timeout,
      // The person who typed the code is the one who would be asked.
      onApproval: ({ name }) => {
        this.#note(`allowed: ${name}`);
        return { decision: "allow" };
      },
      onProblem: (error) => {
        this.#note(String(error));
      },
    });
    const files = new Map(shippedTasks.flatMap((task) => task.files.map(({ path, url }) => [path, url])));
    for (const [path, url] of files) {
      const response = await fetch(url);
      await session.workspace.write(path, new Uint8Array(await response.arrayBuffer()));
    }
    for (const { code, name } of pieces) {
      const { valueRepr, error, notices } = await session.run(code, { name, onOutput: (chunk) => this.#output(chunk) });
      for (const notice of notices) this.#note(notice);
      if (error !== null) return error.traceback === "" ? String(error) : error.traceback;
      // As Python's own prompt: None is not shown.
      if (valueRepr !== null && valueRepr !== "None") this.#tell({ kind: "value", text: valueRepr });
    }
    return null;
  }

  #output(chunk: OutputChunk): void {
    if (chunk.kind === "stdout" || chunk.kind === "stderr") this.#tell({ kind: chunk.kind, text: chunk.text });
    else if (chunk.kind === "display" && chunk.source === "display") {
      this.#note(`displayed: ${Object.keys(chunk.data).join(", ")}`);
    }
  }

  #note(text: string): void {
    this.#tell({ kind: "note", text });
  }

  #tell(message: Message): void {
    this.#messages.push(message);
    this.#wake.resolve(undefined);
  }
}

declare global {
  var pyPage: PyPage | undefined;
}
globalThis.pyPage = new PyPage();
