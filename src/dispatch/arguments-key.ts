import {
  Content,
  encodeValue,
  isNumberArray,
  isRecord,
  MAX_DEPTH,
  Slices,
  stepped,
  Tuple,
  type NumberArray,
  type Steps,
  type Value,
} from "../protocol/index.js";
import { Sha256 } from "../storage/index.js";

/** Bytes that are hashed in one go: a fraction of a millisecond. */
const PIECE = 65_536;
/** Parts that are written, and keys that are put in order, between two looks at the clock. */
const FEW = 200;

/**
 * What two values of any size have in common if and only if they are the same, in whatever order their keys are. The page
 * goes on meanwhile; the value must not change.
 *
 * @throws {ValueNotTransferableError} for a function, or an instance of a class of the page.
 * @throws {RangeError} for a value that lies in itself, or too deep.
 */
export async function argumentsKey(value: Value): Promise<string> {
  const writer = new HashWriter();
  await stepped(writer.write(value), new Slices());
  return writer.digest();
}

/** Hashes a value, some parts at a time. Each part says what it is and how long, so that no two values read alike. */
class HashWriter {
  readonly #hash = new Sha256();
  readonly #piece = new Uint8Array(PIECE);
  readonly #open = new Set<object>();
  #used = 0;
  #parts = 0;

  digest(): string {
    this.#flush();
    return this.#hash.digest();
  }

  *write(value: Value): Steps<void> {
    this.#parts += 1;
    if (this.#parts % FEW === 0) yield;
    if (typeof value === "string") yield* this.#text("s", value);
    else if (value instanceof Uint8Array) yield* this.#bytes("b", value);
    else if (isNumberArray(value)) yield* this.#bytes(value.constructor.name, bytesOf(value));
    else if (value instanceof Content) yield* this.#record(Object.fromEntries(Object.entries(value)));
    else if (isContainer(value)) yield* this.#container(value);
    else yield* this.#text("v", encodeValue(value).text);
  }

  *#container(value: Container): Steps<void> {
    if (this.#open.has(value) || this.#open.size > MAX_DEPTH) throw new RangeError("nested too deeply, or in itself");
    this.#open.add(value);
    if (value instanceof Tuple) yield* this.#list("(", value);
    else if (value instanceof Set) yield* this.#list("{", value);
    else if (value instanceof Map) yield* this.#list("<", pairs(value));
    else if (isRecord(value)) yield* this.#record(value);
    else yield* this.#list("[", value);
    this.#open.delete(value);
  }

  *#list(tag: string, items: Iterable<Value>): Steps<void> {
    yield* this.#text(tag, "");
    for (const item of items) yield* this.write(item);
    yield* this.#text(")", "");
  }

  *#record(record: Readonly<Record<string, Value>>): Steps<void> {
    // Not `Object.entries`: a hundred thousand pairs made in one go would hold the page.
    const keys = yield* sorted(Object.keys(record));
    yield* this.#text("r", String(keys.length));
    for (const key of keys) {
      yield* this.#text("k", key);
      yield* this.write(record[key]);
    }
  }

  *#text(tag: string, text: string): Steps<void> {
    const head = `${tag}${String(text.length)}:`;
    for (const part of [head, text]) {
      for (let at = 0; at < part.length; at += 1) {
        if (this.#used === PIECE) {
          this.#flush();
          yield;
        }
        // Both bytes of a unit: in UTF-8 halves of pairs would all be the same.
        const unit = part.charCodeAt(at);
        this.#piece[this.#used] = unit;
        this.#piece[this.#used + 1] = unit >> 8;
        this.#used += 2;
      }
    }
  }

  *#bytes(tag: string, bytes: Uint8Array): Steps<void> {
    yield* this.#text(tag, String(bytes.length));
    this.#flush();
    for (let at = 0; at < bytes.length; at += PIECE) {
      this.#hash.update(bytes.subarray(at, at + PIECE));
      yield;
    }
  }

  #flush(): void {
    this.#hash.update(this.#piece.subarray(0, this.#used));
    this.#used = 0;
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: NumberArray): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

type Container = readonly Value[] | ReadonlySet<Value> | ReadonlyMap<Value, Value> | Readonly<Record<string, Value>>;

function isContainer(value: Value): value is Container {
  return Array.isArray(value) || value instanceof Set || value instanceof Map || isRecord(value);
}

/** In the order of `sort()`. */
function* sorted(keys: string[]): Steps<string[]> {
  yield;
  if (keys.length <= FEW) return keys.sort();
  const half = keys.length >> 1;
  const left = yield* sorted(keys.slice(0, half));
  const right = yield* sorted(keys.slice(half));
  const all: string[] = [];
  let at = 0;
  for (const key of left) {
    for (let next = right[at]; next !== undefined && next < key; next = right[at]) {
      if (all.push(next) % FEW === 0) yield;
      at += 1;
    }
    if (all.push(key) % FEW === 0) yield;
  }
  return all.concat(right.slice(at));
}

function* pairs(map: ReadonlyMap<Value, Value>): Generator<Value> {
  for (const pair of map) yield* pair;
}
