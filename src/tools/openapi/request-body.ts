import type { HttpBodyEncoding, HttpMethod, HttpParameter, ParameterStyle } from "../http/index.js";
import type { JsonSchema } from "../json-schema.js";
import { shapeOf } from "./body-shape.js";
import { entries, isObject, member, OpenApiFault, text, type Located, type OpenApiDocument } from "./document.js";
import { encodingOf, isJsonType, preference } from "./media-types.js";
import { describe, styleOf, type PartReader } from "./request-parts.js";
import { isBinary } from "./schemas.js";

/** What an operation sends beside its parameters. */
export interface RequestBody {
  readonly encoding: HttpBodyEncoding;
  readonly contentType?: string;
  readonly sendsEmptyBody: boolean;
  /** The schema of arguments that are no parameters and go into the body; undefined where there are none. */
  readonly more?: JsonSchema;
  readonly parameters: readonly HttpParameter[];
}

/**
 * The body of an operation: of an object with known properties one parameter for each, else one parameter `body`.
 * Undefined where nothing can be sent: there is none, or it is a form without fields.
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
  const isForm = encoding === "form" || encoding === "multipart";
  if (isEmptyForm(reader.document, chosen)) return undefined;
  const shape = schema === undefined || encoding === "raw" ? undefined : shapeOf(reader.document, schema);
  if (shape !== undefined && shape.properties.size > 0 && encoding !== undefined) {
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
    const more = shape.more === undefined ? {} : { more: reader.schemas.convert(shape.more) };
    return { encoding, ...contentType, sendsEmptyBody: required && encoding === "json", ...more, parameters: ordered };
  }
  if (isForm) {
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
    parameter: describe(reader, {
      name: reader.names.take(name, `body_${name}`),
      exactName: name,
      schema,
      required,
      isBytes,
    }),
    place: "body",
    sentAs: name,
    style,
  };
}

/**
 * Notes the body of a request that has none in a browser. A form without fields is no loss.
 *
 * @throws {OpenApiFault} when it is required.
 */
export function noteUnsentBody({ document, note }: PartReader, operation: Located, method: HttpMethod): void {
  const declared = member(operation, "requestBody");
  if (declared === undefined) return;
  const at = document.object(declared);
  const types = entries(member(at, "content"));
  if (types.length > 0 && types.every((type) => isEmptyForm(document, type))) return;
  const fault = new OpenApiFault(declared.pointer, `a browser sends no body with a ${method} request`);
  if (member(at, "required")?.value === true) throw fault;
  note(fault);
}

/** Whether the document names no field of a form. */
function isEmptyForm(document: OpenApiDocument, [type, media]: readonly [type: string, media: Located]): boolean {
  const encoding = encodingOf(type);
  if (encoding !== "form" && encoding !== "multipart") return false;
  const schema = member(media, "schema");
  if (schema === undefined) return true;
  const shape = shapeOf(document, schema);
  return shape?.properties.size === 0 && shape.more === undefined;
}

function isReadOnly(document: OpenApiDocument, property: Located): boolean {
  const { value } = document.resolve(property);
  return isObject(value) && value.readOnly === true;
}
