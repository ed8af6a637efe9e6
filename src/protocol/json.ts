import { isNumberArray, type Value } from "./value.js";

/** What is in JSON text. */
export type ParsedJson = null | boolean | number | string | ParsedJson[] | { [key: string]: ParsedJson };

interface ParseJson {
  (text: string): ParsedJson;
  /** `revive` sees each value before what it is in, with its text where the engine gives that. */
  (text: string, revive: (key: string, value: unknown, context?: { readonly source?: string }) => unknown): Value;
}

/** `JSON.parse` with the type of what it makes: it has no other, so nothing is checked. @throws {SyntaxError} */
export const parseJson: ParseJson = /* @__PURE__ */ JSON.parse.bind(JSON);

/** The same; undefined for text that is no JSON. */
export function jsonIn(text: string): ParsedJson | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** For `JSON.stringify`: integers beyond its own as text. */
export function withDigits(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? value.toString() : value;
}

/** The same, with bytes and arrays of numbers as how many there are. */
export function withSizes(key: string, value: unknown): unknown {
  if (value instanceof Uint8Array) return `<${String(value.byteLength)} bytes>`;
  return isNumberArray(value) ? `<${String(value.length)} numbers>` : withDigits(key, value);
}
