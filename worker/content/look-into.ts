import {
  messageOf,
  shortenUnitsTo,
  type ContentFaultCode,
  type ContentFinding,
  type ContentFormat,
  type ContentOrder,
} from "../../src/protocol/index.js";
import { ContentFault, isStackOverflow, ParseFailure } from "./content-fault.js";
import { readCss } from "./css-content.js";
import { readCsv } from "./csv-content.js";
import { readHtml } from "./html-content.js";
import { readJson } from "./json-content.js";
import { LONGEST_MESSAGE, Look, type ReadBytes, type ReadText } from "./look.js";
import { readPdf } from "./pdf-content.js";
import { readPng } from "./png-content.js";
import { checkSignature } from "./signatures.js";
import { readMarkdown, readMermaid, readText, readUrl } from "./text-content.js";
import { checkCharacters, decodeText } from "./text.js";
import { readToml } from "./toml-content.js";
import { readXlsx } from "./xlsx-content.js";
import { readSvg, readXml } from "./xml-content.js";
import { readYaml } from "./yaml-content.js";
import { readZip } from "./zip-content.js";

const texts: Readonly<Partial<Record<ContentFormat, ReadText>>> = {
  ...{ text: readText, markdown: readMarkdown, url: readUrl, mermaid: readMermaid },
  ...{ json: readJson, yaml: readYaml, csv: readCsv, html: readHtml, xml: readXml, svg: readSvg },
  ...{ toml: readToml, css: readCss },
};
const files: Readonly<Partial<Record<ContentFormat, ReadBytes>>> = {
  ...{ png: readPng, pdf: readPdf, zip: readZip, xlsx: readXlsx },
  ...{ jpeg: signatureAlone("jpeg"), gif: signatureAlone("gif"), webp: signatureAlone("webp") },
};

/** There is no more to see of it than how it begins, which was looked at. */
function signatureAlone(format: "jpeg" | "gif" | "webp"): ReadBytes {
  return () => ({ format });
}

/** Looks into one content. Whatever a parser throws is a fault of the content. */
export async function lookInto({
  content,
  format,
  limits,
}: Omit<ContentOrder, "kind" | "id">): Promise<ContentFinding> {
  const look = new Look(limits);
  try {
    const ofText = texts[format];
    const facts = await (ofText === undefined
      ? files[format]?.(bytesOf(content, format), look)
      : ofText(textOf(content, format, look), look));
    if (facts === undefined) throw new ContentFault("validation_broke", `nothing here reads ${format}`);
    return { kind: "readable", facts, oddities: look.oddities };
  } catch (error) {
    return { kind: "fault", ...described(error, format) };
  }
}

function textOf(content: Uint8Array | string, format: ContentFormat, look: Look): string {
  if (typeof content !== "string") checkSignature(content, format);
  const text = typeof content === "string" ? content : decodeText(content, encodingOf(content, format));
  return checkCharacters(text, look);
}

function bytesOf(content: Uint8Array | string, format: ContentFormat): Uint8Array {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  checkSignature(bytes, format);
  return bytes;
}

/** XML says its encoding itself. */
function encodingOf(bytes: Uint8Array, format: ContentFormat): string | undefined {
  if (format !== "xml" && format !== "svg") return undefined;
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, 200));
  return /^<\?xml[^>]*\bencoding\s*=\s*["']([\w.-]+)["']/.exec(start)?.[1];
}

type DescribedFault = Omit<Extract<ContentFinding, { kind: "fault" }>, "kind">;

function described(error: unknown, format: ContentFormat): DescribedFault {
  if (error instanceof ContentFault)
    return { code: error.code, reason: shortenUnitsTo(error.reason, LONGEST_MESSAGE), ...error.position };
  if (isStackOverflow(error)) return { code: "nested_too_deep", reason: "it is nested deeper than its parser can go" };
  const reason = shortenUnitsTo(messageOf(error), LONGEST_MESSAGE);
  return { code: FAILED[format], reason, ...(error instanceof ParseFailure ? error.position : {}) };
}

const FAILED: Readonly<Record<ContentFormat, ContentFaultCode>> = {
  text: "not_text",
  markdown: "markdown_parse_failed",
  json: "json_parse_failed",
  url: "url_parse_failed",
  xml: "xml_parse_failed",
  yaml: "yaml_parse_failed",
  mermaid: "mermaid_parse_failed",
  html: "html_parse_failed",
  csv: "csv_parse_failed",
  svg: "svg_parse_failed",
  toml: "toml_parse_failed",
  css: "css_parse_failed",
  png: "png_open_failed",
  jpeg: "signature_mismatch",
  gif: "signature_mismatch",
  webp: "signature_mismatch",
  pdf: "pdf_open_failed",
  xlsx: "xlsx_open_failed",
  zip: "zip_open_failed",
  unknown: "validation_broke",
};
