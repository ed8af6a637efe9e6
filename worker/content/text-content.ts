import { lexer, walkTokens, type Token } from "marked";

import { shortenUnitsTo, type ContentFacts } from "../../src/protocol/index.js";
import { ContentFault } from "./content-fault.js";
import type { Look } from "./look.js";
import { countLines, positionOf } from "./text.js";

/** Characters of a name that is told. */
export const LONGEST_NAME = 200;

export function readText(text: string): ContentFacts {
  return { format: "text", lines: countLines(text), characters: text.length };
}

/** One address with its scheme, as a program can open it. */
export function readUrl(text: string): ContentFacts {
  const address = text.trim();
  if (/\s/.test(address)) {
    throw new ContentFault(
      "url_parse_failed",
      "there is white space in it; one address is wanted",
      positionOf(text, text.search(/\S\s+\S/)),
    );
  }
  const url = URL.parse(address);
  if (url === null)
    throw new ContentFault("url_parse_failed", "it is no address with a scheme, such as https://example.org/");
  return {
    format: "url",
    scheme: shortenUnitsTo(url.protocol.slice(0, -1), LONGEST_NAME),
    host: shortenUnitsTo(url.host, LONGEST_NAME),
  };
}

/** Everything is Markdown, so what is found is counted, and only what is left open is odd. */
export function readMarkdown(text: string, look: Look): ContentFacts {
  const found = { headings: 0, links: 0, codeBlocks: 0 };
  const count = ({ type }: Token): void => {
    if (type === "heading") found.headings += 1;
    else if (type === "link" || type === "image") found.links += 1;
    else if (type === "code") found.codeBlocks += 1;
  };
  // What it returns is for extensions that wait.
  void walkTokens(lexer(text), count);
  const open = openFence(text);
  if (open !== undefined) {
    look.odd("unclosed_fence", "a fence of code is not closed, so all after it is code", { line: open, column: 1 });
  }
  return { format: "markdown", lines: countLines(text), ...found };
}

/** The line of a fence that nothing closes. Inside of lists and quotes fences end with them, so those are left alone. */
function openFence(text: string): number | undefined {
  let open: { readonly fence: string; readonly line: number } | undefined;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const [, fence = "", rest = ""] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (fence === "") continue;
    if (open === undefined) open = fence.startsWith("`") && rest.includes("`") ? undefined : { fence, line: index + 1 };
    else if (fence.startsWith(open.fence) && rest.trim() === "") open = undefined;
  }
  return open?.line;
}

/** Kinds of diagrams of Mermaid 11. */
const DIAGRAMS = new Set([
  ...["graph", "flowchart", "sequencediagram", "classdiagram", "statediagram", "erdiagram", "gantt", "pie", "journey"],
  ...["gitgraph", "mindmap", "timeline", "quadrantchart", "requirementdiagram", "c4context", "c4container"],
  ...["c4component", "c4dynamic", "c4deployment", "sankey", "xychart", "block", "packet", "kanban", "architecture"],
  ...["radar", "treemap", "zenuml", "info"],
]);

/** The kind of the diagram alone: Mermaid itself is larger than all other parsers together. */
export function readMermaid(text: string, look: Look): ContentFacts {
  // Before the kind there may be front matter, comments and directives.
  const body = text.replace(/^\s*---\n[^]*?\n---\s*\n/, "").replace(/^[ \t]*%%.*$/gm, "");
  const [diagram = ""] = /\S+/.exec(body) ?? [];
  if (diagram.startsWith("```")) {
    throw new ContentFault(
      "mermaid_parse_failed",
      "it begins with a fence of Markdown, and the diagram alone is wanted",
    );
  }
  const kind = diagram.toLowerCase().replace(/(?:-v2|-beta|-elk)?[:;]?$/, "");
  if (!DIAGRAMS.has(kind))
    look.odd("unknown_diagram", `'${shortenUnitsTo(diagram, 50)}' is no kind of diagram that is known here`);
  return { format: "mermaid", diagram: shortenUnitsTo(diagram, LONGEST_NAME), lines: countLines(text) };
}
