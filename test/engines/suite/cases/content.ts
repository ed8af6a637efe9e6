import { zlibSync } from "fflate";

import { validateContent, type ContentReport, type ContentSource } from "../../../../src/index.js";
import { catalog, fixture, pdf, png, pngEnd, pngHeader, workbookParts, zip } from "../../../browser/content/files.js";
import { differ, type PageCase } from "../engine-case.js";

/** What is looked at, and what becomes of it: a kind, or the code and the line of what is wrong. */
type Expected = readonly [what: string, source: ContentSource, outcome: string];

const texts: readonly Expected[] = [
  ["JSON", { text: '{"a": [1]}', format: "json" }, "valid"],
  ["broken JSON", { text: '{\n"a": NaN}', format: "json" }, "json_parse_failed 2"],
  ["YAML", { text: "a: &x {b: 1}\nc: *x\n", format: "yaml" }, "valid"],
  ["broken YAML", { text: "a:\n  b: 1\n c: 2\n", format: "yaml" }, "yaml_parse_failed 3"],
  ["CSV", { text: 'a,b\n1,"x\ny"\n', format: "csv" }, "valid"],
  ["broken CSV", { text: 'a,b\n1,"x\n', format: "csv" }, "csv_parse_failed 2"],
  ["ragged CSV", { text: "a,b\n1\n", format: "csv" }, "warning"],
  ["HTML", { text: "<!doctype html><title>a</title><p>b", format: "html" }, "valid"],
  ["broken HTML", { text: "<p>\n<a href=", format: "html" }, "html_parse_failed 2"],
  ["XML", { text: "<a><b/></a>", format: "xml" }, "valid"],
  ["broken XML", { text: "<a>\n</b>", format: "xml" }, "xml_parse_failed 2"],
  ["SVG", { text: '<svg xmlns="http://www.w3.org/2000/svg"/>', format: "svg" }, "valid"],
  ["Markdown", { text: "# a\n", format: "markdown" }, "valid"],
  ["an address", { text: "https://example.org/", format: "url" }, "valid"],
  ["no UTF-8", { bytes: Uint8Array.of(97, 10, 255), format: "text" }, "not_text 2"],
];

const files = [
  ...["grey.png", "rgba.png", "palette.png", "one-bit.png", "reportlab.pdf", "object-streams.pdf", "linearized.pdf"],
  ...["fpdf2.pdf", "xlsxwriter.xlsx", "zipfile.zip"],
];

const hostiles: readonly Expected[] = [
  ["a zip bomb", { bytes: zip({ a: new Uint8Array(60e6) }), format: "zip" }, "expands_too_much"],
  ["an entity", { text: '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', format: "xml" }, "definition_refused 1"],
  ["an alias of itself", { text: "a: &a\n  b: *a\n", format: "yaml" }, "yaml_parse_failed 2"],
  ["brackets", { text: "[".repeat(1_000_000), format: "json" }, "nested_too_deep 1"],
  ["brackets deeper than a stack", { text: "[".repeat(100_000), format: "yaml" }, "nested_too_deep"],
  ["a PDF of brackets", { bytes: pdf(catalog, "[".repeat(200_000)), format: "pdf" }, "pdf_open_failed"],
  [
    "an image that claims a gigabyte",
    {
      bytes: png(pngHeader(32_000, 32_000), { type: "IDAT", data: zlibSync(new Uint8Array(9)) }, pngEnd),
      format: "png",
    },
    "expands_too_much",
  ],
];

/** Minutes of work for a parser. */
const endless = { text: "<a><b><i><u><p>".repeat(3_000_000), format: "html" };

/** The validation of content: its parsers, and the worker that is ended. */
export const contentCases: readonly PageCase[] = [
  {
    id: "content-1",
    title: "texts, and files that other programs made, are what they are said to be, or not, with the line",
    run: async () => {
      const made = files.map(async (name): Promise<Expected> => {
        return [name, { bytes: await fixture(name), filename: name }, "valid"];
      });
      const built: Expected = ["a workbook", { bytes: zip(workbookParts), format: "xlsx" }, "valid"];
      return differences([...texts, ...(await Promise.all(made)), built]);
    },
  },
  {
    id: "content-2",
    title: "content that means harm is refused, and what does not end is killed at its deadline; the next one works",
    run: async () => {
      const refused = await differences(hostiles);
      const late = await validateContent(endless, { limits: { time: 500 } });
      const next = await validateContent({ text: "{}", format: "json" });
      return [
        ...refused,
        ...differ("what does not end", outcome(late), "validation_timeout"),
        ...differ("the next", outcome(next), "valid"),
      ];
    },
  },
];

async function differences(all: readonly Expected[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [what, source, expected] of all) {
    const report = await validateContent(source);
    found.push(...differ(what, outcome(report), expected));
  }
  return found;
}

function outcome(report: ContentReport): string {
  if (report.kind !== "invalid") return report.kind;
  return report.line === undefined ? report.code : `${report.code} ${String(report.line)}`;
}
