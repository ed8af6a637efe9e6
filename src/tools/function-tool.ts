import { optionCheck } from "../options/index.js";
import { isRecord, messageOf, VitrineError, type Value } from "../protocol/index.js";

import { nameArguments } from "./arguments.js";
import { CallDeadline, whilePaused } from "./requests/call-deadline.js";
import {
  DEFAULT_TOOL_TIMEOUT,
  TOOL_HINTS,
  type Tool,
  type ToolAdapter,
  type ToolCallable,
  type ToolContext,
  type ToolHints,
} from "./definition.js";
import {
  ToolArgumentError,
  ToolCallError,
  ToolCancelledError,
  ToolDefinitionError,
  ToolSchemaError,
  ToolTimeoutError,
  UnknownCallableError,
} from "./errors.js";
import { checkInputSchema } from "./input-schema.js";
import type { JsonSchema } from "./json-schema.js";
import { isStandardSchema, parametersOfSchema, unknownType } from "./schema/index.js";
import {
  asJsonSchema,
  parseValue,
  type Parsed,
  type SchemaInput,
  type SchemaOutput,
  type ValueSchema,
} from "./value-schema.js";

/** What the function of a tool may return. Of an async generator the pieces are heard as they come. */
export type FunctionResult<Result> = Result | Promise<Result> | AsyncGenerator<Value, Result | undefined>;

/** A function of the page as a tool. Its arguments are checked by `input`, its result by `output`. */
export interface FunctionToolOptions<Input extends ValueSchema, Output extends ValueSchema | undefined = undefined> {
  readonly name: string;
  readonly description: string;
  /**
   * Checked before `run` is called; its descriptions and defaults are what the model reads. A schema of zod or of
   * another library with Standard Schema, or plain JSON Schema of an object.
   */
  readonly input: Input;
  /** Checked before the result goes to Python, which reads it as the type of the result. Default: any result. */
  readonly output?: Output;
  /**
   * Gets the parsed input. What it returns goes to Python; what it throws becomes a ToolCallError there.
   *
   * An async generator is a tool that gives its result bit by bit: what it yields is heard at once, as the `piece` of a
   * {@link ToolProgress}; what it returns is the result, or, if it returns nothing, the list of what it yielded.
   */
  readonly run: (
    input: SchemaOutput<Input>,
    context: ToolContext,
  ) => FunctionResult<Output extends ValueSchema ? SchemaInput<Output> : Value>;
  readonly tags?: readonly string[];
  readonly hints?: ToolHints;
  /** Milliseconds. Default 60,000. */
  readonly timeout?: number;
  /**
   * Whether the clock of a run stands still while its code waits for a call: for tools whose calls have bounds of their
   * own. What the code computes meanwhile counts. Default: false.
   */
  readonly ownTime?: boolean;
  /**
   * Whether `run` asks for itself, by `askAbout` of its context, where a person would be asked before a call: for tools
   * that know only once they have worked which files they would write. They have to ask before they change anything.
   * Default: false.
   */
  readonly asksItself?: boolean;
}

const checkOptions = optionCheck<FunctionToolOptions<ValueSchema, ValueSchema>>("functionTool", {
  name: "string",
  description: "string",
  input: "any",
  output: "any?",
  run: "function",
  tags: "array?",
  hints: TOOL_HINTS,
  timeout: "number?",
  ownTime: "boolean?",
  asksItself: "boolean?",
});

/**
 * A tool that is a function of the page.
 *
 * @throws {OptionError}
 * @throws {ToolDefinitionError} for an `input` that is no schema, or has types that JSON Schema does not know.
 */
export function functionTool<const Input extends ValueSchema>(options: FunctionToolOptions<Input>): ToolAdapter;
/** A tool that is a function of the page, and whose result has a schema. */
export function functionTool<const Input extends ValueSchema, const Output extends ValueSchema>(
  options: FunctionToolOptions<Input, Output>,
): ToolAdapter;
export function functionTool<Input extends ValueSchema, Output extends ValueSchema | undefined>(
  options: FunctionToolOptions<Input, Output>,
): ToolAdapter {
  checkOptions(options);
  checkInputSchema(options.name, options.input, "input");
  if (options.output !== undefined) checkInputSchema(options.name, options.output, "output");
  return new FunctionTool(options);
}

