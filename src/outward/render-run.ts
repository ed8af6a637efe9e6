import { shorten } from "../protocol/index.js";
import type { RunResult } from "../session/index.js";

/** Characters of a text that a foreign program is given, if it is not told otherwise. */
export const MAX_TEXT = 30_000;

/**
 * The result of a run as text, as py-code-mode's server writes it: the value or the error, then what was printed.
 * What the person should know of it comes last.
 */
export function renderRun(run: RunResult, maxLength = MAX_TEXT): string {
  const parts = [valueText(run)];
  if (run.stdout !== "") parts.push(`Stdout:\n${run.stdout}`);
  if (run.stderr !== "") parts.push(`Stderr:\n${run.stderr}`);
  for (const notice of run.notices) parts.push(`Note: ${notice}`);
  const text = parts.filter((part) => part !== "").join("\n\n");
  return text === "" ? "(no output)" : shortenResult(text, maxLength);
}

/** `str()` of the value: a text as it is, of anything else what Python shows of it. */
function valueText({ error, value, valueRepr }: RunResult): string {
  if (error !== null) return `Error: ${String(error).trimEnd()}`;
  return typeof value === "string" ? value : (valueRepr ?? "");
}

export function shortenResult(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const left = (text.length - maxLength).toLocaleString("en-US");
  return shorten(text, maxLength, `\n… [${left} more characters: print less, or save it as an artifact]`);
}

/** Pictures of one run that a foreign program is given, and bytes of one. */
const MOST_PICTURES = 4;
export const LARGEST_PICTURE = 4_000_000;

/** The first pictures that a run has shown; what is too large or no picture is left out. */
export function imagesOf(
  outputs: readonly { readonly data: Readonly<Record<string, string | Uint8Array>> }[],
): { readonly mimeType: string; readonly data: string }[] {
  const images: { readonly mimeType: string; readonly data: string }[] = [];
  for (const { data } of outputs) {
    const image = data["image/png"];
    const text = image === undefined ? null : base64(image);
    if (text !== null) images.push({ mimeType: "image/png", data: text });
    if (images.length === MOST_PICTURES) break;
  }
  return images;
}

function base64(image: string | Uint8Array): string | null {
  if (image.length > (typeof image === "string" ? LARGEST_PICTURE * 1.4 : LARGEST_PICTURE)) return null;
  if (typeof image !== "string") return btoa(Array.from(image, (byte) => String.fromCharCode(byte)).join(""));
  const text = image.replace(/\s+/g, "");
  try {
    atob(text);
    return text;
  } catch {
    return null;
  }
}
