import { MalformedValueError, messageOf, ValueNotTransferableError } from "./errors.js";
import { parseJson, type ParsedJson } from "./json.js";
import { whyNoData } from "./page-object.js";
import {
  Content,
  markPythonType,
  PythonFloat,
  PythonTemporal,
  Tuple,
  ZonedDate,
  type NumberArray,
  type TemporalKind,
  type Value,
} from "./value.js";
import { isNestedDeeper } from "./value-depth.js";

/**
 * A value on the wire: JSON text in which whatever JSON lacks is an object with
 * one `$` key, and the bytes that the text refers to by index.
 *
 * `worker/python/vitrine/_codec.py` is the other half; the two change together.
 */
export interface EncodedValue {
  readonly text: string;
  readonly buffers: readonly Uint8Array<ArrayBuffer>[];
}

/** Deeper values do not cross: Python sends `{repr, type}` in their place, the page refuses. */
export const MAX_DEPTH = 100;

/** From here on JavaScript writes numbers with an exponent, which Python reads as floats. */
const FIRST_WITH_EXPONENT = 1e21;

export const TOO_DEEP = "it is nested too deeply";

/** What the text of a value holds. */
export type Wire = ParsedJson;

/** @throws {ValueNotTransferableError} for functions, symbols, cycles and nesting over {@link MAX_DEPTH}. */
export function encodeValue(value: Value): EncodedValue {
  const encoder = new Encoder();
  const text = JSON.stringify(encoder.encode(value, "value", 0));
  return { text, buffers: encoder.buffers };
}

/** @throws {MalformedValueError} when the text is not what the codec writes, or is nested deeper than that ever is. */
export function decodeValue({ text, buffers }: EncodedValue): Value {
  try {
    const wire = parseWire(text);
    // Most values are plain JSON; only those with a tag need a second look.
    const value = text.includes('"$') ? revive(wire, buffers) : wire;
    if (isNestedDeeper(value, MAX_DEPTH)) throw new MalformedValueError(TOO_DEEP);
    return value;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new MalformedValueError(TOO_DEEP);
  }
}

/** Turns one value into what its text holds, and collects its bytes. */
export class Encoder {
  readonly buffers: Uint8Array<ArrayBuffer>[] = [];
  readonly #open = new Set<object>();
  readonly #copies: boolean;

  /**
   * @param options - `copies`: whether the buffers are the wire's own. They are transferred, which would take the bytes from
   * their owner; without copies the caller makes them. Default: true.
   */
  constructor({ copies = true }: { readonly copies?: boolean } = {}) {
    this.#copies = copies;
  }

  encode(value: Value, path: string, depth: number): Wire {
    switch (typeof value) {
      case "undefined":
        return null;
      case "boolean":
      case "string":
        return value;
      case "number":
        return encodeNumber(value);
      case "bigint":
        return { $int: hex(value) };
      case "object":
        return value === null ? null : this.#encodeObject(value, path, depth);
      default:
        throw new ValueNotTransferableError(path, `a ${typeof value} has no counterpart in Python`);
    }
  }

