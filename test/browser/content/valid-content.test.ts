import { zlibSync } from "fflate";
import { describe, expect, test } from "vitest";

import { validateContent, type ContentFacts } from "../../../src/content/index.js";
import { fixture, png, pngEnd, pngHeader, workbookParts, zip } from "./files.js";

const texts: readonly { format: string; text: string; facts: ContentFacts }[] = [
  { format: "text", text: "one\ntwo\n", facts: { format: "text", lines: 2, characters: 8 } },
  {
    format: "markdown",
    text: "# Title\n\nSee [this](https://example.org/).\n\n```python\nx = 1\n```\n",
    facts: { format: "markdown", lines: 7, headings: 1, links: 1, codeBlocks: 1 },
  },
  {
    format: "json",
    text: '{"a": [1, {"b": null}], "c": "]\\"]"}',
    facts: { format: "json", type: "object", length: 2, depth: 3 },
  },
  { format: "json", text: "-1.5e3\n", facts: { format: "json", type: "number", length: null, depth: 0 } },
  {
    format: "url",
    text: "https://example.org/a?b=c\n",
    facts: { format: "url", scheme: "https", host: "example.org" },
  },
  {
    format: "xml",
    text: '<?xml version="1.0"?><a:list xmlns:a="urn:a"><a:item n="1"/><a:item>&lt;</a:item></a:list>',
    facts: { format: "xml", root: "a:list", elements: 3, depth: 2 },
  },
  {
    format: "yaml",
    text: "base: &base {a: 1}\nother:\n  <<: *base\n  b: [1, 2]\n---\n- second\n",
    facts: { format: "yaml", documents: 2, type: "map" },
  },
  {
    format: "mermaid",
    text: "%% note\nflowchart TD\n  A --> B\n",
    facts: { format: "mermaid", diagram: "flowchart", lines: 3 },
  },
  {
    format: "html",
    text: "<!doctype html><title>News</title><body onload=x()><p>a<template><b>c</b></template><script>1</script></body>",
    facts: { format: "html", title: "News", elements: 6, scripts: 2 },
  },
  {
    format: "html",
    text: "<p>only a <b>part</b> of a page</p>",
    facts: { format: "html", title: null, elements: 2, scripts: 0 },
  },
  {
    format: "csv",
    text: 'name,note\na,"one, ""two"""\nb,"line\nbreak"\n',
    facts: { format: "csv", rows: 2, columns: 2, delimiter: ",", header: ["name", "note"] },
  },
  {
    format: "csv",
    text: "a\tb\n1\t2\n",
    facts: { format: "csv", rows: 1, columns: 2, delimiter: "\t", header: ["a", "b"] },
  },
  {
    format: "svg",
    text: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20" height="10px"><g><circle r="3"/></g></svg>',
    facts: { format: "svg", width: 40, height: 10, elements: 3, scripts: 0 },
  },
  {
    format: "toml",
    text: '# note\ntitle = "a"\nbig = 9223372036854775807\nday = 1979-05-27\n[tool.lint]\nselect = ["E", "W"]\n[[file]]\na.b = 1\n',
    facts: { format: "toml", keys: 5, depth: 4 },
  },
  {
    format: "css",
    text: '@charset "utf-8";\n:root { --gap: 2px }\n@media (width > 40em) {\n  nav { & a:not(.x) { color: red; } }\n}\na::after { content: "}" }\n',
    facts: { format: "css", rules: 4, declarations: 3, atRules: 2 },
  },
];

describe("texts that are what they are said to be", () => {
  test.each(texts)("$format: $text", async ({ format, text, facts }) => {
    const checked = format === "text" || format === "mermaid" ? "text" : "content";
    const size = new TextEncoder().encode(text).length;

    expect(await validateContent({ text, format })).toEqual({ kind: "valid", format, size, checked, facts });
    expect(await validateContent({ bytes: new TextEncoder().encode(text), format })).toMatchObject({
      kind: "valid",
      facts,
    });
  });
});

