import { checkArgument, optionCheck } from "../options/index.js";
import { encodeTextInSlices, type Problem, type SourceFile } from "../protocol/index.js";
import { decodeText, encodeText, listKeys, StorageReadError, type StorageBackend } from "../storage/index.js";
import {
  checkAdapter,
  checkOpenApiOptions,
  CodexDirectory,
  codexStubs,
  holdsSeveralTools,
  importOpenApi,
  loadToolFiles,
  parseToolFile,
  TOOL_SEARCH,
  ToolFileError,
  ToolNameError,
  ToolNameTakenError,
  ToolNotFoundError,
  type OnOpenApiProgress,
  type OpenApiOptions,
  type ToolFileOptions,
  type Tool,
  type ToolAdapter,
  type ToolDirectory,
  type ToolRegistry,
  type ToolSearchOptions,
  type ToolSearchResult,
} from "../tools/index.js";
import { DOCUMENT_PREFIX, type Services } from "./calls/services.js";

/** How long it takes until a tool is known, for {@link SessionTools.whenKnown}. */
export interface WhenKnownOptions {
  /**
   * Called as an OpenAPI document that a tool file names is fetched, read and made a tool of. What it throws is what the
   * promise rejects with; the tool is made all the same.
   */
  readonly onProgress?: OnOpenApiProgress;
}

const checkWhenKnown = optionCheck<WhenKnownOptions>("session.tools.whenKnown", { onProgress: "function?" });
const checkSearch = optionCheck<ToolSearchOptions>("session.tools.search", TOOL_SEARCH);

const PREFIX = "tools/";

/**
 * The tools of a session: those of the stored files, and those the page registered. Where the session has a `scope`,
 * those outside of it are not seen here either.
 */
export class SessionTools {
  readonly #registry: ToolRegistry;
  readonly #fileTools: ToolRegistry;
  readonly #visible: ToolDirectory;
  readonly #storage: StorageBackend;
  readonly #options: ToolFileOptions;
  #problems: readonly Problem[] = [];

  /** @internal */
  constructor(
    { registry, fileTools, tools }: Pick<Services, "registry" | "fileTools" | "tools">,
    storage: StorageBackend,
    options: ToolFileOptions,
  ) {
    this.#registry = registry;
    this.#fileTools = fileTools;
    this.#visible = tools;
    this.#storage = storage;
    this.#options = options;
  }

