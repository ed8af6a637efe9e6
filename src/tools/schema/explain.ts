import type { Value } from "../../protocol/index.js";
import type { JsonSchema } from "../json-schema.js";
import { BYTES_KEY, keyText } from "./instance.js";
import { decodeSegment, isSchemaObject, resolvePointer } from "./subschemas.js";
import { listed, schemaInWords, valueInWords } from "./words.js";

/** Where and how a value does not fit a schema. */
export interface SchemaMismatch {
  /** From the whole value to the part that is wrong: names of keys and numbers of items. */
  readonly path: readonly (string | number)[];
  /** What is wrong, to be put after the part's name: `must be an integer, not str 'three'`. */
  readonly reason: string;
}

/** A failure, in the form of JSON Schema's "basic" output. Not the validator's own type: the declarations of the package name no library. */
interface OutputUnit {
  readonly keyword: string;
  readonly keywordLocation: string;
  readonly instanceLocation: string;
  readonly error: string;
}

interface Checked {
  readonly schema: JsonSchema | boolean;
  /** What references of the schema lead into. */
  readonly root: JsonSchema | boolean;
  readonly value: Value;
}

/** Keywords whose failure is told better by what failed inside of them. */
const AROUND = new Set([
  "$ref",
  "$recursiveRef",
  "allOf",
  "if",
  "properties",
  "patternProperties",
  "additionalProperties",
  "unevaluatedProperties",
  "items",
  "prefixItems",
  "additionalItems",
  "unevaluatedItems",
  "dependentSchemas",
  "dependencies",
]);

/** The one failure, of all that a validator lists, that tells best what to change. */
export function explain(errors: readonly OutputUnit[], checked: Checked): SchemaMismatch {
  const mismatch = tell(errors, checked);
  return mismatch ?? { path: [], reason: errors[0]?.error ?? "does not fit its schema" };
}

function tell(errors: readonly OutputUnit[], checked: Checked): SchemaMismatch | undefined {
  const unions = errors.filter(({ keyword }) => keyword === "anyOf" || keyword === "oneOf");
  const outer = unions.filter(({ keywordLocation }) => !unions.some((other) => isInside(keywordLocation, other)));
  const plain = errors.filter(
    (error) => tellsItself(error, checked) && !unions.some((union) => isAt(error, union) || belongsTo(error, union)),
  );
  const [first] = plain;
  if (first !== undefined) return tellOne(first, checked);
  const [union] = outer;
  return union === undefined ? undefined : tellUnion(union, errors, checked);
}

function tellsItself(error: OutputUnit, checked: Checked): boolean {
  if (isClosed(error, checked)) return true;
  // The failure of the schema `false` does not say which schema it was.
  return error.keyword !== "false" && !AROUND.has(error.keyword);
}

/** Whether a key is one too many. */
function isClosed(error: OutputUnit, checked: Checked): boolean {
  const { keyword } = error;
  return keyword.endsWith("Properties") && schemaAt(error, checked)?.[keyword] === false;
}

/** Of a union, the branch that was meant, if that can be told; else what the union accepts. */
function tellUnion(union: OutputUnit, errors: readonly OutputUnit[], checked: Checked): SchemaMismatch {
  const branches = new Map<string, OutputUnit[]>();
  for (const error of errors) {
    if (!belongsTo(error, union)) continue;
    const branch = error.keywordLocation.slice(union.keywordLocation.length + 1).split("/", 1)[0] ?? "";
    branches.set(branch, [...(branches.get(branch) ?? []), error]);
  }
  const meant = [...branches.values()].filter((branch) => isMeant(branch, union));
  const [only] = meant.sort((a, b) => a.length - b.length);
  if (only !== undefined) return tell(only, checked) ?? tellOne(union, checked);
  return tellTag([...branches.values()], checked) ?? tellOne(union, checked);
}

/** A branch is not meant when the value is of another type, or has another tag (`kind: "circle"`). */
function isMeant(branch: readonly OutputUnit[], union: OutputUnit): boolean {
  return !branch.some(
    ({ keyword, instanceLocation }) =>
      (keyword === "type" && instanceLocation === union.instanceLocation) || keyword === "const" || keyword === "enum",
  );
}

/** Every branch wants another tag at the same place: what tags there are. */
function tellTag(branches: readonly OutputUnit[][], checked: Checked): SchemaMismatch | undefined {
  const tags = branches.map((branch) => branch.find(({ keyword }) => keyword === "const" || keyword === "enum"));
  const [first] = tags;
  if (first === undefined || tags.some((tag) => tag?.instanceLocation !== first.instanceLocation)) return undefined;
  const accepted = tags.flatMap((tag) => {
    const schema = tag === undefined ? undefined : schemaAt(tag, checked);
    if (schema === undefined) return [];
    return schema.enum ?? [schema.const];
  });
  const { path, value } = locate(first, checked.value);
  return { path, reason: `must be ${listed(accepted)}, not ${valueInWords(value)}` };
}

