/**
 * Characters that change the reading direction, are invisible, or look like a space; not the selector that makes a character
 * an emoji.
 */
const UNSEEN =
  /(?! )(?!(?<=\p{Extended_Pictographic})\ufe0f)[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** A text of several lines with all of it to be seen: what a person agrees to is what they read. */
export function visibleText(text: string): string {
  return text.replace(UNSEEN, (character) =>
    character === "\n" || character === "\t" ? character : escaped(character),
  );
}

/** The same in one line. */
export function visibleLine(text: string): string {
  return text.replace(UNSEEN, escaped);
}

// oxlint-disable-next-line no-control-regex -- all that is not ASCII
const OTHER_LETTERS = /[^\x00-\x7f]/gu;

/** Where a name has a character that might be taken for another; -1 where it has none. */
export function firstOtherLetter(name: string): number {
  return name.search(OTHER_LETTERS);
}

/**
 * A name with each character written out that might be taken for another, as the `е` of Cyrillic for the `e` of Latin.
 *
 * @returns undefined where there is none.
 */
export function unambiguousName(name: string): string | undefined {
  const written = name.replace(OTHER_LETTERS, escaped);
  return written === name ? undefined : written;
}

function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
