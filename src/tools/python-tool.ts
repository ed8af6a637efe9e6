import { countParts, randomId, type TrustLevel, type Value } from "../protocol/index.js";

import { DEFAULT_TOOL_TIMEOUT, type ToolAdapter, type ToolContext } from "./definition.js";
import { ToolDefinitionError } from "./errors.js";
import type { JsonSchema } from "./json-schema.js";
import { NotJsonError, plainJson } from "./plain-json.js";
import { isSchemaObject, parametersOfSchema, unknownType } from "./schema/index.js";

/** Characters that the schemas and the description of one function may have together. */
const LONGEST_DEFINITION = 100_000;

/** A function of session code, as Python describes it. */
export interface PythonFunction {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Value;
  /** Null where nothing is known of the result. */
  readonly outputSchema: Value;
  /** Milliseconds; null for what tools have by default. */
  readonly timeout: number | null;
}

/** A Python function that is called through the page. */
export interface PythonToolOptions {
  /** The trust level of the session whose code defined it. */
  readonly trust: TrustLevel;
  /** Has the interpreter call it. */
  readonly call: (args: Readonly<Record<string, Value>>, context: ToolContext) => Promise<Value>;
}

/** A tool that is a function of session code. @throws {ToolDefinitionError} */
export function pythonTool(definition: PythonFunction, { trust, call }: PythonToolOptions): ToolAdapter {
  const { name, description, timeout } = definition;
  const inputSchema = schemaOf(definition, definition.inputSchema);
  const callable = {
    name,
    description,
    parameters: parametersOfSchema(inputSchema),
    inputSchema,
    ...(definition.outputSchema === null ? {} : { outputSchema: schemaOf(definition, definition.outputSchema) }),
  };
  return {
    tool: {
      name,
      description,
      tags: [],
      callables: [callable],
      hints: {},
      timeout: timeout ?? DEFAULT_TOOL_TIMEOUT,
      trust,
      definitionId: randomId(),
    },
    call: (_callable, args, context) => call(args, context),
  };
}

/** What code says of its functions is not believed: it is made plain JSON, and bounded. */
function schemaOf({ name, description }: PythonFunction, schema: Value): JsonSchema {
  try {
    // Each has a character at least, and most have more; looked at first, since making it plain takes long.
    if (countParts(schema, LONGEST_DEFINITION) > LONGEST_DEFINITION) throw tooLong(name);
    const plain = plainJson(schema);
    if (!isSchemaObject(plain)) throw new ToolDefinitionError(name, "its schema is no object");
    const unknown = unknownType(plain);
    if (unknown !== undefined) throw new ToolDefinitionError(name, `its schema: ${unknown.path}: ${unknown.reason}`);
    if (description.length + JSON.stringify(plain).length > LONGEST_DEFINITION) throw tooLong(name);
    return plain;
  } catch (error) {
    if (error instanceof NotJsonError) throw new ToolDefinitionError(name, `its schema ${error.message}`);
    throw error;
  }
}

function tooLong(name: string): ToolDefinitionError {
  const most = LONGEST_DEFINITION.toLocaleString("en-US");
  return new ToolDefinitionError(name, `its description and its schema have more than ${most} characters`);
}
