import type { JsonSchema } from "../../tools/index.js";
import type { OfferedTool } from "./offered-tools.js";

/** The name of the schema, which servers show in their logs. */
export const RESPONSE_SCHEMA_NAME = "agent_response";

/** Holds the reply where the schema has to be an object at its root: OpenAI takes no choice there. */
export const REPLY_KEY = "reply";

/**
 * The schema of a reply: a call of one of the tools, the answer, or a note. In the strict form that OpenAI wants, every
 * property is required; one that may be left out may be null instead, which means the same to a tool.
 */
export function responseSchema(tools: readonly OfferedTool[], answer: JsonSchema | undefined): JsonSchema {
  const definitions: Record<string, JsonSchema> = {};
  const variants = tools.map(({ name, parameters }, index) => {
    const prefix = `tool${String(index + 1)}`;
    return variant({ tool: { type: "string", enum: [name] }, arguments: adopt(parameters, prefix, definitions) });
  });
  const reply = {
    anyOf: [
      ...variants,
      variant({ answer: answer === undefined ? { type: "string" } : adopt(answer, "answer", definitions) }),
      { type: "object", properties: { scratchpad: { type: "string" } }, required: ["scratchpad"], ...CLOSED },
    ],
  };
  return {
    type: "object",
    properties: { [REPLY_KEY]: reply },
    required: [REPLY_KEY],
    ...CLOSED,
    ...(Object.keys(definitions).length === 0 ? {} : { $defs: definitions }),
  };
}

const CLOSED = { additionalProperties: false } as const;

function variant(properties: Record<string, JsonSchema>): JsonSchema {
  // First, so that the model thinks before it decides.
  const all: Record<string, JsonSchema> = { scratchpad: { type: ["string", "null"] }, ...properties };
  return { type: "object", properties: all, required: Object.keys(all), ...CLOSED };
}

/** Strict, with its definitions among those of the whole schema. */
function adopt(schema: JsonSchema, prefix: string, definitions: Record<string, JsonSchema>): JsonSchema {
  const { $defs = {}, ...own } = schema;
  for (const [name, definition] of Object.entries($defs)) {
    if (typeof definition === "object") definitions[`${prefix}_${name}`] = strict(definition, prefix);
  }
  return strict(own, prefix);
}

/** Keywords that strict schemas take; the others are left to the check before the call. */
const KEPT = ["type", "description", "enum", "const", "format", "pattern", "minimum", "maximum"] as const;

function strict(schema: JsonSchema, prefix: string): JsonSchema {
  const { $ref, properties, items, anyOf, oneOf } = schema;
  if ($ref !== undefined) return { $ref: $ref.replace(/^#\/\$defs\//, `#/$defs/${prefix}_`) };
  const plain: Record<string, unknown> = {};
  for (const keyword of KEPT) if (schema[keyword] !== undefined) plain[keyword] = schema[keyword];
  const choices = anyOf ?? oneOf;
  return {
    ...plain,
    ...(choices === undefined ? {} : { anyOf: choices.map((choice) => strict(choice, prefix)) }),
    ...(typeof items === "object" ? { items: strict(items, prefix) } : {}),
    ...(properties === undefined ? {} : strictObject(schema, prefix)),
  };
}

function strictObject({ properties = {}, required = [] }: JsonSchema, prefix: string): JsonSchema {
  const all = Object.entries(properties).map(([name, schema]) => {
    const own = strict(schema, prefix);
    return [name, required.includes(name) ? own : { anyOf: [own, { type: "null" }] }] as const;
  });
  return { properties: Object.fromEntries(all), required: Object.keys(properties), ...CLOSED };
}
