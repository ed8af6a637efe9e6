import { zlibSync } from "fflate";
import { describe, expect, test } from "vitest";

import { validateContent, type ContentSource } from "../../../src/content/index.js";
import {
  catalog,
  find,
  fixture,
  joined,
  latin1,
  patched,
  pdf,
  png,
  pngEnd,
  pngHeader,
  workbookParts,
  zip,
} from "./files.js";

interface BrokenText {
  readonly what: string;
  readonly format: string;
  readonly text: string;
  readonly code: string;
  readonly says?: RegExp;
  readonly line?: number;
  readonly column?: number;
}

const texts: readonly BrokenText[] = [
  {
    ...{ what: "a value that is not JSON (G43)", format: "json", text: '{\n  "a": 1,\n  "b": oops\n}' },
    ...{ code: "json_parse_failed", line: 3, column: 8 },
  },
  {
    what: "prose for JSON (G43)",
    format: "json",
    text: "Here is your JSON:",
    code: "json_parse_failed",
    line: 1,
    column: 1,
  },
  {
    ...{ what: "Python's NaN", format: "json", text: '{"a": NaN}', code: "json_parse_failed" },
    ...{ says: /no number of JSON/, line: 1 },
  },
  { what: "Python's repr", format: "json", text: "{'a': 1}", code: "json_parse_failed", says: /double quotes/ },
  { what: "Python's None", format: "json", text: "[1, None]", code: "json_parse_failed", says: /JSON has null/ },
  { what: "a comma too many", format: "json", text: "[1, 2,\n]", code: "json_parse_failed", says: /comma/, line: 2 },
  { what: "fenced JSON", format: "json", text: "```json\n{}\n```", code: "json_parse_failed", says: /fence/, line: 1 },
  {
    ...{ what: "a mistake in much JSON", format: "json", text: `[${"1,\n".repeat(400_000)}x]` },
    ...{ code: "json_parse_failed", line: 400_001 },
  },
  { what: "JSON that is cut off", format: "json", text: '{"a": [1, 2', code: "json_parse_failed", line: 1, column: 11 },
  { what: "no address", format: "url", text: "example.org/a", code: "url_parse_failed" },
  { what: "two addresses", format: "url", text: "https://a.example https://b.example", code: "url_parse_failed" },
  {
    ...{ what: "an element that is not closed", format: "xml", text: "<a>\n  <b>\n</a>" },
    ...{ code: "xml_parse_failed", line: 3 },
  },
  { what: "text for XML", format: "xml", text: "no element", code: "xml_parse_failed" },
  { what: "an entity that is not XML's", format: "xml", text: "<a>&nbsp;</a>", code: "xml_parse_failed", line: 1 },
  { what: "a page for a drawing", format: "svg", text: "<html></html>", code: "svg_parse_failed", says: /<html>/ },
  {
    ...{ what: "YAML with wrong indentation", format: "yaml", text: "a:\n  b: 1\n c: 2\n" },
    ...{ code: "yaml_parse_failed", line: 3 },
  },
  {
    what: "an alias of nothing",
    format: "yaml",
    text: "a: *gone\n",
    code: "yaml_parse_failed",
    says: /refers to nothing/,
    line: 1,
  },
  {
    ...{ what: "a table whose quote is not closed", format: "csv", text: 'a,b\n1,"two\n3,4\n' },
    ...{ code: "csv_parse_failed", line: 2 },
  },
  {
    what: "a page that is cut off in a tag",
    format: "html",
    text: "<p>one</p>\n<a href=",
    code: "html_parse_failed",
    line: 2,
  },
  { what: "a page that is cut off in a script", format: "html", text: "<script>let a =", code: "html_parse_failed" },
  { what: "a fenced diagram", format: "mermaid", text: "```mermaid\ngraph TD\n```", code: "mermaid_parse_failed" },
  {
    ...{ what: "a key of TOML that stands there twice", format: "toml", text: "a = 1\nb = 2\na = 3\n" },
    ...{ code: "toml_parse_failed", line: 3 },
  },
  {
    what: "a value of TOML without quotes",
    format: "toml",
    text: "a = 1\nname = web\n",
    code: "toml_parse_failed",
    line: 2,
  },
  { what: "JSON for TOML", format: "toml", text: '{"a": 1}', code: "toml_parse_failed", line: 1 },
  { what: "a text of TOML that is cut off", format: "toml", text: 'a = "on', code: "toml_parse_failed", line: 1 },
  {
    ...{ what: "a block of CSS that is not closed", format: "css", text: "p { color: red }\na {\n  color: red;\n" },
    ...{ code: "css_parse_failed", line: 2, column: 1 },
  },
  { what: "a brace too many in CSS", format: "css", text: "a { color: red }\n}\n", code: "css_parse_failed", line: 2 },
  {
    ...{ what: "a declaration of CSS without a value", format: "css", text: "a {\n  color\n}" },
    ...{ code: "css_parse_failed", line: 2, column: 3, says: /color/ },
  },
  { what: "a string of CSS without an end", format: "css", text: 'a { content: "x }', code: "css_parse_failed" },
  { what: "a comment of CSS without an end", format: "css", text: "/* a {}", code: "css_parse_failed" },
  { what: "prose for CSS", format: "css", text: "Here is your style sheet.", code: "css_parse_failed", line: 1 },
  { what: "fenced CSS", format: "css", text: "```css\na {}\n```", code: "css_parse_failed" },
  { what: "a NUL in a text", format: "text", text: "a\n\0", code: "not_text", line: 2, column: 1 },
];

