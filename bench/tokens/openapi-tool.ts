import { z } from "zod";

import { mapSchemas, resolvePointer } from "../../src/tools/schema/index.js";
import { parametersOfSchema, type JsonSchema, type Tool, type ToolCallable } from "../../src/tools/index.js";

const Operation = z.looseObject({
  operationId: z.string().optional(),
  summary: z.string().optional(),
  description: z.string().optional(),
  tags: z.array(z.string()).optional(),
  parameters: z.array(z.looseObject({})).optional(),
  requestBody: z.looseObject({}).optional(),
  responses: z.record(z.string(), z.looseObject({})).optional(),
});

const Document = z.looseObject({
  info: z.looseObject({ title: z.string(), description: z.string().optional() }),
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
});

const METHODS = new Set(["get", "post", "put", "patch", "delete"]);

/** The operations of an OpenAPI document as the callables of one tool, for counting and trying: nothing of it is called. */
export function openapiTool(name: string, source: unknown): Tool {
  const document = Document.parse(source);
  const $defs = schemasOf(document.components?.schemas ?? {});
  const callables: ToolCallable[] = [];
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      if (METHODS.has(method)) callables.push(callableOf({ document, path, method, operation, item, $defs }));
    }
  }
  const { title, description = title } = document.info;
  return { name, description, tags: [], callables, hints: {}, timeout: 60_000 };
}

interface OperationPlace {
  readonly document: z.infer<typeof Document>;
  readonly path: string;
  readonly method: string;
  readonly operation: unknown;
  readonly item: Readonly<Record<string, unknown>>;
  readonly $defs: Readonly<Record<string, JsonSchema | boolean>>;
}

function callableOf({ document, path, method, operation, item, $defs }: OperationPlace): ToolCallable {
  const {
    operationId,
    summary = "",
    description = "",
    parameters = [],
    requestBody,
    responses,
  } = Operation.parse(operation);
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  const shared = Array.isArray(item.parameters) ? (item.parameters as unknown[]) : [];
  for (const reference of [...shared, ...parameters]) {
    const parameter = z
      .looseObject({ name: z.string(), required: z.boolean().optional(), description: z.string().optional() })
      .parse(resolved(reference, document));
    const schema = schemaOf(parameter.schema);
    properties[parameter.name] =
      parameter.description === undefined ? schema : { description: parameter.description, ...schema };
    if (parameter.required === true) required.push(parameter.name);
  }
  const body = contentSchema(requestBody, document);
  const fields = resolvedSchema(body, $defs);
  if (fields?.properties !== undefined) {
    Object.assign(properties, fields.properties);
    if (Array.isArray(fields.required)) required.push(...(fields.required as string[]));
  } else if (body !== undefined) properties.body = body;
  const ok = Object.entries(responses ?? {}).find(([status]) => status.startsWith("2"))?.[1];
  const output = contentSchema(ok, document);
  const inputSchema: JsonSchema = { type: "object", properties, required: [...new Set(required)], $defs };
  return {
    name: nameOf(operationId ?? `${method}${path}`),
    description: [summary, description].filter((text) => text !== "").join("\n\n"),
    parameters: parametersOfSchema(inputSchema),
    inputSchema,
    ...(output === undefined ? {} : { outputSchema: { ...output, $defs } }),
  };
}

function nameOf(id: string): string {
  return id
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .replace(/[^A-Za-z\d]+/g, "_")
    .replace(/^_|_$/g, "")
    .toLowerCase();
}

function schemasOf(components: Readonly<Record<string, unknown>>): Record<string, JsonSchema | boolean> {
  return Object.fromEntries(Object.entries(components).map(([name, schema]) => [name, schemaOf(schema)]));
}

/** OpenAPI's references and `nullable` as JSON Schema has them. */
function schemaOf(schema: unknown): JsonSchema {
  if (typeof schema !== "object" || schema === null) return {};
  const mapped = mapSchemas(schema as JsonSchema, ({ nullable, $ref, ...rest }) => {
    const moved = $ref === undefined ? rest : { ...rest, $ref: $ref.replace("#/components/schemas/", "#/$defs/") };
    return nullable === true ? { anyOf: [moved, { type: "null" }] } : moved;
  });
  return typeof mapped === "object" ? mapped : {};
}

function contentSchema(holder: unknown, document: z.infer<typeof Document>): JsonSchema | undefined {
  const { content } = z
    .looseObject({ content: z.record(z.string(), z.looseObject({})).optional() })
    .parse(resolved(holder ?? {}, document));
  const [type, media] =
    Object.entries(content ?? {}).find(([name]) => name.includes("json")) ?? Object.entries(content ?? {})[0] ?? [];
  if (type === undefined || media?.schema === undefined) return undefined;
  return schemaOf(media.schema);
}

function resolvedSchema(schema: JsonSchema | undefined, $defs: OperationPlace["$defs"]): JsonSchema | undefined {
  const name = schema?.$ref?.replace("#/$defs/", "");
  const target = name === undefined ? schema : $defs[name];
  return typeof target === "object" ? target : undefined;
}

function resolved(value: unknown, document: z.infer<typeof Document>): unknown {
  if (typeof value !== "object" || value === null || !("$ref" in value) || typeof value.$ref !== "string") return value;
  return resolvePointer(document, value.$ref);
}
