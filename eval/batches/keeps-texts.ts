import type { DocumentCheck } from "./batch.js";

/** Passes where every one of these texts is still in the file, to the letter, once. */
export function keepsTexts(texts: readonly string[]): DocumentCheck {
  return (found) => {
    const lost = texts.filter((text) => found.split(text).length !== 2);
    const names = lost.map((text) => JSON.stringify(text.split("\n")[0]));
    return lost.length === 0 ? null : `it does not keep ${names.join(", ")}`;
  };
}
