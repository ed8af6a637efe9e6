import { VitrineError, type Problem, type SourceFile } from "../protocol/index.js";

import type { ToolAdapter } from "./definition.js";
import { ToolFileError, ToolNameTakenError } from "./errors.js";
import { httpTool, type HttpToolOptions } from "./http-tool.js";
import { parseToolFile } from "./tool-file.js";
import { unavailableTool } from "./unavailable-tool.js";

export interface LoadedToolFiles {
  readonly adapters: readonly ToolAdapter[];
  /** One for each file that was left out. */
  readonly problems: readonly Problem[];
}

/** Makes a tool of every file that can be read, and lists the others with file and line. Of two files with one name the first counts. */
export function loadToolFiles(sources: Iterable<SourceFile>, options: HttpToolOptions = {}): LoadedToolFiles {
  const adapters = new Map<string, ToolAdapter>();
  const problems: Problem[] = [];
  for (const source of sources) {
    try {
      const file = parseToolFile(source);
      if (adapters.has(file.name)) throw new ToolNameTakenError(file.name);
      adapters.set(file.name, file.kind === "http" ? httpTool(file, options) : unavailableTool(file));
    } catch (error) {
      problems.push(problemOf(source, error));
    }
  }
  return { adapters: [...adapters.values()], problems };
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
