import type { JsonSchema } from "../json-schema.js";
import { forbiddenHeaderReason } from "../forbidden-headers.js";
import type { HttpBodyEncoding, HttpParameter, HttpPlace, ParameterStyle } from "../http/index.js";
import {
  entries,
  isObject,
  items,
  member,
  OpenApiFault,
  text,
  type Json,
  type Located,
  type OpenApiDocument,
} from "./document.js";
import type { UniqueNames } from "./names.js";
import { isBinary, type SchemaConverter } from "./schemas.js";

export interface PartReader {
  readonly document: OpenApiDocument;
  readonly schemas: SchemaConverter;
  /** The names of this operation's parameters. */
  readonly names: UniqueNames;
  /** Hears what of the operation cannot be sent and is left out. */
  readonly note: (fault: OpenApiFault) => void;
}

/** A parameter of an operation before it has a name in Python. */
interface Declared {
  readonly at: Located;
  readonly name: string;
  readonly place: HttpPlace;
  readonly required: boolean;
}

/** The standard has these three said elsewhere, and ignored as parameters. */
const SAID_ELSEWHERE = new Set(["accept", "content-type", "authorization"]);

/**
 * The parameters of an operation: those of its path, and its own, which replace those of the same name and place.
 *
 * @throws {OpenApiFault} when one is broken, or is required and cannot be sent.
 */
export function readParameters(
  reader: PartReader,
  { path, pathItem, operation }: { readonly path: string; readonly pathItem: Located; readonly operation: Located },
): HttpParameter[] {
  const declared = new Map<string, Declared>();
  for (const part of [...items(member(pathItem, "parameters")), ...items(member(operation, "parameters"))]) {
    const parameter = readDeclared(reader, part);
    if (parameter !== undefined) declared.set(`${parameter.place} ${parameter.name}`, parameter);
  }
  const placeholders = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name ?? "");
  const read: HttpParameter[] = [];
  for (const placeholder of new Set(placeholders)) {
    const parameter = declared.get(`path ${placeholder}`);
    // What stands in the path is a parameter, whether or not anybody described it.
    read.push(parameter === undefined ? undescribed(reader, placeholder) : readParameter(reader, parameter));
  }
  const others = [...declared.values()].filter(({ place }) => place !== "path");
  for (const parameter of others.filter(({ required }) => required)) read.push(readParameter(reader, parameter));
  for (const parameter of others.filter(({ required }) => !required)) read.push(readParameter(reader, parameter));
  for (const { place, name, at } of declared.values()) {
    if (place === "path" && !placeholders.includes(name)) {
      reader.note(new OpenApiFault(at.pointer, `the path has no {${name}}`));
    }
  }
  return read;
}

function readDeclared({ document, note }: PartReader, part: Located): Declared | undefined {
  const at = document.object(part);
  const name = text(member(at, "name"));
  if (name === "") throw new OpenApiFault(at.pointer, "the parameter has no name");
  const place = text(member(at, "in"));
  const required = member(at, "required")?.value === true;
  if (place === "header" && SAID_ELSEWHERE.has(name.toLowerCase())) return undefined;
  const obstacle =
    place === "cookie"
      ? "a web page cannot send cookies of its choice"
      : place === "header"
        ? forbiddenHeaderReason(name)
        : undefined;
  if (obstacle !== undefined) {
    const fault = new OpenApiFault(at.pointer, `the parameter '${name}' cannot be sent: ${obstacle}`);
    if (required) throw fault;
    note(fault);
    return undefined;
  }
  if (place === "path" || place === "query" || place === "header") return { at, name, place, required };
  throw new OpenApiFault(
    at.pointer,
    `the parameter '${name}' is in '${place}', which is none of path, query, header and cookie`,
  );
}

function undescribed({ names }: PartReader, name: string): HttpParameter {
  const schema: JsonSchema = { type: "string" };
  const parameter = { name: names.take(name), type: "string", required: true, description: "", schema };
  return { parameter, place: "path", sentAs: name, style: { name: "simple", explode: false, dicts: "spread" } };
}

function readParameter(reader: PartReader, { at, name, place, required }: Declared): HttpParameter {
  const { schema, isJson } = schemaOfParameter(reader, at);
  return {
    parameter: {
      ...describe(reader, {
        name: reader.names.take(name, `${place}_${name}`),
        schema,
        required: required || place === "path",
      }),
      description: text(member(at, "description"), schema.description).trim(),
    },
    place,
    sentAs: name,
    style: isJson ? { name: "json", explode: false, dicts: "json" } : styleOf(at, place),
  };
}

