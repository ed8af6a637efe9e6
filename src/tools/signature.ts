import type { ToolCallable, ToolParameter } from "./definition.js";
import { pythonMethod, pythonName } from "./python-names.js";
import { pythonRepr, pythonTypeOfParameter } from "./python-types.js";

/**
 * The callable as a Python signature, for prompts, `signature()` and `repr`:
 * `get(*, url: str, limit: int = 10)`.
 *
 * Required parameters come first. An optional one without a default is shown as
 * `type | None = None`: leaving it out and passing None are the same. `name` is
 * the callable's, unless it is called as the tool itself.
 */
export function signature(
  callable: ToolCallable,
  { name = pythonMethod(callable.name) }: { readonly name?: string } = {},
): string {
  const parameters = [
    ...callable.parameters.filter((parameter) => parameter.required),
    ...callable.parameters.filter((parameter) => !parameter.required),
  ].map(parameterSignature);
  const list = parameters.length === 0 ? "" : `*, ${parameters.join(", ")}`;
  return `${name}(${list})`;
}

function parameterSignature(parameter: ToolParameter): string {
  const name = pythonName(parameter.name);
  const type = pythonTypeOfParameter(parameter);
  if (parameter.required) return `${name}: ${type}`;
  if (parameter.default !== undefined) return `${name}: ${type} = ${pythonRepr(parameter.default)}`;
  return `${name}: ${type === "Any" || type.endsWith("None") ? type : `${type} | None`} = None`;
}
