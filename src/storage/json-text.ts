import { isRecord, parseJson, PythonFloat, type Value } from "../protocol/index.js";
import { JsonValueError } from "./errors.js";

/**
 * JSON as Python's `json` module reads and writes it: with `NaN`, `Infinity` and
 * integers of any length, which `JSON` of the browser refuses or rounds.
 */

/** Deeper values would overflow the stack of whoever reads them. */
const MAX_DEPTH = 500;

/**
 * Keys of a `Map` become strings as Python's `json.dumps` makes them; undefined becomes null.
 *
 * @throws {JsonValueError} for bytes, sets, dates, cycles and whatever else JSON has no word for.
 */
export function stringifyPythonJson(value: Value): string {
  return write(value, "value", []);
}

/** @throws {SyntaxError} when the text is not JSON. */
export function parsePythonJson(text: string): Value {
  if (!/NaN|Infinity|\d{16}/.test(text)) return parseJson(text);
  const mark = unusedMark(text);
  return parseJson(markSpecialNumbers(text, mark), (_, value) =>
    typeof value === "string" && value.startsWith(mark) ? specialNumber(value.slice(mark.length)) : value,
  );
}

function write(value: Value, path: string, open: object[]): string {
  switch (typeof value) {
    case "undefined":
      return "null";
    case "boolean":
    case "string":
      return JSON.stringify(value);
    case "number":
      return writeNumber(value);
    case "bigint":
      return value.toString();
    case "object":
      return value === null ? "null" : writeObject(value, path, open);
    default:
      throw new JsonValueError(path, `A ${typeof value}`);
  }
}

function writeObject(value: object & Value, path: string, open: object[]): string {
  if (value instanceof PythonFloat) return writeFloat(value.value);
  if (open.includes(value)) throw new JsonValueError(path, "A value that contains itself");
  if (open.length >= MAX_DEPTH) throw new JsonValueError(path, `Nesting over ${String(MAX_DEPTH)} levels`);
  open.push(value);
  try {
    if (isList(value))
      return `[${value.map((item, index) => write(item, `${path}[${String(index)}]`, open)).join(",")}]`;
    if (value instanceof Map) return writeMap(value, path, open);
    if (isRecord(value)) return writeEntries(Object.entries(value), path, open);
  } finally {
    open.pop();
  }
  throw new JsonValueError(path, `A value of type ${value.constructor.name}`);
}

function isList(value: unknown): value is readonly Value[] {
  return Array.isArray(value);
}

function writeMap(map: ReadonlyMap<Value, Value>, path: string, open: object[]): string {
  const entries = Array.from(map, ([key, item]): [string, Value] => {
    if (typeof key === "string") return [key, item];
    if (key === null || typeof key !== "object" || key instanceof PythonFloat) return [write(key, path, open), item];
    throw new JsonValueError(path, "A key that is not a string, a number, a boolean or None");
  });
  return writeEntries(entries, path, open);
}

function writeEntries(entries: readonly (readonly [string, Value])[], path: string, open: object[]): string {
  const fields = entries.map(([key, item]) => `${JSON.stringify(key)}:${write(item, `${path}.${key}`, open)}`);
  return `{${fields.join(",")}}`;
}

function writeNumber(value: number): string {
  if (Object.is(value, -0)) return "-0.0";
  return Number.isFinite(value) ? JSON.stringify(value) : String(value);
}

function writeFloat(value: number): string {
  const text = writeNumber(value);
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}

function unusedMark(text: string): string {
  let mark = "number:";
  while (text.includes(mark)) mark = `${Math.random().toString(36).slice(2)}:`;
  return mark;
}

/** Turns every number that the browser would refuse or round into a string that starts with `mark`. */
function markSpecialNumbers(text: string, mark: string): string {
  const token = /"|NaN|-?Infinity|-?\d[\d.eE+-]*/g;
  const parts: string[] = [];
  let copied = 0;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const [found] = match;
    if (found === '"') {
      token.lastIndex = endOfString(text, token.lastIndex);
    } else if (isSpecial(found)) {
      parts.push(text.slice(copied, match.index), JSON.stringify(mark + found));
      copied = token.lastIndex;
    }
  }
  return parts.join("") + text.slice(copied);
}

/** The offset behind the quote that closes the string which starts at `start`. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text[quote - 1 - backslashes] === "\\") backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
  }
  return text.length;
}

function isSpecial(token: string): boolean {
  return /^(?:NaN|-?Infinity)$/.test(token) || (/^-?[1-9]\d{15,}$/.test(token) && !Number.isSafeInteger(Number(token)));
}

function specialNumber(token: string): number | bigint {
  return /\d/.test(token) ? BigInt(token) : Number(token);
}
