import { isMarkdown, languageOf } from "./languages.js";

/** The text of a failed generation: some models send it, and so did an earlier tool of this kind. */
const ERROR_TEXT =
  /^(?:#|\/\/|--|\/\*|<!--)\s*(?:error: |error generating code|code generation failed|failed to generate)/i;
/** In a document it may be a title. */
const ERROR_DOCUMENT =
  /^#\s*(?:error: code generation failed|error generating code for|failed to generate code for|code generation failed for)/i;
const ERROR_COMMENT = /^#\s*error\b/i;

const COMMENT = /^(?:#|\/\/|--|;|\/\*|\*|<!--|"""|''')/;
/** A comment in the place of code. */
const TO_DO =
  /your (?:code|logic|implementation) (?:goes )?here|(?:code|implementation|logic) goes here|(?:rest|remainder) of (?:the |your )?(?:code|file|implementation)|\bimplement (?:this|me|here)\b|(?:to be|not yet) implemented|^\W*(?:\.\.\.|…)\W*$/i;
/** In capitals: a file may be about todos. */
const TO_DO_MARK = /\b(?:TODO|FIXME)\b/;
/** A statement in the place of code. */
const STAND_IN =
  /^(?:pass|\.\.\.|return|return (?:None|null|undefined);?|raise NotImplementedError\b.*|throw new Error\(["'`][^"'`]*(?:not|un)[ -]?implemented[^"'`]*["'`]\);?)\s*(?:(?:#|\/\/).*)?$/i;
/** Where a function or a class begins, or ends. */
const HEADER =
  /^(?:(?:export |public |private |protected |static |async |default |abstract )*(?:def|class|function|func|fn|interface|impl|struct)\b.*[:{]\s*(?:(?:#|\/\/).*)?$)/;
const FUNCTION = /^(?:\w+ )*(?:def|function|func|fn)\b/;
/** What is around code, and does nothing itself. */
const AROUND =
  /^(?:import\b|from \S+ import\b|using\b|use\b|#include\b|package\b|export \{|@\w|[)}\]];?,?$|"use strict";?$)/;
/** In such files a body of `...` is all there is to say. */
const DECLARES = /\b(?:Protocol|ABC|abstractmethod|overload|TypedDict)\b/;

/** Lines that are read: a file with more of them does something. */
const MOST_LINES = 400;

/** Whether a text is only a placeholder for the file that was wanted: an error message, or bodies that were left for later. */
export function isPlaceholder(text: string, path: string): boolean {
  const start = text.slice(0, 300).trimStart();
  if (isMarkdown(path)) return ERROR_DOCUMENT.test(start);
  if (ERROR_TEXT.test(start)) return true;
  const lines = text.split("\n", MOST_LINES + 1).map((line) => line.trim().slice(0, 300));
  const written = lines.filter((line) => line !== "");
  if (written.length > MOST_LINES) return false;
  const hasCode = written.some((line) => !COMMENT.test(line));
  if (ERROR_COMMENT.test(start) && !hasCode) return true;
  return (
    !DECLARES.test(text.slice(0, 20_000)) && !path.endsWith(".pyi") && isLeftForLater(withoutStrings(written, path))
  );
}

/** Whether something says that code is missing, and no line is code. */
function isLeftForLater(lines: readonly string[]): boolean {
  let isSaid = false;
  let isInFunction = false;
  let headers = 0;
  let around = 0;
  for (const line of lines) {
    if (HEADER.test(line)) {
      headers += 1;
      isInFunction = FUNCTION.test(line);
    } else if (COMMENT.test(line)) isSaid ||= TO_DO_MARK.test(line) || TO_DO.test(line);
    else if (AROUND.test(line)) around += 1;
    else if (!STAND_IN.test(line)) return false;
    // The body of a class of exceptions is `pass` or `...` for good.
    else isSaid ||= /implemented/i.test(line) || (line.startsWith("...") && (isInFunction || headers === 0));
  }
  // A file that passes on what others have is whole, whatever its comments say.
  return isSaid && (headers > 0 || around === 0);
}

/** Without documentation in strings of Python: what it speaks of is no code. */
function withoutStrings(lines: readonly string[], path: string): readonly string[] {
  if (languageOf(path) !== "python") return lines;
  let open: string | null = null;
  return lines.filter((line) => {
    const quotes: string | undefined = /"""|'''/.exec(line)?.[0];
    if (open === null) {
      if (quotes === undefined || !line.startsWith(quotes)) return true;
      if (!line.includes(quotes, 3)) open = quotes;
      return false;
    }
    if (line.includes(open)) open = null;
    return false;
  });
}
