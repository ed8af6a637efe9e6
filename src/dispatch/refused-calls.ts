import type { Value } from "../protocol/index.js";

interface Refusal {
  readonly kind: "deny";
  readonly reason: string;
}

/** Calls of one run that a person has refused and is not asked about again. */
const MOST_REFUSED = 1000;

/** A call that a person is to be asked about. */
export interface AskedCall {
  readonly runId: string;
  /** What it shares with calls that have other arguments. */
  readonly kind: string;
  readonly args: Value;
  /** Takes the place of what the arguments are. */
  readonly shown?: string | undefined;
}

/** By run, the calls that a person has refused; also by their kind alone. */
export class RefusedCalls {
  readonly #ofRun = new Map<string, Map<string, Refusal>>();

  /** Undefined where this very call was not refused before. */
  async find(asked: AskedCall): Promise<Refusal | undefined> {
    const ofRun = this.#ofRun.get(asked.runId);
    // Arguments may be large: they are read only where there is something to compare them with.
    return ofRun?.has(asked.kind) === true ? ofRun.get(await keyOf(asked)) : undefined;
  }

  /** `signal` is aborted when the run may be over. */
  async add(asked: AskedCall, reason: string, signal: AbortSignal): Promise<void> {
    const key = await keyOf(asked);
    const ofRun = this.#ofRun.get(asked.runId) ?? new Map<string, Refusal>();
    if (key === "" || signal.aborted || ofRun.size >= MOST_REFUSED) return;
    const refusal: Refusal = { kind: "deny", reason: `${reason} (to this very call, earlier in the run)` };
    this.#ofRun.set(asked.runId, ofRun.set(asked.kind, refusal).set(key, refusal));
  }

  endRun(runId: string): void {
    this.#ofRun.delete(runId);
  }
}

/** Of calls that were asked about, while they are: a call is looked up several times. */
const keys = new WeakMap<AskedCall, Promise<string>>();

function keyOf(asked: AskedCall): Promise<string> {
  const key = keys.get(asked) ?? makeKey(asked);
  keys.set(asked, key);
  return key;
}

/** What makes another call the same; empty for arguments that are equal to nothing. */
async function makeKey({ kind, args, shown }: AskedCall): Promise<string> {
  if (shown !== undefined) return JSON.stringify([kind, shown]);
  try {
    const { argumentsKey } = await import("./arguments-key.js");
    return JSON.stringify([kind, await argumentsKey(args)]);
  } catch {
    // A function, a value in itself; or the script did not come. Then a person is asked once more.
    return "";
  }
}
