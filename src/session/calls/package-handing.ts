import type { PackageContent } from "../../deps/index.js";
import type { Value } from "../../protocol/index.js";

/** Hands a part of an answer to Python before the rest of it is there. */
export type SendPart = (part: Value) => void;

/** Hands the files of one call to Python as they come, each once: it unpacks them while others are on their way. */
export class PackageHanding {
  readonly #before: ReadonlyMap<string, PackageContent>;
  readonly #send: SendPart;
  readonly #handed = new Map<string, PackageContent>();

  /** @param before - what was handed out before, by name: it comes again only where `complete` asks for it. */
  constructor(before: ReadonlyMap<string, PackageContent>, send: SendPart) {
    this.#before = before;
    this.#send = send;
  }

  /** Hands over a file that has come, unless Python was given it before. */
  hand(content: PackageContent): void {
    if (this.#before.get(content.name)?.sha256 !== content.sha256) this.#handOnce(content);
  }

  /** Hands over those of the files that were not. @returns the names of all files of this call. */
  complete(contents: readonly PackageContent[]): string[] {
    for (const content of contents) this.#handOnce(content);
    return [...this.#handed.keys()];
  }

  #handOnce(content: PackageContent): void {
    const { filename, bytes, sha256, verified } = content;
    if (this.#handed.get(filename)?.sha256 === sha256) return;
    this.#handed.set(filename, content);
    this.#send({ filename, bytes, verified });
  }
}
