import {
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  parseAllDocuments,
  type Alias,
  type Document,
  type Node,
} from "yaml";

import { shortenUnitsTo, type ContentFacts } from "../../src/protocol/index.js";
import { ContentFault, isStackOverflow, tooDeep, type Position } from "./content-fault.js";
import type { Look } from "./look.js";

export function readYaml(text: string, look: Look): ContentFacts {
  const lines = new LineCounter();
  // The package compares each key with all others; `Reading` has a set.
  const options = { lineCounter: lines, prettyErrors: false, uniqueKeys: false, logLevel: "silent" } as const;
  const parsed = parseAllDocuments(text, options);
  const documents: readonly Document.Parsed[] = Array.isArray(parsed) ? parsed : [];
  const positionAt = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return line === 0 ? {} : { line, column: col };
  };
  for (const { errors, warnings } of documents) {
    const [error] = errors;
    // The parser lists it like a mistake of the text.
    if (error !== undefined && isStackOverflow(error)) throw error;
    if (error !== undefined) throw new ContentFault("yaml_parse_failed", error.message, positionAt(error.pos[0]));
    for (const { message, pos } of warnings) look.odd("unknown_tag", message, positionAt(pos[0]));
  }
  for (const { contents } of documents) new Reading(look, positionAt).weigh(contents, 1);
  return { format: "yaml", documents: documents.length, type: typeOf(documents[0]?.contents) };
}

/** One document. Aliases are counted as often as a reader will copy them, and never followed. */
class Reading {
  readonly #look: Look;
  readonly #positionAt: (offset: number) => Position;
  /** By anchor: how much the latest node of that name holds; undefined while it is being weighed. */
  readonly #anchored = new Map<string, number | undefined>();

  constructor(look: Look, positionAt: (offset: number) => Position) {
    this.#look = look;
    this.#positionAt = positionAt;
  }

  /** How many values a node holds, itself among them, once every alias is replaced by what it refers to. */
  weigh(node: unknown, depth: number): number {
    if (!isNode(node)) return 1;
    if (depth > this.#look.limits.depth) throw tooDeep(this.#look.limits.depth, this.#positionOf(node));
    if (isAlias(node)) return this.#weighAlias(node);
    if (node.anchor !== undefined) this.#anchored.set(node.anchor, undefined);
    const weight = 1 + this.#weighInside(node, depth);
    if (node.anchor !== undefined) this.#anchored.set(node.anchor, weight);
    if (weight > this.#look.limits.parts) {
      throw new ContentFault(
        "expands_too_much",
        "its aliases stand for more values than are looked at",
        this.#positionOf(node),
      );
    }
    return weight;
  }

  #weighAlias(alias: Alias): number {
    const anchor = alias.source;
    const weight = this.#anchored.get(anchor);
    if (weight !== undefined) return weight;
    const reason = this.#anchored.has(anchor)
      ? "an alias stands inside of what it refers to"
      : `the alias *${shortenUnitsTo(anchor, 50)} refers to nothing`;
    throw new ContentFault("yaml_parse_failed", reason, this.#positionOf(alias));
  }

  #weighInside(node: Node, depth: number): number {
    if (isSeq(node)) {
      // A set or an ordered map is a sequence of pairs.
      return node.items.reduce<number>((sum, item) => sum + this.#weighItem(item, depth), 0);
    }
    if (!isMap(node)) return 0;
    const keys = new Set<unknown>();
    let weight = 0;
    for (const pair of node.items) {
      this.#meetKey(pair.key, keys);
      weight += this.#weighItem(pair, depth);
    }
    return weight;
  }

  #meetKey(key: unknown, keys: Set<unknown>): void {
    if (!isScalar(key)) return;
    // Merging is what may be done as often as one likes.
    if (keys.has(key.value) && key.value !== "<<") {
      const name = shortenUnitsTo(key.source ?? "", 50);
      this.#look.odd(
        "repeated_key",
        `the key '${name}' stands there twice, and one value is lost`,
        this.#positionOf(key),
      );
    }
    keys.add(key.value);
  }

  #positionOf({ range }: Node): Position {
    return this.#positionAt(range?.[0] ?? 0);
  }

  #weighItem(item: unknown, depth: number): number {
    if (!isPair(item)) return this.weigh(item, depth + 1);
    return this.weigh(item.key, depth + 1) + this.weigh(item.value, depth + 1);
  }
}

function typeOf(contents: unknown): Extract<ContentFacts, { format: "yaml" }>["type"] {
  if (isMap(contents)) return "map";
  if (isSeq(contents)) return "sequence";
  return isScalar(contents) && contents.value !== null ? "scalar" : "empty";
}