/** A library knows its own types. @throws {ToolDefinitionError} */
function refuseUnknownTypes(name: string, side: string, schema: ValueSchema | undefined): void {
  const unknown = schema === undefined || isStandardSchema(schema) ? undefined : unknownType(schema);
  if (unknown !== undefined) throw new ToolDefinitionError(name, `${side}.${unknown.path}: ${unknown.reason}`);
}

type Arguments = Readonly<Record<string, Value>>;

class FunctionTool<Input extends ValueSchema, Output extends ValueSchema | undefined> implements ToolAdapter {
  readonly tool: Tool;
  readonly #callable: ToolCallable;
  readonly #options: FunctionToolOptions<Input, Output>;
  #defaults: Arguments | Promise<Arguments> | undefined;

  constructor(options: FunctionToolOptions<Input, Output>) {
    const { name, description, input, output, tags = [], hints = {}, timeout = DEFAULT_TOOL_TIMEOUT } = options;
    const { ownTime = false, asksItself = false } = options;
    this.#options = options;
    for (const [side, schema] of Object.entries({ input, output })) refuseUnknownTypes(name, side, schema);
    const inputSchema = asJsonSchema(input, "input");
    this.#callable = {
      name,
      description,
      parameters: parametersOfSchema(inputSchema),
      inputSchema,
      ...(output === undefined ? {} : { outputSchema: asJsonSchema(output, "output") }),
    };
    const callables = [this.#callable];
    const traits = { ...(ownTime ? { ownTime } : {}), ...(asksItself ? { asksItself } : {}) };
    this.tool = { name, description, tags, hints, timeout, callables, ...traits };
  }

  validate(callable: string | null, args: Arguments): Arguments | Promise<Arguments> {
    const named = this.#named(callable, args);
    return after(named, (checked) => after(this.#parse(checked), () => checked));
  }

  async call(callable: string | null, args: Arguments, context: ToolContext): Promise<Value> {
    const { name } = this.#options;
    // Middleware may have changed what was validated.
    const input = await this.#parse(await this.#named(callable, args));
    const deadline = new CallDeadline(context.signal, this.tool.timeout);
    const inner: ToolContext = {
      callId: context.callId,
      runId: context.runId,
      signal: deadline.signal,
      runSkill: (skill, skillArgs) => context.runSkill(skill, skillArgs),
      report: (progress) => {
        context.report(progress);
      },
      callTool: (tool, toolArgs, { signal = deadline.signal } = {}) =>
        context.callTool(tool, toolArgs, { signal: AbortSignal.any([deadline.signal, signal]) }),
      askAbout: (proposal) =>
        whilePaused(
          () => deadline.pause(),
          () => context.askAbout(proposal),
        ),
      task: context.task,
    };
    try {
      return await this.#checked(await deadline.race(() => this.#run(input, inner)));
    } catch (error) {
      if (context.signal.aborted) throw new ToolCancelledError(name);
      if (deadline.expired) throw new ToolTimeoutError(name, this.tool.timeout);
      if (error instanceof VitrineError) throw error;
      throw new ToolCallError(name, messageOf(error), { args, cause: error });
    } finally {
      deadline.end();
    }
  }

  async #run(input: SchemaOutput<Input>, context: ToolContext): Promise<Value> {
    const result: unknown = this.#options.run(input, context);
    return isAsyncGenerator(result) ? collect(result, context) : (result as Promise<Value>);
  }

  #named(callable: string | null, args: Arguments): Arguments | Promise<Arguments> {
    const { name, input } = this.#options;
    if (callable !== null && callable !== name) throw new UnknownCallableError(name, callable, [name]);
    const named = nameArguments(name, this.#callable, args);
    // A library fills in its own defaults; JSON Schema's are only written down.
    if (isStandardSchema(input)) return named;
    this.#defaults ??= fittingDefaults(this.#callable, input);
    return after(this.#defaults, (defaults) => ({ ...defaults, ...named }));
  }

  #parse(named: Arguments): SchemaOutput<Input> | Promise<SchemaOutput<Input>> {
    const { name, input } = this.#options;
    const accept = (parsed: Parsed): SchemaOutput<Input> => {
      if ("value" in parsed) return parsed.value as SchemaOutput<Input>;
      const { reason, parameter } = parsed;
      const about = parameter === undefined ? reason : `Parameter ${reason}`;
      throw new ToolArgumentError(name, about, { args: named, ...(parameter === undefined ? {} : { parameter }) });
    };
    const parsed = this.#against(input, named, "arguments");
    return parsed instanceof Promise ? parsed.then(accept) : accept(parsed);
  }

  async #checked(result: Value): Promise<Value> {
    const { name, output } = this.#options;
    if (output === undefined) return result;
    const parsed = await this.#against(output, result, "result");
    if ("value" in parsed) return parsed.value as Value;
    throw new ToolCallError(name, `Its result is not what its schema says: ${parsed.reason}`);
  }