/** A parameter has a schema, or content of one type. */
function schemaOfParameter({ schemas }: PartReader, at: Located): { schema: JsonSchema; isJson: boolean } {
  const own = member(at, "schema");
  if (own !== undefined) return { schema: schemas.convert(own), isJson: false };
  const [content] = entries(member(at, "content"));
  if (content === undefined) return { schema: {}, isJson: false };
  const inner = member(content[1], "schema");
  return { schema: inner === undefined ? {} : schemas.convert(inner), isJson: isJsonType(content[0]) };
}

function styleOf(at: Located, place: HttpPlace): ParameterStyle {
  const wanted = text(member(at, "style"), place === "query" ? "form" : "simple");
  const allowed: readonly string[] =
    place === "query"
      ? ["form", "spaceDelimited", "pipeDelimited", "deepObject"]
      : place === "path"
        ? ["simple", "label", "matrix"]
        : ["simple"];
  if (!allowed.includes(wanted))
    throw new OpenApiFault(`${at.pointer}/style`, `'${wanted}' is no style of a parameter in ${place}`);
  const explode = member(at, "explode")?.value;
  const reserved =
    member(at, "allowReserved")?.value === true
      ? "all"
      : member(at, "x-multi-segment")?.value === true
        ? "slash"
        : "none";
  return {
    name: wanted as ParameterStyle["name"],
    explode: typeof explode === "boolean" ? explode : wanted === "form",
    dicts: "spread",
    reserved,
  };
}

interface Description {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
  readonly isBytes?: boolean;
}

function describe(
  { schemas }: PartReader,
  { name, schema, required, isBytes = false }: Description,
): HttpParameter["parameter"] {
  // A default of the document is the service's own: it needs not be sent, and is only said.
  const simple = schemas.simplified(schema);
  return {
    name,
    type: isBytes ? "bytes" : schemas.typeOf(simple),
    required,
    description: (schema.description ?? simple.description ?? "").trim(),
    ...(isBytes ? {} : { schema: simple }),
  };
}

export interface RequestBody {
  readonly encoding: HttpBodyEncoding;
  readonly contentType?: string;
  readonly sendsEmptyBody: boolean;
  readonly parameters: readonly HttpParameter[];
}

/**
 * The body of an operation: of an object with known properties one parameter for each, else one parameter `body`.
 *
 * @throws {OpenApiFault} when it is broken, or has no type that can be sent.
 */
export function readBody(reader: PartReader, operation: Located): RequestBody | undefined {
  const declared = member(operation, "requestBody");
  if (declared === undefined) return undefined;
  const at = reader.document.object(declared);
  const types = entries(member(at, "content"));
  const required = member(at, "required")?.value === true;
  const [chosen] = types.toSorted(([a], [b]) => preference(a) - preference(b));
  if (chosen === undefined) throw new OpenApiFault(at.pointer, "the request body has no content");
  const [type, media] = chosen;
  const schema = member(media, "schema");
  const encoding = encodingOf(type);
  const description = text(member(at, "description"));
  const shape =
    schema === undefined || encoding === "raw" ? undefined : shapeOf(reader.document, schema, { left: MOST_PARTS });
  if (shape !== undefined && encoding !== undefined) {
    const encodings = member(media, "encoding");
    const parameters = [...shape.properties]
      .filter(([, property]) => !isReadOnly(reader.document, property))
      .map(([name, property]) =>
        readProperty(reader, { name, property, required: required && shape.required.has(name), encodings }),
      );
    const ordered = [
      ...parameters.filter(({ parameter }) => parameter.required),
      ...parameters.filter(({ parameter }) => !parameter.required),
    ];
    const contentType = encoding === "json" && !/^application\/json\s*$/i.test(type) ? { contentType: type } : {};
    return { encoding, ...contentType, sendsEmptyBody: required && encoding === "json", parameters: ordered };
  }
  if (encoding === "multipart" || encoding === "form") {
    throw new OpenApiFault(media.pointer, `a body of ${type} needs a schema that is an object with properties`);
  }
  const whole = schema === undefined ? {} : reader.schemas.convert(schema);
  const isBytes = schema !== undefined && isBinary(reader.document.resolve(schema).value);
  const parameter = {
    ...describe(reader, { name: reader.names.take("body", "request_body"), schema: whole, required, isBytes }),
    description: description === "" ? `The body, as ${type}.` : description,
  };
  const style: ParameterStyle = { name: "json", explode: false, dicts: "json" };
  return {
    encoding: "raw",
    // A wildcard names no type that could be sent.
    ...(type.includes("*") ? {} : { contentType: type }),
    sendsEmptyBody: false,
    parameters: [{ parameter, place: "body", sentAs: "body", style }],
  };
}

