import MiniSearch, { type SearchResult } from "minisearch";

import type { Tool, ToolCallable } from "../definition.js";
import { plainName } from "./plain-name.js";
import { queryWords, wordsOf, type QueryWord } from "./words.js";

/** A tool with more callables than this is looked at callable by callable. */
export const MOST_TOGETHER = 12;

/** Milliseconds that the index may work at a stretch. */
const SLICE = 8;

/** What can be found: a tool, or one callable of a tool that has many. */
export interface IndexedItem {
  readonly tool: Tool;
  readonly callable: ToolCallable | null;
  /** In lower case, words joined with `_`. */
  readonly name: string;
}

export interface FoundItem {
  readonly item: IndexedItem;
  readonly score: number;
}

interface IndexedText {
  readonly id: number;
  readonly name: string;
  readonly namespace: string;
  readonly tags: string;
  readonly description: string;
  readonly parameters: string;
}

/** The words of tools, by where they stand. It is made in slices, so that the page stays alive meanwhile. */
export class ToolIndex {
  readonly #words = new MiniSearch<IndexedText>({
    fields: ["name", "namespace", "tags", "description", "parameters"],
    tokenize: wordsOf,
    processTerm: (word) => word,
    searchOptions: {
      boost: { name: 6, namespace: 2, tags: 4, description: 3, parameters: 0.7 },
      combineWith: "OR",
    },
    autoVacuum: false,
  });
  readonly #items = new Map<number, IndexedItem>();
  readonly #known = new Map<Tool, readonly number[]>();
  /** In how many items a word stands; what was forgotten still counts. */
  readonly #spread = new Map<string, number>();
  #nextId = 0;

  /** Everything that can be found, in no order that matters. */
  items(): Iterable<IndexedItem> {
    return this.#items.values();
  }

  /** Takes in what is new among the tools, and forgets what is gone. */
  async update(tools: readonly Tool[]): Promise<void> {
    const wanted = new Set(tools);
    let until = performance.now() + SLICE;
    const rest = async (): Promise<void> => {
      if (performance.now() < until) return;
      await nextTask();
      until = performance.now() + SLICE;
    };
    for (const [tool, ids] of this.#known) {
      if (wanted.has(tool)) continue;
      for (const id of ids) {
        this.#words.discard(id);
        this.#items.delete(id);
      }
      this.#known.delete(tool);
      await rest();
    }
    for (const tool of tools) {
      if (this.#known.has(tool)) continue;
      const ids: number[] = [];
      this.#known.set(tool, ids);
      for (const { item, text } of textsOf(tool)) {
        const id = this.#nextId;
        this.#nextId += 1;
        ids.push(id);
        this.#items.set(id, item);
        this.#words.add({ id, ...text });
        this.#count(text);
        await rest();
      }
    }
  }

  /** By how well the words of the query fit, the best first. */
  search(query: string, sees: (tool: Tool) => boolean): FoundItem[] {
    const words = this.#telling(queryWords(query));
    const weights = new Map(words.map(({ word, weight }) => [word, weight]));
    const options = {
      tokenize: () => words.map(({ word }) => word),
      boostTerm: (word: string) => weights.get(word) ?? 1,
      prefix: (word: string) => word.length >= 4 && weights.get(word) === 1,
      // The comparison takes as much memory as the word has characters, squared.
      fuzzy: (word: string) => (word.length >= 6 && word.length <= 60 && weights.get(word) === 1 ? 0.15 : false),
      weights: { prefix: 0.4, fuzzy: 0.2 },
    };
    const best: FoundItem[] = [];
    const others: FoundItem[] = [];
    for (const result of this.#words.search(query, options)) {
      const item = this.#items.get(result.id as number);
      if (item === undefined || !sees(item.tool)) continue;
      const { score } = result;
      if (best.length < MOST_WEIGHED) best.push({ item, score: score * fit({ item, result }, words) });
      else others.push({ item, score });
    }
    return [...best.sort((a, b) => b.score - a.score), ...others];
  }

  /** Without words that so many items have that they say little, where the query has others: they take the most time. */
  #telling(words: readonly QueryWord[]): readonly QueryWord[] {
    const most = Math.max(FEW_ITEMS, this.#items.size * COMMON);
    const spreadOf = ({ word }: QueryWord): number => this.#spread.get(word) ?? 0;
    const telling = words.filter((word) => spreadOf(word) <= most);
    return telling.some((word) => word.weight === 1 && spreadOf(word) > 0) ? telling : words;
  }

  #count({ name, description, tags }: ItemText["text"]): void {
    for (const word of new Set(wordsOf(`${name} ${description} ${tags}`))) {
      this.#spread.set(word, (this.#spread.get(word) ?? 0) + 1);
    }
  }
}

/** The share of all items from which on a word is common, and the number below which none is. */
const COMMON = 0.25;
const FEW_ITEMS = 2000;

/** Of so many of the best it is looked at how much of the query, and of the name, they account for. */
const MOST_WEIGHED = 300;

/** What has every word of the query goes before what has one of them often; a short name before a long one. */
function fit(
  { item, result }: { readonly item: IndexedItem; readonly result: SearchResult },
  words: readonly QueryWord[],
): number {
  const matched = new Set(result.queryTerms);
  const written = new Set(words.filter(({ weight }) => weight === 1).map(({ word }) => word));
  const covered = new Set(words.filter(({ word }) => matched.has(word)).flatMap((word) => word.of));
  const named = Object.values(result.match).filter((fields) => fields.includes("name")).length;
  const length = item.name.split("_").length;
  return (0.25 + covered.size / Math.max(1, written.size)) ** 2 * (1 + Math.min(1, named / length));
}

interface ItemText {
  readonly item: IndexedItem;
  readonly text: Omit<IndexedText, "id">;
}

function* textsOf(tool: Tool): Generator<ItemText> {
  const { name, description, callables } = tool;
  const tags = tool.tags.join(" ");
  const together = callables.length <= MOST_TOGETHER;
  const inside = together ? callables : [];
  yield {
    item: { tool, callable: null, name: plainName(name) },
    text: {
      name: [name, ...inside.map((callable) => callable.name)].join(" "),
      namespace: name,
      tags,
      description: [description, ...inside.map((callable) => callable.description)].join("\n"),
      parameters: inside.map(parameterText).join(" "),
    },
  };
  if (together) return;
  for (const callable of callables) {
    yield {
      item: { tool, callable, name: plainName(callable.name) },
      text: {
        name: callable.name,
        namespace: name,
        tags,
        description: callable.description,
        parameters: parameterText(callable),
      },
    };
  }
}

function parameterText({ parameters }: ToolCallable): string {
  return parameters.map(({ name, description }) => `${name} ${description}`).join(" ");
}

/** Lets whatever waits on the page come first. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}
