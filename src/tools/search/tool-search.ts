import type { OptionKinds } from "../../options/index.js";
import type { Tool, ToolCallable } from "../definition.js";
import type { IndexedItem, ToolIndex } from "./tool-index.js";
import { plainName } from "./plain-name.js";

/** Something that a search found. */
export interface ToolHit {
  readonly tool: Tool;
  /** The callable that was meant, of a tool that has many; null when it is the tool as a whole. */
  readonly callable: ToolCallable | null;
}

/** What was found, best first, and how much more there is. */
export interface ToolSearchResult {
  readonly hits: readonly ToolHit[];
  /** The tools of the hits, each once. */
  readonly tools: readonly Tool[];
  /** How many further hits there are. */
  readonly more: number;
}

/** Which part of what is found is answered. */
export interface ToolSearchOptions {
  /** At most so many hits. Default 10. */
  readonly limit?: number;
  /** Skips so many, to page on. Default 0. */
  readonly offset?: number;
}

export const TOOL_SEARCH: OptionKinds<ToolSearchOptions> = { limit: "number?", offset: "number?" };

/** Characters of a query that are looked at. */
const LONGEST_QUERY = 2000;

/** What a search looks through. */
export interface SearchedTools {
  readonly list: () => readonly Tool[];
  /** Grows with every change of the list. */
  readonly version: () => number;
}

/**
 * Search over tools by words. The index is made with the first search, and brought level with the tools before each
 * further one.
 */
export class ToolSearch {
  readonly #tools: SearchedTools;
  #index: ToolIndex | undefined;
  #indexed = -1;
  #updating: Promise<ToolIndex> | undefined;

  constructor(tools: SearchedTools) {
    this.#tools = tools;
  }

  /**
   * The tool of exactly that name first, then what has the text in its name, then the rest by how well name, namespace,
   * tags, description and parameters fit the words of the query. Of a tool with many callables each is found by itself.
   * The empty query finds every tool, in the order of registration.
   */
  async search(
    query: string,
    { limit = 10, offset = 0 }: ToolSearchOptions,
    sees: (tool: Tool) => boolean,
  ): Promise<ToolSearchResult> {
    const asked = query.slice(0, LONGEST_QUERY);
    const found = asked.trim() === "" ? this.#everything(sees) : rank(await this.#level(), asked, sees);
    const start = Math.max(0, offset);
    const end = start + Math.max(0, limit);
    const hits = found.slice(start, end).map(({ tool, callable }) => ({ tool, callable }));
    return { hits, tools: [...new Set(hits.map(({ tool }) => tool))], more: Math.max(0, found.length - end) };
  }

  #everything(sees: (tool: Tool) => boolean): ToolHit[] {
    return this.#tools
      .list()
      .filter(sees)
      .map((tool) => ({ tool, callable: null }));
  }

  /** The index, when it knows all tools. */
  async #level(): Promise<ToolIndex> {
    while (this.#index === undefined || this.#indexed !== this.#tools.version()) {
      this.#updating ??= this.#update().finally(() => {
        this.#updating = undefined;
      });
      await this.#updating;
    }
    return this.#index;
  }

  async #update(): Promise<ToolIndex> {
    const { ToolIndex: Index } = await import("./tool-index.js");
    const index = (this.#index ??= new Index());
    const version = this.#tools.version();
    await index.update(this.#tools.list());
    this.#indexed = version;
    return index;
  }
}

/** What has the text in its name goes before what only has the words. */
function rank(index: ToolIndex, query: string, sees: (tool: Tool) => boolean): ToolHit[] {
  const found = index.search(query, sees);
  const named = itemsNamed(index, query, sees);
  if (named.length === 0) return found.map(({ item }) => item);
  const scores = new Map(found.map(({ item, score }) => [item, score]));
  const best = [...named].sort((a, b) => b.tier - a.tier || scoreOf(scores, b.item) - scoreOf(scores, a.item));
  const inNames = new Set(best.map(({ item }) => item));
  return [...best.map(({ item }) => item), ...[...scores.keys()].filter((item) => !inNames.has(item))];
}

interface NamedItem {
  readonly item: IndexedItem;
  /** 2 for exactly that name, 1 for one that contains it. */
  readonly tier: number;
}

function itemsNamed(index: ToolIndex, query: string, sees: (tool: Tool) => boolean): NamedItem[] {
  const joined = plainName(query);
  const found: NamedItem[] = [];
  for (const item of index.items()) {
    const { name, tool } = item;
    if (!name.includes(joined) || !sees(tool)) continue;
    found.push({ item, tier: name === joined ? 2 : 1 });
  }
  return found;
}

function scoreOf(scores: ReadonlyMap<IndexedItem, number>, item: IndexedItem): number {
  return scores.get(item) ?? 0;
}
