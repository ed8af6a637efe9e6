import { CellFenceError } from "./errors.js";
import { readFenceInfo, type FenceInfo } from "./fence-info.js";

/** What the plugin uses of the nodes of Markdown's tree. */
export interface MarkdownNode {
  type: string;
  lang?: string | null | undefined;
  meta?: string | null | undefined;
  value?: string | undefined;
  children?: MarkdownNode[] | undefined;
  data?: object | undefined;
  position?: { readonly start: { readonly line: number } } | undefined;
}

/** What the plugin uses of the file that is transformed. */
export interface MarkdownFile {
  readonly path?: string | undefined;
  /** What is read of the file. */
  readonly value?: unknown;
  readonly data?: object | undefined;
}

/**
 * A plugin of remark, and so of Docusaurus, Astro and others that build on it: fences become cells, as with `vitrineCells`.
 *
 * The fence itself is drawn by the site, with its own highlighter.
 *
 * @throws {CellFenceError} while the site is built, where a line cannot be read or a part has no cell before it.
 */
export function remarkVitrineCells(): (tree: MarkdownNode, file: MarkdownFile) => void {
  return (tree, file) => {
    wrapIn(tree, file);
  };
}

function wrapIn(parent: MarkdownNode, file: MarkdownFile): void {
  const { children } = parent;
  if (children === undefined) return;
  const wrapped: MarkdownNode[] = [];
  let cell: MarkdownNode | null = null;
  for (const node of children) {
    const info = node.type === "code" ? infoOf(node, file) : null;
    if (info === null) {
      cell = null;
      wrapIn(node, file);
      wrapped.push(node);
      continue;
    }
    if (info.role === "cell") {
      cell = element("vitrine-cell", Object.fromEntries(info.attributes), [node]);
      wrapped.push(cell);
    } else if (cell === null) {
      throw new CellFenceError(
        placeOf(node, file),
        `This ${info.role} has no cell before it. It follows the fence of its cell, with nothing between.`,
      );
    } else cell.children?.push(partOf(info, node));
    // What the site's renderer reads is a fence as any other.
    node.lang = info.language;
    node.meta = null;
  }
  parent.children = wrapped;
}

function infoOf(node: MarkdownNode, file: MarkdownFile): FenceInfo | null {
  const info = `${node.lang ?? ""} ${node.meta ?? ""}`;
  return readFenceInfo(info, (reason) => new CellFenceError(placeOf(node, file), reason));
}

function partOf({ role, attributes }: FenceInfo, node: MarkdownNode): MarkdownNode {
  switch (role) {
    case "setup":
      return element("div", { hidden: true, slot: "setup" }, [node]);
    case "check": {
      const data = Array.from(attributes, ([name, value]): [string, string] => [`data-${name}`, value]);
      return element("div", { hidden: true, slot: "check", ...Object.fromEntries(data) }, [node]);
    }
    case "solution": {
      const summary = element("summary", {}, [{ type: "text", value: attributes.get("label") ?? "Solution" }]);
      return element("details", { slot: "solution" }, [summary, node]);
    }
    default:
      return element("output", {}, [node]);
  }
}

/** What becomes an element of HTML, or of JSX, by its `data`. */
function element(name: string, properties: object, children: MarkdownNode[]): MarkdownNode {
  return { type: "vitrineElement", data: { hName: name, hProperties: properties }, children };
}

function placeOf({ position }: MarkdownNode, file: MarkdownFile): string {
  const counted = isWithoutFrontMatter(file) ? " below the front matter" : "";
  return `${file.path ?? "Markdown"}, line ${String(position?.start.line ?? 0)}${counted}`;
}

/** Docusaurus and Astro take it off the page before, and hand it in beside; how many lines it had nothing tells. */
function isWithoutFrontMatter({ value, data = {} }: MarkdownFile): boolean {
  const astro: unknown = "astro" in data ? data.astro : undefined;
  const ofAstro = typeof astro === "object" && astro !== null && "frontmatter" in astro ? astro.frontmatter : undefined;
  const found: unknown = "frontMatter" in data ? data.frontMatter : ofAstro;
  if (typeof found !== "object" || found === null || Object.keys(found).length === 0) return false;
  // Astro puts blank lines in its place for some pages, whose lines are then the file's.
  return "frontMatter" in data || !/^\s*\n/.test(typeof value === "string" ? value : "");
}
