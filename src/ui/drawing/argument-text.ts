import { Content, isRecord, PythonTemporal, Tuple, ZonedDate, type Value } from "../../protocol/index.js";
import { pythonRepr } from "../../tools/index.js";
import { visibleText } from "./visible.js";

/** Characters of one argument that are drawn. */
const LONGEST = 50_000;

/** Bytes of a value that are written out. */
const MOST_BYTES = 1000;

/** Characters of a list or dict that stands in one line. */
const ONE_LINE = 80;

/**
 * A value as a person is to see it before they agree to it: a text as it is, any other value as Python writes it. What would
 * not be seen is written out, and what is left out is counted.
 */
export function argumentText(value: Value): string {
  if (typeof value === "string") return cut(value);
  if (value instanceof Uint8Array) return cut(decoded(value) ?? bytesRepr(value));
  const writer = new Writer();
  const text = writer.write(value, "");
  return writer.isFull ? `${cut(text)}\n… and more, which is not shown` : cut(text);
}

function cut(text: string): string {
  const shown = visibleText(text.slice(0, LONGEST));
  const hidden = text.length - LONGEST;
  return hidden > 0 ? `${shown}\n… ${hidden.toLocaleString("en-US")} more characters, which are not shown` : shown;
}

class Writer {
  /** Characters that may still be written, roughly. */
  #left = LONGEST;

  get isFull(): boolean {
    return this.#left <= 0;
  }

  write(value: Value, indent: string): string {
    this.#left -= 1;
    if (typeof value === "string") return this.#text(value);
    if (value instanceof Content) return `Content(${this.#dict(fieldsOf(value), indent)})`;
    if (value instanceof Tuple) return this.#group(value, ["(", value.length === 1 ? ",)" : ")"], indent);
    if (Array.isArray(value)) return this.#group(value as readonly Value[], ["[", "]"], indent);
    if (value instanceof Set) return this.#group(value as ReadonlySet<Value>, ["{", "}"], indent);
    if (value instanceof Map) return this.#dict(value as ReadonlyMap<Value, Value>, indent);
    if (isRecord(value)) return this.#dict(Object.entries(value), indent);
    return scalar(value);
  }

  #text(text: string): string {
    const shown = text.slice(0, Math.max(0, this.#left));
    this.#left -= text.length;
    return pythonRepr(shown);
  }

  #group(items: Iterable<Value>, brackets: readonly [string, string], indent: string): string {
    const inner = `${indent}  `;
    const parts: string[] = [];
    for (const item of items) {
      if (this.isFull) break;
      parts.push(this.write(item, inner));
    }
    return joined(parts, brackets, indent);
  }

  #dict(entries: Iterable<readonly [Value, Value]>, indent: string): string {
    const inner = `${indent}  `;
    const parts: string[] = [];
    for (const [key, item] of entries) {
      if (this.isFull) break;
      parts.push(`${this.write(key, inner)}: ${this.write(item, inner)}`);
    }
    return joined(parts, ["{", "}"], indent);
  }
}

function fieldsOf({ kind, mimeType, uri, name, description, data }: Content): readonly (readonly [string, Value])[] {
  return Object.entries({ kind, mimeType, uri, name, description, data }).filter(([, field]) => field !== undefined);
}

function joined(parts: readonly string[], [open, close]: readonly [string, string], indent: string): string {
  const line = parts.join(", ");
  if (line.length <= ONE_LINE && !line.includes("\n")) return `${open}${line}${close}`;
  return `${open}\n${parts.map((part) => `${indent}  ${part},\n`).join("")}${indent}${close}`;
}

function scalar(value: Value): string {
  if (value instanceof Uint8Array) return bytesRepr(value);
  if (value instanceof ZonedDate || value instanceof PythonTemporal) return value.text;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "an invalid date" : value.toISOString();
  return pythonRepr(value);
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function bytesRepr(bytes: Uint8Array): string {
  const shown = Array.from(bytes.subarray(0, MOST_BYTES), byteRepr).join("");
  const hidden = bytes.byteLength - MOST_BYTES;
  return hidden > 0 ? `b'${shown}' and ${hidden.toLocaleString("en-US")} more bytes` : `b'${shown}'`;
}

function byteRepr(byte: number): string {
  const isPlain = byte >= 0x20 && byte < 0x7f && byte !== 0x27 && byte !== 0x5c;
  return isPlain ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, "0")}`;
}
