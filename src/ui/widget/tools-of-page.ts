import type { FunctionToolOptions, ValueSchema } from "../../tools/index.js";

/** A function of the page that cells may call. */
export type ToolOfPage = FunctionToolOptions<ValueSchema>;

declare global {
  /**
   * Beside the modules: a page may load the widget from two addresses, and register with either.
   *
   * @internal
   */
  var vitrineToolsOfPage: Map<string, ToolOfPage> | undefined;
}

/** What was handed to {@link registerTool} is no tool. Nothing was registered. */
export class PageToolError extends Error {
  override readonly name = "PageToolError";
  readonly code = "PAGE_TOOL";

  constructor(problem: string) {
    super(`registerTool: ${problem} A tool is { name, description, input, run }.`);
  }
}

const NAME = /^[A-Za-z_][\w-]*$/;

/**
 * Lets cells call a function of this page: those that have the name in their attribute `tools`, and all that share a session
 * with one of them, once that has run.
 *
 * Cells look for it when they run, so it may be registered at any time before. A name that is taken gets the new tool, from
 * the next fresh interpreter on.
 *
 * ```js
 * import { registerTool } from "https://cdn.example/vitrine/dist/widget.js";
 *
 * registerTool({
 *   name: "price",
 *   description: "Price of an article.",
 *   input: { type: "object", properties: { article: { type: "string" } }, required: ["article"] },
 *   run: ({ article }) => prices[article],
 * });
 * ```
 *
 * @throws {PageToolError}
 */
export function registerTool<const Input extends ValueSchema>(tool: FunctionToolOptions<Input>): void;
export function registerTool(tool: ToolOfPage): void {
  const problem = problemOf(tool);
  if (problem !== null) throw new PageToolError(problem);
  globalThis.vitrineToolsOfPage ??= new Map();
  globalThis.vitrineToolsOfPage.set(tool.name, tool);
}

/** By name. */
export function registeredTools(): ReadonlyMap<string, ToolOfPage> {
  return globalThis.vitrineToolsOfPage ?? new Map<string, ToolOfPage>();
}

/** The rest is checked with the first run that has the tool: what checks it is loaded then. */
function problemOf(tool: unknown): string | null {
  if (typeof tool !== "object" || tool === null) return "It takes an object.";
  const of = new Map<string, unknown>(Object.entries(tool));
  const name = of.get("name");
  if (typeof name !== "string" || !NAME.test(name)) return "The name of a tool is one that Python may use.";
  if (typeof of.get("description") !== "string") return `The tool '${name}' has no description.`;
  if (!isObject(of.get("input"))) return `The tool '${name}' has no schema as its input.`;
  return typeof of.get("run") === "function" ? null : `The tool '${name}' has no function as its run.`;
}

/** Schemas of some libraries are functions. */
function isObject(value: unknown): boolean {
  return typeof value === "function" || (typeof value === "object" && value !== null);
}
