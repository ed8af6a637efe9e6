/** A piece of a site's texts, small enough to be shown to a model. */
export interface Passage {
  readonly title: string;
  /** Absolute, perhaps with the part of a page behind its `#`. */
  readonly url: string;
  /** As it is shown. Empty where nothing but the address is known. */
  readonly text: string;
  /** What it is found by beside its title and text. */
  readonly words?: string;
}

/** A page that a text of the site names, and that does not lie in it. */
export interface LinkedPage {
  readonly title: string;
  /** Absolute, without the part behind a `#`. */
  readonly url: string;
}

/** What a text of the site came to. */
export interface ReadText {
  readonly passages: readonly Passage[];
  readonly links: readonly LinkedPage[];
}

/** Characters of a passage. */
export const LONGEST_PASSAGE = 1500;

/** Characters of a title. */
export const LONGEST_TITLE = 200;

/** Passages, and links, of all texts together. */
export const MOST_PASSAGES = 50_000;

/** An address of the web in full. Null for what is none. */
export function absolute(target: string, base: string): string | null {
  if (!URL.canParse(target, base)) return null;
  const { protocol, href } = new URL(target, base);
  return /^https?:$/.test(protocol) ? href : null;
}

/** The same as it is compared: without the part of a page. */
export function addressOf(target: string, base: string): string | null {
  const href = absolute(target, base);
  return href === null ? null : withoutPart(href);
}

/** An address without the part of a page. */
export function withoutPart(href: string): string {
  const hash = href.indexOf("#");
  return hash < 0 ? href : href.slice(0, hash);
}

/** A text in pieces of at most {@link LONGEST_PASSAGE} characters, at the ends of paragraphs or lines where there are some. */
export function* pieces(text: string): Iterable<string> {
  let at = 0;
  while (at < text.length) {
    const end = at + LONGEST_PASSAGE;
    const next = end >= text.length ? text.length : placeToCut(text, at, end);
    const piece = text.slice(at, next).trim();
    if (piece !== "") yield piece;
    at = next;
  }
}

function placeToCut(text: string, from: number, to: number): number {
  for (const mark of ["\n\n", "\n", ". ", " "]) {
    const found = text.slice(from, to).lastIndexOf(mark);
    if (found > LONGEST_PASSAGE / 2) return from + found + mark.length;
  }
  // A character of two units stays whole.
  return /[\uD800-\uDBFF]/.test(text.charAt(to - 1)) ? to - 1 : to;
}
