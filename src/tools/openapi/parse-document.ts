import { messageOf } from "../../protocol/index.js";
import { isObject, type JsonObject } from "./document.js";
import { OpenApiDocumentError } from "./errors.js";
import { parseYaml } from "./parse-yaml.js";
import { YamlFault } from "./yaml-fault.js";

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
      const reason = messageOf(jsonError);
      throw new OpenApiDocumentError(source, `it is not valid JSON: ${reason}`, line);
    }
  }
}

function parseAsYaml(source: string, text: string): Parsed {
  try {
    return parseYaml(text);
  } catch (error) {
    if (!(error instanceof YamlFault)) throw error;
    throw new OpenApiDocumentError(source, `it is not valid YAML: ${error.reason}`, error.line);
  }
}