  #against(schema: ValueSchema, value: Value, what: "arguments" | "result"): Parsed | Promise<Parsed> {
    const refuse = (cause: unknown): never => {
      throw new ToolSchemaError(this.#options.name, what, { cause });
    };
    try {
      const parsed = parseValue(schema, value);
      return parsed instanceof Promise ? parsed.catch(refuse) : parsed;
    } catch (error) {
      return refuse(error);
    }
  }
}

/** At once where the value is there at once. */
function after<Value, Result>(
  value: Value | Promise<Value>,
  next: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Defaults by name, without those that the parameter's own schema refuses. */
function fittingDefaults({ parameters }: ToolCallable, input: JsonSchema): Arguments | Promise<Arguments> {
  const parts = Object.entries(input).filter(([keyword]) => !OF_THE_WHOLE.has(keyword));
  const schema = Object.fromEntries(parts);
  const own = isRecord(input.properties) ? input.properties : {};
  return parameters.reduce<Arguments | Promise<Arguments>>((defaults, parameter) => {
    const { name, default: preset, schema: wanted = {} } = parameter;
    if (preset === undefined) return defaults;
    // What stands in a part of the whole (`allOf`) is looked for there, which `schema` has not.
    const about = Object.hasOwn(own, name) ? schema : { ...schema, properties: { [name]: wanted } };
    return after(defaults, (others) =>
      after(fits(about, { [name]: preset }), (isFitting) => (isFitting ? { ...others, [name]: preset } : others)),
    );
  }, {});
}

/** Keywords that say which properties there are together, and not what one may be. */
const OF_THE_WHOLE = new Set(
  "required minProperties maxProperties additionalProperties unevaluatedProperties propertyNames dependentRequired dependentSchemas dependencies anyOf oneOf allOf not if then else".split(
    " ",
  ),
);

/** A schema that cannot be used fails later, when the arguments are checked. */
function fits(schema: JsonSchema, value: Arguments): boolean | Promise<boolean> {
  try {
    const parsed = parseValue(schema, value);
    return parsed instanceof Promise ? parsed.then(isFit, () => false) : isFit(parsed);
  } catch {
    return false;
  }
}

function isFit(parsed: Parsed): boolean {
  return "value" in parsed;
}

function isAsyncGenerator(value: unknown): value is AsyncGenerator<Value, Value> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value && "next" in value;
}

/** Hears a generator to its end. When nobody waits any more it is told to clean up. */
async function collect(pieces: AsyncGenerator<Value, Value>, { signal, report }: ToolContext): Promise<Value> {
  const heard: Value[] = [];
  const stop = (): void => {
    // It may be in the middle of a step, and ends after that one.
    pieces.return(undefined).catch(() => undefined);
  };
  signal.addEventListener("abort", stop, { once: true });
  try {
    for (;;) {
      const { done = false, value } = await pieces.next();
      if (done) return value === undefined ? heard : value;
      heard.push(value);
      report({ progress: heard.length, piece: value });
    }
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
