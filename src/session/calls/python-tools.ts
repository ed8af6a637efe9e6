import type { TrustLevel, Value } from "../../protocol/index.js";
import {
  isPythonName,
  pythonName,
  pythonTool,
  ToolDefinitionError,
  ToolGoneError,
  ToolNameError,
  type PythonFunction,
  type Tool,
  type ToolContext,
  type ToolRegistry,
} from "../../tools/index.js";

/** Tools that the code of one session may define. */
const MOST_TOOLS = 500;
/** Names of tools that are gone and still known as such. */
const MOST_GONE = 500;

/** A call of a tool whose function is in the interpreter. */
export interface PythonToolCall {
  readonly tool: Tool;
  readonly args: Readonly<Record<string, Value>>;
  readonly context: ToolContext;
}

/** A tool as session code defines it. */
export interface PythonToolDefinition extends PythonFunction {
  /** For the person who is asked about it. */
  readonly source: string;
}

export interface PythonToolsParts {
  readonly trust: TrustLevel;
  /** Has the interpreter make the call. */
  readonly call: (call: PythonToolCall) => Promise<Value>;
  /** Why code may define none here; undefined where it may. */
  readonly refusal?: string;
}

/**
 * The tools that session code has defined, with `from vitrine import tool`. They live as long as the interpreter that has
 * their functions. The page's own tools go before them: a name of one of those is refused, and one that the page
 * registers later takes the name.
 */
export class PythonTools {
  readonly #registry: ToolRegistry;
  readonly #parts: PythonToolsParts;
  readonly #names = new Set<string>();
  /** Why each is gone. */
  readonly #gone = new Map<string, string>();

  constructor(registry: ToolRegistry, parts: PythonToolsParts) {
    this.#registry = registry;
    this.#parts = parts;
  }

  /** @throws {ToolNameTakenError} @throws {ToolNameError} @throws {ToolDefinitionError} with nothing changed. */
  check({ name }: PythonToolDefinition): void {
    const { refusal } = this.#parts;
    if (refusal !== undefined) throw new ToolDefinitionError(name, refusal);
    // With a dot it would read as a callable of one of the page's tools.
    if (!isPythonName(name) || name.startsWith("_")) {
      throw new ToolNameError(name, `a tool of code is called as Python writes it; '${pythonName(name)}' would do`);
    }
    this.#registry.checkFree(name, { yields: true });
    if (!this.#names.has(name) && this.#names.size >= MOST_TOOLS) {
      throw new ToolDefinitionError(
        name,
        `code has defined ${String(MOST_TOOLS)} tools, which is as many as there may be`,
      );
    }
  }

  /**
   * Registers a tool, in place of one that code defined before under that name.
   *
   * @throws {ToolNameTakenError} @throws {ToolNameError} @throws {ToolDefinitionError} with nothing changed.
   */
  define(definition: PythonToolDefinition): Tool {
    this.check(definition);
    const { trust, call } = this.#parts;
    const adapter = pythonTool(definition, {
      trust,
      call: (args, context) => call({ tool: adapter.tool, args, context }),
    });
    const tool = this.#registry.register(adapter, { yields: true });
    this.#names.add(tool.name);
    this.#gone.delete(tool.name);
    return tool;
  }

  /** The interpreter that has the functions has ended. `why` completes a sentence: `the session was reset`. */
  forget(why: string): void {
    for (const name of this.#names) {
      if (!this.#registry.isFree(name) || !this.#registry.remove(name)) continue;
      this.#gone.set(name, why);
    }
    this.#names.clear();
    for (const name of [...this.#gone.keys()].slice(0, -MOST_GONE)) this.#gone.delete(name);
  }

  /** What a call of a tool fails with that is gone with its interpreter; undefined where there was none. */
  gone(name: string): ToolGoneError | undefined {
    const why = this.#gone.get(name);
    return why === undefined ? undefined : new ToolGoneError(name, why);
  }
}
