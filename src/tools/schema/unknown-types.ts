import { HOLD_BY_NAME, HOLD_LIST, HOLD_ONE, isSchemaObject } from "./subschemas.js";

const TYPES = new Set(["array", "boolean", "integer", "null", "number", "object", "string"]);

/** The type that is meant where other languages and formats say it in another word. */
const meanings = new Map(
  Object.entries({
    array: "list tuple set frozenset sequence iterable collection vector",
    boolean: "bool",
    integer: "int long short bigint int32 int64 uint",
    null: "none nil void undefined nonetype",
    number: "float double decimal numeric real float32 float64",
    object: "dict dictionary map mapping record hash hashmap struct json",
    string: "str text char varchar date datetime time timestamp uuid uri url email enum file path",
  }).flatMap(([type, words]) => words.split(" ").map((word) => [word, type] as const)),
);

/** A `type` that JSON Schema does not know. No value has it, so that every call that gives one would fail. */
export interface UnknownType {
  /** Where in the schema, `properties.city.type` for instance. */
  readonly path: string;
  /** What is wrong and what to write, to be put after that: `'dict' is no type of JSON Schema; write 'object'`. */
  readonly reason: string;
}

/** The first type that JSON Schema does not know, in the schema or in one of those inside it. */
export function unknownType(schema: unknown): UnknownType | undefined {
  return find(schema, [], new Set());
}

function find(schema: unknown, path: readonly string[], seen: Set<object>): UnknownType | undefined {
  // One that code made may hold itself.
  if (!isSchemaObject(schema) || seen.has(schema)) return undefined;
  seen.add(schema);
  for (const [keyword, value] of Object.entries(schema)) {
    const found = keyword === "type" ? wrongType(value, path) : inside(keyword, value, { path, seen });
    if (found !== undefined) return found;
  }
  return undefined;
}

function wrongType(type: unknown, path: readonly string[]): UnknownType | undefined {
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  const wrong = types.filter((one) => typeof one === "string").find((one) => !TYPES.has(one));
  return wrong === undefined ? undefined : { path: [...path, "type"].join("."), reason: reasonFor(wrong) };
}

interface Traversal {
  readonly path: readonly string[];
  readonly seen: Set<object>;
}

function inside(keyword: string, value: unknown, { path, seen }: Traversal): UnknownType | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const here = [...path, keyword];
  if (HOLD_ONE.has(keyword) && !Array.isArray(value)) return find(value, here, seen);
  if (Array.isArray(value) ? !HOLD_LIST.has(keyword) : !HOLD_BY_NAME.has(keyword)) return undefined;
  for (const [name, part] of Object.entries(value)) {
    const found = find(part, [...here, name], seen);
    if (found !== undefined) return found;
  }
  return undefined;
}

function reasonFor(type: string): string {
  const nothing = `'${type.slice(0, 50)}' is no type of JSON Schema`;
  const word = /^\w+/.exec(type.trim().toLowerCase())?.[0] ?? "";
  if (word === "any" || word === "unknown") return `${nothing}; leave \`type\` out for any value`;
  if (word === "bytes" || word === "binary") return `${nothing}; write 'string' with \`format: "binary"\``;
  const meant = TYPES.has(word) ? word : meanings.get(word);
  return meant === undefined ? `${nothing}, which are ${[...TYPES].join(", ")}` : `${nothing}; write '${meant}'`;
}
