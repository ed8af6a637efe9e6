/** What to return in the place of an object whose data cannot be seen from outside. By the tag of its class. */
const INSTEAD: Readonly<Record<string, string>> = {
  Response: "`await response.json()` or `await response.text()`",
  Request: "its `url`",
  Headers: "`Object.fromEntries(headers)`",
  URL: "its `href`",
  URLSearchParams: "its text, `String(parameters)`",
  FormData: "`Object.fromEntries(form)`",
  Blob: "its bytes, `await blob.bytes()`",
  File: "its bytes, `await file.bytes()`",
  Promise: "what it resolves with",
  RegExp: "its `source`",
  Error: "its `message`, or throw it",
};

/**
 * Why an object is no data, although it has no method to say so: an instance of a class of the page, which would arrive
 * as an empty dict. Undefined for plain objects, and for instances that carry fields of their own.
 */
export function whyNoData(value: object): string | undefined {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null || Array.isArray(value)) return undefined;
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  if (tag === "Map" || tag === "Set" || ArrayBuffer.isView(value)) return undefined;
  if (tag === "Object" && Object.keys(value).length > 0) return undefined;
  const name = tag === "Object" ? value.constructor.name : tag;
  const instead = INSTEAD[tag] ?? ("nodeType" in value ? "its `textContent` or `outerHTML`" : "a plain object");
  return `it is a ${name}, which has no counterpart in Python; pass ${instead}`;
}