function tellOne(error: OutputUnit, checked: Checked): SchemaMismatch {
  const { path, value } = locate(error, checked.value);
  const schema = schemaAt(error, checked);
  const came = valueInWords(value);
  switch (error.keyword) {
    case "type":
    case "anyOf":
      return { path, reason: `must be ${schemaInWords(schema ?? {})}, not ${came}` };
    case "oneOf":
      return { path, reason: `must be exactly one of: ${schemaInWords(schema ?? {})}; it is ${came}` };
    case "enum":
      return { path, reason: `must be ${listed(schema?.enum ?? [])}, not ${came}` };
    case "const":
      return { path, reason: `must be ${listed([schema?.const])}, not ${came}` };
    case "required":
      return missingKey(error, path);
    case "additionalProperties":
    case "unevaluatedProperties":
      return unknownKey(error, { path, schema });
    case "not":
      return { path, reason: `must not be ${came}` };
    default:
      return { path, reason: limit(error.keyword, schema) ?? `does not fit: ${error.error} It is ${came}` };
  }
}

function missingKey({ error }: OutputUnit, path: SchemaMismatch["path"]): SchemaMismatch {
  const key = /"(.*)"/su.exec(error)?.[1] ?? "";
  return { path: [...path, key], reason: "is missing" };
}

function unknownKey(
  { error }: OutputUnit,
  { path, schema }: { readonly path: SchemaMismatch["path"]; readonly schema: JsonSchema | undefined },
): SchemaMismatch {
  const key = /"(.*)"/su.exec(error)?.[1] ?? "";
  const known = Object.keys(schema?.properties ?? {}).map((name) => `'${name}'`);
  const reason = known.length === 0 ? "is not accepted" : `is not accepted. It takes: ${known.join(", ")}`;
  return { path: [...path, key], reason };
}

function limit(keyword: string, schema: JsonSchema | undefined): string | undefined {
  const bound: unknown = schema?.[keyword];
  if (typeof bound !== "number" && typeof bound !== "string") return undefined;
  const text = String(bound);
  return new Map([
    ["minimum", `must be at least ${text}`],
    ["maximum", `must be at most ${text}`],
    ["exclusiveMinimum", `must be more than ${text}`],
    ["exclusiveMaximum", `must be less than ${text}`],
    ["multipleOf", `must be a multiple of ${text}`],
    ["minLength", `must have at least ${text} characters`],
    ["maxLength", `must have at most ${text} characters`],
    ["minItems", `must have at least ${text} items`],
    ["maxItems", `must have at most ${text} items`],
    ["minProperties", `must have at least ${text} keys`],
    ["maxProperties", `must have at most ${text} keys`],
    ["pattern", `must match the pattern ${text}`],
  ]).get(keyword);
}

/** The schema whose keyword failed. */
function schemaAt({ keywordLocation }: OutputUnit, { schema, root }: Checked): JsonSchema | undefined {
  let found: unknown = schema;
  // The last segment is the keyword itself.
  for (const segment of keywordLocation.split("/").slice(1, -1)) {
    if (typeof found !== "object" || found === null) return undefined;
    const value: unknown = (found as Readonly<Record<string, unknown>>)[decodeSegment(segment)];
    const isReference = segment === "$ref" && typeof value === "string" && isSchemaObject(root);
    found = isReference ? resolvePointer(root, value) : value;
  }
  return isSchemaObject(found) ? found : undefined;
}

/** The part of the value that an error is about, and the way there. */
function locate({ instanceLocation }: OutputUnit, whole: Value): { path: (string | number)[]; value: Value } {
  const path: (string | number)[] = [];
  let value = whole;
  for (const segment of instanceLocation.split("/").slice(1).map(decodeSegment)) {
    const [key, next] = childOf(value, segment);
    path.push(key);
    value = next;
  }
  return { path, value };
}

function childOf(value: Value, segment: string): readonly [string | number, Value] {
  if (Array.isArray(value)) return [Number(segment), (value as readonly Value[])[Number(segment)]];
  if (value instanceof Set) return [Number(segment), [...(value as ReadonlySet<Value>)][Number(segment)]];
  if (value instanceof Map) {
    const found = [...(value as ReadonlyMap<Value, Value>)].find(([key]) => keyText(key) === segment);
    return [segment, found?.[1]];
  }
  if (typeof value !== "object" || value === null || segment === BYTES_KEY) return [segment, undefined];
  return [segment, (value as Readonly<Record<string, Value>>)[segment]];
}

function isInside(location: string, { keywordLocation }: OutputUnit): boolean {
  return location.startsWith(`${keywordLocation}/`);
}

function isAt({ keywordLocation, instanceLocation }: OutputUnit, union: OutputUnit): boolean {
  return keywordLocation === union.keywordLocation && instanceLocation === union.instanceLocation;
}

/** Of two items checked by the same union, each has failures of its own. */
function belongsTo(error: OutputUnit, union: OutputUnit): boolean {
  const { instanceLocation: location } = union;
  const within = error.instanceLocation === location || error.instanceLocation.startsWith(`${location}/`);
  return within && isInside(error.keywordLocation, union);
}
