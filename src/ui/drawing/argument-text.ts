import {
  Content,
  isNumberArray,
  isRecord,
  PythonTemporal,
  textPieces,
  Tuple,
  ZonedDate,
  type Value,
} from "../../protocol/index.js";
import { pythonRepr, pythonTextPieces } from "../../tools/index.js";
import { beginningOf, drawingCost } from "../state/text/text-ends.js";
import { visibleText } from "./visible.js";

/** Characters up to which a list or dict is written in one line. */
const ONE_LINE = 80;

/** Characters of a text, and bytes, that are written in one piece. */
const PIECE = 4000;

export interface ArgumentText {
  readonly text: string;
  /** Whether nothing is left out. */
  readonly isWhole: boolean;
}

/**
 * A value as a person is to see it before they agree to it: a text as it is, any other value as Python writes it. What would
 * not be seen is written out, and what is left out is said.
 *
 * @param longest - characters, roughly, fewer where they are many lines. Default: all of it is written, which may take long.
 */
export function argumentText(value: Value, longest = Infinity): ArgumentText {
  const plain = plainText(value);
  if (plain !== undefined) {
    const shown = beginningOf(plain, longest);
    if (shown.length < plain.length) {
      const left = (plain.length - shown.length).toLocaleString("en-US");
      return { text: `${visibleText(shown)}\n… ${left} more characters, which are not shown`, isWhole: false };
    }
  }
  let text = "";
  let left = longest;
  for (const piece of argumentPieces(value)) {
    const shown = plain === undefined ? beginningOf(piece, left) : piece;
    text += shown;
    if (shown.length < piece.length) return { text: `${text}\n… and more, which is not shown`, isWhole: false };
    left -= drawingCost(piece);
  }
  return { text, isWhole: true };
}

/** All of it, in pieces that are each written in little time. */
export function* argumentPieces(value: Value): Iterable<string> {
  const plain = plainText(value);
  if (plain === undefined) yield* written(value, "");
  else for (const piece of textPieces(plain, PIECE)) yield visibleText(piece);
}

/** Undefined where it is to be written as Python does. */
function plainText(value: Value): string | undefined {
  if (typeof value === "string") return value;
  if (!(value instanceof Uint8Array)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(value);
  } catch {
    return undefined;
  }
}

/** In one line where it is short, else each part in one of its own. */
function* written(value: Value, indent: string): Iterable<string> {
  const group = groupOf(value);
  if (group === undefined) {
    yield* single(value);
    return;
  }
  const line = oneLine(group);
  if (line !== undefined) {
    yield line;
    return;
  }
  const inner = `${indent}  `;
  yield `${group.open}\n`;
  for (const [key, item] of group.items()) {
    yield inner;
    if (key !== NO_KEY) {
      yield* written(key, inner);
      yield ": ";
    }
    yield* written(item, inner);
    yield ",\n";
  }
  yield `${indent}${group.close}`;
}

const NO_KEY = Symbol();

/** A value of parts: a list, a dict and their like. */
interface Group {
  readonly open: string;
  readonly close: string;
  readonly items: () => Iterable<readonly [Value | typeof NO_KEY, Value]>;
}

function groupOf(value: Value): Group | undefined {
  if (value instanceof Content) return { open: "Content({", close: "})", items: () => fieldsOf(value) };
  if (value instanceof Tuple) return { open: "(", close: value.length === 1 ? ",)" : ")", items: () => keyless(value) };
  if (Array.isArray(value)) return { open: "[", close: "]", items: () => keyless(value as readonly Value[]) };
  if (isNumberArray(value)) return { open: `${value.constructor.name}([`, close: "])", items: () => keyless(value) };
  if (value instanceof Set) return { open: "{", close: "}", items: () => keyless(value as ReadonlySet<Value>) };
  if (value instanceof Map) return { open: "{", close: "}", items: () => value as ReadonlyMap<Value, Value> };
  if (isRecord(value)) return { open: "{", close: "}", items: () => entriesOf(value) };
  return undefined;
}

function* keyless(items: Iterable<Value>): Iterable<readonly [typeof NO_KEY, Value]> {
  for (const item of items) yield [NO_KEY, item];
}

function* entriesOf(record: Readonly<Record<string, Value>>): Iterable<readonly [string, Value]> {
  for (const key of Object.keys(record)) yield [key, record[key] ?? null];
}

function fieldsOf({ kind, mimeType, uri, name, description, data }: Content): readonly (readonly [string, Value])[] {
  return Object.entries({ kind, mimeType, uri, name, description, data }).filter(([, field]) => field !== undefined);
}

/** Undefined where it is too long for one. No more of it is looked at than has room in a line. */
function oneLine({ open, close, items }: Group): string | undefined {
  let line = "";
  const add = (text: string | undefined): boolean => {
    if (text === undefined || line.length + text.length > ONE_LINE) return false;
    line += text;
    return true;
  };
  for (const [key, item] of items()) {
    if (line !== "" && !add(", ")) return undefined;
    if (key !== NO_KEY && !(add(shortText(key)) && add(": "))) return undefined;
    if (!add(shortText(item))) return undefined;
  }
  return `${open}${line}${close}`;
}

function shortText(value: Value): string | undefined {
  const group = groupOf(value);
  if (group !== undefined) return oneLine(group);
  let text = "";
  for (const piece of single(value)) {
    text += piece;
    if (text.length > ONE_LINE) return undefined;
  }
  return text;
}

function* single(value: Value): Iterable<string> {
  if (typeof value === "string") yield* pythonTextPieces(value, PIECE);
  else if (value instanceof Uint8Array) yield* bytesPieces(value);
  else if (value instanceof ZonedDate || value instanceof PythonTemporal) yield value.text;
  else if (value instanceof Date) yield Number.isNaN(value.getTime()) ? "an invalid date" : value.toISOString();
  else yield pythonRepr(value);
}

function* bytesPieces(bytes: Uint8Array): Iterable<string> {
  yield "b'";
  for (let start = 0; start < bytes.length; start += PIECE) {
    yield Array.from(bytes.subarray(start, start + PIECE), byteRepr).join("");
  }
  yield "'";
}

function byteRepr(byte: number): string {
  const isPlain = byte >= 0x20 && byte < 0x7f && byte !== 0x27 && byte !== 0x5c;
  return isPlain ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, "0")}`;
}
