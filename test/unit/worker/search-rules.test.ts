import { describe, expect, test } from "vitest";

import { IgnoreRules } from "../../../worker/search/ignore-rules.js";
import { hasMatchingLine } from "../../../worker/search/matching-line.js";
import { PatternError, rustPattern } from "../../../worker/search/rust-pattern.js";

function matches(pattern: string, text: string): boolean {
  return hasMatchingLine(new TextEncoder().encode(text), rustPattern(pattern));
}

describe("patterns are ripgrep's", () => {
  test.each([
    ["fn\\s+\\w+\\(", "fn main() {", true],
    ["TODO|FIXME", "# FIXME", true],
    ["^b$", "a\nb\nc", true],
    ["(?i)needle", "NEEDLE", true],
    ["needle", "NEEDLE", false],
    ["(?P<year>\\d{4})-\\d{2}", "on 2026-11", true],
    ["[[:alpha:]_][[:alnum:]_]*:", "  key_1: x", true],
    ["[]a]x", "]x", true],
    ['a\\-b\\_c\\"d', 'a-b_c"d', true],
    ["path/to", "the path/to it", true],
    ["x{2,3}y", "xxy", true],
    ["\\x{41}\\pL", "Ab", true],
    ["\\bword\\b", "a word here", true],
    ["\\<word\\>", "swords", false],
    ["a]b}", "a]b}", true],
    ["\\.py$", "a.py\r\n", true],
  ])("%j in %j: %j", (pattern, text, isThere) => {
    expect(matches(pattern, text)).toBe(isThere);
  });

  test.each(["(unclosed", "[z-a]", "a{2,1}", "*", "[a", "(?=x)", "(?<!x)y", "(a)\\1", "(?x)a", "[[:none:]]"])(
    "%j is none",
    (pattern) => {
      expect(() => rustPattern(pattern)).toThrow(PatternError);
    },
  );
});

describe("lines are looked at alone", () => {
  test.each([
    ["a\\s+b", "a\nb", false],
    ["a[^x]b", "a\nb", false],
    ["a\\W*b", "a\nb a-b", true],
    ["(?s)a.b", "a\nb", false],
    ["^$", "a\n", false],
    ["^$", "a\n\nb", true],
    ["x*", "", false],
    ["\\s$", "a\nb ", true],
  ])("%j in %j: %j", (pattern, text, isThere) => {
    expect(matches(pattern, text)).toBe(isThere);
  });

  test("what holds a zero byte is no text", () => {
    expect(matches("a", "a\0")).toBe(false);
  });
});

describe("which files are searched", () => {
  const ignoreFiles = {
    ".gitignore": "*.log\n/build/\nnode_modules\n!keep.log\n# a comment\ndocs/**/draft?.md\n\\#odd\n[z-a]\n",
    "src/.gitignore": "generated/\n!loud.log\n",
    ".ignore": "!wanted.log\n",
  };
  const takes = (
    path: string,
    { include = null, below = "" }: { include?: string | null; below?: string } = {},
  ): boolean => {
    const rules = new IgnoreRules({ include, below });
    for (const [file, text] of Object.entries(ignoreFiles)) rules.add(file, text);
    return rules.takes(path);
  };

  test.each([
    ["src/a.py", true],
    ["a.log", false],
    ["deep/er/a.log", false],
    ["keep.log", true],
    ["src/loud.log", true],
    ["wanted.log", true],
    ["build/a.py", false],
    ["src/build/a.py", true],
    ["node_modules/x/index.js", false],
    ["src/node_modules/x.js", false],
    ["docs/draft1.md", false],
    ["docs/a/b/draft1.md", false],
    ["docs/draft10.md", true],
    ["src/generated/a.py", false],
    ["generated/a.py", true],
    ["#odd", false],
    [".env", false],
    [".github/ci.yml", false],
  ])("%s: %j", (path, isTaken) => {
    expect(takes(path)).toBe(isTaken);
  });

  test("a glob takes what it fits, also of what is ignored, and with `!` all the others", () => {
    expect(takes("src/a.rs", { include: "*.rs" })).toBe(true);
    expect(takes("src/a.py", { include: "*.rs" })).toBe(false);
    expect(takes("a.log", { include: "*.log" })).toBe(true);
    expect(takes("build/a.log", { include: "*.log" })).toBe(false);
    expect(takes("src/x/a.tsx", { include: "src/**/*.{ts,tsx}" })).toBe(true);
    expect(takes("lib/x/a.tsx", { include: "src/**/*.{ts,tsx}" })).toBe(false);
    expect(takes("src/a.py", { include: "!*.rs" })).toBe(true);
    expect(takes("src/a.rs", { include: "!*.rs" })).toBe(false);
  });

  test("where the search begins is not asked whether it is ignored", () => {
    expect(takes("node_modules/x/index.js", { below: "node_modules" })).toBe(true);
    expect(takes("node_modules/x/a.log", { below: "node_modules" })).toBe(false);
  });
});