interface Property {
  readonly name: string;
  readonly property: Located;
  readonly required: boolean;
  readonly encodings: Located | undefined;
}

function readProperty(reader: PartReader, { name, property, required, encodings }: Property): HttpParameter {
  const schema = reader.schemas.convert(property);
  const isBytes = isBinary(reader.document.resolve(property).value);
  const encoding = encodings === undefined ? undefined : member(encodings, name);
  const isJson = encoding !== undefined && isJsonType(text(member(encoding, "contentType")));
  const style: ParameterStyle =
    encoding === undefined || isJson || member(encoding, "style") === undefined
      ? { name: isJson ? "json" : "form", explode: true, dicts: "json" }
      : styleOf(encoding, "query");
  return {
    parameter: describe(reader, { name: reader.names.take(name, `body_${name}`), schema, required, isBytes }),
    place: "body",
    sentAs: name,
    style,
  };
}

/** Parts of a schema that are looked at for its properties. */
const MOST_PARTS = 1000;

/** How many more parts are looked at. */
interface Budget {
  left: number;
}

interface Shape {
  readonly properties: ReadonlyMap<string, Located>;
  readonly required: ReadonlySet<string>;
}

/** The properties of an object whose properties are all known; undefined for any other schema. */
function shapeOf(document: OpenApiDocument, schema: Located, budget: Budget, depth = 0): Shape | undefined {
  budget.left -= 1;
  const { value, pointer } = document.resolve(schema);
  if (!isObject(value) || depth > 10 || budget.left < 0) return undefined;
  const types = Array.isArray(value.type) ? (value.type as readonly Json[]) : [value.type];
  if (value.type !== undefined && !types.includes("object")) return undefined;
  const { additionalProperties } = value;
  // Any key is welcome there: only a dict can say all.
  if (additionalProperties !== undefined && additionalProperties !== false) return undefined;
  if (value.patternProperties !== undefined || value.not !== undefined) return undefined;
  const alternatives = [value.oneOf, value.anyOf].filter((list) => list !== undefined);
  if (!alternatives.every(isAboutRequired)) return undefined;
  const at: Located = { value, pointer };
  const properties = new Map<string, Located>();
  const required = new Set<string>();
  for (const part of items(member(at, "allOf"))) {
    const shape = shapeOf(document, part, budget, depth + 1);
    if (shape === undefined) {
      if (!isAboutRequired([part.value])) return undefined;
      continue;
    }
    for (const [name, property] of shape.properties) properties.set(name, property);
    for (const name of shape.required) required.add(name);
  }
  for (const [name, property] of entries(member(at, "properties"))) properties.set(name, property);
  for (const name of items(member(at, "required"))) if (typeof name.value === "string") required.add(name.value);
  return properties.size === 0 ? undefined : { properties, required };
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

function isReadOnly(document: OpenApiDocument, property: Located): boolean {
  const { value } = document.resolve(property);
  return isObject(value) && value.readOnly === true;
}

function preference(type: string): number {
  if (/^application\/json\s*(?:;|$)/i.test(type)) return 0;
  if (isJsonType(type)) return 1;
  if (/^multipart\/form-data/i.test(type)) return 2;
  if (/^application\/x-www-form-urlencoded/i.test(type)) return 3;
  return 4;
}

/** Undefined: nothing is known of the type but that it is one. */
function encodingOf(type: string): HttpBodyEncoding | undefined {
  return (["json", "json", "multipart", "form", "raw"] as const)[preference(type)];
}

export function isJsonType(type: string): boolean {
  return /^[^;]*[/+]json\s*(?:;|$)/i.test(type);
}

/** The schema of all arguments together. */
export function inputSchemaOf(parameters: readonly HttpParameter[], schemas: SchemaConverter): JsonSchema {
  const properties = parameters.map(({ parameter }): [string, JsonSchema] => [
    parameter.name,
    {
      ...(parameter.schema ?? { format: "binary" }),
      ...(parameter.description === "" ? {} : { description: parameter.description }),
    },
  ]);
  const required = parameters.filter(({ parameter }) => parameter.required).map(({ parameter }) => parameter.name);
  return schemas.close({
    type: "object",
    properties: Object.fromEntries(properties),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  });
}
