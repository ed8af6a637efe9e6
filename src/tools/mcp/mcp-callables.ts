import { z } from "zod";

import { isNestedDeeper, type Problem } from "../../protocol/index.js";
import type { ToolCallable, ToolHints, ToolParameter } from "../definition.js";
import type { JsonSchema } from "../json-schema.js";
import { DEEPEST_DEFINITION } from "../nesting.js";
import { parametersOfSchema, unknownType } from "../schema/index.js";

const SchemaObject = z.looseObject({
  type: z.literal("object"),
  properties: z.record(z.string(), z.union([z.boolean(), z.looseObject({})])).optional(),
  required: z.array(z.string()).optional(),
});

/** What is read of a tool; the rest of it is carried along. */
export const McpToolEntry = z.looseObject({
  name: z.string().min(1).max(256),
  title: z.string().optional(),
  description: z.string().optional(),
  inputSchema: SchemaObject,
  outputSchema: z.looseObject({}).optional(),
  annotations: z
    .looseObject({
      title: z.string().optional(),
      readOnlyHint: z.boolean().optional(),
      destructiveHint: z.boolean().optional(),
      idempotentHint: z.boolean().optional(),
    })
    .optional(),
});
export type McpToolEntry = z.infer<typeof McpToolEntry>;

export interface ListedTools {
  readonly callables: readonly ToolCallable[];
  readonly problems: readonly Problem[];
}

/**
 * A callable for each tool of a list. A tool whose definition is broken is left
 * out with a problem, and of two of one name the first counts. One whose schema has a type that JSON Schema does not know is
 * kept, with a problem: calls without that argument work.
 */
export function readMcpTools(
  listed: readonly unknown[],
  { file, hints }: { readonly file: string; readonly hints: ToolHints },
): ListedTools {
  const callables = new Map<string, ToolCallable>();
  const problems: Problem[] = [];
  listed.forEach((entry, index) => {
    if (isNestedDeeper(entry, DEEPEST_DEFINITION)) {
      const field = `tools.${nameOf(entry) ?? String(index)}`;
      const message = `The server describes a tool more than ${String(DEEPEST_DEFINITION)} levels deep, so it is left out.`;
      problems.push({ file, field, message, code: "MCP_PROTOCOL" });
      return;
    }
    const parsed = McpToolEntry.safeParse(entry);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      const field = ["tools", nameOf(entry) ?? String(index), ...(issue?.path ?? [])].map(String).join(".");
      const message = `The server describes a tool in a way that is not MCP, so it is left out: ${issue?.message ?? ""}`;
      problems.push({ file, field, message, code: "MCP_PROTOCOL" });
    } else if (callables.has(parsed.data.name)) {
      const message = `The server lists two tools named '${parsed.data.name}'; the first one counts.`;
      problems.push({ file, field: `tools.${parsed.data.name}`, message, code: "MCP_PROTOCOL" });
    } else {
      callables.set(parsed.data.name, callableOf(parsed.data, hints));
      const unknown = unknownType(parsed.data.inputSchema);
      if (unknown === undefined) return;
      const field = `tools.${parsed.data.name}.inputSchema.${unknown.path}`;
      const message = `Calls that give this argument will fail: ${unknown.reason} in the server's definition.`;
      problems.push({ file, field, message, code: "MCP_PROTOCOL" });
    }
  });
  return { callables: [...callables.values()], problems };
}

function nameOf(entry: unknown): string | undefined {
  if (typeof entry !== "object" || entry === null || !("name" in entry)) return undefined;
  return typeof entry.name === "string" && entry.name !== "" ? entry.name.slice(0, 100) : undefined;
}

function callableOf(
  { name, title, description, inputSchema, outputSchema, annotations }: McpToolEntry,
  own: ToolHints,
) {
  const callable: ToolCallable = {
    name,
    description: description ?? title ?? annotations?.title ?? "",
    parameters: parametersOfSchema(inputSchema as JsonSchema),
    inputSchema: inputSchema as JsonSchema,
    ...(outputSchema === undefined ? {} : { outputSchema: outputSchema }),
    hints: { ...hintsOf(annotations), ...own },
  };
  return callable;
}

/**
 * What a server says of its tool's effects. MCP takes a tool for destructive
 * unless it says otherwise; here that holds only where the server says that the
 * tool changes something, since most servers say nothing at all.
 */
function hintsOf(annotations: McpToolEntry["annotations"]): ToolHints {
  const { readOnlyHint: readOnly, destructiveHint, idempotentHint: idempotent } = annotations ?? {};
  const destructive = readOnly === true ? undefined : (destructiveHint ?? (readOnly === false ? true : undefined));
  return {
    ...(readOnly === undefined ? {} : { readOnly }),
    ...(destructive === undefined ? {} : { destructive }),
    ...(idempotent === undefined ? {} : { idempotent }),
  };
}

const uri = textParameter("uri", "Address of the resource, as list_resources() names it");
const promptName = textParameter("name", "Name of the prompt, as list_prompts() names it");
const promptArguments: ToolParameter = {
  name: "arguments",
  type: "object",
  required: false,
  description: "Values by name, all of them text",
  schema: { type: "object", additionalProperties: { type: "string" } },
};

const READ_ONLY: ToolHints = { readOnly: true, idempotent: true };

/** What a server offers beside tools, as callables. */
export const extraCallables: readonly {
  readonly capability: "resources" | "prompts";
  readonly callable: ToolCallable;
}[] = [
  {
    capability: "resources",
    callable: {
      name: "list_resources",
      description: "Resources that the server offers: dicts with uri, or uri_template, and name",
      parameters: [],
      hints: READ_ONLY,
    },
  },
  {
    capability: "resources",
    callable: {
      name: "read_resource",
      description: "A resource of the server: a Content whose data is text or bytes, or a list of them",
      parameters: [uri],
      hints: READ_ONLY,
    },
  },
  {
    capability: "prompts",
    callable: {
      name: "list_prompts",
      description: "Prompts that the server offers: dicts with name, description and arguments",
      parameters: [],
      hints: READ_ONLY,
    },
  },
  {
    capability: "prompts",
    callable: {
      name: "get_prompt",
      description: "The messages of a prompt: dicts with role and content",
      parameters: [promptName, promptArguments],
      hints: READ_ONLY,
    },
  },
];

function textParameter(name: string, description: string): ToolParameter {
  return { name, type: "string", required: true, description, schema: { type: "string" } };
}
