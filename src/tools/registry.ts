import { messageOf, type Problem } from "../protocol/index.js";

import { toolAlias } from "./python/aliases.js";
import type { OpenTool, Tool, ToolAdapter } from "./definition.js";
import { InvalidToolError, ToolNameError, ToolNameTakenError, ToolNotFoundError } from "./errors.js";
import type { OnOpenApiProgress } from "./openapi-progress.js";
import { prepareCall } from "./prepare-call.js";
import { distinctAliases, freeName, pythonAttribute } from "./python/python-names.js";
import { ScopedTools } from "./scoped-tools.js";
import { ToolSearch, type ToolSearchOptions, type ToolSearchResult } from "./search/index.js";
import type { PreparedToolCall, ToolDirectory, ToolScope } from "./tool-directory.js";
import type { ToolEnvironment } from "./tool-host.js";

export interface ToolRegistryOptions {
  /** What adapters are given to work with. */
  readonly environment?: ToolEnvironment;
  /** Hears what is wrong with a tool beside any call, once. */
  readonly onProblem?: (problem: Problem) => void;
}

/** Milliseconds for which a listing waits for a tool that connects. */
const LISTING_WAIT = 3000;

/** The tools of a session. */
export class ToolRegistry implements ToolDirectory {
  readonly #options: ToolRegistryOptions;
  readonly #problems = new Map<string, readonly Problem[]>();
  readonly #opening = new Set<Promise<void>>();
  readonly #entries = new Map<string, RegisteredTool>();
  readonly #aliases = new Map<string, string>();
  readonly #dotted = new DottedNames();
  readonly #listeners = new Set<() => void>();
  #version = 0;
  readonly #search = new ToolSearch({ list: () => this.list(), version: () => this.#version });

  constructor(options: ToolRegistryOptions = {}) {
    this.#options = options;
  }

  /** Grows with every change, so that who keeps a copy knows when it is old. */
  get version(): number {
    return this.#version;
  }

  /**
   * Adds a tool; `tags` come on top of its own. One that `yields` is removed when another tool wants its name.
   *
   * @throws {ToolNameTakenError} with the tool that was there still in place.
   * @throws {ToolNameError} also for a name with a dot that reads as a callable of another tool, or has one that does.
   */
  register(
    adapter: ToolAdapter,
    { tags = [], yields = false }: { readonly tags?: readonly string[]; readonly yields?: boolean } = {},
  ): Tool {
    checkAdapter(adapter);
    const tool = tags.length === 0 ? adapter.tool : withTags(adapter.tool, tags);
    this.checkFree(tool.name, { yields });
    this.#clearName(tool.name);
    const opened = this.#open(adapter, tags);
    const registered = this.#add({ tool, adapter: opened ?? adapter, opened, yields });
    this.#changed();
    return registered;
  }

  /** False when there was no such tool. */
  remove(name: string): boolean {
    const removed = this.#entries.get(name);
    if (removed === undefined) return false;
    this.#entries.delete(name);
    this.#dotted.delete(name);
    this.#close(removed);
    this.#nameAnew();
    this.#changed();
    return true;
  }

  get(name: string): Tool | undefined {
    return this.#find(name)?.tool;
  }

  /**
   * Checks that a tool may be registered under this name, with nothing changed.
   *
   * @throws {ToolNameTakenError} @throws {ToolNameError} as `register` would.
   */
  checkFree(name: string, { yields = false }: { readonly yields?: boolean } = {}): void {
    checkName(name);
    // `mail.send` by name is the callable `send` of `mail`. With a tool of that name one would be called for the other.
    for (const prefix of prefixesOf(name)) {
      const there = this.#find(prefix);
      if (there !== undefined && !there.yields) throw new ToolNameError(name, readsAs(name, there.tool.name));
    }
    const longer = this.#dotted.startingWith(name) ?? this.#dotted.startingWith(pythonAttribute(name));
    if (longer !== undefined) throw new ToolNameError(name, readsAs(longer, name));
    const there = this.#find(name);
    // An alias makes way for an exact name, but not for that of a tool that yields itself.
    const isTaken = this.#entries.has(name) || (yields && there !== undefined);
    if (isTaken && there?.yields !== true) throw new ToolNameTakenError(name);
  }

