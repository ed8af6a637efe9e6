import type { ToolCallable, ToolParameter } from "../definition.js";
import { className, TypeWriter, typeOfName } from "./type-writer.js";

export { pythonRepr, pythonTextPieces } from "../python/python-repr.js";

/** How types are written that belong to a callable. */
export interface TypeOptions {
  /** Keeps the TypedDicts that the types refer to. Default: one that knows objects as `dict[str, Any]`. */
  readonly types?: TypeWriter;
  /** What the TypedDicts of the callable's objects are called after. */
  readonly owner?: string;
}

/** The type of a parameter as Python writes it. What has no Python counterpart is `Any`. */
export function pythonTypeOfParameter(
  { name, type, schema }: ToolParameter,
  { inputSchema }: Pick<ToolCallable, "inputSchema"> = {},
  { types = new TypeWriter({ declare: false }), owner = "" }: TypeOptions = {},
): string {
  if (schema === undefined) return typeOfName(type);
  return types.typeOf(schema, inputSchema ?? schema, `${className(owner)}${className(name)}`);
}
