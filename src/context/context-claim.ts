import { z } from "zod";

import { randomId } from "../protocol/index.js";
import {
  encodeJson,
  ignoreDamage,
  readJson,
  takeLock,
  type ExclusiveLock,
  type StorageBackend,
} from "../storage/index.js";
import { ContextError } from "./errors.js";
import { FORMAT } from "./records.js";

export const HeadRecord = z.strictObject({
  record: z.literal(FORMAT),
  current: z.string().nullable(),
  /** By which the tabs of a browser lock the context: its id is not unique, storages may have one of it each. */
  key: z.string().exactOptional(),
  /** Counts its changes. */
  revision: z.int().exactOptional(),
  /** Which opening of the context made the last of them: two of the very same moment count alike. */
  by: z.string().exactOptional(),
});
export type HeadRecord = Readonly<z.infer<typeof HeadRecord>>;

/** The head as it is after a change. */
export type NextHead = (current: string | null) => HeadRecord;

/**
 * Keeps two writers apart: only one at a time, and none that has not seen what the other one wrote. Where the browser has no
 * locks for the page, two can hold the context at once: then the first to write goes on, and the other is refused. Of two who
 * write in the very same moment both may be let, and the first of them is refused from then on.
 */
export class ContextClaim {
  readonly #storage: StorageBackend;
  readonly #contextId: string;
  readonly #by = randomId();
  #head: HeadRecord;
  #isHeld = false;

  /** @param head - as it was read when the context was opened; null where there was none. */
  constructor(storage: StorageBackend, contextId: string, head: HeadRecord | null) {
    this.#storage = storage;
    this.#contextId = contextId;
    this.#head = head ?? { record: FORMAT, current: null };
  }

  /** Where the head lies in storage. */
  static keyOf(contextId: string): string {
    return `contexts/${contextId}/head`;
  }

  /**
   * Keeps the context for one who works on it for longer. The answer lets it go.
   *
   * @throws {ContextError} `CONTEXT_IN_USE`, `CONTEXT_CHANGED`
   */
  async hold(): Promise<() => Promise<void>> {
    if (this.#isHeld) throw this.#inUse();
    const { release } = await this.#take();
    this.#isHeld = true;
    return () => {
      this.#isHeld = false;
      return release();
    };
  }

  /**
   * Lets `write` write, which writes the head with the turn that is current then.
   *
   * @throws {ContextError} `CONTEXT_IN_USE`, `CONTEXT_CHANGED` with nothing written.
   */
  async change<T>(write: (nextHead: NextHead) => Promise<T>): Promise<T> {
    const lock = this.#isHeld ? null : await this.#take();
    try {
      // A lock that the browser does not have keeps nobody out.
      if (lock === null) await this.#check();
      let next = this.#head;
      const written = await write((current) => {
        next = { ...this.#head, current, revision: (this.#head.revision ?? 0) + 1, by: this.#by };
        return next;
      });
      this.#head = next;
      return written;
    } finally {
      await lock?.release();
    }
  }

  async #take(): Promise<ExclusiveLock> {
    if (this.#head.key === undefined) await this.#giveKey();
    const lock = await takeLock(`${PREFIX}${this.#head.key ?? ""}`);
    if (lock === null) throw this.#inUse();
    try {
      await this.#check();
      return lock;
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  /** That nobody else has changed what is stored. */
  async #check(): Promise<void> {
    const { key, revision, by } = this.#head;
    const head = await this.#read();
    if (head?.key !== key || head?.revision !== revision || head?.by !== by) throw this.#changed();
  }

  /** A context that has no key yet is new, or of a release that had none. Who comes first gives it one. */
  async #giveKey(): Promise<void> {
    const lock = await takeLock(`${PREFIX}new:${this.#contextId}`, { wait: true });
    try {
      const stored = await this.#read();
      if (stored?.key !== undefined) throw this.#changed();
      const head: HeadRecord = { ...this.#head, key: randomId(), revision: 0 };
      await this.#storage.write(new Map([[ContextClaim.keyOf(this.#contextId), encodeJson(head)]]));
      this.#head = head;
    } finally {
      await lock?.release();
    }
  }

  #read(): Promise<HeadRecord | undefined> {
    return readJson(this.#storage, ContextClaim.keyOf(this.#contextId), HeadRecord).catch(ignoreDamage);
  }

  #inUse(): ContextError {
    return new ContextError(
      "CONTEXT_IN_USE",
      `The context "${this.#contextId}" is being worked on, in another tab or by another loop of this page. ` +
        "Wait until that has ended, or stop it there, and open the context anew.",
    );
  }

  #changed(): ContextError {
    return new ContextError(
      "CONTEXT_CHANGED",
      `The context "${this.#contextId}" was changed since it was opened here, in another tab or by another opening of it. ` +
        "Open it anew with openContext, and go on from what is there now.",
    );
  }
}

const PREFIX = "vitrine-context:";
