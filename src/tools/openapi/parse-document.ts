import { isMap, isNode, isScalar, isSeq, LineCounter, parseDocument as parseYaml } from "yaml";

import { linkAliases } from "../yaml-aliases.js";
import { isObject, type JsonObject } from "./document.js";
import { OpenApiDocumentError } from "./errors.js";

export interface ParsedDocument {
  readonly root: JsonObject;
  /** The line of a part, by its JSON pointer, where that is known: of YAML. */
  readonly lineOf: (pointer: string) => number | undefined;
}

/** @throws {OpenApiDocumentError} when the text is neither JSON nor YAML, or no object. */
export function parseDocument(source: string, text: string): ParsedDocument {
  const { value, lineOf } = /^\uFEFF?\s*\{/.test(text) ? parseJson(source, text) : parseAsYaml(source, text);
  if (!isObject(value)) throw new OpenApiDocumentError(source, "it is no object of JSON or YAML");
  return { root: value, lineOf };
}

interface Parsed {
  readonly value: unknown;
  readonly lineOf: (pointer: string) => number | undefined;
}

function parseJson(source: string, text: string): Parsed {
  try {
    return { value: JSON.parse(text.replace(/^\uFEFF/, "")), lineOf: () => undefined };
  } catch (jsonError) {
    // YAML may be written with braces, too.
    try {
      return parseAsYaml(source, text);
    } catch (yamlError) {
      const line = yamlError instanceof OpenApiDocumentError ? yamlError.line : undefined;
      const reason = jsonError instanceof Error ? jsonError.message : String(jsonError);
      throw new OpenApiDocumentError(source, `it is not valid JSON: ${reason}`, line);
    }
  }
}

function parseAsYaml(source: string, text: string): Parsed {
  const lines = new LineCounter();
  const document = parseYaml(text, { lineCounter: lines, prettyErrors: false, logLevel: "silent" });
  const [error] = document.errors;
  const broken = (message: string, offset: number): OpenApiDocumentError =>
    new OpenApiDocumentError(source, `it is not valid YAML: ${message}`, lines.linePos(offset).line || 1);
  if (error !== undefined) throw broken(error.message, error.pos[0]);
  const fault = linkAliases(document);
  if (fault !== undefined) throw broken(fault.reason, fault.offset);
  try {
    return { value: document.toJS(), lineOf: (pointer) => lineIn(document, { pointer, lines }) };
  } catch (cause) {
    // An alias that refers to nothing, or to far too much.
    throw broken(cause instanceof Error ? cause.message : String(cause), 0);
  }
}

function lineIn(
  document: ReturnType<typeof parseYaml>,
  { pointer, lines }: { readonly pointer: string; readonly lines: LineCounter },
): number | undefined {
  let node: unknown = document.contents;
  let offset = isNode(node) ? node.range?.[0] : undefined;
  for (const part of pointer.split("/").slice(1)) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === key);
      if (pair === undefined) break;
      if (isNode(pair.key)) offset = pair.key.range?.[0] ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(key)];
      if (isNode(node)) offset = node.range?.[0] ?? offset;
    } else break;
  }
  return offset === undefined ? undefined : lines.linePos(offset).line;
}
