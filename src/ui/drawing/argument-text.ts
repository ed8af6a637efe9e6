import { Content, isRecord, PythonTemporal, Tuple, ZonedDate, type Value } from "../../protocol/index.js";
import { pythonRepr } from "../../tools/index.js";
import { visibleText } from "./visible.js";

/** Characters up to which a list or dict is written in one line. */
const ONE_LINE = 80;

export interface ArgumentText {
  readonly text: string;
  /** Whether nothing is left out. */
  readonly isWhole: boolean;
}

/**
 * A value as a person is to see it before they agree to it: a text as it is, any other value as Python writes it. What would
 * not be seen is written out, and what is left out is said.
 *
 * @param longest - characters. Default: all of it is written, which may take long.
 */
export function argumentText(value: Value, longest = Infinity): ArgumentText {
  if (typeof value === "string") return cut(value, longest);
  const text = value instanceof Uint8Array ? decoded(value) : undefined;
  if (text !== undefined) return cut(text, longest);
  const writer = new Writer(longest);
  const written = cut(writer.write(value, ""), longest);
  return writer.isFull ? { text: `${written.text}\n… and more, which is not shown`, isWhole: false } : written;
}

function cut(text: string, longest: number): ArgumentText {
  const shown = visibleText(text.slice(0, longest));
  const hidden = text.length - longest;
  if (hidden <= 0) return { text: shown, isWhole: true };
  return { text: `${shown}\n… ${hidden.toLocaleString("en-US")} more characters, which are not shown`, isWhole: false };
}

class Writer {
  /** Characters that may still be written, roughly. */
  #left: number;

  constructor(longest: number) {
    this.#left = longest;
  }

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
    const text = value instanceof Uint8Array ? bytesRepr(value.subarray(0, Math.max(0, this.#left))) : scalar(value);
    this.#left -= value instanceof Uint8Array ? value.byteLength : text.length;
    return text;
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
  return `b'${Array.from(bytes, byteRepr).join("")}'`;
}

function byteRepr(byte: number): string {
  const isPlain = byte >= 0x20 && byte < 0x7f && byte !== 0x27 && byte !== 0x5c;
  return isPlain ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, "0")}`;
}
