import { isRecord } from "../protocol/index.js";
import { ToolDefinitionError } from "./errors.js";

/** Keywords that say what a value must be: an object with keys, none of which is here, is no JSON Schema. */
const KEYWORDS =
  /^(\$\w+|type|enum|const|(all|any|one)Of|not|if|(additional|pattern)?properties|required|items|format|pattern|m(in|ax)\w+)$/i;
const ANNOTATIONS = /^(\$\w+|x-.*|title|description|default|examples|deprecated)$/;

/**
 * Whether a schema of a function tool is one at all; what its keywords say is seen when they are used.
 *
 * @throws {ToolDefinitionError}
 */
export function checkInputSchema(tool: string, schema: unknown, which: "input" | "output"): void {
  if (isStandardSchemaLike(schema)) return;
  if (!isRecord(schema)) throw noSchema(tool, which, schema === null ? "null" : `a ${typeof schema}`);
  const keys = Object.keys(schema);
  const stranger = keys.find((key) => !ANNOTATIONS.test(key));
  if (stranger !== undefined && !keys.some((key) => KEYWORDS.test(key)))
    throw noSchema(tool, which, `an object with the key \`${stranger}\``);
  if (which === "input" && "type" in schema && ![schema.type].flat().includes("object")) {
    throw noSchema(tool, which, `a schema of type ${JSON.stringify(schema.type)}`);
  }
  const properties = Object.entries(isRecord(schema.properties) ? schema.properties : {});
  const [unusable] = properties.filter(([, property]) => typeof property !== "boolean" && !isRecord(property));
  if (unusable !== undefined) {
    const [name] = unusable;
    throw new ToolDefinitionError(
      tool,
      `the property \`${name}\` of its \`${which}\` is no schema; write \`${name}: { type: "string" }\``,
    );
  }
}

function isStandardSchemaLike(schema: unknown): boolean {
  return (typeof schema === "object" || typeof schema === "function") && schema !== null && "~standard" in schema;
}

function noSchema(tool: string, which: "input" | "output", given: string): ToolDefinitionError {
  const wanted =
    which === "input"
      ? 'pass a schema of the arguments, `z.object({ city: z.string() })` or `{ type: "object", properties: { city: { type: "string" } } }`'
      : 'pass a schema of the result, `z.string()` or `{ type: "string" }`';
  return new ToolDefinitionError(tool, `its \`${which}\` is ${given}; ${wanted}`);
}