  /** Whether a tool may have this name: none has it, as its own or as Python writes it, or one that yields. */
  isFree(name: string): boolean {
    return this.#find(name)?.yields ?? true;
  }

  list(): readonly Tool[] {
    return Array.from(this.#entries.values(), ({ tool }) => tool);
  }

  search(query: string, options: ToolSearchOptions = {}): Promise<ToolSearchResult> {
    return this.#search.search(query, options, () => true);
  }

  prepare(name: string, callable: string | null): PreparedToolCall {
    const entry = this.#find(name);
    if (entry === undefined) throw new ToolNotFoundError(name, [...this.#entries.keys()]);
    return prepareCall(entry, callable);
  }

  whenKnown(name: string, onProgress?: OnOpenApiProgress): Promise<void> | undefined {
    return this.#find(name)?.opened?.whenKnown(onProgress);
  }

  settled(): Promise<void> | undefined {
    return this.#opening.size === 0 ? undefined : Promise.all(this.#opening).then(() => undefined);
  }

  /** What is wrong with tools beside any call: a server that cannot be reached, a tool of it that is broken. */
  problems(): readonly Problem[] {
    return [...this.#problems.values()].flat();
  }

  /** Ends what tools keep open: connections to servers. */
  async close(): Promise<void> {
    await Promise.allSettled(Array.from(this.#entries.values(), async ({ opened }) => opened?.close()));
  }

  leavesOut(): boolean {
    return false;
  }

  scopedView(tags: Iterable<string>): ToolDirectory {
    return this.inScope({ tags: [...tags] });
  }

  inScope(scope: ToolScope): ToolDirectory {
    return new ScopedTools(this, scope, this.#search);
  }

  /** Calls `listener` after every change. Returns how to stop it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Removes those that yield to this name. */
  #clearName(name: string): void {
    for (const own of [name, pythonAttribute(name), ...prefixesOf(name)]) {
      const there = this.#find(own);
      if (there?.yields === true) this.remove(there.tool.name);
    }
  }

  #add(registered: RegisteredTool): Tool {
    const { tool } = registered;
    const { name } = tool;
    this.#dotted.add(name);
    const wanted = pythonAttribute(name);
    if (wanted === name && this.#aliases.has(name)) {
      // Its own name is an alias so far: of a tool that has to have another one now.
      this.#entries.set(name, registered);
      this.#nameAnew();
      return this.#entries.get(name)?.tool ?? tool;
    }
    const alias = freeName(wanted, this.#aliases);
    this.#aliases.set(alias, name);
    const aliased = alias === wanted && tool.alias === undefined ? tool : { ...tool, alias };
    this.#entries.set(name, { ...registered, tool: aliased });
    return aliased;
  }

  /** An exact name goes before an alias, an earlier tool before a later one. */
  #nameAnew(): void {
    this.#aliases.clear();
    for (const [name, alias] of distinctAliases(this.#entries.keys(), pythonAttribute)) {
      this.#aliases.set(alias, name);
      const entry = this.#entries.get(name);
      if (entry !== undefined) this.#entries.set(name, { ...entry, tool: withAlias(entry.tool, alias) });
    }
  }

  #open(adapter: ToolAdapter, tags: readonly string[]): OpenTool | undefined {
    const { name } = adapter.tool;
    const entry = (): RegisteredTool | undefined => {
      const found = this.#entries.get(name);
      return found?.opened === opened ? found : undefined;
    };
    const opened = adapter.open?.({
      environment: this.#options.environment ?? {},
      changed: () => {
        const found = entry();
        if (found === undefined) return;
        const tool = withTags({ ...found.adapter.tool, name }, tags);
        this.#entries.set(name, { ...found, tool: withAlias(tool, toolAlias(found.tool)) });
        this.#changed();
      },
      problems: (problems) => {
        if (entry() !== undefined) this.#setProblems(name, problems);
      },
    });
    if (opened === undefined) return undefined;
    const waited = withLimit(opened.opened, LISTING_WAIT).finally(() => this.#opening.delete(waited));
    this.#opening.add(waited);
    return opened;
  }

  #close({ tool, opened }: RegisteredTool): void {
    this.#problems.delete(tool.name);
    opened?.close().catch((error: unknown) => {
      const message = messageOf(error);
      this.#options.onProblem?.({ file: `tools.${tool.name}`, message, code: "TOOL_CLOSE" });
    });
  }

  #setProblems(name: string, problems: readonly Problem[]): void {
    const known = this.#problems.get(name) ?? [];
    if (problems.length === 0) this.#problems.delete(name);
    else this.#problems.set(name, problems);
    const isKnown = (problem: Problem): boolean =>
      known.some(({ field, message }) => field === problem.field && message === problem.message);
    const news = problems.filter((problem) => !isKnown(problem));
    for (const problem of news) this.#options.onProblem?.(problem);
    if (news.length > 0 || known.length !== problems.length) for (const listener of this.#listeners) listener();
  }

  #find(name: string): RegisteredTool | undefined {
    return this.#entries.get(name) ?? this.#entries.get(this.#aliases.get(name) ?? "");
  }

  #changed(): void {
    this.#version += 1;
    for (const listener of this.#listeners) listener();
  }
}

interface RegisteredTool {
  /** The adapter's tool with the tags given at registration. */
  readonly tool: Tool;
  readonly adapter: ToolAdapter;
  /** The adapter, where it keeps something open. */
  readonly opened: OpenTool | undefined;
  readonly yields: boolean;
}

/** The names that have a dot, by each part of them that stands before one. */
class DottedNames {
  readonly #names = new Map<string, Set<string>>();

  add(name: string): void {
    for (const prefix of prefixesOf(name)) {
      const names = this.#names.get(prefix) ?? new Set();
      this.#names.set(prefix, names.add(name));
    }
  }

  delete(name: string): void {
    for (const prefix of prefixesOf(name)) {
      const names = this.#names.get(prefix);
      names?.delete(name);
      if (names?.size === 0) this.#names.delete(prefix);
    }
  }

  /** A name that begins so, with a dot behind it. */
  startingWith(prefix: string): string | undefined {
    const [first] = this.#names.get(prefix) ?? [];
    return first;
  }
}

/** `a` and `a.b` of `a.b.c`. */
function prefixesOf(name: string): string[] {
  return Array.from(name.matchAll(/\./g), ({ index }) => name.slice(0, index));
}

function readsAs(dotted: string, tool: string): string {
  return `'${dotted}' reads as a callable of the tool '${tool}', and one would be called for the other`;
}

/** The tool as it is, where Python would write its name that way anyhow. */
function withAlias(tool: Tool, alias: string): Tool {
  return tool.alias === undefined && alias === pythonAttribute(tool.name) ? tool : { ...tool, alias };
}

/** Resolves when `work` does, or the milliseconds are over. */
async function withLimit(work: Promise<void>, milliseconds: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, over]);
  clearTimeout(timer);
}

function withTags(tool: Tool, tags: readonly string[]): Tool {
  return { ...tool, tags: [...new Set([...tool.tags, ...tags])] };
}

function checkName(name: string): void {
  // The journal and the rules of approval know the registration of tools by that name.
  if (name === "register") throw new ToolNameError(name, "`tools.register` is how session code registers a tool");
  // What most names are, without a closer look.
  if (name.length <= 128 && /^[A-Za-z][\w.-]*$/.test(name)) return;
  if (name === "") throw new ToolNameError(name, "it is empty");
  if (name.length > 128) throw new ToolNameError(name, "it is longer than 128 characters");
  if (/[\p{Cc}/\\]/u.test(name) || name !== name.trim()) {
    throw new ToolNameError(name, "slashes, line breaks and spaces at the ends are not allowed");
  }
}

/** Callers without a type checker hand in a bare function, for instance. @throws {InvalidToolError} */
export function checkAdapter(adapter: unknown): void {
  const isAdapter = typeof adapter === "object" && adapter !== null && "tool" in adapter;
  if (!isAdapter) throw new InvalidToolError(adapter);
}
