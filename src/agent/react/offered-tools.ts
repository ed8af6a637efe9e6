import type { ModelTool } from "../../model/index.js";
import type { JsonSchema, Tool, ToolCallable } from "../../tools/index.js";

/** A way to call a tool, under the name by which the model knows it. */
export interface OfferedTool {
  /** Letters, digits, `_` and `-`, 64 at most: what servers take. */
  readonly name: string;
  /** By which the session knows it: `weather`, `github.get_repo`. */
  readonly path: string;
  readonly description: string;
  readonly callable: ToolCallable;
  /** All arguments together, as an object. */
  readonly parameters: JsonSchema;
}

/** The tools of a task, as its model is offered them. They stay what they were when it began: so does the prompt. */
export class OfferedTools {
  readonly list: readonly OfferedTool[];
  readonly #byName: ReadonlyMap<string, OfferedTool>;

  constructor(tools: readonly Tool[]) {
    const taken = new Set<string>();
    this.list = tools.flatMap((tool) =>
      tool.callables.map((callable) => {
        const isTool = callable.name === tool.name;
        const path = isTool ? tool.name : `${tool.name}.${callable.name}`;
        const name = freeName(isTool ? tool.name : `${tool.name}_${callable.name}`, taken);
        const description = callable.description === "" ? tool.description : callable.description;
        return { name, path, description, callable, parameters: parametersOf(callable) };
      }),
    );
    // By its path too, which is what people write; a name that is offered stands before one that is not.
    this.#byName = new Map([
      ...this.list.map((offered) => [offered.path, offered] as const),
      ...this.list.map((offered) => [offered.name, offered] as const),
    ]);
  }

  find(name: string): OfferedTool | undefined {
    return this.#byName.get(name);
  }

  get names(): readonly string[] {
    return this.list.map(({ name }) => name);
  }

  /** As a server is told of them. */
  forModel(): ModelTool[] {
    return this.list.map(({ name, description, parameters }) => ({ name, description, parameters }));
  }
}

/** Characters of a name that servers take. */
const LONGEST_NAME = 64;

function freeName(wanted: string, taken: Set<string>): string {
  const plain = wanted.replace(/[^\w-]/g, "_").slice(0, LONGEST_NAME);
  let name = plain;
  for (let count = 2; taken.has(name); count += 1) {
    const end = `_${String(count)}`;
    name = plain.slice(0, LONGEST_NAME - end.length) + end;
  }
  taken.add(name);
  return name;
}

/** Servers want an object, said in so many words, and no `$schema`. */
function parametersOf({ inputSchema, parameters }: ToolCallable): JsonSchema {
  if (inputSchema !== undefined) {
    const keywords = Object.entries(inputSchema).filter(([keyword]) => keyword !== "$schema");
    return { ...Object.fromEntries(keywords), type: "object", properties: inputSchema.properties ?? {} };
  }
  return {
    type: "object",
    properties: Object.fromEntries(
      parameters.map(({ name, type, description, schema, default: fallback }) => [
        name,
        {
          ...(schema ?? typed(type)),
          ...(description === "" ? {} : { description }),
          ...(fallback === undefined ? {} : { default: fallback }),
        },
      ]),
    ),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
}

const TYPES = new Map(
  Object.entries({ str: "string", int: "integer", float: "number", bool: "boolean", list: "array", dict: "object" }),
);
const JSON_TYPES = new Set(["string", "integer", "number", "boolean", "array", "object", "null"]);

/** The type as its definition calls it; one that JSON Schema does not know may be anything. */
function typed(type: string): JsonSchema {
  const name = TYPES.get(type) ?? type;
  return JSON_TYPES.has(name) ? { type: name } : {};
}
