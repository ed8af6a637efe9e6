import { describe, expect, test } from "vitest";

import { markdownPieces } from "../../../src/ui/drawing/markdown-pieces.js";

const paragraph = `${"word ".repeat(100).trim()}\n\n`;

describe("a Markdown text in pieces", () => {
  test("is one piece while it is short", () => {
    expect(markdownPieces("")).toEqual([""]);
    expect(markdownPieces(paragraph.repeat(4))).toEqual([paragraph.repeat(4)]);
  });

  test("is cut between blocks, and nothing is lost", () => {
    const text = paragraph.repeat(100);

    const pieces = markdownPieces(text);

    expect(pieces.length).toBeGreaterThan(10);
    expect(pieces.join("")).toBe(text);
    expect(pieces.every((piece) => piece.endsWith("\n\n"))).toBe(true);
  });

  test.each([
    ["one line", "x".repeat(50_000)],
    ["lines without a blank one", "x\n".repeat(25_000)],
    ["quotes", ">".repeat(50_000)],
    ["fences that never end", "```\n".repeat(10_000)],
    ["indented lines", "    x\n\n".repeat(10_000)],
    ["definitions", "[a]: b\n".repeat(8000)],
    [
      "links of many definitions",
      `${Array.from({ length: 500 }, (_, n) => `[${String(n)}]: ${"x".repeat(90)}\n`).join("")}\n${Array.from({ length: 500 }, (_, n) => `[${String(n)}]`).join("")}`,
    ],
  ])("has no long piece, whatever it holds: %s", (_name, text) => {
    const pieces = markdownPieces(text);

    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(8100);
    expect(pieces.length).toBeLessThanOrEqual(text.length / 1000);
  });

  test("has no piece of many lines, which an engine takes long to lay out", () => {
    const pieces = markdownPieces("- x\n".repeat(5000));

    expect(Math.max(...pieces.map((piece) => piece.split("\n").length))).toBeLessThanOrEqual(501);
    expect(pieces.join("")).toBe("- x\n".repeat(5000));
  });

  test("opens a fence again that it had to cut", () => {
    const text = `\`\`\`python\n${"x = 1\n".repeat(1000)}\`\`\`\n\nafter`;

    const pieces = markdownPieces(text);

    expect(pieces).toHaveLength(3);
    expect(pieces[0]).toMatch(/x = 1\n```\n$/);
    expect(pieces[1]).toMatch(/^```python\nx = 1\n/);
    expect(pieces[1]).toMatch(/x = 1\n```\n\n$/);
    expect(pieces[2]).toBe("after");
  });

  test("repeats the head of a table that it had to cut", () => {
    const head = "| a | b |\n|---|---|\n";

    const pieces = markdownPieces(`${head}${"| some cell | another cell |\n".repeat(300)}`);

    expect(pieces.length).toBeGreaterThan(2);
    expect(pieces.every((piece) => piece.startsWith(head))).toBe(true);
  });

  test("takes code between backticks in a line for no fence", () => {
    const text = `\`\`\`pip install x\`\`\` installs it.\n\n${paragraph.repeat(10)}`;

    expect(markdownPieces(text).join("")).toBe(text);
  });

  test("is not cut inside a fence at a blank line, nor at a mark that does not close it", () => {
    const code = `~~~\nx = 1\n\ny = 2\n\n\`\`\`\n\n${"z = 3\n\n".repeat(400)}~~~\n\n`;

    expect(markdownPieces(`${code}${paragraph.repeat(3)}`)[0]).toBe(code);
  });

  test("gives each piece the link definitions that it uses", () => {
    const text = `see [the docs][docs]\n\n${paragraph.repeat(20)}[docs]: https://docs.example/\n[other]: https://other.example/\n`;

    const [first] = markdownPieces(text);

    expect(first).toMatch(/\n\n\[docs\]: https:\/\/docs\.example\/$/);
    expect(first).not.toContain("other.example");
  });

  test("does not cut a character of two units", () => {
    const pieces = markdownPieces("😀".repeat(5000));

    expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
  });
});
