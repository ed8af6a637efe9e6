import type { Value } from "../protocol/index.js";
import { smallKey } from "./canonical-key.js";

interface Refusal {
  readonly kind: "deny";
  readonly reason: string;
}

/** Calls of one run that a person has refused and is not asked about again. */
const MOST_REFUSED = 1000;

/** A call that a person is to be asked about, and what makes another the same. */
export class AskedCall {
  readonly runId: string;
  /** What it shares with calls that have other arguments. */
  readonly kind: string;
  readonly #arguments: Value;
  readonly #small: string | undefined;
  #large: Promise<string | undefined> | undefined;

  /** `key` takes the place of what the arguments are. */
  constructor({ runId, kind, args, key }: { runId: string; kind: string; args: Value; key?: string | undefined }) {
    this.runId = runId;
    this.kind = kind;
    this.#arguments = args;
    this.#small = key ?? smallKey(args);
  }

  get isLarge(): boolean {
    return this.#small === undefined;
  }

  /** Undefined for arguments that are equal to nothing. Those of some size are read in slices, once. */
  async key(): Promise<string | undefined> {
    return this.#small === undefined ? (this.#large ??= this.#largeKey()) : `=${this.#small}`;
  }

  async #largeKey(): Promise<string | undefined> {
    try {
      const { argumentsKey } = await import("./arguments-key.js");
      return await argumentsKey(this.#arguments);
    } catch {
      // A function, a value in itself; or the script did not come. Then a person is asked once more.
      return undefined;
    }
  }
}

/** By run, the calls that a person has refused; also by their kind alone where the arguments were large. */
export class RefusedCalls {
  readonly #ofRun = new Map<string, Map<string, Refusal>>();

  /** Undefined where this very call was not refused before. */
  async find(asked: AskedCall): Promise<Refusal | undefined> {
    const ofRun = this.#ofRun.get(asked.runId);
    // Large arguments are read only where there is something to compare them with.
    if (ofRun === undefined || (asked.isLarge && !ofRun.has(asked.kind))) return undefined;
    const key = await asked.key();
    return key === undefined ? undefined : ofRun.get(asked.kind + key);
  }

  /** `signal` is aborted when the run may be over. */
  async add(asked: AskedCall, reason: string, signal: AbortSignal): Promise<void> {
    const key = await asked.key();
    const ofRun = this.#ofRun.get(asked.runId) ?? new Map<string, Refusal>();
    if (key === undefined || signal.aborted || ofRun.size >= MOST_REFUSED) return;
    const refusal: Refusal = { kind: "deny", reason: `${reason} (to this very call, earlier in the run)` };
    if (asked.isLarge) ofRun.set(asked.kind, refusal);
    this.#ofRun.set(asked.runId, ofRun.set(asked.kind + key, refusal));
  }

  endRun(runId: string): void {
    this.#ofRun.delete(runId);
  }
}
