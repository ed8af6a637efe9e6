import { isRecord, PythonFloat, Tuple, type Value } from "../protocol/index.js";

/** The value as Python source. */
export function pythonRepr(value: Value): string {
  if (value === null || value === undefined) return "None";
  if (value === true) return "True";
  if (value === false) return "False";
  if (typeof value === "string") return reprText(value);
  if (typeof value === "number") return reprNumber(value);
  if (typeof value === "bigint") return value.toString();
  if (value instanceof PythonFloat)
    return Number.isInteger(value.value) ? `${String(value.value)}.0` : reprNumber(value.value);
  if (value instanceof Uint8Array) return `<${String(value.byteLength)} bytes>`;
  if (value instanceof Tuple) return `(${value.map(pythonRepr).join(", ")}${value.length === 1 ? "," : ""})`;
  if (Array.isArray(value)) return `[${value.map(pythonRepr).join(", ")}]`;
  if (isRecord(value)) {
    return `{${Object.entries(value)
      .map(([key, item]) => `${reprText(key)}: ${pythonRepr(item)}`)
      .join(", ")}}`;
  }
  return "...";
}

function reprText(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text
    .replaceAll("\\", "\\\\")
    .replaceAll(quote, `\\${quote}`)
    .replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r")
    .replaceAll("\t", "\\t")
    .replace(
      /[\p{Cc}\p{Cs}\u2028\u2029]/gu,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
  return `${quote}${escaped}${quote}`;
}

function reprNumber(value: number): string {
  if (Number.isNaN(value)) return "float('nan')";
  if (!Number.isFinite(value)) return value > 0 ? "float('inf')" : "float('-inf')";
  return String(value);
}
