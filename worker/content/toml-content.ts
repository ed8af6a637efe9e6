import { parse, TomlError } from "smol-toml";

import type { ContentFacts } from "../../src/protocol/index.js";
import { ContentFault, ParseFailure, tooDeep } from "./content-fault.js";
import type { Look } from "./look.js";

/** TOML 1.0 and 1.1. What TOML itself forbids, such as a key that is there twice, is a mistake and no oddity. */
export function readToml(text: string, look: Look): ContentFacts {
  const root = parsed(text, look.limits.depth);
  return { format: "toml", keys: Object.keys(root).length, depth: depthOf(root, look) };
}

function parsed(text: string, maxDepth: number): object {
  try {
    // Whole numbers of TOML have 64 bits; of what is read here only the shape counts.
    return parse(text, { integersAsBigInt: "asNeeded", maxDepth });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [first = ""] = error.message.split("\n", 1);
    const reason = first.replace("Invalid TOML document: ", "");
    const { line, column } = error;
    // The only one that speaks of depth, and it has no class of its own.
    if (reason.includes("nested")) throw tooDeep(maxDepth, { line, column });
    throw new ParseFailure(reason, { line, column });
  }
}

/** Levels of tables and arrays. Names with dots make them as well as brackets do. */
function depthOf(root: object, { limits }: Look): number {
  let parts = 0;
  let depth = 0;
  for (let level: object[] = [root]; level.length > 0;) {
    depth += 1;
    if (depth > limits.depth) throw tooDeep(limits.depth, {});
    const inside: object[] = [];
    for (const table of level) {
      for (const value of Object.values<unknown>({ ...table })) {
        parts += 1;
        if (typeof value === "object" && value !== null && !(value instanceof Date)) inside.push(value);
      }
    }
    if (parts > limits.parts) {
      throw new ContentFault("too_many_parts", `it has more than ${String(limits.parts)} values`);
    }
    level = inside;
  }
  return depth;
}
