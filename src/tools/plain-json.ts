import { isNumberArray, isRecord, PythonFloat, PythonTemporal, ZonedDate, type Value } from "../protocol/index.js";

/** A value that JSON cannot carry. The message goes on after the value's name: `holds …`. */
export class NotJsonError extends Error {
  override readonly name = "NotJsonError";
}

/** What JSON writes for a value of Python: a date as text, a tuple and a set as a list. @throws {NotJsonError} */
export function plainJson(value: Value): unknown {
  if (value === undefined || value === null) return null;
  if (typeof value === "bigint") {
    throw new NotJsonError("holds an integer that JSON cannot carry exactly; send it as text");
  }
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new NotJsonError("holds nan or inf, which JSON does not know");
  }
  if (typeof value !== "object") return value;
  if (value instanceof PythonFloat) return value.value;
  if (value instanceof ZonedDate || value instanceof PythonTemporal) return value.text;
  if (value instanceof Date) return value.toISOString();
  if (isNumberArray(value)) return Array.from<Value>(value).map(plainJson);
  if (Array.isArray(value) || value instanceof Set) return Array.from(value as Iterable<Value>, plainJson);
  if (isRecord(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plainJson(item)]));
  throw new NotJsonError("holds bytes or a dict with keys that are no text, which JSON does not know");
}
