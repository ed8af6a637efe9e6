import type { Value } from "../protocol/index.js";

import type { Tool, ToolCallable, ToolParameter } from "./definition.js";
import { pythonAttribute, pythonMethod, pythonName } from "./python-names.js";
import { pythonTypeOfParameter } from "./python-types.js";
import { signature } from "./signature.js";

/**
 * A tool as Python and prompts see it: py-code-mode's `to_dict()` with, beside
 * each name, the `alias` under which Python writes it, and each callable's signature.
 */
export function describeTool(tool: Tool): Readonly<Record<string, Value>> {
  return {
    name: tool.name,
    alias: pythonAttribute(tool.name),
    description: tool.description,
    tags: tool.tags,
    dynamic: tool.dynamic === true,
    callables: tool.callables.map(describeCallable),
  };
}

function describeCallable(callable: ToolCallable): Readonly<Record<string, Value>> {
  return {
    name: callable.name,
    alias: pythonMethod(callable.name),
    description: callable.description,
    signature: signature(callable),
    parameters: callable.parameters.map(describeParameter),
  };
}

function describeParameter(parameter: ToolParameter): Readonly<Record<string, Value>> {
  return {
    name: parameter.name,
    alias: pythonName(parameter.name),
    type: parameter.type,
    python_type: pythonTypeOfParameter(parameter),
    required: parameter.required,
    default: parameter.default ?? null,
    description: parameter.description,
  };
}
