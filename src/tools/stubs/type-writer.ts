import type { Value } from "../../protocol/index.js";
import type { JsonSchema } from "../json-schema.js";
import { freeName, isPythonName, pythonName } from "../python/python-names.js";
import { pythonRepr } from "../python/python-repr.js";
import { isSchemaObject, objectShape, resolvePointer, type ObjectShape } from "../schema/index.js";
import { commentText } from "./docstring.js";

const plainTypes = new Map([
  ["string", "str"],
  ["str", "str"],
  ["integer", "int"],
  ["int", "int"],
  ["number", "float"],
  ["float", "float"],
  ["boolean", "bool"],
  ["bool", "bool"],
  ["array", "list"],
  ["list", "list"],
  ["object", "dict[str, Any]"],
  ["dict", "dict[str, Any]"],
  ["bytes", "bytes"],
  ["null", "None"],
]);

/** Names that the declarations use themselves. */
const RESERVED = ["Any", "Literal", "Never", "None", "NotRequired", "True", "False", "TypedDict", "Tools"];

/** Schemas inside one another beyond this are not looked into: Any. */
const DEEPEST = 24;
/** Parts of one type that are looked into: choices of choices can be more than anybody would ever write. */
const MOST_PARTS = 5000;

/** Keywords that say more of an object than a reference beside them leads to. */
const BESIDE_REFERENCES = ["properties", "additionalProperties", "patternProperties", "allOf", "anyOf", "oneOf"];

/** Where a schema stands. */
interface TypeContext {
  /** The document that its references are about. */
  readonly root: JsonSchema;
  /** What an object found here is called. */
  readonly name: string;
  readonly depth: number;
}

export interface TypeWriterOptions {
  /** Whether objects become TypedDicts of their own; else they are `dict[str, Any]`. Default: true. */
  readonly declare?: boolean;
  /**
   * Writes the declaration of an object, whose name stands in it as NUL. `isOpen`: it may have more keys than those.
   * Default: a TypedDict.
   */
  readonly declaration?: (fields: readonly Field[], isOpen: boolean) => string;
  /** What JSON's numbers are. Default: `float`. */
  readonly numbers?: string;
  /** Whether a choice of several schemas is a union, and what stands beside a reference left out; else Any. Default: true. */
  readonly choices?: boolean;
}

/** A key of an object. */
export interface Field {
  readonly key: string;
  readonly type: string;
  readonly required: boolean;
  readonly about: unknown;
}

/** The type of a name that no schema explains: `string` → `str`. */
export function typeOfName(type: string): string {
  return plainTypes.get(type.toLowerCase()) ?? "Any";
}

/** Writes schemas as Python types, and keeps the TypedDicts that those need. */
export class TypeWriter {
  readonly #declare: boolean;
  readonly #declaration: (fields: readonly Field[], isOpen: boolean) => string;
  readonly #numbers: string;
  readonly #choices: boolean;
  /** Parts that may still be looked into for the type that is being written. */
  #left = 0;
  readonly #taken = new Set(RESERVED);
  /** Of what has been declared, by schema. */
  readonly #names = new Map<JsonSchema, string>();
  readonly #declarations = new Map<string, string>();
  /** The name of a declaration by its text, so that what is the same is written once. */
  readonly #written = new Map<string, string>();
  /** What is being written: a reference back to it needs a name. */
  readonly #open = new Map<JsonSchema, { readonly name: string; asked: boolean }>();

  constructor({ declare = true, declaration = typedDict, numbers = "float", choices = true }: TypeWriterOptions = {}) {
    this.#declare = declare;
    this.#declaration = declaration;
    this.#numbers = numbers;
    this.#choices = choices;
  }

