/**
 * A value as it may come back from a service that repeats what it was sent: as it is, without the spaces that a header
 * loses at its ends, percent-encoded with large or small digits, as in a form, as in JSON, in HTML, in hexadecimal, and in
 * Base64 of either alphabet, also where more is encoded with it.
 */
export function formsOf(value: string): readonly string[] {
  return [value, value.trim()].flatMap((text) => [
    text,
    ...percentForms(text.toWellFormed()),
    ...jsonForms(text),
    ...htmlForms(text),
    ...hexForms(text),
    ...base64Forms(text),
  ]);
}

function percentForms(text: string): readonly string[] {
  const component = encodeURIComponent(text);
  // RFC 3986 reserves a few more than JavaScript encodes.
  const reserved = component.replace(/[!'()*]/g, (sign) => `%${hexOf(sign.charCodeAt(0)).toUpperCase()}`);
  const form = new URLSearchParams([["", text]]).toString().slice(1);
  return [component, reserved, form].flatMap((encoded) => [
    encoded,
    encoded.replace(/%[0-9A-F]{2}/g, (digits) => digits.toLowerCase()),
  ]);
}

function jsonForms(text: string): readonly string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const ascii = json.replace(/[\u0080-\uffff]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return [json, ascii].flatMap((encoded) => [encoded, encoded.replaceAll("/", "\\/")]);
}

/** What stands for a sign in HTML, by the ways in which libraries write quotes. */
const ENTITIES = [
  { "&": "&amp;", "<": "&lt;", ">": "&gt;" },
  { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" },
  { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" },
  { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" },
  { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&#34;", "'": "&#39;" },
].map((entities) => new Map(Object.entries(entities)));

function htmlForms(text: string): readonly string[] {
  return ENTITIES.map((entities) => text.replace(/[&<>"']/g, (sign) => entities.get(sign) ?? sign));
}

function hexForms(text: string): readonly string[] {
  const hex = [...new TextEncoder().encode(text)].map(hexOf).join("");
  return [hex, hex.toUpperCase()];
}

function hexOf(byte: number): string {
  return byte.toString(16).padStart(2, "0");
}

/**
 * The whole, and what of it does not depend on what is encoded before and after it: three ways, by where in a group of
 * three bytes the text begins.
 */
function base64Forms(text: string): readonly string[] {
  const bytes = new TextEncoder().encode(text);
  const inside = [0, 1, 2].map((before) => {
    const padded = new Uint8Array(before + bytes.length);
    padded.set(bytes, before);
    const firstOwn = Math.ceil((before * 8) / 6);
    const pastOwn = Math.floor((padded.length * 8) / 6);
    return base64Of(padded).slice(firstOwn, pastOwn);
  });
  const whole = base64Of(bytes);
  return [whole, whole.replace(/=+$/, ""), ...inside].flatMap((encoded) => [
    encoded,
    encoded.replaceAll("+", "-").replaceAll("/", "_"),
  ]);
}

function base64Of(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}