  #encodeObject(value: object & Value, path: string, depth: number): Wire {
    const leaf = this.#encodeLeaf(value);
    if (leaf !== undefined) return leaf;
    this.enter(value, path, depth);
    try {
      return this.#encodeContainer(value, path, depth + 1);
    } finally {
      this.leave(value);
    }
  }

  /** @throws {ValueNotTransferableError} for a container that lies in itself, or too deep, and for what is none. */
  enter(container: object, path: string, depth: number): void {
    const reason = whyNoData(container);
    if (reason !== undefined) throw new ValueNotTransferableError(path, reason);
    if (this.#open.has(container)) throw new ValueNotTransferableError(path, "it contains itself");
    if (depth >= MAX_DEPTH) {
      throw new ValueNotTransferableError(path, `it is nested more than ${String(MAX_DEPTH)} levels deep`);
    }
    this.#open.add(container);
  }

  leave(container: object): void {
    this.#open.delete(container);
  }

  #encodeLeaf(value: object): Wire | undefined {
    if (value instanceof Uint8Array) return this.#addBuffer(value);
    if (value instanceof ArrayBuffer) return this.#addBuffer(new Uint8Array(value));
    if (value instanceof DataView) {
      return this.#addBuffer(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
    }
    if (value instanceof ZonedDate) {
      return { $time: ["datetime", value.text, ...(value.zone === undefined ? [] : [value.zone])] };
    }
    if (value instanceof Date) return { $time: ["datetime", value.toISOString()] };
    if (value instanceof PythonTemporal) return { $time: [value.kind, value.text] };
    if (value instanceof PythonFloat) return { $float: String(value.value) };
    return undefined;
  }

  #encodeContainer(value: object, path: string, depth: number): Wire {
    const child = (item: Value, key: string | number): Wire => this.encode(item, `${path}[${String(key)}]`, depth);
    if (Array.isArray(value)) {
      const items = Array.from(value as Value[], child);
      return value instanceof Tuple ? { $tuple: items } : items;
    }
    if (isTypedArray(value)) return Array.from(value, child);
    if (value instanceof Set) return { $set: Array.from(value as Set<Value>, child) };
    if (value instanceof Map) {
      return {
        $map: Array.from(value as Map<Value, Value>, ([key, item], index) => [child(key, index), child(item, index)]),
      };
    }
    if (value instanceof Content) {
      const { kind, mimeType, data, uri, name, description } = value;
      return { $content: [kind, mimeType, data, uri, name, description].map(child) };
    }
    const wire: { [key: string]: Wire } = {};
    for (const [key, item] of Object.entries(value as Record<string, Value>)) {
      setOwn(wire, key, this.encode(item, `${path}.${key}`, depth));
    }
    return looksTagged(wire) ? { $dict: wire } : wire;
  }

  #addBuffer(bytes: Uint8Array): Wire {
    const { buffer, byteOffset, byteLength } = bytes;
    // A blob is not made of bytes that may become fewer.
    const isOwn = !this.#copies && buffer instanceof ArrayBuffer && !buffer.resizable;
    this.buffers.push(isOwn ? new Uint8Array(buffer, byteOffset, byteLength) : new Uint8Array(bytes));
    return { $bytes: this.buffers.length - 1 };
  }
}

/** Once views of bytes are dealt with, the others are arrays of numbers. */
export function isTypedArray(value: object): value is ArrayLike<number | bigint> {
  return ArrayBuffer.isView(value) && !(value instanceof DataView);
}

function encodeNumber(value: number): Wire {
  if (Number.isInteger(value) && Math.abs(value) > 2 ** 53 && Math.abs(value) < FIRST_WITH_EXPONENT) {
    // As text the last digits would be zeros, which Python takes at their word.
    return { $int: hex(BigInt(value)) };
  }
  if (Number.isFinite(value) && !Object.is(value, -0)) return value;
  return { $float: Object.is(value, -0) ? "-0.0" : String(value) };
}

