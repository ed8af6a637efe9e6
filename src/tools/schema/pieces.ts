import { isRecord, type Value } from "../../protocol/index.js";
import type { JsonSchema } from "../json-schema.js";
import { keyText } from "./instance.js";
import { isSchemaObject, resolvePointer } from "./subschemas.js";

/** Values that a piece consists of: what is checked in one go. */
export const PIECE = 2000;
/** References, `allOf` and the like on the way to one value; a circle of them ends here. */
const DEEPEST = 50;

type Path = readonly (string | number)[];

/** A part of a large value, with the schema that it has to fit. */
export interface Piece {
  readonly schema: JsonSchema | boolean;
  readonly value: Value;
  /** What is told to be wrong, where the value stands for it: a list without its items, an object without what it holds. */
  readonly meant?: Value;
  /** The path of something in the whole value, by its path in the piece. */
  readonly pathInWhole: (path: Path) => Path;
}

/** Keywords that ask nothing. `$id` is none: inside of a schema it moves what references lead to. */
const NOTES = ["title", "description", "$defs", "definitions", "$schema", "$comment", "deprecated", "readOnly"];
const OF_ARRAY = new Set([...NOTES, "type", "items", "minItems", "maxItems"]);
const OF_OBJECT = new Set([
  ...NOTES,
  "type",
  "properties",
  "required",
  "additionalProperties",
  "minProperties",
  "maxProperties",
]);
const OF_CHOICE = new Set([...NOTES, "anyOf", "oneOf"]);
const OF_REFERENCE = new Set([...NOTES, "$ref"]);

/** Whether a value consists of more values than that. Looks at no more of them. */
export function isLargerThan(most: number, value: Value): boolean {
  return partsUpTo(most + 1, value) > most;
}

/**
 * Takes a large value apart, along what lists and objects are in its schema. What a schema says of a value as a whole
 * (`uniqueItems`, a choice of several objects) is left together.
 */
export function* piecesOf(root: JsonSchema | boolean, value: Value): Generator<Piece> {
  yield* new Pieces(root).of(isSchemaObject(root) ? without(root, "$id") : root, value, []);
}

class Pieces {
  readonly #root: JsonSchema | boolean;

  constructor(root: JsonSchema | boolean) {
    this.#root = root;
  }

  *of(schema: JsonSchema | boolean, value: Value, path: Path, depth = 0): Generator<Piece> {
    if (schema === true) return;
    const whole: Piece = { schema, value, pathInWhole: (inner) => [...path, ...inner] };
    if (schema === false || depth > DEEPEST || !isLargerThan(PIECE, value)) {
      yield whole;
      return;
    }
    const { allOf } = schema;
    if (Array.isArray(allOf) && schema.unevaluatedItems === undefined && schema.unevaluatedProperties === undefined) {
      yield* this.of(without(schema, "allOf"), value, path, depth + 1);
      for (const part of allOf as readonly (JsonSchema | boolean)[]) yield* this.of(part, value, path, depth + 1);
      return;
    }
    const meant = this.#meant(schema, value);
    if (meant !== undefined) {
      yield* this.of(meant, value, path, depth + 1);
      return;
    }
    const items = itemsOf(value);
    if (items !== undefined && hasOnly(schema, OF_ARRAY) && !Array.isArray(schema.items)) {
      yield* this.#ofList(schema, { value, items }, path);
      return;
    }
    const entries = entriesOf(value);
    if (entries !== undefined && hasOnly(schema, OF_OBJECT)) {
      yield* this.#ofObject(schema, { value, entries }, path);
      return;
    }
    yield whole;
  }

  /** What a reference points at, or the one branch of a choice that is about values of this kind. */
  #meant(schema: JsonSchema, value: Value): JsonSchema | boolean | undefined {
    if (schema.$ref !== undefined && hasOnly(schema, OF_REFERENCE) && isSchemaObject(this.#root)) {
      return resolvePointer(this.#root, schema.$ref);
    }
    const { anyOf, oneOf } = schema;
    const branches = anyOf ?? oneOf;
    if (!hasOnly(schema, OF_CHOICE) || branches === undefined || (anyOf !== undefined && oneOf !== undefined)) {
      return undefined;
    }
    const kind = itemsOf(value) === undefined ? "object" : "array";
    const possible = branches.filter(({ type }) => type === undefined || [type].flat().includes(kind));
    return possible.length === 1 && possible[0]?.type !== undefined ? possible[0] : undefined;
  }

  *#ofList(
    { items, ...shell }: JsonSchema,
    { value: meant, items: list }: { readonly value: Value; readonly items: readonly Value[] },
    path: Path,
  ): Generator<Piece> {
    const counted = Math.min(list.length, longestBound(shell.minItems, shell.maxItems) + 1);
    yield {
      schema: shell,
      value: new Array<null>(counted).fill(null),
      meant,
      pathInWhole: (inner) => [...path, ...inner],
    };
    if (items === undefined || items === true) return;
    let chunk: Value[] = [];
    let begin = 0;
    let parts = 0;
    const gathered = (): Piece => {
      const from = begin;
      const pathInWhole = ([at, ...inner]: Path): Path =>
        at === undefined ? path : [...path, from + Number(at), ...inner];
      return { schema: { items }, value: chunk, pathInWhole };
    };
    for (const [index, item] of list.entries()) {
      const size = partsUpTo(PIECE + 1, item);
      if (chunk.length > 0 && parts + size > PIECE) {
        yield gathered();
        chunk = [];
      }
      if (chunk.length === 0) [begin, parts] = [index, 0];
      if (size > PIECE) {
        yield* this.of(items, item, [...path, index]);
        continue;
      }
      chunk.push(item);
      parts += size;
    }
    if (chunk.length > 0) yield gathered();
  }

