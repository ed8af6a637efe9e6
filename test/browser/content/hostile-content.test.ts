import { zlibSync } from "fflate";
import { describe, expect, test } from "vitest";

import { validateContent, type ContentSource, type ValidateContentOptions } from "../../../src/content/index.js";
import { ANSWERS } from "../../timeouts.mjs";
import { catalog, find, joined, latin1, patched, pdf, png, pngEnd, pngHeader, workbookParts, zip } from "./files.js";

interface Hostile {
  readonly what: string;
  readonly code: string;
  readonly limits?: ValidateContentOptions["limits"];
  readonly source: () => ContentSource;
}

const zeros = (megabytes: number): Uint8Array => new Uint8Array(megabytes * 1e6);
const repeat = (text: string, count: number): string => text.repeat(count);

/** Each line stands for nine of the line before it. */
const laughs = [
  "a: &a [lol, lol, lol, lol, lol, lol, lol, lol, lol]",
  ..."bcdefghi".split("").map((name, index) => {
    const before = "abcdefgh"[index]!;
    return `${name}: &${name} [${Array.from({ length: 9 }, () => `*${before}`).join(", ")}]`;
  }),
].join("\n");

const xmlLaughs = `<!DOCTYPE a [<!ENTITY b "lol"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;&c;&c;">]><a>&d;</a>`;
const xmlTheft = `<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>`;

/** An archive with two entries in its directory that are the same bytes. */
function overlapping(): Uint8Array {
  const bytes = zip({ "a.txt": "the same", "b.txt": "the same" });
  const second = find(bytes, "PK\x01\x02", find(bytes, "PK\x01\x02") + 1);
  // The second entry of the directory points at the first, and takes its name.
  return patched(patched(bytes, second + 42, 0, 0, 0, 0), second + 46, 97);
}

