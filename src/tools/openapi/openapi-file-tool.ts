import { messageOf, VitrineError, type Problem, type Value } from "../../protocol/index.js";
import { checkArguments } from "../arguments.js";
import type { OpenTool, Tool, ToolAdapter, ToolContext } from "../definition.js";
import { ToolCallError } from "../errors.js";
import type { OnOpenApiProgress, OpenApiProgress } from "../openapi-progress.js";
import type { ToolHost } from "../tool-host.js";
import type { OpenApiFileOptions, OpenApiToolFile } from "./openapi-file.js";
import { OpenApiDocumentError } from "./errors.js";

/**
 * The tool of a file of `type: openapi`. It is there at once; its operations are
 * known when its document has come, which `open` begins, or else the first call.
 *
 * @param file - names the file in problems.
 */
export function openApiFileTool(tool: OpenApiToolFile, options: OpenApiFileOptions, file: string): ToolAdapter {
  return new OpenApiFileTool(tool, options, file);
}

class OpenApiFileTool implements OpenTool {
  readonly #file: OpenApiToolFile;
  readonly #options: OpenApiFileOptions;
  readonly #source: string;
  readonly #closing = new AbortController();
  #tool: Tool;
  #loaded: ToolAdapter | undefined;
  #loading: Promise<ToolAdapter> | undefined;
  #host: ToolHost | undefined;
  #opened: Promise<void> = Promise.resolve();
  /** What the load that is under way has come to, and who follows it. */
  #progress: OpenApiProgress | undefined;
  readonly #followers = new Set<OnOpenApiProgress>();

  constructor(file: OpenApiToolFile, options: OpenApiFileOptions, source: string) {
    const { name, description = "", tags, timeout } = file;
    this.#file = file;
    this.#options = options;
    this.#source = source;
    this.#tool = { name, description, tags, timeout, hints: {}, callables: [], dynamic: true };
  }

  get tool(): Tool {
    return this.#tool;
  }

  get opened(): Promise<void> {
    return this.#opened;
  }

  /** Begins to load the document; what is wrong with it is told to the host. */
  open(host: ToolHost): OpenTool {
    this.#host = host;
    // The host is told of a failure; the next call tries again.
    this.#opened = this.#load().then(
      () => undefined,
      () => undefined,
    );
    return this;
  }

  /** Undefined when the operations are known; else resolves when they are. @throws {VitrineError} saying why they are not. */
  whenKnown(onProgress?: OnOpenApiProgress): Promise<void> | undefined {
    if (this.#loaded !== undefined) return undefined;
    const loading = this.#load().then(() => undefined);
    return onProgress === undefined ? loading : this.#followed(loading, onProgress);
  }

  /** A follower that throws ends its own waiting and no load: others wait for that, too. */
  #followed(loading: Promise<void>, onProgress: OnOpenApiProgress): Promise<void> {
    return new Promise((resolve, reject) => {
      const follow = (progress: OpenApiProgress): void => {
        try {
          onProgress(progress);
        } catch (error) {
          this.#followers.delete(follow);
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      };
      this.#followers.add(follow);
      if (this.#progress !== undefined) follow(this.#progress);
      loading.then(resolve, reject).finally(() => this.#followers.delete(follow));
    });
  }

  validate(callable: string | null, args: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
    const found = this.#tool.callables.find(({ name }) => name === (callable ?? this.#tool.name));
    // Not known yet: the call itself checks.
    return found === undefined ? args : checkArguments(this.#tool.name, found, args);
  }

  async call(callable: string | null, args: Readonly<Record<string, Value>>, context: ToolContext): Promise<Value> {
    const adapter = this.#loaded ?? (await this.#load());
    return adapter.call(callable, args, context);
  }

  close(): Promise<void> {
    this.#closing.abort();
    return Promise.resolve();
  }

  #load(): Promise<ToolAdapter> {
    this.#loading ??= this.#read().finally(() => {
      this.#loading = undefined;
      this.#progress = undefined;
    });
    return this.#loading;
  }

  async #read(): Promise<ToolAdapter> {
    try {
      const { loadOpenApiFile } = await import("./load-openapi-file.js");
      const { adapter, problems } = await loadOpenApiFile(this.#file, this.#options, {
        signal: this.#closing.signal,
        onProgress: (progress) => {
          this.#progress = progress;
          for (const follow of [...this.#followers]) follow(progress);
        },
      });
      this.#loaded = adapter;
      this.#tool = adapter.tool;
      this.#host?.changed();
      this.#host?.problems(problems);
      return adapter;
    } catch (error) {
      this.#host?.problems([this.#problemOf(error)]);
      if (!(error instanceof OpenApiDocumentError)) throw error;
      throw new ToolCallError(this.#file.name, `its document cannot be used: ${error.message}`, { cause: error });
    }
  }

  #problemOf(error: unknown): Problem {
    const message = messageOf(error);
    const code = error instanceof VitrineError ? error.code : "OPENAPI_DOCUMENT";
    return { file: this.#source, message, code };
  }
}
