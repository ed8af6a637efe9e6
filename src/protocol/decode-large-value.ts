import { MalformedValueError } from "./errors.js";
import { jsonIn } from "./json.js";
import { Slices } from "./slices.js";
import { stepped, type Steps } from "./stepped.js";
import { markPythonType, Tuple, type Value } from "./value.js";
import {
  asList,
  asPair,
  asRecord,
  asText,
  looksTagged,
  MAX_DEPTH,
  reviveTagged,
  setOwn,
  TOO_DEEP,
  type EncodedValue,
  type Wire,
} from "./value-codec.js";

/** Parts of a value between two looks at the clock. */
const PARTS = 500;

/** Characters of one text between two looks at the clock. */
const CHARACTERS = 100_000;

/** Levels of text that are read at all. A value of {@link MAX_DEPTH} levels has more of them, since tags are levels. */
const DEEPEST = 10 * MAX_DEPTH;

export interface DecodeOptions {
  /** How many keys one dict of a large value may have, since listing millions takes long. Default: no limit. */
  readonly mostKeys?: number;
}

/**
 * Reads a value of any size, as `decodeValue` does, in slices: a list of millions would stop the page.
 *
 * @throws {MalformedValueError} as that does.
 */
export async function decodeLargeValue(
  { text, buffers }: EncodedValue,
  { mostKeys = Infinity }: DecodeOptions = {},
): Promise<Value> {
  const slices = new Slices();
  const reader = new JsonReader(text, mostKeys);
  const wire = await stepped(reader.read(), slices);
  // Most values are plain JSON; only those with a tag need a second look.
  if (reader.hasTags) return await stepped(new Reviver(buffers).revive(wire), slices);
  if (reader.levels > MAX_DEPTH + 1) throw new MalformedValueError(TOO_DEEP);
  return wire;
}

type Container = Wire[] | { [key: string]: Wire };

interface OpenContainer {
  readonly container: Container;
  /** Of the next item, in a dict. */
  key: string;
  /** How many keys there were. */
  count: number;
}

/** Reads JSON, one part after the other. */
class JsonReader {
  readonly #text: string;
  readonly #mostKeys: number;
  readonly #scalar = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
  #at = 0;
  /** How deep containers have been nested so far. */
  levels = 0;
  /** Whether a key so far may be a tag. To look for one in all of the text takes long where that is full of quotes. */
  hasTags = false;

  constructor(text: string, mostKeys: number) {
    this.#text = text;
    this.#mostKeys = mostKeys;
  }

  *read(): Steps<Wire> {
    const open: OpenContainer[] = [];
    for (let parts = 1; ; parts += 1) {
      if (parts % PARTS === 0) yield;
      let value = this.#begin();
      if (value === undefined) value = yield* this.#longString();
      if (isContainer(value)) this.levels = Math.max(this.levels, open.length + 1);
      if (isContainer(value) && !this.#closes(value)) {
        if (open.length >= DEEPEST) throw new MalformedValueError(TOO_DEEP);
        open.push({ container: value, key: Array.isArray(value) ? "" : yield* this.#key(), count: 1 });
        continue;
      }
      for (;;) {
        const last = open.at(-1);
        if (last === undefined) return this.#whole(value);
        put(last.container, last.key, value);
        if (this.#takes(",")) {
          if (!Array.isArray(last.container)) yield* this.#nextKey(last);
          break;
        }
        if (!this.#closes(last.container)) this.#fail();
        value = last.container;
        open.pop();
      }
    }
  }

  /** A value that has no parts, or an empty container whose parts follow. Undefined for a text that is read in parts. */
  #begin(): Wire | undefined {
    this.#skipBlanks();
    const first = this.#text[this.#at];
    if (first === '"') return this.#shortString();
    if (first === "[" || first === "{") {
      this.#at += 1;
      return first === "[" ? [] : {};
    }
    this.#scalar.lastIndex = this.#at;
    const [word] = this.#scalar.exec(this.#text) ?? this.#fail();
    this.#at += word.length;
    return WORDS.has(word) ? (WORDS.get(word) ?? null) : Number(word);
  }

  /** Most have no quote or backslash in them, and end soon. Undefined, with nothing read, for one that is long. */
  #shortString(): string | undefined {
    const start = this.#at + 1;
    const quote = this.#text.indexOf('"', start);
    if (quote < 0 || quote > start + CHARACTERS) return undefined;
    const end = this.#endOfString(quote, { from: start, to: start + CHARACTERS });
    if (end < 0) return undefined;
    this.#at = end + 1;
    return this.#parsed(start, end);
  }

  *#longString(): Steps<string> {
    let text = "";
    for (let from = this.#at + 1; ; yield) {
      const to = Math.min(from + CHARACTERS, this.#text.length);
      // In the piece alone: what lies behind is not looked through again with each.
      const quote = this.#text.slice(from, to).indexOf('"');
      const end = quote < 0 ? -1 : this.#endOfString(from + quote, { from, to });
      if (end >= 0) {
        this.#at = end + 1;
        return text + this.#parsed(from, end);
      }
      if (to === this.#text.length) this.#fail();
      const whole = this.#beforeEscape(from, to);
      text += this.#parsed(from, whole);
      from = whole;
    }
  }

  /** Where the quote is that ends a text, from this quote on; -1 where there is none before `to`. No escape goes on at `from`. */
  #endOfString(quote: number, { from, to }: { readonly from: number; readonly to: number }): number {
    for (let at = quote; at >= 0 && at < to; at = this.#text.indexOf('"', at + 1)) {
      if (!this.#isEscaped(at, from)) return at;
    }
    return -1;
  }

  /** The end of what can be read by itself: a place up to `to` that is in no escape, of which the longest is `\u0000`. */
  #beforeEscape(from: number, to: number): number {
    const begin = Math.max(from, to - 6);
    const last = this.#text.slice(begin, to).lastIndexOf("\\");
    return last < 0 || this.#isEscaped(begin + last, from) ? to : begin + last;
  }

  #parsed(from: number, to: number): string {
    const read = jsonIn(`"${this.#text.slice(from, to)}"`);
    return typeof read === "string" ? read : this.#fail();
  }

