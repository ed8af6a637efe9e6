import type { JsonSchema } from "./json-schema.js";
import { isSchemaObject, typeInWords, withoutRef } from "./schema/index.js";

/** Choices within choices end here. */
const DEEPEST = 32;
/** Parts of one schema that are looked at: a server may send one without end. */
const MOST_PARTS = 1000;

/** Keywords that say something of a value; the others are notes beside it. */
const SAYS_SOMETHING =
  /^(type|enum|const|format|pattern|not|if|required|contains|multipleOf|(all|any|one)Of|\$(dynamic|recursive)?ref|\w*items|\w*properties|propertyNames|depend\w+|(exclusive)?m(in|ax)\w+|content\w+)$/i;

/** A schema with all that have to fit beside it, those of `allOf`. */
type Shape = readonly JsonSchema[];

/** A location inside of arguments, with the schemas of which one has to fit there. */
export class SchemaLocation {
  /** Whether a schema is there, and takes any value. Without a schema plain data alone is taken. */
  readonly takesAnything: boolean;
  readonly #root: JsonSchema;
  readonly #schemas: readonly unknown[];
  readonly #named = new Map<string | null, SchemaLocation>();
  readonly #items = new Map<number, SchemaLocation>();
  #known: readonly Shape[] | undefined;

  /** @param root - what references of the schemas lead into. */
  constructor(root: JsonSchema, schemas: readonly unknown[]) {
    this.#root = root;
    this.#schemas = schemas;
    this.takesAnything = schemas.some((schema) => saysNothing(schema, root));
  }

  /** Whether any schema says anything of it. */
  get isKnown(): boolean {
    return this.#schemas.length > 0;
  }

  /** The types that belong there, `a string or None`; undefined where no schema, or more than one, says so. */
  get words(): string | undefined {
    const [only, ...others] = this.#schemas;
    if (!isSchemaObject(only) || others.length > 0) return undefined;
    const types = [withoutRef(only, this.#root).type].flat().filter((type) => typeof type === "string");
    return types.length === 0 ? undefined : types.map(typeInWords).join(" or ");
  }

  /** The value of that key of a dict. */
  at(name: string): SchemaLocation {
    if (!this.isKnown) return this;
    const isNamed = this.#shapes.some((shape) => shape.some((schema) => ofKey(schema, name).length > 0));
    return remembered(this.#named, isNamed ? name : null, () =>
      this.#location((shape) => {
        const own = shape.flatMap((schema) => ofKey(schema, name));
        return own.length > 0 ? own : shape.flatMap((schema) => this.#ofOtherKeys(schema));
      }),
    );
  }

  /** The item of that number of a list. */
  item(index: number): SchemaLocation {
    if (!this.isKnown) return this;
    const isListed = this.#shapes.some((shape) => shape.some((schema) => index < listedItems(schema).length));
    return remembered(this.#items, isListed ? index : -1, () =>
      this.#location((shape) => shape.flatMap((schema) => ofItem(schema, index))),
    );
  }

  #location(schemasOf: (shape: Shape) => readonly unknown[]): SchemaLocation {
    return new SchemaLocation(this.#root, [...new Set(this.#shapes.flatMap(schemasOf))]);
  }

  /** Which pattern a key fits is not looked up, since that may take long: what they have in common counts. */
  #ofOtherKeys({ patternProperties, additionalProperties, unevaluatedProperties }: JsonSchema): readonly unknown[] {
    const others = [additionalProperties ?? unevaluatedProperties].filter((schema) => schema !== undefined);
    if (!isSchemaObject(patternProperties)) return others;
    const all = [...Object.values(patternProperties), ...others];
    const strict = all.filter((schema) => !saysNothing(schema, this.#root));
    return strict.length > 0 ? strict : all;
  }

  get #shapes(): readonly Shape[] {
    this.#known ??= shapesOf(this.#schemas, this.#root);
    return this.#known;
  }
}

/** The schemas and the choices inside of them, with references followed. */
function shapesOf(schemas: readonly unknown[], root: JsonSchema): Shape[] {
  const seen = new Set<unknown>();
  const shapes: Shape[] = [];
  const choices = [...schemas];
  while (choices.length > 0 && seen.size < MOST_PARTS) {
    const shape: JsonSchema[] = [];
    const together = [choices.pop()];
    while (together.length > 0 && seen.size < MOST_PARTS) {
      const schema = together.pop();
      if (!isSchemaObject(schema) || seen.has(schema)) continue;
      seen.add(schema);
      const plain = withoutRef(schema, root);
      shape.push(plain);
      together.push(...listOf(plain.allOf));
      choices.push(...listOf(plain.anyOf), ...listOf(plain.oneOf), plain.then, plain.else);
    }
    shapes.push(shape);
  }
  return shapes;
}

/** Whether every value fits: the schema has nothing but notes, or a choice with such a schema among others. */
function saysNothing(schema: unknown, root: JsonSchema, budget = { left: MOST_PARTS }, depth = 0): boolean {
  if (!isSchemaObject(schema)) return schema === true;
  budget.left -= 1;
  if (depth > DEEPEST || budget.left < 0) return false;
  const inner = (part: unknown): boolean => saysNothing(part, root, budget, depth + 1);
  return Object.entries(withoutRef(schema, root)).every(([keyword, value]) => {
    if (value === undefined || !SAYS_SOMETHING.test(keyword)) return true;
    if (keyword === "allOf") return listOf(value).every(inner);
    return (keyword === "anyOf" || keyword === "oneOf") && listOf(value).some(inner);
  });
}

function ofKey({ properties }: JsonSchema, name: string): readonly unknown[] {
  return isSchemaObject(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [];
}

/** The schemas of the first items, one for each. */
function listedItems({ prefixItems, items }: JsonSchema): readonly unknown[] {
  return listOf(prefixItems ?? items);
}

function ofItem(schema: JsonSchema, index: number): readonly unknown[] {
  const listed = listedItems(schema);
  if (index < listed.length) return [listed[index]];
  const { items, additionalItems, unevaluatedItems } = schema;
  const others = (Array.isArray(items) ? additionalItems : items) ?? unevaluatedItems;
  return others === undefined ? [] : [others];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]).slice(0, MOST_PARTS) : [];
}

function remembered<Key>(known: Map<Key, SchemaLocation>, key: Key, make: () => SchemaLocation): SchemaLocation {
  const found = known.get(key) ?? make();
  known.set(key, found);
  return found;
}
