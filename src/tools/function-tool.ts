import { z } from "zod";

import { VitrineError, type Value } from "../protocol/index.js";

import { nameArguments } from "./arguments.js";
import { CallDeadline } from "./call-deadline.js";
import {
  DEFAULT_TOOL_TIMEOUT,
  type JsonSchema,
  type Tool,
  type ToolAdapter,
  type ToolCallable,
  type ToolContext,
  type ToolHints,
  type ToolParameter,
} from "./definition.js";
import {
  ToolArgumentError,
  ToolCallError,
  ToolCancelledError,
  ToolTimeoutError,
  UnknownCallableError,
} from "./errors.js";

export interface FunctionToolOptions<Input extends z.ZodObject> {
  readonly name: string;
  readonly description: string;
  /** Checked before `run` is called; its descriptions and defaults are what the model reads. */
  readonly input: Input;
  /** Gets the parsed input. What it returns goes to Python; what it throws becomes a ToolCallError there. */
  readonly run: (input: z.output<Input>, context: ToolContext) => Value | Promise<Value>;
  readonly tags?: readonly string[];
  readonly hints?: ToolHints;
  /** Milliseconds. Default 60,000. */
  readonly timeout?: number;
}

/** A tool that is a function of the page. */
export function functionTool<Input extends z.ZodObject>(options: FunctionToolOptions<Input>): ToolAdapter {
  return new FunctionTool(options);
}

class FunctionTool<Input extends z.ZodObject> implements ToolAdapter {
  readonly tool: Tool;
  readonly #callable: ToolCallable;
  readonly #options: FunctionToolOptions<Input>;

  constructor(options: FunctionToolOptions<Input>) {
    const { name, description, input, tags = [], hints = {}, timeout = DEFAULT_TOOL_TIMEOUT } = options;
    this.#options = options;
    this.#callable = { name, description, parameters: parametersOf(input) };
    this.tool = { name, description, tags, hints, timeout, callables: [this.#callable] };
  }

  validate(callable: string | null, args: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
    const { name } = this.#options;
    if (callable !== null && callable !== name) throw new UnknownCallableError(name, callable, [name]);
    const named = nameArguments(name, this.#callable, args);
    this.#parse(named);
    return named;
  }

  async call(callable: string | null, args: Readonly<Record<string, Value>>, context: ToolContext): Promise<Value> {
    const { name, run } = this.#options;
    // Middleware may have changed what was validated.
    const input = this.#parse(this.validate(callable, args));
    const deadline = new CallDeadline(context.signal, this.tool.timeout);
    const inner: ToolContext = {
      signal: deadline.signal,
      runSkill: (skill, skillArgs) => context.runSkill(skill, skillArgs),
    };
    try {
      return await deadline.race(() => run(input, inner));
    } catch (error) {
      if (context.signal.aborted) throw new ToolCancelledError(name);
      if (deadline.expired) throw new ToolTimeoutError(name, this.tool.timeout);
      if (error instanceof VitrineError) throw error;
      throw new ToolCallError(name, error instanceof Error ? error.message : String(error), { args, cause: error });
    } finally {
      deadline.end();
    }
  }

  #parse(args: Readonly<Record<string, Value>>): z.output<Input> {
    const result = this.#options.input.safeParse(args);
    if (result.success) return result.data;
    const [issue] = result.error.issues;
    const path = issue?.path.map(String).join(".") ?? "";
    const reason = path === "" ? (issue?.message ?? "it does not fit") : `Parameter '${path}': ${issue?.message ?? ""}`;
    const parameter = issue?.path[0];
    throw new ToolArgumentError(this.#options.name, reason, {
      args,
      ...(parameter === undefined ? {} : { parameter: String(parameter) }),
    });
  }
}

const JsonSchemaObject = z.looseObject({
  properties: z
    .record(
      z.string(),
      z.custom<JsonSchema>((value) => typeof value === "object" && value !== null),
    )
    .optional(),
  required: z.array(z.string()).optional(),
});

function parametersOf(input: z.ZodObject): ToolParameter[] {
  // What cannot be said in JSON Schema (a date, a custom check) is left open there and checked by zod all the same.
  const { properties = {}, required = [] } = JsonSchemaObject.parse(
    z.toJSONSchema(input, { io: "input", unrepresentable: "any" }),
  );
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    type: typeName(schema),
    required: required.includes(name),
    description: schema.description ?? "",
    schema,
    ...(schema.default === undefined ? {} : { default: schema.default }),
  }));
}

function typeName({ type, anyOf, oneOf }: JsonSchema): string {
  if (typeof type === "string") return type;
  const types = type ?? (anyOf ?? oneOf ?? []).map(typeName);
  const [only, ...others] = new Set(types.filter((name) => name !== "null"));
  return only !== undefined && others.length === 0 ? only : "any";
}
