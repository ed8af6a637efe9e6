import { jsonIn, type Slices } from "../../../../protocol/index.js";
import { SiteTextError } from "../errors.js";
import { indexPassages } from "./index-passages.js";
import { markdownPassages } from "./markdown-passages.js";
import type { ReadText } from "./passage.js";

/** Characters by which it is seen what a text is. */
const BEGINNING = 500;

/**
 * Reads a text that a site gives: what it is, its content tells.
 *
 * @param url - where it came from.
 * @throws {SiteTextError} for what is no text of a form that is known.
 */
export async function readText(content: Uint8Array<ArrayBuffer>, url: string, slices: Slices): Promise<ReadText> {
  const text = decoded(content, url);
  const beginning = text.slice(0, BEGINNING).trimStart();
  if (beginning === "" && text.trim() === "") throw new SiteTextError(url, "it is empty");
  if (isWebPage(beginning)) {
    throw new SiteTextError(url, "it is a web page; what is wanted is an llms.txt, a text, or a search index in JSON");
  }
  if (beginning.startsWith("Search.setIndex(")) {
    throw new SiteTextError(
      url,
      "it is the index of Sphinx, a script without texts; name an llms.txt of the site instead",
    );
  }
  const path = new URL(url).pathname.toLowerCase();
  if (/\.[cm]?js$/.test(path)) {
    throw new SiteTextError(url, "it is a script; what is wanted is an llms.txt, a text, or a search index in JSON");
  }
  if (path.endsWith(".json") || /^[[{]/.test(beginning)) {
    const value = jsonIn(text);
    if (value !== undefined) return indexPassages(value, url, slices);
    if (path.endsWith(".json")) throw new SiteTextError(url, "it is called .json and is no JSON");
  }
  const read = await markdownPassages(text, url, slices);
  if (read.passages.length > 0) return read;
  throw new SiteTextError(url, "there is nothing in it to be found but headings");
}

/** @throws {SiteTextError} */
export function decoded(content: Uint8Array<ArrayBuffer>, url: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(content);
  } catch (error) {
    throw new SiteTextError(url, "it is not UTF-8 text", { cause: error });
  }
}

export function isWebPage(beginning: string): boolean {
  return /^(?:<\?xml[^>]{0,200}>\s*)?(?:<!doctype\s+html|<html)\b/i.test(beginning);
}