  /**
   * @internal Reads the stored files and adds their tools, then those of the page, which go before files of the same
   * name. What cannot be used is in `problems`; those of the page's tools are returned.
   *
   * @throws {InvalidToolError} for what is no tool.
   */
  async load(pageTools: readonly ToolAdapter[]): Promise<readonly Problem[]> {
    for (const adapter of pageTools) checkAdapter(adapter);
    const sources: SourceFile[] = [];
    for (const file of await listKeys(this.#storage, PREFIX)) {
      const bytes = await this.#storage.get(file);
      if (file.endsWith(".yaml") && bytes !== undefined) sources.push({ file, text: decodeText(bytes) ?? "" });
    }
    const loaded = loadToolFiles(sources, this.#options);
    const ofFiles = loaded.adapters.flatMap((adapter, index) => {
      const { name } = adapter.tool;
      const register = (): void => {
        if (pageTools.some(({ tool }) => tool.name === name)) throw new ToolNameTakenError(name);
        this.#registry.register(adapter);
      };
      return problemsOf(loaded.files[index] ?? fileOf(name), register);
    });
    const ofPage = pageTools.flatMap((adapter) =>
      problemsOf(pageToolOf(adapter.tool.name), () => this.#registry.register(adapter)),
    );
    this.#problems = [...loaded.problems, ...ofFiles, ...ofPage];
    return ofPage;
  }

  /**
   * The tool files that were left out, each with file and line; those of the option `tools` whose names cannot be had, as
   * `tools.name`; and the MCP servers that could not be reached.
   */
  problems(): readonly Problem[] {
    return [...this.#problems, ...this.#registry.problems()];
  }

  /**
   * Resolves when every MCP server is connected, has failed, or had three seconds. Sessions open without waiting for
   * them; until then such a tool has no callables in listings. Its calls wait by themselves.
   */
  async settled(): Promise<void> {
    await this.#registry.settled();
  }

  /**
   * Resolves with a tool once it is known what it can do: that of an MCP server or an OpenAPI document when the server has
   * answered, any other at once.
   *
   * @throws {VitrineError} saying why it cannot be known now; the next call of the tool tries again.
   * @throws {ToolNotFoundError} @throws {OptionError}
   */
  async whenKnown(name: string, options: WhenKnownOptions = {}): Promise<Tool> {
    checkWhenKnown(options);
    await this.#visible.whenKnown(name, options.onProgress);
    const tool = this.#visible.get(name);
    if (tool === undefined)
      throw new ToolNotFoundError(
        name,
        this.#visible.list().map((each) => each.name),
      );
    return tool;
  }

  list(): readonly Tool[] {
    return this.#visible.list();
  }

  get(name: string): Tool | undefined {
    return this.#visible.get(name);
  }

  /** The best first; see {@link ToolSearchResult}. */
  async search(query: string, options: ToolSearchOptions = {}): Promise<ToolSearchResult> {
    checkArgument("session.tools.search", "query", query, "string");
    checkSearch(options);
    return this.#visible.search(query, options);
  }

  /**
   * The module `codex_tools` of the session's code as a stub file, `codex_tools.pyi`: for prompts, and for editors. It has
   * the tools as they are now; those of servers that are still connecting come with {@link SessionTools.settled}.
   */
  codexStubs(): string {
    const parts = { own: this.#visible, registered: this.#registry, more: this.#fileTools };
    return codexStubs(new CodexDirectory(parts).list());
  }

  /**
   * Adds a tool for as long as the session is open.
   * @throws {ToolNameTakenError} @throws {ToolNameError}
   */
  register(adapter: ToolAdapter): Tool {
    const tool = this.#registry.register(adapter);
    this.#forgetProblems(pageToolOf(tool.name));
    return tool;
  }

  /**
   * Stores a tool file and adds its tool.
   * @throws {ToolFileError} naming file, line and field; nothing is stored then.
   * @throws {ToolNameTakenError} with nothing stored.
   */
  async addFile(source: SourceFile): Promise<Tool> {
    const { name } = parseToolFile(source);
    const { adapters } = loadToolFiles([{ ...source, file: fileOf(name) }], this.#options);
    const [adapter] = adapters;
    if (adapter === undefined) throw new TypeError(`${source.file} holds no tool.`);
    const file = fileOf(name);
    if (await this.#holdsSeveral(file)) {
      throw new ToolFileError(
        source.file,
        undefined,
        "name",
        `${file} holds several tools and would be lost: choose another name`,
      );
    }
    const tool = this.#registry.register(adapter);
    try {
      await this.#storage.write(new Map([[file, encodeText(source.text)]]));
    } catch (error) {
      this.#registry.remove(name);
      throw error;
    }
    this.#forgetProblems(file);
    return tool;
  }

  /**
   * Makes a tool of an OpenAPI document, one callable for each operation, and adds it for as long as the session is
   * open. The problems name the operations, and parts of operations, that cannot be used.
   *
   * @throws {OpenApiDocumentError} @throws {ToolNameTakenError} @throws {ToolNameError}
   */
  async addOpenApi(
    document: string | Uint8Array | Readonly<Record<string, unknown>>,
    options: OpenApiOptions,
  ): Promise<{ readonly tool: Tool; readonly problems: readonly Problem[] }> {
    checkOpenApiOptions(options);
    const { adapter, problems } = await importOpenApi(document, { ...this.#options, ...options });
    return { tool: this.#registry.register(adapter), problems };
  }

  /** Stores an OpenAPI document under a name that tool files refer to as `file:`. */
  async storeDocument({ file, text }: SourceFile): Promise<void> {
    await this.#storage.write(new Map([[DOCUMENT_PREFIX + file, await encodeTextInSlices(text)]]));
  }

  /** Removes a tool, and its file if it has one of its own. False when there was none. */
  async remove(name: string): Promise<boolean> {
    const removed = this.#registry.remove(name);
    const file = fileOf(name);
    if (await this.#holdsSeveral(file)) return removed;
    await this.#storage.write(new Map([[file, null]]));
    this.#forgetProblems(file);
    return removed;
  }

  /** Calls `listener` after every change. Returns how to stop it. */
  onChange(listener: () => void): () => void {
    return this.#registry.onChange(listener);
  }

  async #holdsSeveral(file: string): Promise<boolean> {
    const bytes = await this.#storage.get(file).catch(ignoreDamage);
    const text = bytes === undefined ? null : decodeText(bytes);
    return text !== null && holdsSeveralTools({ file, text });
  }

  /** What was wrong with a file, or with a tool of the page, when the session opened is over with it. */
  #forgetProblems(file: string): void {
    this.#problems = this.#problems.filter((problem) => problem.file !== file);
  }
}

function fileOf(name: string): string {
  return `${PREFIX}${name}.yaml`;
}

/** What a problem has in the place of a file where the page brought the tool. */
function pageToolOf(name: string): string {
  return `tools.${name}`;
}

/** What is wrong with a tool that cannot be registered under its name. */
function problemsOf(file: string, register: () => void): Problem[] {
  try {
    register();
    return [];
  } catch (error) {
    if (!(error instanceof ToolNameError || error instanceof ToolNameTakenError)) throw error;
    return [{ file, field: "name", message: error.message, code: error.code }];
  }
}

/** A record that cannot be read may be replaced and removed like any other. */
function ignoreDamage(error: unknown): undefined {
  if (!(error instanceof StorageReadError)) throw error;
}
