import type { JsonSchema } from "../../tools/index.js";
import type { OfferedTool } from "./offered-tools.js";

/** The name of the schema, which servers show in their logs. */
export const RESPONSE_SCHEMA_NAME = "agent_response";

/** Holds the reply where the schema has to be an object at its root: OpenAI takes no choice there. */
export const REPLY_KEY = "reply";

/** What a server is told of replies. */
export interface ResponseSchema {
  readonly schema: JsonSchema;
  /** Whether it is of the strict form. Where a tool takes what that cannot say, the server is told of it without. */
  readonly strict: boolean;
}

/**
 * The schema of a reply: a call of one of the tools, the answer, or a note. In the strict form that OpenAI wants, every
 * property is required; one that may be left out may be null instead, which `withoutLeftOut` reads as left out.
 */
export function responseSchema(tools: readonly OfferedTool[], answer: JsonSchema | undefined): ResponseSchema {
  const form = new StrictForm();
  const variants = tools.map(({ name, parameters }, index) => {
    const prefix = `tool${String(index + 1)}`;
    return variant({ tool: { type: "string", enum: [name] }, arguments: form.adopt(parameters, prefix) });
  });
  const reply = {
    anyOf: [
      ...variants,
      variant({ answer: answer === undefined ? { type: "string" } : form.adopt(answer, "answer") }),
      { type: "object", properties: { scratchpad: { type: "string" } }, required: ["scratchpad"], ...CLOSED },
    ],
  };
  const { definitions, saysAll } = form;
  const schema = {
    type: "object",
    properties: { [REPLY_KEY]: reply },
    required: [REPLY_KEY],
    ...CLOSED,
    ...(Object.keys(definitions).length === 0 ? {} : { $defs: definitions }),
  };
  return { schema, strict: saysAll };
}

const CLOSED = { additionalProperties: false } as const;

function variant(properties: Record<string, JsonSchema>): JsonSchema {
  // First, so that the model thinks before it decides.
  const all: Record<string, JsonSchema> = { scratchpad: { type: ["string", "null"] }, ...properties };
  return { type: "object", properties: all, required: Object.keys(all), ...CLOSED };
}

/** Keywords that strict schemas take; the others are left to the check before the call. */
const KEPT = ["type", "description", "enum", "const", "pattern", "minimum", "maximum"] as const;

/** https://platform.openai.com/docs/guides/structured-outputs#supported-schemas */
const FORMATS = ["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];

/** Brings schemas into the strict form, with the definitions of all of them in one place. */
class StrictForm {
  readonly definitions: Record<string, JsonSchema> = {};
  /** False once something was met that the form cannot say: any value, or an object with names that nobody knows. */
  saysAll = true;

  adopt(schema: JsonSchema, prefix: string): JsonSchema {
    const { $defs = {}, definitions, ...own } = schema;
    const older = typeof definitions === "object" && definitions !== null ? Object.entries(definitions) : [];
    for (const [name, definition] of [...Object.entries($defs), ...older]) {
      this.definitions[`${prefix}_${name}`] = this.#strict(definition, prefix);
    }
    return this.#strict(own, prefix);
  }

  #strict(schema: unknown, prefix: string): JsonSchema {
    if (!isSchema(schema)) return this.#loose({});
    const { $ref, properties, items, allOf, type } = schema;
    if ($ref !== undefined) return this.#reference($ref, prefix);
    // How some write a reference with a description beside it.
    if (Array.isArray(allOf)) return allOf.length === 1 ? this.#strict(allOf[0], prefix) : this.#loose(schema);
    const choices = schema.anyOf ?? schema.oneOf;
    const plain = keywordsOf(schema);
    if (choices !== undefined) return { ...plain, anyOf: choices.map((choice) => this.#strict(choice, prefix)) };
    if (plain.type === undefined) return this.#loose(plain);
    if (properties !== undefined) return { ...plain, ...this.#object(schema, prefix) };
    const types = typeof type === "string" ? [type] : (type ?? []);
    if (types.includes("object")) {
      return schema.additionalProperties === false ? { ...plain, ...EMPTY } : this.#loose(schema);
    }
    if (!types.includes("array")) return plain;
    return { ...plain, items: this.#items(items, schema.prefixItems, prefix) };
  }

  #reference($ref: string, prefix: string): JsonSchema {
    const [, name] = /^#\/(?:\$defs|definitions)\/([^/]+)$/.exec($ref) ?? [];
    return name === undefined ? this.#loose({}) : { $ref: `#/$defs/${prefix}_${name}` };
  }

  #object({ properties = {}, required = [] }: JsonSchema, prefix: string): JsonSchema {
    const all = Object.entries(properties).map(([name, schema]) => {
      const own = this.#strict(schema, prefix);
      return [name, required.includes(name) ? own : { anyOf: [own, { type: "null" }] }] as const;
    });
    return { properties: Object.fromEntries(all), required: Object.keys(properties), ...CLOSED };
  }

  /** Of a tuple the strict form knows only which values are in it. */
  #items(items: unknown, tuple: unknown, prefix: string): JsonSchema {
    if (!Array.isArray(tuple) || tuple.length === 0) return this.#strict(items, prefix);
    return { anyOf: tuple.map((item) => this.#strict(item, prefix)) };
  }

  #loose(schema: JsonSchema): JsonSchema {
    this.saysAll = false;
    return schema;
  }
}

const EMPTY = { properties: {}, required: [], ...CLOSED } as const;

export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What is said of the value itself, with its type, which the strict form asks for beside a list of values as well. */
function keywordsOf(schema: JsonSchema): JsonSchema {
  const plain: Record<string, unknown> = {};
  for (const keyword of KEPT) if (schema[keyword] !== undefined) plain[keyword] = schema[keyword];
  const { format } = schema;
  if (typeof format === "string" && FORMATS.includes(format)) plain.format = format;
  const values = schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
  const types = new Set(values.map(typeOf));
  if (plain.type === undefined && types.size > 0 && !types.has(undefined)) {
    const [only, ...others] = types;
    plain.type = others.length === 0 ? only : [...types];
  }
  return plain;
}

function typeOf(value: unknown): string | undefined {
  if (value === null) return "null";
  return ["string", "number", "boolean"].find((type) => typeof value === type);
}
