import { z } from "zod";

/** What content can be told to be. `unknown` is looked at for its size alone. */
export const ContentFormat = z.enum([
  "text",
  "markdown",
  "json",
  "url",
  "xml",
  "yaml",
  "mermaid",
  "html",
  "csv",
  "svg",
  "toml",
  "css",
  "png",
  "jpeg",
  "gif",
  "webp",
  "pdf",
  "xlsx",
  "zip",
  "unknown",
]);
export type ContentFormat = z.infer<typeof ContentFormat>;

/** Why content is not what it is said to be. Codes never change between releases. */
export const ContentFaultCode = z.enum([
  "empty_file",
  "too_large",
  "expands_too_much",
  "nested_too_deep",
  "too_many_parts",
  "signature_mismatch",
  "not_text",
  "json_parse_failed",
  "url_parse_failed",
  "xml_parse_failed",
  "yaml_parse_failed",
  "html_parse_failed",
  "csv_parse_failed",
  "svg_parse_failed",
  "toml_parse_failed",
  "css_parse_failed",
  "markdown_parse_failed",
  "mermaid_parse_failed",
  "png_open_failed",
  "pdf_open_failed",
  "xlsx_open_failed",
  "zip_open_failed",
  "definition_refused",
  "encrypted",
  "unsafe_name",
  "validation_timeout",
  "validation_broke",
]);
export type ContentFaultCode = z.infer<typeof ContentFaultCode>;

/** What is odd about content that can be read. Codes never change between releases. */
export const ContentOddityCode = z.enum([
  "mime_mismatch",
  "ending_mismatch",
  "byte_order_mark",
  "blank",
  "unpaired_surrogate",
  "ragged_rows",
  "repeated_column",
  "repeated_key",
  "odd_quotes",
  "unknown_tag",
  "unclosed_fence",
  "unknown_diagram",
  "markup_errors",
  "no_markup",
  "doctype",
  "namespace_missing",
  "script_inside",
  "external_reference",
  "empty_sheet",
  "data_after_end",
  "damaged_index",
  "unchecked_part",
]);
export type ContentOddityCode = z.infer<typeof ContentOddityCode>;

const Count = z.int().nonnegative();
const Name = z.string().max(1000);
/** Pixels, or what a drawing says in their place. */
const Length = z.number().nonnegative().nullable();

/** What was found in content, by its format. */
export const ContentFacts = z.discriminatedUnion("format", [
  z.strictObject({ format: z.literal("text"), lines: Count, characters: Count }),
  z.strictObject({ format: z.literal("markdown"), lines: Count, headings: Count, links: Count, codeBlocks: Count }),
  z.strictObject({
    format: z.literal("json"),
    type: z.enum(["object", "array", "string", "number", "boolean", "null"]),
    /** Of the object's keys or the array's items; null for anything else. */
    length: Count.nullable(),
    depth: Count,
  }),
  z.strictObject({ format: z.literal("url"), scheme: Name, host: Name }),
  z.strictObject({ format: z.literal("xml"), root: Name, elements: Count, depth: Count }),
  z.strictObject({
    format: z.literal("yaml"),
    documents: Count,
    /** Of the first document. */
    type: z.enum(["map", "sequence", "scalar", "empty"]),
  }),
  z.strictObject({ format: z.literal("mermaid"), diagram: Name, lines: Count }),
  z.strictObject({ format: z.literal("html"), title: Name.nullable(), elements: Count, scripts: Count }),
  z.strictObject({
    format: z.literal("csv"),
    /** Without the first one, which is taken for the header. */
    rows: Count,
    columns: Count,
    delimiter: z.string().max(2),
    header: z.array(Name).max(1000),
  }),
  z.strictObject({ format: z.literal("svg"), width: Length, height: Length, elements: Count, scripts: Count }),
  z.strictObject({
    format: z.literal("toml"),
    /** Of the outermost table. */
    keys: Count,
    depth: Count,
  }),
  z.strictObject({ format: z.literal("css"), rules: Count, declarations: Count, atRules: Count }),
  z.strictObject({ format: z.literal("png"), width: Count, height: Count, bitDepth: Count, animated: z.boolean() }),
  z.strictObject({ format: z.literal("pdf"), version: z.string().max(10), pages: Count }),
  z.strictObject({
    format: z.literal("xlsx"),
    sheets: z.array(z.strictObject({ name: Name, rows: Count, cells: Count })).max(1000),
  }),
  z.strictObject({ format: z.literal("zip"), entries: Count, expandedBytes: Count, names: z.array(Name).max(1000) }),
  z.strictObject({ format: z.enum(["jpeg", "gif", "webp", "unknown"]) }),
]);
export type ContentFacts = z.infer<typeof ContentFacts>;

const Place = { line: Count.optional(), column: Count.optional() };

/** Something odd about content that can be read. Lines and columns begin at 1. */
export const ContentOddity = z.strictObject({ code: ContentOddityCode, message: z.string().max(2000), ...Place });
export type ContentOddity = z.infer<typeof ContentOddity>;

/** How much content may be, or make of itself. Each is at least 1. */
export interface ContentLimits {
  /** Bytes that are looked at. Default 50 MB. */
  readonly bytes: number;
  /** Bytes that everything in it may unpack to. Default 200 MB. */
  readonly expandedBytes: number;
  /** How many times its own size what unpacks to more than 50 MB may unpack to; below, images of one colour are legion. Default 200. */
  readonly expansion: number;
  /** Levels of JSON, YAML, TOML, CSS and XML. Default 200. */
  readonly depth: number;
  /** Entries of an archive, cells of a table, objects of a document, elements of a page. Default 5 million. */
  readonly parts: number;
  /** Pixels of an image. Default 100 million. */
  readonly pixels: number;
  /** Milliseconds for one validation. Default 10,000. */
  readonly time: number;
}

/** One validation for the worker. */
export interface ContentOrder {
  readonly kind: "check";
  readonly id: number;
  readonly format: ContentFormat;
  readonly content: Uint8Array<ArrayBuffer> | string;
  readonly limits: ContentLimits;
}

/** What the worker found. */
export const ContentFinding = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("readable"), facts: ContentFacts, oddities: z.array(ContentOddity).max(100) }),
  z.strictObject({ kind: z.literal("fault"), code: ContentFaultCode, reason: z.string().max(2000), ...Place }),
]);
export type ContentFinding = z.infer<typeof ContentFinding>;

/** What the worker says. It works on what a program wrote, so the page parses it. */
export const ContentAnswer = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("ready") }),
  z.strictObject({ kind: z.literal("checked"), id: z.int().positive(), finding: ContentFinding }),
]);
export type ContentAnswer = z.infer<typeof ContentAnswer>;
