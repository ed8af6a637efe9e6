import type { JsonSchema } from "../json-schema.js";
import { forbiddenHeaderReason } from "../requests/forbidden-headers.js";
import type { HttpParameter, HttpPlace, ParameterStyle } from "../http/index.js";
import { entries, items, member, OpenApiFault, text, type Located, type OpenApiDocument } from "./document.js";
import { isJsonType } from "./media-types.js";
import type { UniqueNames } from "./names.js";
import type { RequestPath } from "./request-path.js";
import type { SchemaConverter } from "./schemas.js";

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
  {
    address,
    pathItem,
    operation,
  }: { readonly address: RequestPath; readonly pathItem: Located; readonly operation: Located },
): HttpParameter[] {
  const declared = new Map<string, Declared>();
  for (const part of [...items(member(pathItem, "parameters")), ...items(member(operation, "parameters"))]) {
    const parameter = readDeclared(reader, part);
    if (parameter !== undefined) declared.set(`${parameter.place} ${parameter.name}`, parameter);
  }
  const placeholders = [...address.path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name ?? "");
  // What the path itself says is not asked for.
  for (const [name] of address.query) declared.delete(`query ${name}`);
  for (const [name, placeholder] of address.asked) {
    if (declared.has(`query ${name}`)) continue;
    const { at } = declared.get(`path ${placeholder}`) ?? {
      at: { value: { schema: ANY_TEXT }, pointer: pathItem.pointer },
    };
    if (!placeholders.includes(placeholder)) declared.delete(`path ${placeholder}`);
    declared.set(`query ${name}`, { at, name, place: "query", required: true });
  }
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

const ANY_TEXT = { type: "string" };

function undescribed({ names }: PartReader, name: string): HttpParameter {
  const schema: JsonSchema = ANY_TEXT;
  const own = names.take(name);
  const exactName = own === name ? {} : { exactName: name };
  const parameter = { name: own, ...exactName, type: "string", required: true, description: "", schema };
  return { parameter, place: "path", sentAs: name, style: { name: "simple", explode: false, dicts: "spread" } };
}

function readParameter(reader: PartReader, { at, name, place, required }: Declared): HttpParameter {
  const { schema, isJson } = schemaOfParameter(reader, at);
  return {
    parameter: {
      ...describe(reader, {
        name: reader.names.take(name, `${place}_${name}`),
        exactName: name,
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

/** How a parameter, or a property of a form, is written. @throws {OpenApiFault} for a style that its place does not have. */
export function styleOf(at: Located, place: HttpPlace): ParameterStyle {
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
  /** In the document. */
  readonly exactName?: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
  readonly isBytes?: boolean;
}

/** A parameter as it is listed. */
export function describe(
  { schemas }: PartReader,
  { name, exactName = name, schema, required, isBytes = false }: Description,
): HttpParameter["parameter"] {
  // A default of the document is the service's own: it needs not be sent, and is only said.
  const simple = schemas.simplified(schema);
  return {
    name,
    ...(exactName === name ? {} : { exactName }),
    type: isBytes ? "bytes" : schemas.typeOf(simple),
    required,
    description: (schema.description ?? simple.description ?? "").trim(),
    ...(isBytes ? {} : { schema: simple }),
  };
}

/** The schema of all arguments together. */
export function inputSchemaOf(
  { parameters, more }: { readonly parameters: readonly HttpParameter[]; readonly more: JsonSchema | undefined },
  schemas: SchemaConverter,
): JsonSchema {
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
    additionalProperties: more ?? false,
  });
}
