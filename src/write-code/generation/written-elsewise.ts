import { languageOf } from "./languages.js";

/** Lines of a text that are looked at. */
const MOST_LINES = 60;
/** Lines that must speak for another language, with none for the right one. */
const ENOUGH = 2;

const PYTHON =
  /^(?:(?:async )?def \w+\(.*:\s*(?:#.*)?$|class \w+(?:\([^)]*\))?:\s*$|from [\w.]+ import |import \w+(?:\.\w+)*\s*$|if __name__ == )/;
const SCRIPT =
  /^(?:import .+ from ["']|import ["']|export (?:default|const|function|class|type|interface|\{)|(?:const|let|var) [\w{[].* = |(?:async )?function \w*\(.*\{|interface \w+ \{)/;
const COMPILED =
  /^(?:#include\s*[<"]|package \w[\w.]*;?\s*$|public (?:final |abstract )?class |using namespace |use \w+::|fn \w+.*\{\s*$|func \w+\(.*\{\s*$|import java)/;
const PAGE = /^\s*(?:<!doctype html|<html[\s>])/i;
const MARKUP = /^\s*(?:<!doctype|<html[\s>]|<\?xml|<svg[\s>]|<\?php)/i;

/**
 * Whether a text is plainly of another language than its file, by marks that are cheap to see and hard to mistake. That it is
 * right is not said.
 */
export function isWrittenElsewise(text: string, path: string): boolean {
  const language = languageOf(path);
  switch (language) {
    case "python":
      return MARKUP.test(text) || isRather(text, { own: PYTHON, others: [SCRIPT, COMPILED] });
    case "javascript":
    case "typescript":
    case "jsx":
    case "tsx":
      return MARKUP.test(text) || isRather(text, { own: SCRIPT, others: [PYTHON, COMPILED] });
    case "html":
    case "vue":
    case "svelte":
    case "svg":
    case "xml":
    case "php":
      return !text.includes("<");
    case "json":
      return !/^\s*[{["\-\dtfn/]/.test(text);
    case "markdown":
    case undefined:
      return false;
    default:
      return PAGE.test(text);
  }
}

function isRather(
  text: string,
  { own, others }: { readonly own: RegExp; readonly others: readonly RegExp[] },
): boolean {
  const lines = firstLines(text);
  if (lines.some((line) => own.test(line))) return false;
  return others.some((mark) => lines.filter((line) => mark.test(line)).length >= ENOUGH);
}

function firstLines(text: string): string[] {
  // A line that is longer than any of the marks need not be read to its end.
  return text
    .slice(0, MOST_LINES * 200)
    .split("\n", MOST_LINES)
    .map((line) => line.slice(0, 200));
}
