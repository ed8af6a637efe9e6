import type { Slices } from "../../../../protocol/index.js";

/** Elements whose content no reader sees. */
const UNSEEN = new Set(["script", "style", "template", "noscript", "svg", "head", "nav", "iframe", "textarea"]);

/** Elements that do not stand within a line. */
const BLOCKS = new Set(
  "address article aside blockquote br dd details div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header hr li main ol p pre section summary table td th tr ul".split(
    " ",
  ),
);

const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  hellip: "…",
  ndash: "–",
  mdash: "—",
  para: "",
};

/** Characters between a `&` and its `;`. */
const LONGEST_ENTITY = 10;

/**
 * The text of HTML, for a model. It is read by itself and not by the page: no document is made, so that nothing of it can load
 * or run, and each character is looked at once or twice, whatever the markup is.
 *
 * @param slices - lets the page have its turn.
 */
export async function plainText(html: string, slices: Slices): Promise<string> {
  if (!html.includes("<")) return decoded(html);
  const parts: string[] = [];
  let at = 0;
  while (at < html.length) {
    await slices.rest();
    const open = html.indexOf("<", at);
    const end = open < 0 ? html.length : open;
    if (end > at) parts.push(decoded(html.slice(at, end)));
    if (open < 0) break;
    const tag = tagAt(html, open);
    if (tag === null) {
      parts.push("<");
      at = open + 1;
      continue;
    }
    if (BLOCKS.has(tag.name)) parts.push("\n");
    at = tag.isOpening && UNSEEN.has(tag.name) ? endOf(html, tag.name, tag.end) : tag.end;
  }
  return parts
    .join("")
    .split("\n")
    .map((line) => line.replaceAll(/[ \t\r\f\u00A0]+/g, " ").trim())
    .filter((line) => line !== "")
    .join("\n");
}

interface Tag {
  /** In small letters; empty for a comment. */
  readonly name: string;
  readonly isOpening: boolean;
  /** Behind it. */
  readonly end: number;
}

/** Null where the `<` is one of the text. */
function tagAt(html: string, open: number): Tag | null {
  if (html.startsWith("<!--", open)) return { name: "", isOpening: false, end: behind(html, "-->", open + 4) };
  const begin = /^<(\/?)([a-z][a-z\d-]{0,30})/i.exec(html.slice(open, open + 40));
  if (begin === null) {
    return /^<[!?]/.test(html.slice(open, open + 2))
      ? { name: "", isOpening: false, end: behind(html, ">", open) }
      : null;
  }
  const [, slash = "", name = ""] = begin;
  return { name: name.toLowerCase(), isOpening: slash === "", end: behind(html, ">", open) };
}

function behind(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from);
  return found < 0 ? html.length : found + mark.length;
}

/** Behind the end of an element whose content is not looked at. */
function endOf(html: string, name: string, from: number): number {
  const closing = new RegExp(`</${name}(?=[\\s/>])`, "gi");
  closing.lastIndex = from;
  const found = closing.exec(html);
  return found === null ? html.length : behind(html, ">", found.index);
}

function decoded(text: string): string {
  if (!text.includes("&")) return text;
  return text.replaceAll(/&(#?[\da-z]{1,10});/gi, (whole, entity: string) => {
    if (entity.length > LONGEST_ENTITY) return whole;
    if (!entity.startsWith("#")) return NAMED[entity.toLowerCase()] ?? whole;
    const isHex = /^#x/i.test(entity);
    const code = Number.parseInt(entity.slice(isHex ? 2 : 1), isHex ? 16 : 10);
    return code > 31 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : " ";
  });
}
