import {
  Content,
  isNumberArray,
  isRecord,
  PythonFloat,
  PythonTemporal,
  pythonTypeOf,
  shorten,
  ZonedDate,
  type Value,
} from "../protocol/index.js";

/** Plain JSON: what a journal line can hold. */
export type Summary = null | boolean | number | string | readonly Summary[] | { readonly [key: string]: Summary };

/** Characters of a text that is kept whole. */
const WHOLE_TEXT = 2000;
/** Characters that remain of a longer one. */
const CUT_TEXT = 400;
/** Items of one list or dict. */
const MAX_ITEMS = 50;
/** Items of the whole value. */
const MAX_NODES = 500;
const MAX_DEPTH = 8;
/** Characters of all texts of the value. */
const MAX_TEXT = 16_000;

/**
 * The value as plain JSON of bounded size. Small values stay as they are; of
 * large ones the beginning is kept and the size said: `… [12,345 characters]`,
 * `<10,485,760 bytes>`, `… [950 more]`.
 */
export function summarize(value: Value): Summary {
  return new Summarizer().summarize(value, 0);
}

export function summarizeText(text: string): string {
  return text.length <= WHOLE_TEXT ? text : cut(text, CUT_TEXT);
}

function cut(text: string, length: number): string {
  return shorten(text, length, `… [${count(text.length)} characters]`);
}

class Summarizer {
  #nodes = 0;
  #text = 0;

  summarize(value: Value, depth: number): Summary {
    switch (typeof value) {
      case "undefined":
        return null;
      case "boolean":
        return value;
      case "number":
        return Number.isFinite(value) ? value : `float('${Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf"}')`;
      case "bigint":
        return this.#shorten(value.toString());
      case "string":
        return this.#shorten(value);
      case "object":
        return value === null ? null : this.#object(value, depth);
      default:
        // Nothing else crosses the bridge, but a function of the page may return anything.
        return `<${typeof value}>`;
    }
  }

  #object(value: object & Value, depth: number): Summary {
    if (value instanceof Uint8Array) return `<${count(value.byteLength)} bytes>`;
    if (isNumberArray(value)) return `<${value.constructor.name} of ${count(value.length)}>`;
    if (value instanceof PythonFloat) return this.summarize(value.value, depth);
    if (value instanceof ZonedDate || value instanceof PythonTemporal) return value.text;
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? "<invalid date>" : value.toISOString();
    if (depth >= MAX_DEPTH || this.#nodes >= MAX_NODES) return `… [${this.#describe(value)}]`;
    if (Array.isArray(value)) return this.#list(value as readonly Value[], { size: value.length, depth });
    if (value instanceof Set) return this.#list(value as ReadonlySet<Value>, { size: value.size, depth });
    if (value instanceof Map) return this.#list(value as ReadonlyMap<Value, Value>, { size: value.size, depth });
    if (value instanceof Content) return this.#content(value, depth);
    if (isRecord(value)) return this.#record(value, depth);
    return `<${value.constructor.name}>`;
  }

  #list(items: Iterable<Value>, { size, depth }: { readonly size: number; readonly depth: number }): Summary {
    const kept: Summary[] = [];
    for (const item of items) {
      if (kept.length >= MAX_ITEMS || this.#nodes >= MAX_NODES) break;
      this.#nodes += 1;
      kept.push(this.summarize(item, depth + 1));
    }
    return kept.length === size ? kept : [...kept, `… [${count(size - kept.length)} more]`];
  }

  #record(value: Readonly<Record<string, Value>>, depth: number): Summary {
    const entries = Object.entries(value);
    const kept: [string, Summary][] = [];
    for (const [key, item] of entries) {
      if (kept.length >= MAX_ITEMS || this.#nodes >= MAX_NODES) break;
      this.#nodes += 1;
      kept.push([this.#shorten(key), this.summarize(item, depth + 1)]);
    }
    if (kept.length < entries.length) kept.push(["…", `[${count(entries.length - kept.length)} more]`]);
    return Object.fromEntries(kept);
  }

  #content({ kind, mimeType, data, uri, name }: Content, depth: number): Summary {
    const said = Object.entries({ kind, mimeType, uri, name, data }).filter(([, item]) => item !== undefined);
    return this.#record(Object.fromEntries(said), depth);
  }

  #shorten(text: string): string {
    const kept = summarizeText(text);
    this.#text += kept.length;
    return this.#text <= MAX_TEXT || text.length <= 20 ? kept : cut(text, 20);
  }

  #describe(value: object & Value): string {
    if (Array.isArray(value)) return `list of ${count(value.length)}`;
    if (value instanceof Set || value instanceof Map) return `${count(value.size)} items`;
    return pythonTypeOf(value) ?? `dict of ${count(Object.keys(value).length)}`;
  }
}

function count(number: number): string {
  return number.toLocaleString("en-US");
}
