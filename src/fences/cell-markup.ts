import type { FenceInfo } from "./fence-info.js";

/** Markup around a fence, which the site's own renderer draws between the two. */
export interface Around {
  readonly before: string;
  readonly after: string;
}

/** What stands around a fence within its cell. */
export function aroundFence({ role, attributes }: FenceInfo): Around {
  switch (role) {
    case "cell":
      return { before: "", after: "" };
    case "output":
      return { before: "<output>", after: "</output>" };
    case "setup":
      return { before: `<div hidden slot="setup">`, after: "</div>" };
    case "check": {
      const wants = dataAttribute("wants", attributes.get("wants"));
      const label = dataAttribute("label", attributes.get("label"));
      return { before: `<div hidden slot="check"${wants}${label}>`, after: "</div>" };
    }
    case "solution": {
      const label = attributes.get("label") ?? "Solution";
      return { before: `<details slot="solution"><summary>${escapeHtml(label)}</summary>`, after: "</details>" };
    }
  }
}

/** The tag that opens a cell. */
export function cellTag(attributes: ReadonlyMap<string, string>): string {
  const written = [...attributes].map(([name, value]) =>
    value === "" ? ` ${name}` : ` ${name}="${escapeHtml(value)}"`,
  );
  return `<vitrine-cell${written.join("")}>`;
}

export const CELL_END = "</vitrine-cell>";

function dataAttribute(name: string, value: string | undefined): string {
  return value === undefined ? "" : ` data-${name}="${escapeHtml(value)}"`;
}

/** Braces too: Vue would read two of them in a text as an expression. */
function escapeHtml(text: string): string {
  const names: Readonly<Record<string, string>> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "{": "&#123;",
  };
  return text.replace(/[&<>"{]/g, (character) => names[character] ?? character);
}
