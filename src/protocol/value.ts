/** A tuple of Python. It is an array with a mark, so that it comes back to Python as a tuple. */
export class Tuple extends Array<Value> {
  // Derived arrays (`map`, `filter`) are plain: only what Python sent is a tuple.
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }
}

/** Which class of Python's `datetime` a value is of. */
export type TemporalKind = "datetime" | "date" | "time" | "timedelta";

/**
 * A date or time of Python that a JavaScript `Date` cannot hold: naive datetimes,
 * dates, times and durations. `text` is ISO 8601, for a duration its total
 * microseconds.
 */
export class PythonTemporal {
  constructor(
    readonly kind: TemporalKind,
    readonly text: string,
  ) {}

  toString(): string {
    return this.text;
  }
}

/**
 * A datetime with a zone. As a `Date` it is the instant, to the millisecond;
 * `text` and `zone` keep what a `Date` forgets, so that Python gets the same
 * datetime back.
 */
export class ZonedDate extends Date {
  constructor(
    /** ISO 8601 with offset, microseconds included. */
    readonly text: string,
    /** IANA key such as `Europe/Oslo`; undefined for a fixed offset. */
    readonly zone?: string,
  ) {
    super(text);
  }
}

/** Tells the codec to send an integral number as `float`. Without it `2` arrives in Python as `int`. */
export class PythonFloat {
  constructor(readonly value: number) {}
}

/** What a piece of content is. */
export type ContentKind = "image" | "audio" | "resource" | "resource_link";

/** What {@link Content} is made of. */
export interface ContentFields {
  readonly kind: ContentKind;
  /** `image/png` for instance; absent where nobody says. */
  readonly mimeType?: string;
  /** Bytes, or the text of a text resource. A link has none. */
  readonly data?: Uint8Array | string;
  readonly uri?: string;
  readonly name?: string;
  readonly description?: string;
}

/**
 * A piece of content with a type: an image, a sound, a resource, or a link to
 * one. In Python it is a `vitrine.Content`, whose `data` is bytes or text and
 * which shows itself where it is the last value of a run or given to `display`.
 */
export class Content {
  readonly kind: ContentKind;
  readonly mimeType: string | undefined;
  readonly data: Uint8Array | string | undefined;
  readonly uri: string | undefined;
  readonly name: string | undefined;
  readonly description: string | undefined;

  constructor({ kind, mimeType, data, uri, name, description }: ContentFields) {
    this.kind = kind;
    this.mimeType = mimeType;
    this.data = data;
    this.uri = uri;
    this.name = name;
    this.description = description;
  }
}

/**
 * Numbers of one kind, as Python hands them over that are in a `memoryview`: the data of an array of NumPy, or of the
 * module `array`. A tool that returns one hands Python a list.
 */
export type NumberArray =
  | Int8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array
  | Float32Array
  | Float64Array;

/** What stands in for a Python object that has no counterpart here. */
export interface Opaque {
  readonly repr: string;
  readonly type: string;
}

/** A value that can cross between Python and the page, in either direction. */
export type Value =
  | null
  | undefined
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | NumberArray
  | Date
  | PythonTemporal
  | PythonFloat
  | Content
  | Opaque
  | readonly Value[]
  | ReadonlySet<Value>
  | ReadonlyMap<Value, Value>
  | { readonly [key: string]: Value };

const pythonTypes = new WeakMap<object, string>();

/** Remembers that `object` stands for an instance of the Python class `type`. */
export function markPythonType<T extends object>(object: T, type: string): T {
  pythonTypes.set(object, type);
  return object;
}

/**
 * The Python class that a plain object came from: a dataclass, a named tuple, a
 * model, or the class of an object that crossed as `{repr, type}`. Undefined for
 * a dict.
 */
export function pythonTypeOf(value: Value): string | undefined {
  return typeof value === "object" && value !== null ? pythonTypes.get(value) : undefined;
}

/** Whether a value takes the place of a Python object that has no counterpart here. */
export function isOpaque(value: Value): boolean {
  const type = pythonTypeOf(value);
  if (type === undefined || !isRecord(value)) return false;
  return value.type === type && typeof value.repr === "string" && Object.keys(value).length === 2;
}

/** Whether a value is an array of numbers of one kind. Bytes are none. */
export function isNumberArray(value: unknown): value is NumberArray {
  return ArrayBuffer.isView(value) && !(value instanceof Uint8Array) && !(value instanceof DataView);
}

/** Narrows to an object with string keys: not an array, a set, a map, bytes or a date. */
export function isRecord(value: unknown): value is Record<string, Value> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