describe("texts that are broken", () => {
  test.each(texts)("$what: $code", async ({ format, text, code, says, line, column }) => {
    const report = await validateContent({ text, format });

    expect(report).toMatchObject({ kind: "invalid", format, code, ...(line && { line }), ...(column && { column }) });
    expect(report).toMatchObject({ message: expect.stringMatching(new RegExp(`^${code}: \\S`)) });
    if (says !== undefined) expect(report).toMatchObject({ message: expect.stringMatching(says) });
  });
});

interface BrokenFile {
  readonly what: string;
  readonly format: string;
  readonly code: string;
  readonly says?: RegExp;
  readonly bytes: () => Promise<Uint8Array> | Uint8Array;
}

const cut = async (name: string, from: number, to: number): Promise<Uint8Array> =>
  (await fixture(name)).slice(from, to);
const without = (part: string): Uint8Array =>
  zip(Object.fromEntries(Object.entries(workbookParts).filter(([name]) => name !== part)));
const withPart = (part: string, change: (text: string) => string): Uint8Array =>
  zip({ ...workbookParts, [part]: change(workbookParts[part]!) });
const page = "<< /Type /Page /Parent 2 0 R >>";
const idat = (rows: readonly number[]) => ({ type: "IDAT", data: zlibSync(Uint8Array.from(rows)) });

