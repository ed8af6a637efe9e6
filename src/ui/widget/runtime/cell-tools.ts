import { messageOf, type Problem, type SourceFile } from "../../../protocol/index.js";
import type { Session } from "../../../session/index.js";
import { functionTool, type FunctionToolOptions, type ToolAdapter, type ValueSchema } from "../../../tools/index.js";
import { CellToolError } from "./errors.js";
import type { SiteFiles } from "./site-files.js";

/** The tools that scripts of the page registered, by name. */
export type PageTools = ReadonlyMap<string, FunctionToolOptions<ValueSchema>>;

/** Where the tools of cells come from. */
export interface ToolSources {
  readonly registered: () => PageTools;
  readonly files: SiteFiles;
}

/** The tools of a cell: functions of the page, and the text of files with their addresses. */
export interface CellTools {
  readonly functions: readonly ToolAdapter[];
  readonly files: readonly SourceFile[];
}

/**
 * The tools that a cell names.
 *
 * @param names - of registered tools, and absolute addresses of tool files.
 * @throws {CellToolError} @throws {CellFileError} @throws the signal's reason.
 */
export async function toolsOf(
  names: readonly string[],
  { registered, files }: ToolSources,
  signal: AbortSignal,
): Promise<CellTools> {
  const addresses = names.filter((name) => URL.canParse(name));
  const there = registered();
  const functions = names.filter((name) => !URL.canParse(name)).map((name) => functionOfPage(name, there));
  const texts = addresses.map(async (url) => {
    const content = await files.fetch(url, lastPartOf(url), signal);
    try {
      return { file: url, text: new TextDecoder("utf-8", { fatal: true }).decode(content) };
    } catch (error) {
      throw new CellToolError(url, `The tool file ${url} cannot be used: it is not UTF-8 text.`, { cause: error });
    }
  });
  return { functions, files: await Promise.all(texts) };
}

/** Tool files as a fresh session is given them, each under a name of its own. */
export function seedsOf(files: readonly SourceFile[]): readonly SourceFile[] {
  return files.map(({ text }, index) => ({ file: seedName(index), text }));
}

/** @throws {CellToolError} where a tool that the session was opened with cannot be used. */
export function checkTools({ functions, files }: CellTools, problems: readonly Problem[]): void {
  for (const { name } of functions.map(({ tool }) => tool)) {
    const problem = problems.find(({ file }) => file === `tools.${name}`);
    if (problem !== undefined) throw new CellToolError(name, `The tool “${name}” cannot be used: ${problem.message}`);
  }
  files.forEach(({ file: url }, index) => {
    const problem = problems.find(({ file }) => file === seedName(index));
    if (problem !== undefined) throw new CellToolError(url, `The tool file ${url} cannot be used: ${inWords(problem)}`);
  });
}

/** Adds tools to a session that is open. @throws {CellToolError} */
export async function addTools(session: Session, { functions, files }: CellTools): Promise<void> {
  for (const adapter of functions) {
    const { name } = adapter.tool;
    if (session.tools.get(name) !== undefined) continue;
    try {
      session.tools.register(adapter);
    } catch (error) {
      throw new CellToolError(name, `The tool “${name}” cannot be used: ${messageOf(error)}`, { cause: error });
    }
  }
  for (const source of files) {
    try {
      await session.tools.addFile(source);
    } catch (error) {
      throw new CellToolError(source.file, `A tool file cannot be used. ${messageOf(error)}`, { cause: error });
    }
  }
}

function functionOfPage(name: string, registered: PageTools): ToolAdapter {
  const options = registered.get(name);
  if (options === undefined) {
    const names = [...registered.keys()].join(", ");
    const known = names === "" ? "None is registered" : `Registered are ${names}`;
    throw new CellToolError(
      name,
      `This cell names the tool “${name}”, which no script of the page has registered. ${known}.`,
    );
  }
  try {
    return functionTool(options);
  } catch (error) {
    throw new CellToolError(name, `The tool “${name}” of the page cannot be used: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

function seedName(index: number): string {
  return `tools/of-the-site-${String(index + 1)}.yaml`;
}

function inWords({ line, field, message }: Problem): string {
  const places = [...(line === undefined ? [] : [`line ${String(line)}`]), ...(field === undefined ? [] : [field])];
  return [...places, message].join(": ");
}

function lastPartOf(url: string): string {
  return new URL(url).pathname.split("/").at(-1) ?? url;
}