const hostiles: readonly Hostile[] = [
  {
    what: "an archive of zeros",
    code: "expands_too_much",
    source: () => ({ bytes: zip({ a: zeros(60) }), format: "zip" }),
  },
  {
    ...{ what: "an archive beyond its limit", code: "expands_too_much", limits: { expandedBytes: 1e6 } },
    source: () => ({ bytes: zip({ a: crypto.getRandomValues(new Uint8Array(60_000)), b: zeros(1) }), format: "zip" }),
  },
  {
    ...{ what: "an archive that lies about its sizes", code: "zip_open_failed" },
    source: () => {
      const bytes = zip({ "a.txt": zeros(1) });
      const directory = find(bytes, "PK\x01\x02");
      return { bytes: patched(bytes, directory + 24, 1, 0, 0, 0), format: "zip" };
    },
  },
  {
    what: "an archive whose entries share their bytes",
    code: "zip_open_failed",
    source: () => ({ bytes: overlapping(), format: "zip" }),
  },
  ...["../a", "/etc/a", "a/../../b", "C:\\a", "..\\a"].map((name) => ({
    ...{ what: `an archive with an entry ${name}`, code: "unsafe_name" },
    source: (): ContentSource => ({ bytes: zip({ [name]: "x" }), format: "zip" }),
  })),
  {
    ...{ what: "TOML of many brackets", code: "nested_too_deep" },
    source: () => ({ text: `a = ${repeat("[", 100_000)}`, format: "toml" }),
  },
  {
    ...{ what: "TOML of many dots", code: "nested_too_deep" },
    source: () => ({ text: `${Array.from({ length: 5000 }, () => "a").join(".")} = 1`, format: "toml" }),
  },
  {
    ...{ what: "CSS of many braces", code: "nested_too_deep" },
    source: () => ({ text: `${repeat("a{", 50_000)}${repeat("}", 50_000)}`, format: "css" }),
  },
  {
    ...{ what: "CSS of rules too many", code: "too_many_parts", limits: { parts: 100 } },
    source: () => ({ text: repeat("a{b:c}", 100), format: "css" }),
  },
  {
    ...{ what: "an archive with a password", code: "encrypted" },
    source: () => {
      const bytes = zip({ "a.txt": "x" });
      return { bytes: patched(bytes, find(bytes, "PK\x01\x02") + 8, 1), format: "zip" };
    },
  },
  {
    ...{ what: "an archive of entries too many", code: "too_many_parts", limits: { parts: 10 } },
    source: () => ({
      bytes: zip(Object.fromEntries(Array.from({ length: 11 }, (_each, n) => [`f${String(n)}`, "x"]))),
      format: "zip",
    }),
  },
  {
    ...{ what: "a workbook that swells", code: "expands_too_much" },
    source: () => {
      const sheet = `<worksheet><sheetData>${repeat("<row><c/></row>", 4_000_000)}</sheetData></worksheet>`;
      return { bytes: zip({ ...workbookParts, "xl/worksheets/sheet1.xml": sheet }), format: "xlsx" };
    },
  },
  {
    ...{ what: "a workbook of cells too many", code: "too_many_parts", limits: { parts: 1000 } },
    source: () => {
      const sheet = `<worksheet><sheetData><row>${repeat("<c><v>1</v></c>", 1001)}</row></sheetData></worksheet>`;
      return { bytes: zip({ ...workbookParts, "xl/worksheets/sheet1.xml": sheet }), format: "xlsx" };
    },
  },
  { what: "entities that multiply", code: "definition_refused", source: () => ({ text: xmlLaughs, format: "xml" }) },
  {
    what: "an entity that reads a file",
    code: "definition_refused",
    source: () => ({ text: xmlTheft, format: "svg" }),
  },
  { what: "aliases that multiply", code: "expands_too_much", source: () => ({ text: laughs, format: "yaml" }) },
  {
    what: "an alias of itself",
    code: "yaml_parse_failed",
    source: () => ({ text: "a: &a\n  b: *a\n", format: "yaml" }),
  },
  {
    what: "brackets without end",
    code: "nested_too_deep",
    source: () => ({ text: repeat("[", 1_000_000), format: "json" }),
  },
  {
    what: "objects too deep",
    code: "nested_too_deep",
    source: () => ({ text: `${repeat('{"a":', 201)}1${repeat("}", 201)}`, format: "json" }),
  },
  {
    what: "elements too deep",
    code: "nested_too_deep",
    source: () => ({ text: `${repeat("<a>", 201)}${repeat("</a>", 201)}`, format: "xml" }),
  },
  {
    what: "YAML too deep",
    code: "nested_too_deep",
    source: () => ({ text: `${repeat("[", 201)}${repeat("]", 201)}`, format: "yaml" }),
  },
  {
    what: "YAML deeper than a stack",
    code: "nested_too_deep",
    source: () => ({ text: `${repeat("[", 50_000)}${repeat("]", 50_000)}`, format: "yaml" }),
  },
  {
    ...{ what: "a table of cells too many", code: "too_many_parts", limits: { parts: 100_000 } },
    source: () => ({ text: repeat(",", 100_001), format: "csv" }),
  },
  {
    ...{ what: "an image that claims a gigabyte", code: "expands_too_much" },
    source: () => ({
      bytes: png(pngHeader(32_000, 32_000), { type: "IDAT", data: zlibSync(zeros(0.1)) }, pngEnd),
      format: "png",
    }),
  },
  {
    ...{ what: "an image that unpacks to more than it claims", code: "png_open_failed" },
    source: () => ({ bytes: png(pngHeader(4, 4), { type: "IDAT", data: zlibSync(zeros(30)) }, pngEnd), format: "png" }),
  },
  {
    ...{ what: "a PDF whose stream swells", code: "expands_too_much" },
    source: () => {
      const data = zlibSync(zeros(60));
      const start = latin1(`<< /Length ${String(data.length)} /Filter /FlateDecode >>\nstream\n`);
      const stream = joined(start, data, latin1("\nendstream"));
      return {
        bytes: pdf(catalog, "<< /Type /Pages /Kids [3 0 R] /Count 1 >>", "<< /Type /Page >>", stream),
        format: "pdf",
      };
    },
  },
  {
    ...{ what: "a PDF whose objects swell before they are parsed", code: "expands_too_much" },
    source: () => {
      const data = zlibSync(zeros(60));
      const start = latin1(
        `<< /Type /ObjStm /N 1 /First 4 /Length ${String(data.length)} /Filter /FlateDecode >>\nstream\n`,
      );
      return { bytes: pdf(catalog, joined(start, data, latin1("\nendstream"))), format: "pdf" };
    },
  },
  {
    ...{
      what: "a PDF whose objects swell behind two filters",
      code: "expands_too_much",
      limits: { expandedBytes: 1e6 },
    },
    source: () => {
      const hex = [...zlibSync(zeros(2))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
      const dictionary = `<< /Type /ObjStm /N 1 /First 4 /Length ${String(hex.length)} /Filter [/ASCIIHexDecode /FlateDecode] >>`;
      return { bytes: pdf(catalog, `${dictionary}\nstream\n${hex}>\nendstream`), format: "pdf" };
    },
  },
  {
    ...{ what: "a PDF whose pages go round", code: "pdf_open_failed" },
    source: () => ({ bytes: pdf(catalog, "<< /Type /Pages /Kids [2 0 R] /Count 1 >>"), format: "pdf" }),
  },
  {
    ...{ what: "a PDF of brackets", code: "pdf_open_failed" },
    source: () => ({ bytes: pdf(catalog, repeat("[", 200_000)), format: "pdf" }),
  },
  {
    ...{ what: "more bytes than are looked at", code: "too_large" },
    source: () => ({ bytes: zeros(50.000001), format: "text" }),
  },
];

describe("content that means harm", () => {
  test.each(hostiles)("$what: $code", async ({ source, code, limits }) => {
    // What ends it is what it is, and not that a busy machine takes long.
    const report = await validateContent(source(), { limits: { time: ANSWERS, ...limits } });

    expect(report).toMatchObject({ kind: "invalid", code });
  });

  test("a page nested deeper than a stack is read all the same", async () => {
    const text = repeat("<div>", 20_000);

    expect(await validateContent({ text, format: "html" })).toMatchObject({ facts: { elements: 20_000 } });
  });

  test("a message is short, however long what it quotes", async () => {
    const report = await validateContent({ text: `<${repeat("a", 1_000_000)}></b>`, format: "xml" });

    expect(report.kind === "invalid" && report.message.length).toBeLessThan(600);
  });
});