const files: readonly { name: string; facts: ContentFacts }[] = [
  { name: "grey.png", facts: { format: "png", width: 37, height: 21, bitDepth: 8, animated: false } },
  { name: "rgba.png", facts: { format: "png", width: 37, height: 21, bitDepth: 8, animated: false } },
  { name: "palette.png", facts: { format: "png", width: 37, height: 21, bitDepth: 8, animated: false } },
  { name: "one-bit.png", facts: { format: "png", width: 37, height: 21, bitDepth: 1, animated: false } },
  { name: "reportlab.pdf", facts: { format: "pdf", version: "1.3", pages: 3 } },
  { name: "object-streams.pdf", facts: { format: "pdf", version: "1.5", pages: 3 } },
  { name: "linearized.pdf", facts: { format: "pdf", version: "1.3", pages: 3 } },
  { name: "fpdf2.pdf", facts: { format: "pdf", version: "1.3", pages: 1 } },
  { name: "xlsxwriter.xlsx", facts: { format: "xlsx", sheets: [{ name: "Umsätze", rows: 3, cells: 6 }] } },
  {
    name: "zipfile.zip",
    facts: {
      ...{ format: "zip", entries: 4, expandedBytes: 1833 },
      names: ["folder/", "folder/größe.txt", "plain.txt", "wide.txt"],
    },
  },
];

describe("files that other programs made", () => {
  test.each(files)("$name", async ({ name, facts }) => {
    const bytes = await fixture(name);

    const report = await validateContent({ bytes, filename: name });

    expect(report).toEqual({ kind: "valid", format: facts.format, size: bytes.length, checked: "content", facts });
  });

  test("an empty sheet of openpyxl's is a warning beside what is in the others", async () => {
    const report = await validateContent({ bytes: await fixture("openpyxl.xlsx"), filename: "prices.xlsx" });

    expect(report).toMatchObject({
      kind: "warning",
      facts: {
        sheets: [
          { name: "Prices", rows: 3, cells: 6 },
          { name: "Notes", rows: 0, cells: 0 },
        ],
      },
      warnings: [{ code: "empty_sheet", message: expect.stringContaining("Notes") }],
    });
  });

  test("an image that the browser made", async () => {
    const canvas = new OffscreenCanvas(300, 200);
    canvas.getContext("2d")!.fillText("hello", 10, 50);
    const blob = await canvas.convertToBlob({ type: "image/png" });

    const report = await validateContent({ bytes: new Uint8Array(await blob.arrayBuffer()), mime: "image/png" });

    expect(report).toMatchObject({ kind: "valid", facts: { width: 300, height: 200 } });
  });

  test("an interlaced image is read pass by pass", async () => {
    // Eight by eight bytes in seven passes of 1, 1, 1, 2, 2, 4 and 4 rows, each row with a byte before it.
    const interlaced = (bytes: number): Uint8Array =>
      png(pngHeader(8, 8, [8, 0, 0, 0, 1]), { type: "IDAT", data: zlibSync(new Uint8Array(bytes)) }, pngEnd);

    expect(await validateContent({ bytes: interlaced(79), format: "png" })).toMatchObject({ kind: "valid" });
    expect(await validateContent({ bytes: interlaced(78), format: "png" })).toMatchObject({ code: "png_open_failed" });
  });

  test("a workbook by its parts, with names of parts from the root and from their folder", async () => {
    const report = await validateContent({ bytes: zip(workbookParts), format: "xlsx" });

    expect(report).toMatchObject({ kind: "valid", facts: { sheets: [{ name: "One", rows: 1, cells: 2 }] } });
  });

  test("of JPEG, GIF and WebP nothing but the beginning is looked at, and the report says so", async () => {
    for (const name of ["photo.jpg", "drawing.gif", "picture.webp"]) {
      expect(await validateContent({ bytes: await fixture(name), filename: name })).toMatchObject({
        ...{ kind: "valid", checked: "signature" },
      });
    }
  });

  test("of a format that nobody knows only the size is looked at, and the report says so", async () => {
    const report = await validateContent({
      bytes: Uint8Array.of(1, 2, 3),
      filename: "data.xyz",
      mime: "application/x-own",
    });

    expect(report).toEqual({
      kind: "valid",
      format: "unknown",
      size: 3,
      checked: "size",
      facts: { format: "unknown" },
    });
  });
});
