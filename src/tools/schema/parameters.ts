import type { ToolParameter } from "../definition.js";
import type { JsonSchema } from "../json-schema.js";
import { mismatch } from "./mismatch.js";
import { isSchemaObject, resolvePointer } from "./subschemas.js";

/** A circle of references ends here. */
const MOST_STEPS = 32;
/** Parts of one schema that are looked at: choices of choices can be more than anybody would ever write. */
const MOST_PARTS = 1000;

/** How many more parts of a schema are looked at. */
interface Budget {
  left: number;
}

/** A schema without its references: what `$ref` points at, with the keywords beside it on top. */
export function withoutRef(schema: JsonSchema, root: JsonSchema): JsonSchema {
  let current = schema;
  for (let step = 0; typeof current.$ref === "string" && step < MOST_STEPS; step += 1) {
    const target = resolvePointer(root, current.$ref);
    if (!isSchemaObject(target)) return current;
    const { $ref: inner, ...named } = target;
    current = { ...named, ...current, $ref: inner };
  }
  return current;
}

/**
 * The parameters that a schema of all arguments describes, in its order. Properties of `allOf` count as its own; those
 * of a choice (`anyOf`, `oneOf`) too, as required only where every choice requires them.
 */
export function parametersOfSchema(inputSchema: JsonSchema): ToolParameter[] {
  const { properties, required } = shapeOf(inputSchema, inputSchema, { left: MOST_PARTS });
  return Array.from(properties, ([name, schema]) => parameter(name, schema, { inputSchema, required }));
}

/** Whether arguments beyond the parameters are accepted: the schema says so itself, not by saying nothing. */
export function takesMore(inputSchema: JsonSchema): boolean {
  return admitsMore(withoutRef(inputSchema, inputSchema));
}

function admitsMore({ additionalProperties: more, patternProperties }: JsonSchema): boolean {
  return more === true || isSchemaObject(more) || isSchemaObject(patternProperties);
}

/** Whether an object may have keys that are not among its properties, as far as the schema says so itself. */
function isOpenShape(schema: JsonSchema, root: JsonSchema): boolean {
  const plain = withoutRef(schema, root);
  const { unevaluatedProperties: more = false } = plain;
  return (
    admitsMore(plain) ||
    more !== false ||
    MORE_KEYS.some((keyword) => plain[keyword] !== undefined) ||
    [plain.anyOf, plain.oneOf].some((choices: readonly unknown[] | undefined) => choices?.some(admitsAll) === true) ||
    // What the reference leads to is somewhere else; or it has keys that those beside the reference stand before.
    plain.$ref !== undefined ||
    (schema.$ref !== undefined && schema.properties !== undefined)
  );
}

function admitsAll(schema: unknown): boolean {
  return schema === true || (isSchemaObject(schema) && Object.keys(schema).length === 0);
}

/** Whether None is a value of the schema, and not just another way to leave the argument out. */
export function takesNull(schema: JsonSchema, root: JsonSchema): boolean {
  return admitsNull(schema, root, { left: MOST_PARTS });
}

function admitsNull(schema: JsonSchema, root: JsonSchema, budget: Budget, depth = 0): boolean {
  budget.left -= 1;
  const { type, enum: values, anyOf, oneOf, ...rest } = withoutRef(schema, root);
  if (rest.const !== undefined) return rest.const === null;
  if (values !== undefined) return values.includes(null);
  if (type !== undefined) return type === "null" || (typeof type !== "string" && type.includes("null"));
  const choices = anyOf ?? oneOf;
  if (choices === undefined || depth > MOST_STEPS || budget.left < 0) return false;
  return choices.some((choice) => isSchemaObject(choice) && admitsNull(choice, root, budget, depth + 1));
}

/** What an object of the schema may and must have; null when the schema describes no object by its keys. */
export function objectShape(schema: JsonSchema, root: JsonSchema): ObjectShape | null {
  const shape = shapeOf(schema, root, { left: MOST_PARTS });
  return shape.properties.size === 0 ? null : shape;
}

export interface ObjectShape {
  readonly properties: ReadonlyMap<string, JsonSchema>;
  readonly required: ReadonlySet<string>;
  /** Whether the schema says that there may be other keys, or more is in it than was looked at. */
  readonly isOpen: boolean;
}

/** Keywords by which an object may get keys that are not looked for. */
const MORE_KEYS = ["if", "then", "else", "dependentSchemas", "$dynamicRef", "$recursiveRef"];

function shapeOf(schema: JsonSchema, root: JsonSchema, budget: Budget, depth = 0): ObjectShape {
  budget.left -= 1;
  const plain = withoutRef(schema, root);
  const properties = new Map<string, JsonSchema>();
  const required = new Set(
    Array.isArray(plain.required) ? plain.required.filter((name) => typeof name === "string") : [],
  );
  if (isSchemaObject(plain.properties)) {
    for (const [name, property] of Object.entries(plain.properties)) {
      properties.set(name, isSchemaObject(property) ? property : {});
    }
  }
  if (depth > MOST_STEPS || budget.left < 0) return { properties, required, isOpen: true };
  let isOpen = isOpenShape(schema, root);
  for (const part of schemasOf(plain.allOf)) {
    const shape = shapeOf(part, root, budget, depth + 1);
    isOpen ||= shape.isOpen;
    addAll(properties, shape.properties);
    for (const name of shape.required) required.add(name);
  }
  for (const choices of [schemasOf(plain.anyOf), schemasOf(plain.oneOf)]) {
    const shapes = choices.map((choice) => shapeOf(choice, root, budget, depth + 1));
    for (const shape of shapes) addAll(properties, shape.properties);
    isOpen ||= shapes.some((shape) => shape.isOpen);
    const [first, ...others] = shapes;
    for (const name of first?.required ?? []) if (others.every((other) => other.required.has(name))) required.add(name);
  }
  return { properties, required, isOpen };
}

function addAll(properties: Map<string, JsonSchema>, more: ReadonlyMap<string, JsonSchema>): void {
  for (const [name, schema] of more) if (!properties.has(name)) properties.set(name, schema);
}

function schemasOf(value: unknown): JsonSchema[] {
  return Array.isArray(value) ? value.filter(isSchemaObject) : [];
}

function parameter(
  name: string,
  schema: JsonSchema,
  { inputSchema, required }: { readonly inputSchema: JsonSchema; readonly required: ReadonlySet<string> },
): ToolParameter {
  const plain = withoutRef(schema, inputSchema);
  return {
    name,
    type: typeName(plain, inputSchema, { left: MOST_PARTS }),
    required: required.has(name),
    description: typeof plain.description === "string" ? plain.description : "",
    schema,
    ...(isDefault(plain) ? { default: plain.default } : {}),
  };
}

/** JSON Schema only writes a default down: that it fits is promised nowhere, and one that does not is none. */
function isDefault(schema: JsonSchema): boolean {
  return schema.default !== undefined && mismatch(schema, schema.default) === undefined;
}

/** `string`, `array`; `any` where there are several. */
function typeName(schema: JsonSchema, root: JsonSchema, budget: Budget, depth = 0): string {
  budget.left -= 1;
  const { type, anyOf, oneOf } = withoutRef(schema, root);
  if (typeof type === "string") return type;
  const choices = depth > MOST_STEPS || budget.left < 0 ? [] : schemasOf(anyOf ?? oneOf);
  const types = Array.isArray(type)
    ? (type as readonly string[])
    : choices.map((one) => typeName(one, root, budget, depth + 1));
  const [only, ...others] = new Set(types.filter((name) => name !== "null"));
  return only !== undefined && others.length === 0 ? only : "any";
}
