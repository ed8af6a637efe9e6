import { isNumberArray, pythonTypeOf, PythonFloat, PythonTemporal, Tuple, type Value } from "../../protocol/index.js";
import type { JsonSchema } from "../json-schema.js";
import { pythonRepr, shortPythonRepr } from "../python/python-repr.js";
import { BYTES_KEY } from "./instance.js";

const typeWords = new Map([
  ["string", "a string"],
  ["str", "a string"],
  ["integer", "an integer"],
  ["int", "an integer"],
  ["number", "a number"],
  ["float", "a number"],
  ["boolean", "True or False"],
  ["bool", "True or False"],
  ["array", "a list"],
  ["list", "a list"],
  ["object", "a dict"],
  ["dict", "a dict"],
  ["null", "None"],
]);

/** `an integer`. A type that nobody knows stays as it is. */
export function typeInWords(type: string): string {
  return typeWords.get(type.toLowerCase()) ?? type;
}

/** `one of 'a', 'b'`, or the only value there is. */
export function listed(values: readonly unknown[]): string {
  if (values.length === 0) return EMPTY_LIST;
  const distinct = [...new Set(values.map((value) => pythonRepr(value as Value)))];
  const [only] = distinct;
  if (distinct.length === 1 && only !== undefined) return only;
  const shown = distinct.length > 30 ? [...distinct.slice(0, 30), `… (${String(distinct.length)} in all)`] : distinct;
  return `one of ${shown.join(", ")}`;
}

/** No value fits such a schema, and who calls has to hear why. */
const EMPTY_LIST = "one of nothing, since its schema has an empty `enum`";

/** What a schema accepts: `a string or None`, `a dict with 'name'`. */
export function schemaInWords(schema: JsonSchema): string {
  if (schema.required?.[0] === BYTES_KEY) return "bytes";
  if (schema.enum !== undefined) return listed(schema.enum);
  if (schema.const !== undefined) return listed([schema.const]);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices?.length === 0) return "one of nothing, since its schema has no choice";
  if (choices !== undefined) return [...new Set(choices.map(schemaInWords))].join(" or ");
  const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? []);
  if (types.length === 0) return schema.properties === undefined ? "what its schema says" : dictInWords(schema);
  return types.map((type) => (type === "object" ? dictInWords(schema) : typeInWords(type))).join(" or ");
}

function dictInWords({ required = [] }: JsonSchema): string {
  return required.length === 0 ? "a dict" : `a dict with ${required.map((key) => pythonRepr(key)).join(", ")}`;
}

/** `str 'three'`: the Python class of a value and the value, cut. */
export function valueInWords(value: Value): string {
  if (value === null || value === undefined) return "None";
  return `${pythonTypeOf(value) ?? pythonClass(value)} ${shortPythonRepr(value, 60)}`;
}

function pythonClass(value: Value): string {
  if (typeof value === "boolean") return "bool";
  if (typeof value === "string") return "str";
  if (typeof value === "bigint" || Number.isInteger(value)) return "int";
  if (typeof value === "number" || value instanceof PythonFloat) return "float";
  if (value instanceof Uint8Array) return "bytes";
  if (isNumberArray(value)) return "memoryview";
  if (value instanceof Tuple) return "tuple";
  if (Array.isArray(value)) return "list";
  if (value instanceof Set) return "set";
  if (value instanceof Date) return "datetime";
  if (value instanceof PythonTemporal) return value.kind;
  return "dict";
}
