import parse from "postcss/lib/parse";
import type { ChildNode, CssSyntaxError } from "postcss";

import type { ContentFacts } from "../../src/protocol/index.js";
import { ContentFault, ParseFailure, tooDeep } from "./content-fault.js";
import type { Look } from "./look.js";

/**
 * A browser reads any text as CSS and drops what it does not understand. What is looked for is what somebody who writes a
 * style sheet never means: blocks, strings and comments without an end, braces without a beginning, and words that are
 * neither a rule nor a declaration. Names of properties and their values are not looked at.
 */
export function readCss(text: string, look: Look): ContentFacts {
  return { format: "css", ...counted(parsed(text), look) };
}

function parsed(text: string): readonly ChildNode[] {
  try {
    const tree = parse(text);
    // The other kind is of parsers that read style sheets inside other languages.
    return tree.type === "root" ? tree.nodes : [];
  } catch (error) {
    if (!isSyntaxError(error)) throw error;
    const { reason, line, column } = error;
    throw new ParseFailure(reason, {
      ...(line === undefined ? {} : { line }),
      ...(column === undefined ? {} : { column }),
    });
  }
}

function isSyntaxError(error: unknown): error is CssSyntaxError {
  return error instanceof Error && error.name === "CssSyntaxError";
}

interface Counts {
  rules: number;
  declarations: number;
  atRules: number;
}

function counted(nodes: readonly ChildNode[], { limits }: Look): Counts {
  const counts = { rules: 0, declarations: 0, atRules: 0 };
  let parts = 0;
  let depth = 0;
  for (let level = nodes; level.length > 0;) {
    depth += 1;
    if (depth > limits.depth) throw tooDeep(limits.depth, {});
    const inside: ChildNode[] = [];
    for (const node of level) {
      parts += 1;
      if (node.type === "rule") counts.rules += 1;
      else if (node.type === "decl") counts.declarations += 1;
      else if (node.type === "atrule") counts.atRules += 1;
      if ("nodes" in node) for (const each of node.nodes ?? []) inside.push(each);
    }
    if (parts > limits.parts) {
      throw new ContentFault("too_many_parts", `it has more than ${String(limits.parts)} rules and declarations`);
    }
    level = inside;
  }
  return counts;
}
