import type { SourceFile } from "../protocol/index.js";

import { parseCliFile, type CliToolFile } from "./cli-file.js";
import { parseOpenApiFile, type OpenApiToolFile } from "./openapi/index.js";
import { type HttpToolFile, parseHttpFile } from "./http/index.js";
import { type McpToolFile, parseMcpFile } from "./mcp/index.js";
import { YamlSource } from "./yaml-source.js";

/** What a tool's YAML file says, by kind. */
export type ToolFile = HttpToolFile | OpenApiToolFile | CliToolFile | McpToolFile;

/** Bytes of text; a larger file is not a tool definition. */
const MAX_SIZE = 1_000_000;

/**
 * Reads one YAML file. `type: http`, `type: openapi` and `type: mcp` say what they are; a file
 * without `type` is a CLI tool, as in py-code-mode.
 *
 * @throws {ToolFileError} naming file, line and field.
 */
export function parseToolFile(source: SourceFile): ToolFile {
  const yaml = new YamlSource(source.text.length > MAX_SIZE ? { ...source, text: "" } : source);
  if (source.text.length > MAX_SIZE) throw yaml.error([], `it is larger than ${String(MAX_SIZE)} characters`);
  if (typeof yaml.value !== "object" || yaml.value === null || Array.isArray(yaml.value)) {
    throw yaml.error([], "a tool file is a mapping with `name`, `description` and `recipes`");
  }
  const type: unknown = "type" in yaml.value ? yaml.value.type : undefined;
  if (type === "http") return parseHttpFile(yaml);
  if (type === "openapi") return parseOpenApiFile(yaml);
  if ("base_url" in yaml.value) throw yaml.error(["base_url"], "a file with `base_url` needs `type: http`");
  // The other two kinds were written for a program that reads YAML 1.1.
  const older = new YamlSource(source, { version: "1.1" });
  return type === "mcp" ? parseMcpFile(older) : parseCliFile(older);
}