/** Hexadecimal has no digit limit in Python, unlike `int(text)`. */
function hex(value: bigint): string {
  return value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`;
}

export function looksTagged(wire: object): boolean {
  const keys = Object.keys(wire);
  return keys.length === 1 && keys[0]?.startsWith("$") === true;
}

/** An assignment to `__proto__` would change the prototype instead of adding a key. */
export function setOwn<T>(target: { [key: string]: T }, key: string, value: T): void {
  Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
}

function parseWire(text: string): Wire {
  try {
    return parseJson(text);
  } catch (cause) {
    throw new MalformedValueError(`not JSON (${messageOf(cause)})`);
  }
}

type Buffers = EncodedValue["buffers"];

function revive(wire: Wire, buffers: Buffers): Value {
  if (typeof wire !== "object" || wire === null) return wire;
  if (Array.isArray(wire)) return wire.map((item) => revive(item, buffers));
  const entries = Object.entries(wire);
  const [tag, content] = entries[0] ?? [];
  if (entries.length === 1 && tag?.startsWith("$") === true && content !== undefined) {
    return reviveTagged(tag, content, buffers);
  }
  return reviveRecord(wire, buffers);
}

function reviveRecord(wire: { [key: string]: Wire }, buffers: Buffers): { [key: string]: Value } {
  const record: { [key: string]: Value } = {};
  for (const [key, item] of Object.entries(wire)) setOwn(record, key, revive(item, buffers));
  return record;
}

/** By its tag, of any size. */
export function reviveTagged(tag: string, content: Wire, buffers: Buffers): Value {
  const reviver = revivers.get(tag);
  if (reviver === undefined) throw new MalformedValueError(`unknown tag ${tag}`);
  return reviver(content, buffers);
}

const revivers = new Map<string, (content: Wire, buffers: Buffers) => Value>([
  ["$tuple", (content, buffers) => Tuple.from(asList(content).map((item) => revive(item, buffers)))],
  ["$set", (content, buffers) => new Set(asList(content).map((item) => revive(item, buffers)))],
  ["$map", (content, buffers) => new Map(asList(content).map((pair) => reviveEntry(pair, buffers)))],
  ["$dict", (content, buffers) => reviveRecord(asRecord(content), buffers)],
  ["$bytes", (content, buffers) => bufferAt(content, buffers)],
  ["$array", (content, buffers) => reviveNumbers(asList(content), buffers)],
  ["$int", (content) => parseInteger(asText(content))],
  ["$float", (content) => parseFloatText(asText(content))],
  ["$time", (content) => reviveTime(asList(content))],
  ["$object", (content, buffers) => reviveObject(asList(content), buffers)],
  ["$opaque", (content) => reviveOpaque(asList(content))],
]);

function reviveEntry(pair: Wire, buffers: Buffers): [Value, Value] {
  const [key, item] = asPair(pair);
  return [revive(key, buffers), revive(item, buffers)];
}

function bufferAt(index: Wire, buffers: Buffers): Uint8Array {
  const bytes = typeof index === "number" ? buffers[index] : undefined;
  if (bytes === undefined) throw new MalformedValueError("it refers to bytes that were not sent");
  return bytes;
}

const NUMBER_ARRAYS = new Map<string, NumberArrayConstructor>([
  ["int8", Int8Array],
  ["int16", Int16Array],
  ["uint16", Uint16Array],
  ["int32", Int32Array],
  ["uint32", Uint32Array],
  ["int64", BigInt64Array],
  ["uint64", BigUint64Array],
  ["float32", Float32Array],
  ["float64", Float64Array],
]);

interface NumberArrayConstructor {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): NumberArray;
}

function reviveNumbers([kind, index = null]: Wire[], buffers: Buffers): NumberArray {
  const Numbers = NUMBER_ARRAYS.get(asText(kind));
  if (Numbers === undefined) throw new MalformedValueError(`unknown kind of numbers ${JSON.stringify(kind)}`);
  const bytes = bufferAt(index, buffers);
  const size = Numbers.BYTES_PER_ELEMENT;
  if (bytes.byteLength % size !== 0) throw new MalformedValueError("numbers that are cut");
  // A typed array begins at a multiple of its numbers' size.
  const { buffer, byteOffset, byteLength } = bytes.byteOffset % size === 0 ? bytes : bytes.slice();
  return new Numbers(buffer, byteOffset, byteLength / size);
}

function parseInteger(text: string): bigint {
  const match = /^(-?)(0x[0-9a-f]+)$/.exec(text);
  if (match?.[2] === undefined) throw new MalformedValueError(`"${text}" is not an integer`);
  const magnitude = BigInt(match[2]);
  return match[1] === "-" ? -magnitude : magnitude;
}

function parseFloatText(text: string): number {
  const special = new Map([
    ["nan", NaN],
    ["inf", Infinity],
    ["-inf", -Infinity],
  ]).get(text.toLowerCase());
  const value = special ?? Number(text);
  if (Number.isNaN(value) && special === undefined) throw new MalformedValueError(`"${text}" is not a float`);
  return value;
}

function reviveTime([kind, text, zone]: Wire[]): Value {
  if (typeof text !== "string") throw new MalformedValueError("a time without text");
  if (!isTemporalKind(kind)) throw new MalformedValueError(`unknown kind of time ${JSON.stringify(kind)}`);
  const hasOffset = kind === "datetime" && /(?:Z|[+-]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)$/.test(text);
  if (!hasOffset) return new PythonTemporal(kind, text);
  return new ZonedDate(text, typeof zone === "string" ? zone : undefined);
}

function isTemporalKind(kind: Wire | undefined): kind is TemporalKind {
  return kind === "datetime" || kind === "date" || kind === "time" || kind === "timedelta";
}

function reviveObject([type, fields]: Wire[], buffers: Buffers): Value {
  return markPythonType(reviveRecord(asRecord(fields), buffers), asText(type));
}

function reviveOpaque([repr, type]: Wire[]): Value {
  const opaque = { repr: asText(repr), type: asText(type) };
  return markPythonType(opaque, opaque.type);
}

export function asList(wire: Wire | undefined): Wire[] {
  if (!Array.isArray(wire)) throw new MalformedValueError("a list was expected");
  return wire;
}

export function asPair(wire: Wire): [Wire, Wire] {
  const [key, item] = asList(wire);
  if (key === undefined || item === undefined) throw new MalformedValueError("a map entry is not a pair");
  return [key, item];
}

export function asRecord(wire: Wire | undefined): { [key: string]: Wire } {
  if (typeof wire !== "object" || wire === null || Array.isArray(wire))
    throw new MalformedValueError("an object was expected");
  return wire;
}

export function asText(wire: Wire | undefined): string {
  if (typeof wire !== "string") throw new MalformedValueError("a string was expected");
  return wire;
}
