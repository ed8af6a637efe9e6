import { isRecord, type Value } from "../../protocol/index.js";
import { takesNull, withoutRef, type JsonSchema } from "../../tools/index.js";
import { isSchema } from "./response-schema.js";

/** Schemas that are looked at for one value: choices of choices can be more than anybody would ever write. */
const MOST_SCHEMAS = 10_000;

/**
 * A value that a model wrote by the strict form of `schema`, without the nulls that stand there for what the schema lets
 * be left out. Null that the schema takes stays.
 */
export function withoutLeftOut(value: Value, schema: JsonSchema): Value {
  return new LeftOut(schema).drop(value, schema);
}

class LeftOut {
  readonly #root: JsonSchema;
  #left = MOST_SCHEMAS;

  constructor(root: JsonSchema) {
    this.#root = root;
  }

  drop(value: Value, schema: unknown): Value {
    const plain = this.#plain(value, schema);
    if (Array.isArray(value)) return value.map((item: Value, index) => this.drop(item, itemSchema(plain, index)));
    if (!isRecord(value)) return value;
    const kept = Object.entries(value).filter(([name, item]) => item !== null || !this.#mayLack(name, plain));
    return Object.fromEntries(kept.map(([name, item]) => [name, this.drop(item, propertySchema(plain, name))]));
  }

  /** The schema without references; of a choice what the value was written by. Of what is unknown, nothing. */
  #plain(value: Value, schema: unknown): JsonSchema {
    this.#left -= 1;
    if (!isSchema(schema) || this.#left < 0) return {};
    const plain = withoutRef(schema, this.#root);
    const choices = choicesOf(plain);
    if (choices === undefined) return plain;
    return this.#plain(
      value,
      choices.find((choice) => this.#fits(value, choice)),
    );
  }

  /** Whether the value can have been written by the strict form: with all that must be there, and nothing unknown. */
  #fits(value: Value, schema: unknown): boolean {
    this.#left -= 1;
    if (this.#left < 0) return false;
    if (!isSchema(schema)) return true;
    const plain = withoutRef(schema, this.#root);
    const choices = choicesOf(plain);
    if (choices !== undefined) return choices.some((choice) => this.#fits(value, choice));
    const { enum: values, type = [], properties, required = [] } = plain;
    if (plain.const !== undefined) return plain.const === value;
    if (values !== undefined) return values.includes(value);
    const types = typeof type === "string" ? [type] : type;
    if (types.length > 0 && !types.some((name) => TYPES.get(name)?.(value) ?? true)) return false;
    if (Array.isArray(value)) return value.every((item: Value, index) => this.#fits(item, itemSchema(plain, index)));
    if (!isRecord(value) || properties === undefined) return true;
    return (
      required.every((name) => Object.hasOwn(value, name)) &&
      Object.entries(value).every(([name, item]) => {
        if (item === null && this.#mayLack(name, plain)) return true;
        return Object.hasOwn(properties, name) && this.#fits(item, properties[name]);
      })
    );
  }

  /** Whether null says that the property is left out. */
  #mayLack(name: string, plain: JsonSchema): boolean {
    const own = propertySchema(plain, name);
    return isSchema(own) && plain.required?.includes(name) !== true && !takesNull(own, this.#root);
  }
}

const TYPES = new Map<string, (value: Value) => boolean>([
  ["null", (value) => value === null],
  ["array", Array.isArray],
  ["object", isRecord],
  ["string", (value) => typeof value === "string"],
  ["boolean", (value) => typeof value === "boolean"],
  ["number", (value) => typeof value === "number"],
  ["integer", Number.isInteger],
]);

/** A list of one `allOf` is how some write a reference with a description beside it. */
function choicesOf({ allOf, anyOf, oneOf }: JsonSchema): readonly unknown[] | undefined {
  if (Array.isArray(allOf)) return allOf.length === 1 ? allOf : undefined;
  return anyOf ?? oneOf;
}

function propertySchema({ properties = {} }: JsonSchema, name: string): unknown {
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
}

function itemSchema({ prefixItems, items }: JsonSchema, index: number): unknown {
  return Array.isArray(prefixItems) && index < prefixItems.length ? (prefixItems[index] as unknown) : items;
}
