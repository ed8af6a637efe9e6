import type { ToolParameter } from "../definition.js";
import type { JsonSchema } from "../json-schema.js";
import { holdsBytes, isSchemaObject, resolvePointer } from "../schema/index.js";
import { union } from "./type-writer.js";

/** References inside one another beyond this are not followed: Any. */
const DEEPEST = 8;
/** Parts of one callable's arguments that are looked into: choices of choices can be more than anybody would ever write. */
const MOST_PARTS = 5000;

/**
 * What becomes text, a number, a truth value or a list on its way to the page: members of an Enum are their values, dates
 * and times are text. The checker tells of them by these names.
 */
export const ARGUMENT_TYPES = `from datetime import date as _date, time as _time, timedelta as _timedelta
from enum import Enum as _Enum

type _ToolText = str | _Enum | _date | _time | _timedelta
type _ToolNumber = float | _Enum
type _ToolTruth = bool | _Enum
type _ToolList = list[Any] | tuple[Any, ...] | set[Any] | frozenset[Any] | _Enum`;

/** What may be given for the parameters of one callable without a doubt about it: only what every value of another type fails of. */
export function argumentTypes(inputSchema: JsonSchema | undefined): (parameter: ToolParameter) => string {
  const budget = { left: MOST_PARTS };
  return ({ name, schema, takesOneItem = false }) => {
    const whole = inputSchema?.properties?.[name];
    const described = isSchemaObject(whole) ? whole : schema;
    if (described === undefined) return "Any";
    // Without a schema of all arguments numbers and dates are let through as text.
    const strict = inputSchema !== undefined;
    const context = { root: inputSchema ?? described, strict, depth: 0, budget };
    const type = argumentOf(described, context);
    return takesOneItem ? union([type, argumentOf(described.items, context)]) : type;
  };
}

interface ArgumentContext {
  readonly root: JsonSchema;
  readonly strict: boolean;
  readonly depth: number;
  /** How many more parts are looked at. */
  readonly budget: { left: number };
}

function argumentOf(schema: unknown, context: ArgumentContext): string {
  context.budget.left -= 1;
  if (!isSchemaObject(schema) || context.depth > DEEPEST || context.budget.left < 0) return "Any";
  // The validation takes bytes for it, whatever else the schema says.
  if (holdsBytes(schema)) return "Any";
  const inner = { ...context, depth: context.depth + 1 };
  if (typeof schema.$ref === "string") return argumentOf(resolvePointer(context.root, schema.$ref), inner);
  if (Array.isArray(schema.enum)) return union(schema.enum.map((value) => kindOf(value)));
  if (schema.const !== undefined) return kindOf(schema.const);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return anyOf(choices, inner);
  const { type } = schema;
  if (type === undefined) return "Any";
  return union((typeof type === "string" ? [type] : type).map((one) => plainArgument(one, schema, context)));
}

/** Where one of them is Any, so is the whole: the others are not looked at. */
function anyOf(choices: readonly unknown[], context: ArgumentContext): string {
  const types: string[] = [];
  for (const choice of choices) {
    const type = argumentOf(choice, context);
    if (type === "Any") return type;
    types.push(type);
  }
  return union(types);
}

function plainArgument(type: string, { format }: JsonSchema, { strict }: ArgumentContext): string {
  switch (type) {
    case "string":
      return strict && format === undefined ? "_ToolText" : "Any";
    case "integer":
    case "number":
      return "_ToolNumber";
    case "boolean":
      return "_ToolTruth";
    case "array":
      return "_ToolList";
    case "null":
      return "None";
    default:
      // Dicts, dataclasses, named tuples and models all become objects.
      return "Any";
  }
}

function kindOf(value: unknown): string {
  if (value === null) return "None";
  if (typeof value === "string") return "_ToolText";
  if (typeof value === "boolean") return "_ToolTruth";
  return typeof value === "number" ? "_ToolNumber" : "Any";
}