const files: readonly BrokenFile[] = [
  {
    what: "nothing at all (G38)",
    format: "xlsx",
    code: "empty_file",
    says: /^empty_file$/,
    bytes: () => new Uint8Array(),
  },
  { what: "text for a workbook (G38)", format: "xlsx", code: "xlsx_open_failed", bytes: () => latin1("item,price\n") },
  {
    what: "a workbook that is cut off (G38)",
    format: "xlsx",
    code: "xlsx_open_failed",
    bytes: () => cut("openpyxl.xlsx", 0, 3000),
  },
  {
    what: "some other archive for a workbook (G38)",
    format: "xlsx",
    code: "xlsx_open_failed",
    bytes: () => fixture("zipfile.zip"),
  },
  {
    what: "an old workbook",
    format: "xlsx",
    code: "xlsx_open_failed",
    says: /old Office/,
    bytes: () => latin1("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1..."),
  },
  {
    what: "a workbook without its sheet",
    format: "xlsx",
    code: "xlsx_open_failed",
    says: /sheet1\.xml is missing/,
    bytes: () => without("xl/worksheets/sheet1.xml"),
  },
  {
    what: "a workbook that names no main part",
    format: "xlsx",
    code: "xlsx_open_failed",
    bytes: () => without("_rels/.rels"),
  },
  {
    what: "a document for a workbook",
    format: "xlsx",
    code: "xlsx_open_failed",
    says: /<document>/,
    bytes: () => withPart("xl/workbook.xml", () => '<w:document xmlns:w="urn:w"/>'),
  },
  {
    what: "a part that is not well-formed",
    format: "xlsx",
    code: "xlsx_open_failed",
    says: /well-formed/,
    bytes: () => withPart("xl/worksheets/sheet1.xml", (text) => text.slice(0, -8)),
  },
  {
    what: "a cell of a text that is not there",
    format: "xlsx",
    code: "xlsx_open_failed",
    says: /shared text 2/,
    bytes: () => withPart("xl/worksheets/sheet1.xml", (text) => text.replace("<v>0</v>", "<v>2</v>")),
  },
  {
    what: "a workbook with entities",
    format: "xlsx",
    code: "definition_refused",
    bytes: () => withPart("xl/sharedStrings.xml", (text) => `<!DOCTYPE sst>${text}`),
  },
  {
    what: "an archive that is cut off",
    format: "zip",
    code: "zip_open_failed",
    bytes: () => cut("zipfile.zip", 0, 400),
  },
  {
    ...{
      what: "an entry whose bytes changed",
      format: "zip",
      code: "zip_open_failed",
      says: /plain\.txt has a wrong checksum/,
    },
    bytes: async () => {
      const bytes = await fixture("zipfile.zip");
      return patched(bytes, find(bytes, "plain.txtplain") + 9, 88);
    },
  },
  {
    ...{ what: "an entry of two names", format: "zip", code: "zip_open_failed", says: /another name/ },
    bytes: async () => {
      const bytes = await fixture("zipfile.zip");
      return patched(bytes, find(bytes, "plain.txt"), 80);
    },
  },
  { what: "text for a PDF", format: "pdf", code: "pdf_open_failed", bytes: () => latin1("A report.\n") },
  {
    what: "a PDF that is cut off",
    format: "pdf",
    code: "pdf_open_failed",
    says: /end mark/,
    bytes: () => cut("reportlab.pdf", 0, 1200),
  },
  {
    what: "a PDF of nothing but its mark",
    format: "pdf",
    code: "pdf_open_failed",
    bytes: () => latin1("%PDF-1.4\n%%EOF\n"),
  },
  {
    what: "a PDF without pages",
    format: "pdf",
    code: "pdf_open_failed",
    says: /no pages/,
    bytes: () => pdf(catalog, "<< /Type /Pages /Kids [] /Count 0 >>"),
  },
  {
    what: "a PDF that lacks a page",
    format: "pdf",
    code: "pdf_open_failed",
    says: /missing/,
    bytes: () => pdf(catalog, "<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>", page),
  },
  {
    ...{ what: "a PDF whose data is damaged", format: "pdf", code: "pdf_open_failed", says: /object 4 is damaged/ },
    bytes: () => {
      const data = patched(zlibSync(latin1("BT /F1 12 Tf (hello) Tj ET")), 6, 255, 255, 255, 255);
      const stream = joined(
        latin1(`<< /Length ${String(data.length)} /Filter /FlateDecode >>\nstream\n`),
        data,
        latin1("\nendstream"),
      );
      return pdf(
        catalog,
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /Contents 4 0 R >>",
        stream,
      );
    },
  },
  { what: "an encrypted PDF", format: "pdf", code: "encrypted", bytes: () => fixture("encrypted.pdf") },
  { what: "text for an image", format: "png", code: "png_open_failed", bytes: () => latin1("<an image>") },
  {
    what: "an image that is cut off",
    format: "png",
    code: "png_open_failed",
    says: /ends/,
    bytes: () => cut("palette.png", 0, 880),
  },
  {
    what: "an image whose bytes changed",
    format: "png",
    code: "png_open_failed",
    says: /checksum/,
    bytes: async () => patched(await fixture("grey.png"), 50, 1),
  },
  {
    what: "an image without its last rows",
    format: "png",
    code: "png_open_failed",
    says: /less image data/,
    bytes: () => png(pngHeader(1, 3), idat([0, 1, 0, 2]), pngEnd),
  },
  {
    what: "an image with rows too many",
    format: "png",
    code: "png_open_failed",
    says: /more image data/,
    bytes: () => png(pngHeader(1, 1), idat([0, 1, 0, 2]), pngEnd),
  },
  {
    what: "an image with no data",
    format: "png",
    code: "png_open_failed",
    says: /no image data/,
    bytes: () => png(pngHeader(1, 1), pngEnd),
  },
  {
    what: "an image without its palette",
    format: "png",
    code: "png_open_failed",
    says: /palette/,
    bytes: () => png(pngHeader(1, 1, [8, 3, 0, 0, 0]), idat([0, 1]), pngEnd),
  },
  {
    what: "an image of no size",
    format: "png",
    code: "png_open_failed",
    says: /size/,
    bytes: () => png(pngHeader(0, 1), pngEnd),
  },
  {
    what: "bytes that are no text",
    format: "csv",
    code: "not_text",
    says: /UTF-8/,
    bytes: () => latin1("a,b\n1,\xff\n"),
  },
  { what: "UTF-16", format: "json", code: "not_text", says: /UTF-16/, bytes: () => latin1("\xff\xfe{\0}\0") },
  {
    what: "a PNG image for a JPEG",
    format: "jpeg",
    code: "signature_mismatch",
    says: /a PNG image/,
    bytes: () => fixture("grey.png"),
  },
  {
    what: "a PDF for an image",
    format: "png",
    code: "signature_mismatch",
    says: /a PDF document/,
    bytes: () => fixture("fpdf2.pdf"),
  },
  {
    what: "a workbook for a table",
    format: "csv",
    code: "signature_mismatch",
    says: /a ZIP archive/,
    bytes: () => fixture("openpyxl.xlsx"),
  },
];

