import { pageCommands, type CommandHost } from "../../commands/index.js";
import { VitrineError, type Problem, type SourceFile } from "../../protocol/index.js";

import { cliTool } from "../command/cli-tool.js";
import type { ToolAdapter } from "../definition.js";
import { ToolFileError, ToolNameTakenError } from "../errors.js";
import { HttpTool } from "../http/index.js";
import { openApiFileTool, type OpenApiFileOptions } from "../openapi/index.js";
import { mcpFileTool } from "../mcp/index.js";
import { toolReaders, type ToolFile } from "./tool-file.js";

/** What tools made of files work with. */
export interface ToolFileOptions extends OpenApiFileOptions {
  /** Where commands run. Default: there are none. */
  readonly commands?: CommandHost;
}

export interface LoadedToolFiles {
  readonly adapters: readonly ToolAdapter[];
  /** The file of each adapter, in the same order. */
  readonly files: readonly string[];
  /** One for each file, or tool of a file with several, that was left out. */
  readonly problems: readonly Problem[];
}

/**
 * Makes a tool of every file that can be read, and lists the others with file and line. A file with `tools:` or
 * `mcp_servers:` at its top is several tools. Of two tools with one name the first counts.
 */
export function loadToolFiles(sources: Iterable<SourceFile>, options: ToolFileOptions = {}): LoadedToolFiles {
  const adapters = new Map<string, ToolAdapter>();
  const files: string[] = [];
  const problems: Problem[] = [];
  for (const source of sources) {
    const listed = <Result>(work: () => Result): Result | undefined => {
      try {
        return work();
      } catch (error) {
        problems.push(problemOf(source, error));
        return undefined;
      }
    };
    for (const read of listed(() => toolReaders(source)) ?? []) {
      listed(() => {
        const file = read();
        if (adapters.has(file.name)) throw new ToolNameTakenError(file.name);
        adapters.set(file.name, adapterOf(file, { source, options }));
        files.push(source.file);
      });
    }
  }
  return { adapters: [...adapters.values()], files, problems };
}

interface AdapterParts {
  readonly source: SourceFile;
  readonly options: ToolFileOptions;
}

function adapterOf(file: ToolFile, { source, options }: AdapterParts): ToolAdapter {
  switch (file.kind) {
    case "cli":
      return cliTool(file, options.commands ?? pageCommands({}));
    case "http":
      return new HttpTool(file, options);
    case "openapi":
      return openApiFileTool(file, options, source.file);
    case "mcp":
      return mcpFileTool(file, source.file);
  }
}

function problemOf({ file }: SourceFile, error: unknown): Problem {
  if (!(error instanceof VitrineError)) throw error;
  if (!(error instanceof ToolFileError)) return { file, message: error.message, code: error.code };
  return {
    file,
    message: error.reason,
    code: error.code,
    ...(error.line === undefined ? {} : { line: error.line }),
    ...(error.field === undefined ? {} : { field: error.field }),
  };
}
