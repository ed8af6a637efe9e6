import { shortenUnitsTo, type Value } from "../protocol/index.js";

import { callableAlias, parameterAlias, toolAlias } from "./python/aliases.js";
import type { Tool, ToolCallable, ToolParameter } from "./definition.js";
import type { JsonSchema } from "./json-schema.js";
import { pythonTypeOfParameter } from "./stubs/python-types.js";
import type { ToolHit } from "./search/index.js";
import type { CodexEntry } from "./codex-directory.js";
import { callOf, resultType, signature, type ParameterStyle } from "./stubs/signature.js";
import { oneLine, TypeWriter } from "./stubs/index.js";

/** Callables of a tool that are told of with it; the others are asked for one by one. */
const MOST_WITH_TOOL = 40;

/** Characters of a callable's description in a list of hits. */
const LONGEST_SUMMARY = 200;

type Described = Readonly<Record<string, Value>>;

/**
 * A tool as Python and prompts see it: py-code-mode's `to_dict()` with, beside
 * each name, the `alias` under which Python writes it, and each callable's signature.
 * Of a tool with very many callables some are described, and `more` counts the others.
 */
export function describeTool(
  tool: Tool,
  { all = false, style }: { readonly all?: boolean; readonly style?: ParameterStyle } = {},
): Described {
  const described = all ? tool.callables : tool.callables.slice(0, MOST_WITH_TOOL);
  return {
    name: tool.name,
    alias: toolAlias(tool),
    description: tool.description,
    tags: tool.tags,
    dynamic: tool.dynamic === true,
    callables: described.map((callable) => describeCallable(tool, callable, style)),
    more: tool.callables.length - described.length,
  };
}

/** What a search found: a tool, or one callable of it under the name by which it is called. */
export function describeHit({ tool, callable }: ToolHit): Described {
  if (callable === null) return describeTool(tool);
  const alias = toolAlias(tool);
  const described = describeCallable(tool, callable);
  return {
    name: `${tool.name}.${callable.name}`,
    alias: `${alias}.${callableAlias(tool, callable.name)}`,
    description: shortenUnitsTo(oneLine(callable.description), LONGEST_SUMMARY),
    tags: tool.tags,
    dynamic: false,
    callables: [{ ...described, description: "", signature: `tools.${callOf(tool, callable, { alias })}` }],
    more: 0,
  };
}

/** A tool as the module `codex_tools` sees it, or one callable of it that is a function of its own there. */
export function describeEntry({ tool, callable, onFiles }: CodexEntry, { all = false } = {}): Described {
  const shown = callable === null ? tool : { ...tool, callables: [callable] };
  return { ...describeTool(shown, { all, style: "in-order" }), is_function: callable !== null, on_files: onFiles };
}

export function describeCallable(tool: Tool, callable: ToolCallable, style: ParameterStyle = "by-name"): Described {
  const name = callableAlias(tool, callable.name);
  return {
    name: callable.name,
    alias: name,
    description: callable.description,
    signature: signature(callable, { name, style }),
    // Whether the stub tells of types that the signature has no room for.
    typed: hasTypes(callable),
    parameters: callable.parameters.map((parameter) => describeParameter(callable, parameter)),
    ...(style === "by-name" ? {} : { returns: resultType(callable, new TypeWriter({ declare: false }), name) ?? null }),
  };
}

function hasTypes(callable: ToolCallable): boolean {
  const schemas = [...callable.parameters.map(({ schema }) => schema), callable.outputSchema];
  if (schemas.every((schema) => schema === undefined || isPlain(schema))) return false;
  const types = new TypeWriter();
  signature(callable, { types });
  return types.declarations.length > 0;
}

/** A cheap look that spares most callables the long one. */
function isPlain({ type, properties, $ref, anyOf, oneOf, allOf, items, additionalProperties }: JsonSchema): boolean {
  if ([properties, $ref, anyOf, oneOf, allOf, additionalProperties].some((keyword) => keyword !== undefined))
    return false;
  return type !== "array" || typeof items !== "object" || isPlain(items);
}

function describeParameter(callable: ToolCallable, parameter: ToolParameter): Described {
  return {
    name: parameter.name,
    alias: parameterAlias(callable, parameter.name),
    type: parameter.type,
    python_type: pythonTypeOfParameter(parameter, callable),
    required: parameter.required,
    default: parameter.default ?? null,
    description: parameter.description,
  };
}