  /** Whether an odd number of backslashes stands before it, of those from `from` on. */
  #isEscaped(at: number, from: number): boolean {
    let first = at;
    while (first > from && this.#text[first - 1] === "\\") first -= 1;
    return (at - first) % 2 === 1;
  }

  *#nextKey(open: OpenContainer): Steps<void> {
    open.key = yield* this.#key();
    open.count += 1;
    if (open.count <= this.#mostKeys) return;
    const most = this.#mostKeys.toLocaleString("en-US");
    throw new MalformedValueError(`a dict has more than ${most} keys; a list of pairs may be longer`);
  }

  *#key(): Steps<string> {
    this.#skipBlanks();
    if (this.#text[this.#at] !== '"') this.#fail();
    const key = this.#shortString() ?? (yield* this.#longString());
    this.hasTags ||= key.startsWith("$");
    if (!this.#takes(":")) this.#fail();
    return key;
  }

  #closes(container: Container): boolean {
    return this.#takes(Array.isArray(container) ? "]" : "}");
  }

  #takes(character: string): boolean {
    this.#skipBlanks();
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #whole(value: Wire): Wire {
    this.#skipBlanks();
    return this.#at === this.#text.length ? value : this.#fail();
  }

  #skipBlanks(): void {
    while (BLANKS.has(this.#text.charCodeAt(this.#at))) this.#at += 1;
  }

  #fail(): never {
    throw new MalformedValueError(`not JSON (at character ${String(this.#at)})`);
  }
}

const BLANKS: ReadonlySet<number> = new Set([0x20, 0x0a, 0x0d, 0x09]);
const WORDS: ReadonlyMap<string, Wire> = new Map<string, Wire>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

function isContainer(value: Wire): value is Container {
  return typeof value === "object" && value !== null;
}

function put(container: Container, key: string, value: Wire): void {
  if (Array.isArray(container)) container.push(value);
  else if (key === "__proto__") setOwn(container, key, value);
  else container[key] = value;
}

/** Makes values of what JSON lacks, one part after the other. */
class Reviver {
  readonly #buffers: EncodedValue["buffers"];
  #parts = 0;

  constructor(buffers: EncodedValue["buffers"]) {
    this.#buffers = buffers;
  }

  *revive(wire: Wire, depth = 0): Steps<Value> {
    this.#parts += 1;
    if (this.#parts % PARTS === 0) yield;
    if (!isContainer(wire)) return wire;
    if (depth > MAX_DEPTH) throw new MalformedValueError(TOO_DEEP);
    if (Array.isArray(wire)) return yield* this.#items(wire, depth);
    if (!looksTagged(wire)) return yield* this.#record(wire, depth);
    const [tag = "", content = null] = Object.entries(wire)[0] ?? [];
    switch (tag) {
      case "$tuple":
        return Tuple.from(yield* this.#items(asList(content), depth));
      case "$set": {
        const set = new Set<Value>();
        for (const item of asList(content)) set.add(yield* this.revive(item, depth + 1));
        return set;
      }
      case "$map":
        return yield* this.#map(asList(content), depth);
      case "$dict":
        return yield* this.#record(asRecord(content), depth);
      case "$object": {
        const [type, fields] = asList(content);
        return markPythonType(yield* this.#record(asRecord(fields), depth), asText(type));
      }
      default:
        return reviveTagged(tag, content, this.#buffers);
    }
  }

  *#items(items: readonly Wire[], depth: number): Steps<Value[]> {
    const values: Value[] = [];
    for (const item of items) values.push(yield* this.revive(item, depth + 1));
    return values;
  }

  *#map(pairs: readonly Wire[], depth: number): Steps<Value> {
    const map = new Map<Value, Value>();
    for (const pair of pairs) {
      const [key, item] = asPair(pair);
      map.set(yield* this.revive(key, depth + 1), yield* this.revive(item, depth + 1));
    }
    return map;
  }

  *#record(wire: { readonly [key: string]: Wire }, depth: number): Steps<{ [key: string]: Value }> {
    const record: { [key: string]: Value } = {};
    for (const [key, item] of Object.entries(wire)) {
      const value = yield* this.revive(item, depth + 1);
      if (key === "__proto__") setOwn(record, key, value);
      else record[key] = value;
    }
    return record;
  }
}
