import { z } from "zod";

import { isRecord, type Value } from "../../protocol/index.js";
import { ToolCallError } from "../errors.js";
import type { YamlSource } from "../yaml/yaml-source.js";

/** How the pages of a long answer follow each other. Paths lead into an answer: `data.items`. */
export type PageRule = {
  /** The argument by which a call asks for several pages. */
  readonly argument: string;
  /** Pages that one call may ask for. */
  readonly maxPages: number;
  /** Where the items of an answer are; undefined: the answer is the list. */
  readonly items: string | undefined;
} & (
  | { readonly style: "cursor"; readonly param: string; readonly next: string }
  | {
      readonly style: "page" | "offset";
      readonly param: string;
      readonly start: number;
      readonly size: string | undefined;
    }
  /** The address of the next page is in the header `Link`, or at `next` in the answer. */
  | { readonly style: "link"; readonly next: string | undefined }
);

const shared = {
  items: z.string().min(1).optional(),
  argument: z
    .string()
    .regex(/^[A-Za-z]\w*$/)
    .default("pages"),
  max_pages: z.int().min(1).max(1000).default(100),
};

/** `paginate:` of a recipe. */
export const PaginateField = z
  .discriminatedUnion("style", [
    z.strictObject({ style: z.literal("cursor"), param: z.string().min(1), next: z.string().min(1), ...shared }),
    z.strictObject({
      style: z.literal("page"),
      param: z.string().min(1).default("page"),
      start: z.int().default(1),
      size: z.string().min(1).optional(),
      ...shared,
    }),
    z.strictObject({
      style: z.literal("offset"),
      param: z.string().min(1).default("offset"),
      start: z.int().default(0),
      size: z.string().min(1).optional(),
      ...shared,
    }),
    z.strictObject({ style: z.literal("link"), next: z.string().min(1).optional(), ...shared }),
  ])
  .nullish();
export type PaginateField = z.infer<typeof PaginateField>;

/** What a recipe has, as far as pages depend on it. */
export interface PagedParts {
  readonly path: readonly string[];
  readonly field: PaginateField;
  /** Names of the recipe's parameters. */
  readonly names: readonly string[];
  /** How the request calls them. */
  readonly sentAs: readonly string[];
}

/** @throws {ToolFileError} when a parameter has the name of the argument, or the size names none. */
export function readPages(source: YamlSource, { path, field, names, sentAs }: PagedParts): PageRule | undefined {
  if (field === undefined || field === null) return undefined;
  if (names.includes(field.argument)) {
    throw source.error(
      path,
      `the recipe has a parameter '${field.argument}' already; call the argument otherwise: \`argument: max_pages\``,
    );
  }
  if (
    (field.style === "page" || field.style === "offset") &&
    field.size !== undefined &&
    !sentAs.includes(field.size)
  ) {
    throw source.error([...path, "size"], `no parameter is sent as '${field.size}'`);
  }
  const { argument, max_pages: maxPages, items } = field;
  const common = { argument, maxPages, items };
  switch (field.style) {
    case "cursor":
      return { ...common, style: "cursor", param: field.param, next: field.next };
    case "link":
      return { ...common, style: "link", next: field.next };
    default:
      return { ...common, style: field.style, param: field.param, start: field.start, size: field.size };
  }
}

/** Where the next page is: by other parameters, or at another address. */
export type NextPage =
  | { readonly kind: "parameter"; readonly name: string; readonly value: string | number }
  | { readonly kind: "address"; readonly url: URL };

/** One page as it came. */
export interface Page {
  readonly value: Value;
  readonly headers: Headers;
  /** The address it came from. */
  readonly url: URL;
  /** What was sent under a name; undefined when nothing was. */
  readonly sent: (name: string) => Value;
}

/** Goes from page to page and gathers the items. */
export class PageWalk {
  readonly items: Value[] = [];
  readonly #rule: PageRule;
  readonly #toolName: string;
  readonly #seen = new Set<string>();

