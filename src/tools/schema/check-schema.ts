import type { Value } from "../../protocol/index.js";
import type { JsonSchema } from "../json-schema.js";
import type { SchemaMismatch } from "./explain.js";
import type * as validation from "./schema-validator.js";

/** What holds a value against one schema: see {@link SchemaValidator}. */
type Check = (value: Value) => Checked | Promise<Checked>;

/** Fits: undefined. */
type Checked = SchemaMismatch | undefined;

let loaded: typeof validation | undefined;
const checks = new WeakMap<JsonSchema, Check>();

/**
 * Holds a value against a schema. The validator is loaded with the first schema; from then on the answer comes at once
 * for all but large values, for which the page goes on meanwhile.
 *
 * @throws {Error} when the schema itself cannot be used, or the validator cannot be loaded.
 */
export function checkSchema(schema: JsonSchema, value: Value): Checked | Promise<Checked> {
  if (loaded !== undefined) return checkFor(schema, loaded)(value);
  return import("./schema-validator.js").then((module) => {
    loaded = module;
    return checkFor(schema, module)(value);
  });
}

function checkFor(schema: JsonSchema, { SchemaValidator }: typeof validation): Check {
  const known = checks.get(schema);
  if (known !== undefined) return known;
  const validator = SchemaValidator.of(schema);
  if (!(validator instanceof Promise)) {
    const check: Check = (value) => validator.check(value);
    checks.set(schema, check);
    return check;
  }
  const checkOnceReady: Check = async (value) => {
    const ready = await validator;
    checks.set(schema, (other) => ready.check(other));
    return ready.check(value);
  };
  checks.set(schema, checkOnceReady);
  return checkOnceReady;
}

/** `filter.tags[1]`: the part of a value as one writes it. */
export function pathText(path: SchemaMismatch["path"]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${String(part)}]`;
    return text === "" ? part : `${text}.${part}`;
  }, "");
}
