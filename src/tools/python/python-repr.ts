import {
  isNumberArray,
  isRecord,
  PythonFloat,
  shortenUnitsTo,
  textPieces,
  Tuple,
  type Value,
} from "../../protocol/index.js";

/** The value as Python source. */
export function pythonRepr(value: Value): string {
  return repr(value, { left: Infinity });
}

/** The same, cut to so many characters. What is not shown of a large value is not looked at. */
export function shortPythonRepr(value: Value, length: number): string {
  return shortenUnitsTo(repr(value, { left: length }), length);
}

/** Each part of a value is a character at the least. */
interface Budget {
  left: number;
}

function repr(value: Value, budget: Budget): string {
  const reprOf = (part: Value): string => repr(part, budget);
  if (value === null || value === undefined) return "None";
  if (value === true) return "True";
  if (value === false) return "False";
  if (typeof value === "string") return reprText(value.slice(0, budget.left));
  if (typeof value === "number") return reprNumber(value);
  if (typeof value === "bigint") return value.toString();
  if (value instanceof PythonFloat)
    return Number.isInteger(value.value) ? `${String(value.value)}.0` : reprNumber(value.value);
  if (value instanceof Uint8Array) return `<${String(value.byteLength)} bytes>`;
  if (isNumberArray(value)) return `<${value.constructor.name} of ${String(value.length)}>`;
  if (value instanceof Tuple) return `(${reprAll(value, budget, reprOf)}${value.length === 1 ? "," : ""})`;
  if (Array.isArray(value)) return `[${reprAll(value as readonly Value[], budget, reprOf)}]`;
  if (isRecord(value))
    return `{${reprAll(Object.keys(value), budget, (key) => `${reprText(key)}: ${reprOf(value[key])}`)}}`;
  return "...";
}

function reprAll<Part>(parts: readonly Part[], budget: Budget, reprOf: (part: Part) => string): string {
  const texts: string[] = [];
  for (const part of parts) {
    if ((budget.left -= 1) < 0) break;
    texts.push(reprOf(part));
  }
  return texts.join(", ");
}

/** A text as {@link pythonRepr} writes it, in pieces of so many of its characters. */
export function* pythonTextPieces(text: string, length: number): Generator<string> {
  const quote = quoteOf(text);
  yield quote;
  for (const piece of textPieces(text, length)) yield escapedText(piece, quote);
  yield quote;
}

function reprText(text: string): string {
  const quote = quoteOf(text);
  return `${quote}${escapedText(text, quote)}${quote}`;
}

function quoteOf(text: string): string {
  return text.includes("'") && !text.includes('"') ? '"' : "'";
}

function escapedText(text: string, quote: string): string {
  return text
    .replaceAll("\\", "\\\\")
    .replaceAll(quote, `\\${quote}`)
    .replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r")
    .replaceAll("\t", "\\t")
    .replace(/(?! )[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Zs}]/gu, escapeCharacter);
}

/** As Python writes a character that is not printable. */
function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code > 0xffff) return `\\U${code.toString(16).padStart(8, "0")}`;
  return code > 0xff ? `\\u${code.toString(16).padStart(4, "0")}` : `\\x${code.toString(16).padStart(2, "0")}`;
}

function reprNumber(value: number): string {
  if (Number.isNaN(value)) return "float('nan')";
  if (!Number.isFinite(value)) return value > 0 ? "float('inf')" : "float('-inf')";
  return Object.is(value, -0) ? "-0.0" : String(value);
}
