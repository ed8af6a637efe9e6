import { entries, isObject, items, member, type Json, type Located, type OpenApiDocument } from "./document.js";

/** Parts of a schema that are looked at for its properties. */
const MOST_PARTS = 1000;

/** How many more parts are looked at. */
interface Budget {
  left: number;
}

/** What is known of an object. */
export interface Shape {
  readonly properties: ReadonlyMap<string, Located>;
  readonly required: ReadonlySet<string>;
  /** The schema of keys that it does not name; undefined where it takes none, or says nothing of them. */
  readonly more: Located | undefined;
}

/** The properties that an object names, which may be none; undefined for any other schema. */
export function shapeOf(document: OpenApiDocument, schema: Located): Shape | undefined {
  return readShape(document, schema, { left: MOST_PARTS });
}

function readShape(document: OpenApiDocument, schema: Located, budget: Budget, depth = 0): Shape | undefined {
  budget.left -= 1;
  const { value, pointer } = document.resolve(schema);
  if (!isObject(value) || depth > 10 || budget.left < 0) return undefined;
  const types = Array.isArray(value.type) ? (value.type as readonly Json[]) : [value.type];
  if (value.type !== undefined && !types.includes("object")) return undefined;
  if (value.patternProperties !== undefined || value.not !== undefined) return undefined;
  const alternatives = [value.oneOf, value.anyOf].filter((list) => list !== undefined);
  if (!alternatives.every(isAboutRequired)) return undefined;
  const at: Located = { value, pointer };
  const own = member(at, "additionalProperties");
  let more = own?.value === false ? undefined : own;
  const properties = new Map<string, Located>();
  const required = new Set<string>();
  for (const part of items(member(at, "allOf"))) {
    const shape = readShape(document, part, budget, depth + 1);
    if (shape === undefined) {
      if (!isAboutRequired([part.value])) return undefined;
      continue;
    }
    for (const [name, property] of shape.properties) properties.set(name, property);
    for (const name of shape.required) required.add(name);
    more ??= shape.more;
  }
  for (const [name, property] of entries(member(at, "properties"))) properties.set(name, property);
  for (const name of items(member(at, "required"))) if (typeof name.value === "string") required.add(name.value);
  return { properties, required, more };
}

/** Alternatives that only say what must be given together leave the properties as they are. */
function isAboutRequired(list: Json | undefined): boolean {
  return (
    Array.isArray(list) &&
    (list as readonly Json[]).every(
      (part) =>
        isObject(part) &&
        Object.keys(part).every((key) => key === "required" || key === "title" || key === "description"),
    )
  );
}