describe("files that are broken", () => {
  test.each(files)("$what: $code", async ({ format, code, says, bytes }) => {
    const report = await validateContent({ bytes: await bytes(), format });

    expect(report).toMatchObject({
      kind: "invalid",
      format,
      code,
      message: expect.stringMatching(new RegExp(`^${code}`)),
    });
    if (says !== undefined) expect(report).toMatchObject({ message: expect.stringMatching(says) });
  });
});

interface Odd {
  readonly what: string;
  readonly source: ContentSource;
  readonly codes: readonly string[];
}

const oddities: readonly Odd[] = [
  {
    what: "a byte order mark",
    source: { bytes: latin1("\xef\xbb\xbf{}"), format: "json" },
    codes: ["byte_order_mark"],
  },
  { what: "white space alone", source: { text: " \n", format: "markdown" }, codes: ["blank"] },
  { what: "rows of another length", source: { text: "a,b\n1,2\n3\n4,5,6\n", format: "csv" }, codes: ["ragged_rows"] },
  { what: "two columns of one name", source: { text: "a,a\n1,2\n", format: "csv" }, codes: ["repeated_column"] },
  { what: "a key twice", source: { text: "a: 1\nb: 2\na: 3\n", format: "yaml" }, codes: ["repeated_key"] },
  {
    what: "a tag that nobody knows",
    source: { text: "a: !!python/object:x.Y {}\n", format: "yaml" },
    codes: ["unknown_tag"],
  },
  { what: "a fence left open", source: { text: "# A\n```\ncode\n", format: "markdown" }, codes: ["unclosed_fence"] },
  { what: "prose for a diagram", source: { text: "Here it is\n", format: "mermaid" }, codes: ["unknown_diagram"] },
  { what: "text for a page", source: { text: "only words", format: "html" }, codes: ["no_markup"] },
  { what: "an attribute twice", source: { text: "<p id=a id=b>c</p>", format: "html" }, codes: ["markup_errors"] },
  {
    what: "a drawing without its namespace",
    source: { text: "<svg><g/></svg>", format: "svg" },
    codes: ["namespace_missing"],
  },
  {
    what: "a drawing that runs and loads",
    source: {
      text: '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd"><svg xmlns="http://www.w3.org/2000/svg" onload="x()"><image href="https://a.example/b.png"/></svg>',
      format: "svg",
    },
    codes: ["doctype", "script_inside", "external_reference"],
  },
  {
    what: "bytes after the end of an image",
    source: { bytes: joined(png(pngHeader(1, 1), idat([0, 1]), pngEnd), latin1("more")), format: "png" },
    codes: ["data_after_end"],
  },
  {
    what: "a PDF with a wrong table of objects and a wrong number of pages",
    source: {
      bytes: joined(pdf(catalog, "<< /Type /Pages /Kids [3 0 R] /Count 5 >>", page), latin1("\nstartxref\n1\n%%EOF\n")),
      mime: "application/pdf",
    },
    codes: ["damaged_index", "damaged_index"],
  },
  {
    what: "an archive inside of one",
    source: { bytes: zip({ "a.zip": zip({ b: "c" }) }), format: "zip" },
    codes: ["unchecked_part"],
  },
  {
    what: "a name that ends like something else",
    source: { text: "{}", format: "json", filename: "report.pdf" },
    codes: ["ending_mismatch"],
  },
  {
    what: "a MIME type of something else",
    source: { text: "{}", format: "json", mime: "application/pdf" },
    codes: ["mime_mismatch"],
  },
];

describe("content that can be read, and is odd", () => {
  test.each(oddities)("$what", async ({ source, codes }) => {
    const report = await validateContent(source);

    expect(report).toMatchObject({ kind: "warning", warnings: codes.map((code) => ({ code })) });
  });

  test("text in an encoding that XML names itself is read in it", async () => {
    const bytes = latin1('<?xml version="1.0" encoding="ISO-8859-1"?><gr\xf6\xdfe/>');

    expect(await validateContent({ bytes, format: "xml" })).toMatchObject({ kind: "valid", facts: { root: "größe" } });
  });
});