  /** The TypedDicts and aliases that the types written so far refer to, in order. */
  get declarations(): readonly string[] {
    return [...this.#declarations.values()];
  }

  /** Keeps a name from being used for a TypedDict. @returns the name, or one like it that is free. */
  reserve(name: string): string {
    const free = freeName(name, this.#taken);
    this.#taken.add(free);
    return free;
  }

  /** @param name - what the value is called: the base of the names of TypedDicts. */
  typeOf(schema: JsonSchema | boolean, root: JsonSchema, name: string): string {
    this.#left = MOST_PARTS;
    return this.#type(schema, { root, name, depth: 0 });
  }

  #type(schema: unknown, context: TypeContext): string {
    if (schema === false) return "Never";
    this.#left -= 1;
    if (!isSchemaObject(schema) || context.depth > DEEPEST || this.#left < 0) return "Any";
    if (typeof schema.$ref === "string") {
      // Keys beside a reference come on top of those that it leads to.
      const isMore = BESIDE_REFERENCES.some((keyword) => schema[keyword] !== undefined);
      return isMore && !this.#choices ? "Any" : this.#reference(schema.$ref, context);
    }
    if (Array.isArray(schema.enum)) return literal(schema.enum);
    if (schema.const !== undefined) return literal([schema.const]);
    return this.#object(schema, context) ?? this.#choice(schema, context) ?? this.#plain(schema, context);
  }

  #reference(ref: string, context: TypeContext): string {
    const target = resolvePointer(context.root, ref);
    if (!isSchemaObject(target)) return target === false ? "Never" : "Any";
    const known = this.#names.get(target);
    if (known !== undefined) return admitsNull(target) ? `${known} | None` : known;
    const open = this.#open.get(target);
    if (open !== undefined) {
      open.asked = true;
      return this.#declare ? open.name : "Any";
    }
    const name = ref === "#" ? context.name : className(ref.split("/").at(-1) ?? "");
    const own = { name: freeName(name, this.#taken), asked: false };
    this.#open.set(target, own);
    this.#taken.add(own.name);
    const type = this.#type(target, { ...context, name: own.name, depth: context.depth + 1 });
    this.#open.delete(target);
    if (!own.asked && !this.#declarations.has(own.name)) this.#taken.delete(own.name);
    if (!own.asked || !this.#declare || this.#names.has(target)) return type;
    // A type that is no object and holds itself.
    this.#taken.add(own.name);
    this.#names.set(target, own.name);
    this.#declarations.set(own.name, `type ${own.name} = ${type}`);
    return own.name;
  }

  /** Null when the schema says nothing of an object's keys. */
  #object(schema: JsonSchema, context: TypeContext): string | null {
    if (!maySay(schema, "object")) return null;
    const choices = schema.anyOf ?? schema.oneOf;
    // A plain choice is a union of its parts; one beside keys of its own is told together with them.
    if (schema.properties === undefined && schema.allOf === undefined && choices !== undefined) return null;
    const shape = objectShape(schema, context.root);
    if (shape === null) return this.#record(schema, context);
    const type = this.#declare ? this.#typedDict(schema, shape, context) : "dict[str, Any]";
    return admitsNull(schema) ? `${type} | None` : type;
  }

  #record(schema: JsonSchema, context: TypeContext): string | null {
    const { additionalProperties: values, patternProperties, type } = schema;
    // Keys of a pattern have other values.
    if (type !== "object" || !isSchemaObject(values) || isSchemaObject(patternProperties)) return null;
    return `dict[str, ${this.#type(values, inner(context, "value"))}]`;
  }

  #typedDict(schema: JsonSchema, shape: ObjectShape, context: TypeContext): string {
    const known = this.#names.get(schema);
    if (known !== undefined) return known;
    const opened = this.#open.get(schema);
    const own = opened ?? { name: freeName(context.name, this.#taken), asked: false };
    this.#open.set(schema, own);
    this.#taken.add(own.name);
    const fields = Array.from(shape.properties, ([key, property]) => {
      const type = this.#type(property, inner({ ...context, name: own.name }, key));
      return { key, type, required: shape.required.has(key), about: property.description };
    });
    if (opened === undefined) this.#open.delete(schema);
    const text = this.#declaration(fields, shape.isOpen);
    const same = this.#written.get(text);
    if (same !== undefined && !own.asked) {
      this.#taken.delete(own.name);
      return same;
    }
    this.#names.set(schema, own.name);
    this.#written.set(text, own.name);
    this.#declarations.set(own.name, text.replaceAll("\u0000", own.name));
    return own.name;
  }

  #choice(schema: JsonSchema, context: TypeContext): string | null {
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices !== undefined) {
      const types = choices.map((choice, index) => this.#type(choice, choiceOf(context, choice, index)));
      return this.#choices || types.filter((type) => type !== "None").length < 2 ? union(types) : "Any";
    }
    if (schema.allOf === undefined) return null;
    // What all parts have in common is at least what one of them says.
    const types = schema.allOf as readonly unknown[];
    const [first = "Any"] = types.map((part) => this.#type(part, deeper(context))).filter((type) => type !== "Any");
    return first;
  }

  #plain(schema: JsonSchema, context: TypeContext): string {
    const { type } = schema;
    if (type === undefined) {
      return schema.items === undefined && schema.prefixItems === undefined ? "Any" : this.#list(schema, context);
    }
    const types = typeof type === "string" ? [type] : type;
    return union(
      types.map((name) => {
        if (name === "array" || name === "list") return this.#list(schema, context);
        if (name === "number") return this.#numbers;
        return name === "string" && holdsBytes(schema) ? "bytes" : typeOfName(name);
      }),
    );
  }

  #list({ items, prefixItems }: JsonSchema, context: TypeContext): string {
    const first = Array.isArray(prefixItems) ? (prefixItems as readonly unknown[]) : [];
    const parts = items === undefined || items === false ? first : [...first, items];
    if (parts.length === 0) return "list";
    return `list[${union(parts.map((part) => this.#type(part, inner(context, "item"))))}]`;
  }
}

/** `create-issue` → `CreateIssue`. */
export function className(text: string): string {
  const words = text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
  return pythonName(words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join(""));
}

/** Joined with `|`, None last. What can be anything is Any. */
export function union(types: readonly string[]): string {
  const distinct = [
    ...new Set(types.flatMap((type) => (type.endsWith(" | None") ? [type.slice(0, -7), "None"] : [type]))),
  ];
  if (distinct.length === 0 || distinct.includes("Any")) return "Any";
  return [...distinct.filter((type) => type !== "None"), ...distinct.filter((type) => type === "None")].join(" | ");
}

function literal(values: readonly Value[]): string {
  if (values.length === 0) return "Never";
  // Python's Literal holds text, whole numbers, booleans and None, nothing else; numbers beyond are written as `1e+300`.
  const isNone = values.includes(null);
  const others = values.filter((value) => value !== null);
  const isWritable = others.every(
    (value) => typeof value === "string" || typeof value === "boolean" || Number.isSafeInteger(value),
  );
  if (!isWritable) return union([...others.map(typeOfValue), ...(isNone ? ["None"] : [])]);
  const types = others.length === 0 ? [] : [`Literal[${others.map(pythonRepr).join(", ")}]`];
  return union([...types, ...(isNone ? ["None"] : [])]);
}

function typeOfValue(value: Value): string {
  if (typeof value === "string") return "str";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "number") return Number.isSafeInteger(value) ? "int" : "float";
  return Array.isArray(value) ? "list" : "dict[str, Any]";
}

function typedDict(fields: readonly Field[]): string {
  return fields.every(({ key }) => isField(key)) ? asClass(fields) : asCall(fields);
}

function fieldType({ type, required }: Field): string {
  return required ? type : `NotRequired[${type}]`;
}

/** NUL stands for the name, which the text of two equal declarations shall not differ in. */
function asClass(fields: readonly Field[]): string {
  const lines = fields.map((field) => `    ${field.key}: ${fieldType(field)}${commentText(field.about)}`);
  return ["class \u0000(TypedDict):", ...lines].join("\n");
}

/** For keys that no class can have as attributes. */
function asCall(fields: readonly Field[]): string {
  const lines = fields.map(
    (field) => `    ${pythonRepr(field.key)}: ${pythonRepr(fieldType(field))},${commentText(field.about)}`,
  );
  return [`\u0000 = TypedDict("\u0000", {`, ...lines, "})"].join("\n");
}

/** Two leading underscores mean another name inside of a class. */
function isField(key: string): boolean {
  return isPythonName(key) && !key.startsWith("__");
}

function maySay({ type }: JsonSchema, name: string): boolean {
  if (type === undefined) return true;
  return typeof type === "string"
    ? type === name
    : type.includes(name) && type.every((one) => one === name || one === "null");
}

function admitsNull({ type }: JsonSchema): boolean {
  return typeof type !== "string" && type?.includes("null") === true;
}

function holdsBytes({ format, contentMediaType, contentEncoding }: JsonSchema): boolean {
  return format === "binary" || (typeof contentMediaType === "string" && contentEncoding === undefined);
}

function inner(context: TypeContext, key: string): TypeContext {
  return { ...context, name: `${context.name}${className(key)}`, depth: context.depth + 1 };
}

function deeper(context: TypeContext): TypeContext {
  return { ...context, depth: context.depth + 1 };
}

/** Of several objects each has its own name: its title, or a number. */
function choiceOf(context: TypeContext, choice: unknown, index: number): TypeContext {
  const title = isSchemaObject(choice) ? choice.title : undefined;
  if (typeof title === "string" && title !== "" && title.length < 60)
    return { ...deeper(context), name: className(title) };
  return index === 0 ? deeper(context) : { ...deeper(context), name: `${context.name}${String(index + 1)}` };
}
