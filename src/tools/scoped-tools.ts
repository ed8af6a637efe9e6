import type { Tool } from "./definition.js";
import { ToolNotFoundError } from "./errors.js";
import type { OnOpenApiProgress } from "./openapi-progress.js";
import type { ToolSearch, ToolSearchOptions, ToolSearchResult } from "./search/index.js";
import type { PreparedToolCall, ToolDirectory, ToolScope } from "./tool-directory.js";

/** A view of a registry through a scope; it follows the registry's changes. */
export class ScopedTools implements ToolDirectory {
  readonly #parent: ToolDirectory;
  readonly #tags: ReadonlySet<string>;
  readonly #names: ReadonlySet<string>;
  readonly #without: ReadonlySet<string>;
  readonly #pageToolsOnly: boolean;
  readonly #seesOthers: boolean;
  readonly #search: ToolSearch;

  constructor(parent: ToolDirectory, { tags, names, without, pageToolsOnly }: ToolScope, search: ToolSearch) {
    this.#parent = parent;
    this.#tags = new Set(tags);
    this.#names = new Set(names);
    this.#without = new Set(without);
    this.#pageToolsOnly = pageToolsOnly === true;
    const isOpen = without !== undefined || pageToolsOnly === true;
    this.#seesOthers = isOpen && tags === undefined && names === undefined;
    this.#search = search;
  }

  get(name: string): Tool | undefined {
    const tool = this.#parent.get(name);
    return tool !== undefined && this.#sees(tool) ? tool : undefined;
  }

  list(): readonly Tool[] {
    return this.#parent.list().filter((tool) => this.#sees(tool));
  }

  search(query: string, options: ToolSearchOptions = {}): Promise<ToolSearchResult> {
    return this.#search.search(query, options, (tool) => this.get(tool.name) !== undefined);
  }

  prepare(name: string, callable: string | null): PreparedToolCall {
    if (this.get(name) === undefined) {
      throw new ToolNotFoundError(
        name,
        this.list().map((tool) => tool.name),
      );
    }
    return this.#parent.prepare(name, callable);
  }

  whenKnown(name: string, onProgress?: OnOpenApiProgress): Promise<void> | undefined {
    return this.get(name) === undefined ? undefined : this.#parent.whenKnown(name, onProgress);
  }

  settled(): Promise<void> | undefined {
    return this.#parent.settled();
  }

  leavesOut(name: string): boolean {
    return this.#without.has(name) || this.#parent.leavesOut(name);
  }

  scopedView(tags: Iterable<string>): ToolDirectory {
    return this.inScope({ tags: [...tags] });
  }

  inScope(scope: ToolScope): ToolDirectory {
    return new ScopedTools(this, scope, this.#search);
  }

  /** What session code defined is in every scope, unless it is left out: it reaches no more than the code that calls it. */
  #sees({ name, tags, trust }: Tool): boolean {
    if (this.#without.has(name) || (this.#pageToolsOnly && trust !== undefined)) return false;
    if (this.#seesOthers || trust !== undefined) return true;
    return this.#names.has(name) || tags.some((tag) => this.#tags.has(tag));
  }
}
