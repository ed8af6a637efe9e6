import { isRecord, PythonFloat, Tuple, type Value } from "../protocol/index.js";

import type { JsonSchema, ToolParameter } from "./definition.js";

const typeNames = new Map([
  ["string", "str"],
  ["str", "str"],
  ["integer", "int"],
  ["int", "int"],
  ["number", "float"],
  ["float", "float"],
  ["boolean", "bool"],
  ["bool", "bool"],
  ["array", "list"],
  ["list", "list"],
  ["object", "dict"],
  ["dict", "dict"],
  ["bytes", "bytes"],
  ["null", "None"],
]);

/** The type of a parameter as Python writes it. What has no Python counterpart is `Any`. */
export function pythonTypeOfParameter({ type, schema }: ToolParameter): string {
  return schema === undefined ? pythonTypeName(type) : pythonTypeOfSchema(schema);
}

/** `null` → `None`, `array` of `string` → `list[str]`, an enum → `Literal[…]`, a choice → `a | b`. */
export function pythonTypeOfSchema(schema: JsonSchema): string {
  if (schema.enum !== undefined) return literal(schema.enum);
  if (schema.const !== undefined) return literal([schema.const]);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return union(choices.map(pythonTypeOfSchema));
  const { type } = schema;
  if (type === undefined) return "Any";
  const types = typeof type === "string" ? [type] : type;
  return union(types.map((name) => (name === "array" ? listOf(schema.items) : pythonTypeName(name))));
}

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

function pythonTypeName(type: string): string {
  return typeNames.get(type.toLowerCase()) ?? "Any";
}

function listOf(items: JsonSchema | boolean | undefined): string {
  return typeof items === "object" ? `list[${pythonTypeOfSchema(items)}]` : "list";
}

function literal(values: readonly Value[]): string {
  // Python's Literal holds text, whole numbers, booleans and None, nothing else.
  const writable = values.every(
    (value) => value === null || typeof value === "string" || typeof value === "boolean" || Number.isInteger(value),
  );
  return writable && values.length > 0 ? `Literal[${values.map(pythonRepr).join(", ")}]` : "Any";
}

function union(types: readonly string[]): string {
  const distinct = [...new Set(types)];
  if (distinct.length === 0 || distinct.includes("Any")) return "Any";
  // None comes last, as one writes it.
  return [...distinct.filter((type) => type !== "None"), ...distinct.filter((type) => type === "None")].join(" | ");
}

function reprText(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text
    .replaceAll("\\", "\\\\")
    .replaceAll(quote, `\\${quote}`)
    .replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r")
    .replaceAll("\t", "\\t")
    .replace(/[\p{Cc}\u2028\u2029]/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return `${quote}${escaped}${quote}`;
}

function reprNumber(value: number): string {
  if (Number.isNaN(value)) return "float('nan')";
  if (!Number.isFinite(value)) return value > 0 ? "float('inf')" : "float('-inf')";
  return String(value);
}
