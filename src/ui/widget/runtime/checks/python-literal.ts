import {
  Content,
  isNumberArray,
  isRecord,
  PythonFloat,
  PythonTemporal,
  Tuple,
  ZonedDate,
  type Value,
} from "../../../../protocol/index.js";

/** A value is too large to be written down. */
export class LiteralTooLargeError extends Error {
  override readonly name = "LiteralTooLargeError";
}

/** Characters: Python reads as many in some milliseconds, and the page writes them in fewer. */
const LONGEST = 1_000_000;

/**
 * Writes a value as a Python expression that stands on no name which code could have given another meaning.
 *
 * @throws {LiteralTooLargeError}
 */
export function pythonLiteral(value: Value, longest: number = LONGEST): string {
  return new LiteralWriter(longest).write(value);
}

class LiteralWriter {
  #left: number;

  constructor(longest: number) {
    this.#left = longest;
  }

  write(value: Value, isHashed = false): string {
    const text = this.#textOf(value, isHashed);
    // The texts of parts have been counted with them.
    this.#count(typeof value === "object" ? 2 : text.length);
    return text;
  }

  #textOf(value: Value, isHashed: boolean): string {
    switch (typeof value) {
      case "undefined":
        return "None";
      case "boolean":
        return value ? "True" : "False";
      case "string":
        // Before it is written: a long one would be copied for nothing.
        this.#count(value.length);
        return JSON.stringify(value);
      case "number":
        return numberText(value);
      case "bigint":
        return String(value);
      default:
        return value === null ? "None" : this.#objectText(value, isHashed);
    }
  }

  #objectText(value: Exclude<Value & object, null>, isHashed: boolean): string {
    if (value instanceof Uint8Array) return this.#bytesText(value);
    if (isNumberArray(value)) return this.#listText(Array.from<Value>(value as ArrayLike<Value> & object));
    if (value instanceof ZonedDate) return moment("datetime", value.text);
    if (value instanceof Date) return moment("datetime", value.toISOString());
    if (value instanceof PythonTemporal) return temporalText(value);
    if (value instanceof PythonFloat) return floatText(value.value);
    if (value instanceof Content) return this.#dictText(Object.entries(value as object as Record<string, Value>));
    if (value instanceof Set) return this.#setText(value as ReadonlySet<Value>, isHashed);
    if (value instanceof Map) return this.#dictText([...(value as ReadonlyMap<Value, Value>)]);
    if (Array.isArray(value)) {
      const items = value as readonly Value[];
      return value instanceof Tuple ? this.#tupleText(items) : this.#listText(items);
    }
    return isRecord(value) ? this.#dictText(Object.entries(value)) : "None";
  }

  #bytesText(bytes: Uint8Array): string {
    this.#count(bytes.length * 4);
    return `b"${Array.from(bytes, (byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("")}"`;
  }

  #listText(items: readonly Value[]): string {
    return `[${items.map((item) => this.write(item)).join(", ")}]`;
  }

  #tupleText(items: readonly Value[]): string {
    return `(${items.map((item) => `${this.write(item, true)},`).join(" ")})`;
  }

  #setText(items: ReadonlySet<Value>, isHashed: boolean): string {
    const text = items.size === 0 ? "{*()}" : `{${Array.from(items, (item) => this.write(item, true)).join(", ")}}`;
    return isHashed ? `__import__("builtins").frozenset(${text})` : text;
  }

  #dictText(entries: readonly (readonly [Value, Value])[]): string {
    return `{${entries.map(([key, item]) => `${this.write(key, true)}: ${this.write(item)}`).join(", ")}}`;
  }

  #count(characters: number): void {
    this.#left -= characters;
    if (this.#left < 0) throw new LiteralTooLargeError("The value is too large to be written down.");
  }
}

function numberText(value: number): string {
  // A whole number that Python had as an int, and that is larger, comes as a bigint.
  return Number.isSafeInteger(value) && !Object.is(value, -0) ? String(value) : floatText(value);
}

function floatText(value: number): string {
  if (Number.isNaN(value)) return "(1e999 - 1e999)";
  if (!Number.isFinite(value)) return value > 0 ? "1e999" : "(-1e999)";
  if (Object.is(value, -0)) return "(-0.0)";
  const text = String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

function moment(kind: string, text: string): string {
  return `__import__("datetime").${kind}.fromisoformat(${JSON.stringify(text)})`;
}

function temporalText({ kind, text }: PythonTemporal): string {
  return kind === "timedelta" ? `__import__("datetime").timedelta(microseconds=${text})` : moment(kind, text);
}
