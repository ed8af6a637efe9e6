import type { SourceFile } from "../../protocol/index.js";

import { parseCliFile, type CliToolFile } from "../command/cli-file.js";
import { ToolFileError } from "../errors.js";
import { parseOpenApiFile, type OpenApiToolFile } from "../openapi/index.js";
import { type HttpToolFile, parseHttpFile } from "../http/index.js";
import { type McpToolFile, parseMcpFile } from "../mcp/index.js";
import { YamlSource } from "../yaml/yaml-source.js";

/** What a tool's YAML file says, by kind. */
export type ToolFile = HttpToolFile | OpenApiToolFile | CliToolFile | McpToolFile;

/** Bytes of text; a larger file is not a tool definition. */
const MAX_SIZE = 1_000_000;

/** What py-code-mode's one file for several tools has at its top. */
const CONTAINER_FIELDS = ["tools", "mcp_servers", "python_deps"];

/**
 * Reads the YAML file of one tool. `type: http`, `type: openapi` and `type: mcp` say what they are; a file
 * without `type` is a CLI tool, as in py-code-mode.
 *
 * @throws {ToolFileError} naming file, line and field.
 */
export function parseToolFile(source: SourceFile): ToolFile {
  const yaml = readYaml(source);
  if (isContainer(yaml.value)) {
    throw yaml.error(
      [],
      "it holds several tools: put it among the `seeds` of Session.open; here each tool has a file of its own",
    );
  }
  return parseTool({ yaml, older: () => readOlder(source) });
}

/**
 * What reads the tools of a YAML file, one by one: the one tool that it is, or each of those under `tools:` and
 * `mcp_servers:`. Each throws a {@link ToolFileError} where that tool cannot be used.
 *
 * @throws {ToolFileError} where the file as a whole cannot be read.
 */
export function toolReaders(source: SourceFile): readonly (() => ToolFile)[] {
  const yaml = readYaml(source);
  if (!isContainer(yaml.value)) return [() => parseTool({ yaml, older: () => readOlder(source) })];
  let wholeOlder: YamlSource | undefined;
  const readers = ["tools", "mcp_servers"].flatMap((field) =>
    entriesOf(yaml, field).map((path) => () => {
      const older = (): YamlSource => (wholeOlder ??= readOlder(source)).part(path);
      return field === "tools"
        ? parseTool({ yaml: yaml.part(path), older })
        : parseMcpFile(asMapping(older(), "a server is a mapping with `name`"));
    }),
  );
  const packages = yaml.part(["python_deps"]).value;
  if (packages === undefined || packages === null || (Array.isArray(packages) && packages.length === 0)) return readers;
  const refusePackages = (): never => {
    throw yaml.error(["python_deps"], "packages are not taken from tool files: name them in `deps` of Session.open");
  };
  return [...readers, refusePackages];
}

/** Whether a file is one that {@link parseToolFile} refuses since it holds several tools. */
export function holdsSeveralTools(source: SourceFile): boolean {
  try {
    return isContainer(readYaml(source).value);
  } catch (error) {
    if (error instanceof ToolFileError) return false;
    throw error;
  }
}

interface ToolSource {
  readonly yaml: YamlSource;
  /** The same as YAML 1.1: two kinds of files were written for a program that reads that. */
  readonly older: () => YamlSource;
}

function parseTool({ yaml, older }: ToolSource): ToolFile {
  const { value } = asMapping(yaml, "a tool file is a mapping with `name`, `description` and `recipes`");
  const type: unknown = "type" in value ? value.type : undefined;
  if (type === "http") return parseHttpFile(yaml);
  if (type === "openapi") return parseOpenApiFile(yaml);
  if ("base_url" in value) throw yaml.error(["base_url"], "a file with `base_url` needs `type: http`");
  return type === "mcp" ? parseMcpFile(older()) : parseCliFile(older());
}

function readYaml(source: SourceFile): YamlSource {
  const isTooLarge = source.text.length > MAX_SIZE;
  const yaml = YamlSource.read(isTooLarge ? { ...source, text: "" } : source);
  if (isTooLarge) throw yaml.error([], `it is larger than ${String(MAX_SIZE)} characters`);
  return yaml;
}

function readOlder(source: SourceFile): YamlSource {
  return YamlSource.read(source, { version: "1.1" });
}

/** A file with a name is one tool, whatever else it has. */
function isContainer(value: unknown): boolean {
  if (!isMapping(value) || "name" in value || "recipes" in value) return false;
  return CONTAINER_FIELDS.some((field) => field in value);
}

function isMapping(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function asMapping<Source extends YamlSource>(yaml: Source, otherwise: string): Source & { readonly value: object } {
  if (!hasMapping(yaml)) throw yaml.error([], otherwise);
  return yaml;
}

function hasMapping<Source extends YamlSource>(yaml: Source): yaml is Source & { readonly value: object } {
  return isMapping(yaml.value);
}

/** Where the entries of a list stand; none where the field is missing or blank. */
function entriesOf(yaml: YamlSource, field: string): readonly (readonly [string, number])[] {
  const { value } = yaml.part([field]);
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw yaml.error([field], "it has to be a list");
  return value.map((_, index) => [field, index] as const);
}
