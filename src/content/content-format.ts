import type { ContentFormat } from "../protocol/index.js";

/** What somebody says about content. The format counts most, then the MIME type, then the name. */
export interface ContentClaim {
  /** A name of a contract: `markdown text json url xml yaml mermaid html csv`, or of a format that is known here. */
  readonly format?: string | undefined;
  readonly mime?: string | undefined;
  readonly filename?: string | undefined;
}

interface KnownFormat {
  readonly names: readonly string[];
  readonly mimes: readonly string[];
  readonly endings: readonly string[];
}

/** The first MIME type and ending of each are the usual ones. */
const known: Readonly<Record<Exclude<ContentFormat, "unknown">, KnownFormat>> = {
  text: {
    names: ["text", "txt", "plain", "plain_text", "plaintext"],
    mimes: ["text/plain"],
    endings: [
      ...["txt", "text", "log", "py", "js", "mjs", "ts", "jsx", "tsx", "java", "c", "h", "cpp", "cs", "go", "rs"],
      ...["rb", "php", "sh", "sql", "ini", "cfg", "env", "rst", "tex", "jsonl", "ndjson", "swift", "kt", "r"],
    ],
  },
  markdown: {
    names: ["markdown", "md"],
    mimes: ["text/markdown", "text/x-markdown"],
    endings: ["md", "markdown"],
  },
  json: { names: ["json"], mimes: ["application/json", "text/json"], endings: ["json", "geojson", "ipynb"] },
  url: { names: ["url", "uri"], mimes: [], endings: [] },
  xml: { names: ["xml"], mimes: ["application/xml", "text/xml"], endings: ["xml", "xsd", "xsl", "rss", "atom", "kml"] },
  yaml: {
    names: ["yaml", "yml"],
    mimes: ["application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml"],
    endings: ["yaml", "yml"],
  },
  mermaid: { names: ["mermaid"], mimes: ["text/vnd.mermaid"], endings: ["mmd", "mermaid"] },
  html: { names: ["html", "htm"], mimes: ["text/html"], endings: ["html", "htm"] },
  csv: { names: ["csv", "tsv"], mimes: ["text/csv", "text/tab-separated-values"], endings: ["csv", "tsv"] },
  svg: { names: ["svg"], mimes: ["image/svg+xml"], endings: ["svg"] },
  toml: { names: ["toml"], mimes: ["application/toml"], endings: ["toml"] },
  css: { names: ["css"], mimes: ["text/css"], endings: ["css"] },
  png: { names: ["png"], mimes: ["image/png"], endings: ["png", "apng"] },
  jpeg: { names: ["jpeg", "jpg"], mimes: ["image/jpeg", "image/jpg"], endings: ["jpg", "jpeg"] },
  gif: { names: ["gif"], mimes: ["image/gif"], endings: ["gif"] },
  webp: { names: ["webp"], mimes: ["image/webp"], endings: ["webp"] },
  pdf: { names: ["pdf"], mimes: ["application/pdf"], endings: ["pdf"] },
  xlsx: {
    names: ["xlsx"],
    mimes: ["application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
    endings: ["xlsx"],
  },
  // What else is an archive by another name is looked at as one.
  zip: {
    names: ["zip", "docx", "pptx", "epub"],
    mimes: [
      "application/zip",
      "application/x-zip-compressed",
      "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
      "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    ],
    endings: ["zip", "docx", "pptx", "epub", "odt", "ods", "odp", "whl", "jar"],
  },
};

type Field = keyof KnownFormat;

const byName = index("names");
const byMime = index("mimes");
const byEnding = index("endings");

/** What is said about content, read. */
export interface ReadClaim {
  readonly format: ContentFormat;
  /** Another format that the MIME type means. */
  readonly otherMime: ContentFormat | undefined;
  /** Another format that the ending means. */
  readonly otherEnding: ContentFormat | undefined;
}

/** What content is said to be, and what of that contradicts itself. */
export function readClaim({ format, mime, filename }: ContentClaim): ReadClaim {
  const named = format === undefined ? undefined : byName.get(format.trim().toLowerCase());
  const typed = mime === undefined ? undefined : formatOfMime(mime);
  const ended = filename === undefined ? undefined : byEnding.get(endingOf(filename));
  // "text" is what everything with letters may be called: a `.py` file of format `text`, a `.json` of type text/plain.
  const chosen = named ?? typed ?? ended ?? "unknown";
  const other = (said: ContentFormat | undefined): ContentFormat | undefined =>
    said === undefined || said === chosen || isKindOf(chosen, said) || isKindOf(said, chosen) ? undefined : said;
  return { format: chosen, otherMime: other(typed), otherEnding: other(ended) };
}

function formatOfMime(mime: string): ContentFormat | undefined {
  const [essence = ""] = mime.trim().toLowerCase().split(";", 1);
  const found = byMime.get(essence.trim());
  if (found !== undefined) return found;
  if (essence.endsWith("+xml")) return "xml";
  if (essence.endsWith("+json")) return "json";
  if (essence.endsWith("+yaml")) return "yaml";
  if (essence.endsWith("+zip")) return "zip";
  return essence.startsWith("text/") ? "text" : undefined;
}

/** Whether all of one format are also of another: an SVG file is XML, a spreadsheet is a ZIP archive. */
function isKindOf(format: ContentFormat, wider: ContentFormat): boolean {
  if (wider === "text") return textFormats.has(format);
  return (format === "svg" && wider === "xml") || (format === "xlsx" && wider === "zip");
}

/** What is made of characters. */
export const textFormats: ReadonlySet<ContentFormat> = new Set([
  ...(["text", "markdown", "json", "url", "xml", "yaml", "mermaid", "html", "csv", "svg", "toml", "css"] as const),
]);

function endingOf(filename: string): string {
  return /\.([^./\\]+)$/.exec(filename)?.[1]?.toLowerCase() ?? "";
}

function index(field: Field): ReadonlyMap<string, ContentFormat> {
  const formats = new Map<string, ContentFormat>();
  for (const [format, each] of entries()) for (const word of each[field]) formats.set(word, format);
  return formats;
}

function entries(): readonly (readonly [Exclude<ContentFormat, "unknown">, KnownFormat])[] {
  const formats: (readonly [Exclude<ContentFormat, "unknown">, KnownFormat])[] = [];
  let format: keyof typeof known;
  for (format in known) formats.push([format, known[format]]);
  return formats;
}
