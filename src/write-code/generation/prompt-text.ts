/**
 * How many tokens a text comes to, by its letters: quick enough for the page's thread, and rather too many than too few. No
 * vocabulary is loaded for it.
 */
export function estimateTokens(text: string): number {
  let others = 0;
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 127) others += 1;
  return Math.ceil((text.length - others) / LETTERS_OF_TOKEN + others);
}

/** Of English and code it is between three and four; of other scripts a letter is a token or two. */
const LETTERS_OF_TOKEN = 3.2;

/** The text, or as much of its beginning and its end as `tokens` come to, with a mark that says how much is missing. */
export function fitText(text: string, tokens: number): { readonly text: string; readonly isCut: boolean } {
  const size = estimateTokens(text);
  if (size <= tokens) return { text, isCut: false };
  // By the share that fits, whatever script it is in.
  const kept = Math.max(0, Math.floor((text.length * Math.max(0, tokens - TOKENS_OF_MARK)) / size));
  const head = Math.ceil(kept * 0.7);
  const tail = text.length - (kept - head);
  return {
    text: `${withoutHalf(text.slice(0, head))}\n[… ${String(text.length - kept)} characters left out …]\n${text.slice(tail).replace(/^[\uDC00-\uDFFF]/, "")}`,
    isCut: true,
  };
}

const TOKENS_OF_MARK = 20;

/** A text as a model may read it: without data in base64 and without lines of endless length. */
export function presentable(text: string): string {
  return withoutBase64(text)
    .split("\n")
    .map((line) =>
      line.length <= LONGEST_LINE
        ? line
        : `${withoutHalf(line.slice(0, LONGEST_LINE))} [… ${String(line.length - LONGEST_LINE)} characters left out]`,
    )
    .join("\n");
}

/** Characters of a line; longer ones are of data, or of code that was packed. */
const LONGEST_LINE = 2000;
/** Characters in a row of the alphabet of base64 that are data and no name. */
const SHORTEST_BASE64 = 200;

/** By hand: a pattern would try a row again from each of its letters. */
function withoutBase64(text: string): string {
  const pieces: string[] = [];
  let copied = 0;
  let start = 0;
  for (let index = 0; index <= text.length; index++) {
    if (index < text.length && isOfBase64(text.charCodeAt(index))) continue;
    if (index - start >= SHORTEST_BASE64) {
      pieces.push(text.slice(copied, start), `[base64 left out: ${String(index - start)} characters]`);
      copied = index;
    }
    start = index + 1;
  }
  return pieces.join("") + text.slice(copied);
}

/** Letters, digits, `+`, `/`, `=`. */
function isOfBase64(code: number): boolean {
  return (
    (code >= 65 && code <= 90) ||
    (code >= 97 && code <= 122) ||
    (code >= 47 && code <= 57) ||
    code === 43 ||
    code === 61
  );
}

/** A text in a fence that nothing in it closes. */
export function fenced(text: string, tag: string): string {
  let longest = 2;
  for (const [row] of text.matchAll(/`+/g)) longest = Math.max(longest, row.length);
  const fence = "`".repeat(longest + 1);
  return `${fence}${tag}\n${text.endsWith("\n") ? text : `${text}\n`}${fence}`;
}

function withoutHalf(text: string): string {
  return /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text;
}
