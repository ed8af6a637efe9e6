import type { Tool } from "./definition.js";

/** The text of a tool that a search looks at, in lower case. */
export interface SearchEntry {
  readonly tool: Tool;
  readonly name: string;
  readonly callables: string;
  readonly tags: readonly string[];
  readonly description: string;
  readonly parameters: string;
}

export interface ToolSearchResult {
  readonly tools: readonly Tool[];
  /** How many further tools match. */
  readonly more: number;
}

export interface ToolSearchOptions {
  /** At most so many tools. Default 10. */
  readonly limit?: number;
  /** Skips so many, to page on. Default 0. */
  readonly offset?: number;
}

export function searchEntry(tool: Tool): SearchEntry {
  const { callables } = tool;
  return {
    tool,
    name: tool.name.toLowerCase(),
    callables: callables.map(({ name }) => name.toLowerCase()).join(" "),
    tags: tool.tags.map((tag) => tag.toLowerCase()),
    description: [tool.description, ...callables.map(({ description }) => description)].join("\n").toLowerCase(),
    parameters: callables
      .flatMap(({ parameters }) => parameters.map(({ name, description }) => `${name} ${description}`))
      .join(" ")
      .toLowerCase(),
  };
}

/**
 * The tool of exactly that name first, then those whose name contains the text,
 * then the rest by how well name, recipes, tags, description and parameters
 * match its words. The empty query matches every tool, in the order given.
 */
export function searchTools(
  entries: readonly SearchEntry[],
  query: string,
  { limit = 10, offset = 0 }: ToolSearchOptions = {},
): ToolSearchResult {
  const text = query.trim().toLowerCase();
  const found = text === "" ? entries : rank(entries, text);
  const start = Math.max(0, offset);
  const end = start + Math.max(0, limit);
  return { tools: found.slice(start, end).map(({ tool }) => tool), more: Math.max(0, found.length - end) };
}

interface Ranked {
  readonly entry: SearchEntry;
  /** 2 for the exact name, 1 for a name that contains the text, 0 for the rest. */
  readonly tier: number;
  score: number;
}

function rank(entries: readonly SearchEntry[], text: string): SearchEntry[] {
  const ranked = new Map<SearchEntry, Ranked>();
  for (const entry of entries) {
    if (entry.name.includes(text)) ranked.set(entry, { entry, tier: entry.name === text ? 2 : 1, score: 0 });
  }
  for (const term of termsOf(text)) {
    const hits = entries.map((entry) => weightOf(entry, term));
    const count = hits.reduce((sum, weight) => sum + (weight > 0 ? 1 : 0), 0);
    // A word that half of all tools use says little about any of them.
    const rarity = Math.log(1 + entries.length / Math.max(1, count));
    hits.forEach((weight, index) => {
      const entry = entries[index];
      if (weight === 0 || entry === undefined) return;
      const known = ranked.get(entry);
      if (known === undefined) ranked.set(entry, { entry, tier: 0, score: weight * rarity });
      else known.score += weight * rarity;
    });
  }
  return [...ranked.values()].sort((a, b) => b.tier - a.tier || b.score - a.score).map(({ entry }) => entry);
}

/** Words of the query; a plural also finds the singular. */
function termsOf(text: string): string[] {
  const words = text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
  const long = words.filter((word) => word.length > 1);
  return [...new Set(long.length > 0 ? long : words)].map((word) =>
    /[^s]s$/.test(word) && word.length > 3 ? word.slice(0, -1) : word,
  );
}

function weightOf(entry: SearchEntry, term: string): number {
  return (
    (entry.name.includes(term) ? 8 : 0) +
    (entry.callables.includes(term) ? 5 : 0) +
    (entry.tags.some((tag) => tag.includes(term)) ? 6 : 0) +
    (entry.description.includes(term) ? 3 : 0) +
    (entry.parameters.includes(term) ? 1 : 0)
  );
}