  *#ofObject(
    { properties, additionalProperties, ...shell }: JsonSchema,
    { value: meant, entries }: { readonly value: Value; readonly entries: readonly Entry[] },
    path: Path,
  ): Generator<Piece> {
    const pathInWhole = (inner: Path): Path => [...path, ...inner];
    const isCounted = shell.minProperties !== undefined || shell.maxProperties !== undefined;
    const required = new Set(Array.isArray(shell.required) ? shell.required : []);
    const keys = isCounted ? entries : entries.filter(([key]) => required.has(key));
    yield { schema: shell, value: Object.fromEntries(keys.map(([key]) => [key, null])), meant, pathInWhole };
    const ofEntries: JsonSchema = {
      ...(properties === undefined ? {} : { properties }),
      ...(additionalProperties === undefined ? {} : { additionalProperties }),
    };
    let chunk: Entry[] = [];
    let parts = 0;
    for (const entry of entries) {
      const [key, value] = entry;
      const size = partsUpTo(PIECE + 1, value);
      if (chunk.length > 0 && parts + size > PIECE) {
        yield { schema: ofEntries, value: Object.fromEntries(chunk), pathInWhole };
        chunk = [];
        parts = 0;
      }
      if (size > PIECE && isSchemaObject(properties) && Object.hasOwn(properties, key)) {
        yield* this.of(properties[key] ?? true, value, [...path, key]);
        continue;
      }
      if (size > PIECE && isSchemaObject(additionalProperties)) {
        yield* this.of(additionalProperties, value, [...path, key]);
        continue;
      }
      // Nothing of the value is looked at where only its key matters.
      chunk.push(size > PIECE ? [key, null] : entry);
      parts += size;
    }
    if (chunk.length > 0) yield { schema: ofEntries, value: Object.fromEntries(chunk), pathInWhole };
  }
}

type Entry = readonly [key: string, value: Value];

function hasOnly(schema: JsonSchema, keywords: ReadonlySet<string>): boolean {
  // What the validator notes in schemas is none of theirs.
  return Object.keys(schema).every((keyword) => keywords.has(keyword) || keyword.startsWith("__absolute"));
}

/** What counts the work of a keyword goes with it: a copy of its value alone would be used for nothing. */
function without(schema: JsonSchema, keyword: string): JsonSchema {
  const kept = Object.entries(Object.getOwnPropertyDescriptors(schema)).filter(([name]) => name !== keyword);
  return Object.defineProperties({}, Object.fromEntries(kept));
}

function itemsOf(value: Value): readonly Value[] | undefined {
  if (Array.isArray(value)) return value as readonly Value[];
  return value instanceof Set ? [...(value as ReadonlySet<Value>)] : undefined;
}

function entriesOf(value: Value): readonly Entry[] | undefined {
  if (value instanceof Map) {
    return Array.from(value as ReadonlyMap<Value, Value>, ([key, item]) => [keyText(key), item] as const);
  }
  return isRecord(value) ? Object.entries(value) : undefined;
}

/** The larger of the bounds that there are: a longer list need not be counted to its end. */
function longestBound(...bounds: readonly unknown[]): number {
  return Math.max(0, ...bounds.map((bound) => (typeof bound === "number" ? bound : 0)));
}

/** Of how many values a value consists; where it is more than `most`, some number above that. */
function partsUpTo(most: number, value: Value): number {
  let parts = 1;
  if (typeof value !== "object" || value === null) return parts;
  for (const part of partsOf(value)) {
    parts += partsUpTo(most - parts, part);
    if (parts > most) break;
  }
  return parts;
}

function* partsOf(value: object & Value): Generator<Value> {
  if (Array.isArray(value) || value instanceof Set) yield* value as Iterable<Value>;
  else if (value instanceof Map) yield* (value as ReadonlyMap<Value, Value>).values();
  else if (isRecord(value)) for (const key in value) yield value[key];
}
