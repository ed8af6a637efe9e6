import { optionCheck } from "../../options/index.js";
import { decodeValue, encodeValue, type EncodedValue, type Value } from "../../protocol/index.js";
import type { Call, Stage } from "../call.js";
import { callSelector, fullName, type CallPattern } from "../call-pattern.js";
import { canonicalKey } from "../canonical-key.js";

/** Which results are kept, for how long (milliseconds), and how many of them. */
export interface CacheOptions {
  /** Which calls. Default: `tools`, all of them that are hinted. */
  readonly calls?: CallPattern | readonly CallPattern[];
  /** Milliseconds for which a result is good. Default 300,000. */
  readonly maxAge?: number;
  /** Results that are kept; the one that was longest unused goes first. Default 200. */
  readonly maxEntries?: number;
  /** Bytes of all results that are kept, encoded. One that is larger than a quarter of them is not kept. Default 8 MiB. */
  readonly maxBytes?: number;
  /** Milliseconds, for tests. Default: the page's clock. */
  readonly now?: () => number;
}

const checkOptions = optionCheck<CacheOptions>("cacheResults", {
  calls: "any?",
  maxAge: "number?",
  maxEntries: "number?",
  maxBytes: "number?",
  now: "function?",
});

interface Entry {
  readonly tool: string;
  readonly value: EncodedValue;
  readonly size: number;
  readonly at: number;
}

/**
 * Answers a call of a tool with the result of an earlier one of the same recipe and the same arguments, in whatever
 * order they were named. Only calls hinted `readOnly` or `idempotent`, and not `destructive`, are answered so; a call of
 * a tool that is not hinted `readOnly` and is really made drops what is kept of that tool. Failures are not kept.
 *
 * Calls come here validated and agreed to, so a rule or a person that refuses a call refuses it also when its result is
 * at hand. A hit shows in the journal: `course.cached` is its age.
 *
 * @throws {CallPatternError} for a pattern that fits no call. @throws {RangeError} for a bound below 0.
 */
export function cacheResults(options: CacheOptions = {}): Stage {
  checkOptions(options);
  const isMeant = callSelector(options.calls ?? "tools");
  const results = new KeptResults(options);
  return async (call, next) => {
    if (call.namespace !== "tools") return next(call);
    const [tool = call.name] = call.name.split(".", 1);
    const key = isMeant(call) && isRepeatable(call) ? keyOf(call) : undefined;
    const hit = key === undefined ? undefined : results.find(key);
    if (hit !== undefined) {
      call.note({ cached: hit.age });
      return hit.value;
    }
    // Before the call, and after it: what is read meanwhile may be from before the change.
    if (call.hints.readOnly !== true) results.forget(tool);
    const from = results.changesOf(tool);
    try {
      const value = await next(call);
      if (call.hints.readOnly !== true) results.forget(tool);
      else if (results.changesOf(tool) !== from) return value;
      if (key !== undefined) results.keep(key, { tool, value });
      return value;
    } catch (error) {
      if (call.hints.readOnly !== true) results.forget(tool);
      throw error;
    }
  };
}

function isRepeatable({ hints }: Call): boolean {
  return (hints.readOnly === true || hints.idempotent === true) && hints.destructive !== true;
}

function keyOf(call: Call): string | undefined {
  const args = canonicalKey(call.arguments);
  return args === undefined ? undefined : `${fullName(call)}\n${args}`;
}

/** Results by key, the one that was longest unused first. */
class KeptResults {
  readonly #entries = new Map<string, Entry>();
  /** How often something of a tool was dropped because it may have changed. */
  readonly #changes = new Map<string, number>();
  readonly #maxAge: number;
  readonly #maxEntries: number;
  readonly #maxBytes: number;
  readonly #now: () => number;
  #bytes = 0;

  constructor({ maxAge = 300_000, maxEntries = 200, maxBytes = 8 * 2 ** 20, now = Date.now }: CacheOptions) {
    for (const [name, bound] of Object.entries({ maxAge, maxEntries, maxBytes })) {
      if (!(bound >= 0))
        throw new RangeError(`\`${name}\` of cacheResults is a number of at least 0, not ${String(bound)}.`);
    }
    this.#maxAge = maxAge;
    this.#maxEntries = maxEntries;
    this.#maxBytes = maxBytes;
    this.#now = now;
  }

  /** A value of its own for each who asks. */
  find(key: string): { readonly value: Value; readonly age: number } | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#drop(key, entry);
    const age = this.#now() - entry.at;
    // A clock that was set back makes nothing younger than it is.
    if (age < 0 || age > this.#maxAge) return undefined;
    this.#add(key, entry);
    return { value: decodeValue(copyOf(entry.value)), age };
  }

  keep(key: string, { tool, value }: { readonly tool: string; readonly value: Value }): void {
    const encoded = encodedOrNothing(value);
    if (encoded === undefined) return;
    const size = 2 * encoded.text.length + encoded.buffers.reduce((sum, { byteLength }) => sum + byteLength, 0);
    if (size > this.#maxBytes / 4) return;
    const old = this.#entries.get(key);
    if (old !== undefined) this.#drop(key, old);
    this.#add(key, { tool, value: copyOf(encoded), size, at: this.#now() });
    for (const [oldest, entry] of this.#entries) {
      if (this.#entries.size <= this.#maxEntries && this.#bytes <= this.#maxBytes) break;
      this.#drop(oldest, entry);
    }
  }

  forget(tool: string): void {
    this.#changes.set(tool, this.changesOf(tool) + 1);
    for (const [key, entry] of this.#entries) if (entry.tool === tool) this.#drop(key, entry);
  }

  changesOf(tool: string): number {
    return this.#changes.get(tool) ?? 0;
  }

  #add(key: string, entry: Entry): void {
    this.#entries.set(key, entry);
    this.#bytes += entry.size;
  }

  #drop(key: string, entry: Entry): void {
    this.#entries.delete(key);
    this.#bytes -= entry.size;
  }
}

/** A function of the page may return what cannot be written down; then it is not kept. */
function encodedOrNothing(value: Value): EncodedValue | undefined {
  try {
    return encodeValue(value);
  } catch {
    return undefined;
  }
}

function copyOf({ text, buffers }: EncodedValue): EncodedValue {
  return { text, buffers: buffers.map((bytes) => bytes.slice()) };
}
