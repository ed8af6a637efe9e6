import { closestName } from "../../options/index.js";
import {
  isNumberArray,
  isRecord,
  messageOf,
  PythonFloat,
  PythonTemporal,
  Content,
  shorten,
  Tuple,
  type Value,
} from "../../protocol/index.js";
import { pythonRepr, ToolArgumentError, ToolCallError } from "../../tools/index.js";

/** How a tool failed, as the model is told: whether its arguments did not fit, or it failed itself. */
export function failureText(error: unknown, { argumentTag }: { readonly argumentTag: string }): string {
  if (error instanceof ToolArgumentError) return `${argumentTag}: ${error.reason}`;
  if (error instanceof ToolCallError) return `ToolError: ${error.reason}`;
  return `ToolError: ${messageOf(error)}`;
}

/** Characters of the names of tools that are told. */
const LONGEST_LIST = 2000;

/** That there is no such tool, and which there are: what was probably meant before the others. */
export function unknownToolText(wanted: string, names: readonly string[]): string {
  const unknown = `Unknown tool '${shorten(wanted, 80)}'.`;
  if (names.length === 0) return `${unknown} There are no tools.`;
  const meant = closestName(wanted, names);
  const ordered = meant === undefined ? names : [meant, ...names.filter((name) => name !== meant)];
  let length = 0;
  const listed = ordered.filter((name) => (length += name.length + 2) <= LONGEST_LIST);
  const left = names.length - listed.length;
  return `${unknown} Tools: ${listed.join(", ")}${left === 0 ? "" : `, and ${String(left)} more`}.`;
}

/** Levels of a value that are written. */
const DEEPEST = 50;

/** A value as Python's `str` writes it, as far as the first `limit` characters need it. */
export function pythonText(value: Value, limit: number): string {
  if (typeof value === "string") return value;
  const writer = new ValueWriter(limit);
  writer.write(value, 0);
  return writer.text;
}

/** Writes values until there is enough text: what a tool returned may be of any size, and contain itself. */
class ValueWriter {
  text = "";
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  write(value: Value, depth: number): void {
    if (this.text.length > this.#limit) return;
    if (depth > DEEPEST) this.text += "...";
    else if (typeof value === "string") this.text += pythonRepr(value.slice(0, this.#limit + 1));
    else if (typeof value !== "object" || value === null || value instanceof PythonFloat) this.text += plainText(value);
    else if (value instanceof PythonTemporal) this.text += value.text;
    else if (value instanceof Date) this.text += Number.isNaN(value.getTime()) ? "None" : value.toISOString();
    else if (value instanceof Content) this.text += contentText(value);
    else if (value instanceof Uint8Array) this.text += pythonRepr(value);
    else if (isNumberArray(value)) this.#list(value, LIST, depth);
    else if (Array.isArray(value)) this.#list(value, value instanceof Tuple ? TUPLE : LIST, depth);
    else if (value instanceof Set) this.#list(value, value.size === 0 ? EMPTY_SET : SET, depth);
    else if (value instanceof Map) this.#pairs(value as ReadonlyMap<Value, Value>, depth);
    else if (isRecord(value)) this.#pairs(Object.entries(value), depth);
    else this.text += "...";
  }

  #list(items: Iterable<Value>, [open, close]: readonly [string, string], depth: number): void {
    this.#parts(items, [open, close], (item) => {
      this.write(item, depth + 1);
    });
  }

  #pairs(pairs: Iterable<readonly [Value, Value]>, depth: number): void {
    this.#parts(pairs, ["{", "}"], ([key, item]) => {
      this.write(key, depth + 1);
      this.text += ": ";
      this.write(item, depth + 1);
    });
  }

  #parts<T>(parts: Iterable<T>, [open, close]: readonly [string, string], write: (part: T) => void): void {
    this.text += open;
    let separator = "";
    for (const part of parts) {
      if (this.text.length > this.#limit) return;
      this.text += separator;
      separator = ", ";
      write(part);
    }
    this.text += close;
  }
}

const LIST = ["[", "]"] as const;
const TUPLE = ["(", ")"] as const;
const SET = ["{", "}"] as const;
const EMPTY_SET = ["set(", ")"] as const;

/** `str` writes nan and inf as their names; `repr` has to say how to make them. */
function plainText(value: Value): string {
  if (typeof value === "number" && !Number.isFinite(value)) {
    return Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
  }
  return pythonRepr(value);
}

function contentText({ kind, mimeType, data, uri, name }: Content): string {
  const size = data === undefined ? "" : `${String(data.length)} ${typeof data === "string" ? "characters" : "bytes"}`;
  return `<${[kind, mimeType, name, uri, size].filter((part) => part !== undefined && part !== "").join(" ")}>`;
}