  constructor(rule: PageRule, toolName: string) {
    this.#rule = rule;
    this.#toolName = toolName;
  }

  /**
   * Takes the items of a page and says where the next one is; undefined after the last.
   *
   * @throws {ToolCallError} when the page has no list where the items should be, or the next one is at another site.
   */
  take(page: Page): NextPage | undefined {
    const items = this.#itemsOf(page.value);
    this.items.push(...items);
    const next = this.#next(page, items.length);
    if (next === undefined) return undefined;
    // A service that names the same page again would be asked for ever.
    const position = next.kind === "address" ? next.url.href : String(next.value);
    if (this.#seen.has(position)) return undefined;
    this.#seen.add(position);
    return next;
  }

  #itemsOf(value: Value): readonly Value[] {
    const { items } = this.#rule;
    const found = items === undefined ? value : at(value, items);
    if (Array.isArray(found)) return found as readonly Value[];
    if (found === null || found === undefined) return [];
    const where = items === undefined ? "the answer is no list" : `'${items}' of the answer is no list`;
    const remedy = items === undefined ? ". Name the list in the tool's file, `paginate: {items: data}`" : "";
    throw new ToolCallError(this.#toolName, `its pages cannot be joined: ${where}${remedy}`);
  }

  #next({ value, headers, url, sent }: Page, count: number): NextPage | undefined {
    const rule = this.#rule;
    switch (rule.style) {
      case "cursor": {
        const cursor = textOf(at(value, rule.next));
        return cursor === "" ? undefined : { kind: "parameter", name: rule.param, value: cursor };
      }
      case "page":
      case "offset": {
        const current = Number(sent(rule.param) ?? rule.start);
        const size = rule.size === undefined ? undefined : sent(rule.size);
        if (count === 0 || (size !== undefined && size !== null && count < Number(size))) return undefined;
        return { kind: "parameter", name: rule.param, value: current + (rule.style === "page" ? 1 : count) };
      }
      case "link": {
        const link = rule.next === undefined ? nextLink(headers.get("link") ?? "") : textOf(at(value, rule.next));
        if (link === undefined || link === "") return undefined;
        return { kind: "address", url: this.#sameSite(link, url) };
      }
    }
  }

  /** The next page is asked for with the same secrets: it must be where this one was. */
  #sameSite(link: string, from: URL): URL {
    const url = URL.canParse(link, from) ? new URL(link, from) : undefined;
    if (url?.origin === from.origin) return url;
    throw new ToolCallError(
      this.#toolName,
      `its next page is said to be at another site (${url?.origin ?? link}), which is not asked`,
    );
  }
}

/** Whether the way to the next page is a header that this answer does not show. */
export function missesLink(rule: PageRule, headers: Headers): boolean {
  return rule.style === "link" && rule.next === undefined && !headers.has("link");
}

/** The target of `rel="next"` in a header `Link`. */
function nextLink(header: string): string | undefined {
  for (const [, target = "", parameters = ""] of header.matchAll(
    /<([^>]*)>((?:\s*;\s*[\w*-]+\s*=\s*(?:"[^"]*"|[^",;\s]*))*)/g,
  )) {
    const relation = /;\s*rel\s*=\s*(?:"([^"]*)"|([^",;\s]*))/i.exec(parameters);
    const relations = (relation?.[1] ?? relation?.[2] ?? "").toLowerCase().split(/\s+/);
    if (relations.includes("next")) return target;
  }
  return undefined;
}

function at(value: Value, path: string): Value {
  let found: Value = value;
  for (const key of path.split(".")) {
    if (Array.isArray(found)) found = (found as readonly Value[])[Number(key)];
    else if (isRecord(found) && Object.hasOwn(found, key)) found = found[key];
    else return undefined;
  }
  return found;
}

function textOf(value: Value): string {
  return typeof value === "string" || typeof value === "number" || typeof value === "bigint" ? String(value) : "";
}
