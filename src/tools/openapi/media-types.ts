import type { HttpBodyEncoding } from "../http/index.js";

/** Of the media types of a body the lowest is sent. */
export function preference(type: string): number {
  if (/^application\/json\s*(?:;|$)/i.test(type)) return 0;
  if (isJsonType(type)) return 1;
  if (/^multipart\/form-data/i.test(type)) return 2;
  if (/^application\/x-www-form-urlencoded/i.test(type)) return 3;
  return 4;
}

/** Undefined: nothing is known of the type but that it is one. */
export function encodingOf(type: string): HttpBodyEncoding | undefined {
  return (["json", "json", "multipart", "form", "raw"] as const)[preference(type)];
}

export function isJsonType(type: string): boolean {
  return /^[^;]*[/+]json\s*(?:;|$)/i.test(type);
}
