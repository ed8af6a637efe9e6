/**
 * How a list or a dict becomes text in a request: OpenAPI's styles, and
 * `brackets` for `name[]=1&name[]=2`.
 */
export interface ParameterStyle {
  readonly name:
    | "form"
    | "brackets"
    | "spaceDelimited"
    | "pipeDelimited"
    | "deepObject"
    | "simple"
    | "label"
    | "matrix"
    | "json";
  /** Each item of a list, each entry of a dict by itself. */
  readonly explode: boolean;
  /** Whether a dict is spread by the rules of the style, or sent as JSON. */
  readonly dicts: "spread" | "json";
  /** What stays as it is beside letters and digits: nothing, the slash, or all that URLs reserve. */
  readonly reserved?: "none" | "slash" | "all";
}

/** A value whose innermost parts are text already. */
export type TextTree = string | readonly TextTree[] | { readonly entries: readonly (readonly [string, TextTree])[] };

/** `arrays:` of a tool file. */
export const listStyles = {
  repeat: { name: "form", explode: true, dicts: "json" },
  comma: { name: "form", explode: false, dicts: "json" },
  brackets: { name: "brackets", explode: true, dicts: "json" },
} as const satisfies Readonly<Record<string, ParameterStyle>>;

/** What path and header parameters have unless a document says otherwise: `a,b`. */
export const simpleStyle: ParameterStyle = { name: "simple", explode: false, dicts: "json" };

/** `name=value` pairs of a query or a form, encoded. */
export function queryPairs(name: string, value: TextTree, style: ParameterStyle): string[] {
  const encode = (text: string): string => encodeQuery(text, style);
  const pair = (key: string, encoded: string): string => `${encode(key)}=${encoded}`;
  if (typeof value === "string") return [pair(name, encode(value))];
  if (style.name === "deepObject") return deepPairs(name, value, pair, encode);
  if (isList(value)) {
    const items = value.map((item) => encode(flat(item)));
    if (style.name === "brackets") return items.map((item) => pair(`${name}[]`, item));
    if (style.explode) return items.map((item) => pair(name, item));
    return items.length === 0 ? [] : [pair(name, items.join(delimiterOf(style)))];
  }
  const entries = value.entries.map(([key, item]) => [key, encode(flat(item))] as const);
  if (style.explode) return entries.map(([key, item]) => pair(key, item));
  if (entries.length === 0) return [];
  return [
    pair(name, entries.map(([key, item]) => `${encode(key)}${delimiterOf(style)}${item}`).join(delimiterOf(style))),
  ];
}

/** What stands for `{name}` in a path, encoded. */
export function pathText(name: string, value: TextTree, style: ParameterStyle): string {
  const encode = (text: string): string => encodePath(text, style);
  const matrix = (key: string, text: string): string => (text === "" ? `;${encode(key)}` : `;${encode(key)}=${text}`);
  if (typeof value === "string") {
    const text = encode(value);
    if (style.name === "matrix") return matrix(name, text);
    return style.name === "label" ? `.${text}` : text;
  }
  const parts = isList(value)
    ? value.map((item) => encode(flat(item)))
    : value.entries.map(([key, item]) => `${encode(key)}${style.explode ? "=" : ","}${encode(flat(item))}`);
  if (style.name === "matrix") {
    if (!style.explode) return matrix(name, parts.join(","));
    return isList(value) ? parts.map((part) => matrix(name, part)).join("") : parts.map((part) => `;${part}`).join("");
  }
  return style.name === "label" ? `.${parts.join(style.explode ? "." : ",")}` : parts.join(",");
}

/** The text of a header, not encoded. */
export function headerText(value: TextTree, style: ParameterStyle): string {
  if (typeof value === "string") return value;
  if (isList(value)) return value.map(flat).join(",");
  return value.entries.map(([key, item]) => `${key}${style.explode ? "=" : ","}${flat(item)}`).join(",");
}

function deepPairs(
  prefix: string,
  value: TextTree,
  pair: (key: string, encoded: string) => string,
  encode: (text: string) => string,
): string[] {
  if (typeof value === "string") return [pair(prefix, encode(value))];
  // The standard leaves lists open. Items with their numbers are what servers with this style read, and the only
  // way in which the parts of one item of several stay together.
  if (isList(value))
    return value.flatMap((item, index) => deepPairs(`${prefix}[${String(index)}]`, item, pair, encode));
  return value.entries.flatMap(([key, item]) => deepPairs(`${prefix}[${key}]`, item, pair, encode));
}

/** What is nested deeper than a style can say goes as JSON. */
function flat(value: TextTree): string {
  return typeof value === "string" ? value : JSON.stringify(untied(value));
}

function untied(value: TextTree): unknown {
  if (typeof value === "string") return value;
  return isList(value)
    ? value.map(untied)
    : Object.fromEntries(value.entries.map(([key, item]) => [key, untied(item)]));
}

function isList(value: TextTree): value is readonly TextTree[] {
  return Array.isArray(value);
}

function delimiterOf({ name }: ParameterStyle): string {
  if (name === "spaceDelimited") return "%20";
  return name === "pipeDelimited" ? "%7C" : ",";
}

function encodeQuery(text: string, { reserved }: ParameterStyle): string {
  if (reserved === "all") return encodeURI(text.toWellFormed()).replace(/[#&+]/g, encodeURIComponent);
  return new URLSearchParams([["", text]]).toString().slice(1);
}

function encodePath(text: string, { reserved }: ParameterStyle): string {
  if (reserved === "all") return encodeURI(text.toWellFormed()).replace(/[#?]/g, encodeURIComponent);
  const encoded = encodeURIComponent(text.toWellFormed());
  return reserved === "slash" ? encoded.replaceAll("%2F", "/") : encoded;
}
