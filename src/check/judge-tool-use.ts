import type { ToolUse } from "../protocol/index.js";
import {
  callableAlias,
  callableByAlias,
  signature,
  toolAlias,
  UnknownCallableError,
  type PreparedToolCall,
  type Tool,
  type ToolDirectory,
} from "../tools/index.js";
import { closestName } from "../options/index.js";
import { argumentProblem } from "./argument-problem.js";
import { positionOf, type Finding, type FindingCode } from "./finding.js";

/** Classes that code catches where it expects a call's arguments to be refused. */
const ARGUMENT_ERRORS = [
  "ToolArgumentError",
  "ToolCallError",
  "ToolError",
  "NamespaceError",
  "RPCError",
  "RuntimeError",
];
const MOST_LISTED = 10;

/** What is wrong with how code uses a tool; undefined where nothing is, or nothing can be said. Nothing is called. */
export async function judgeToolUse(use: ToolUse, tools: ToolDirectory): Promise<Finding | undefined> {
  const tool = tools.get(use.tool);
  if (tool === undefined) return unless(use, ["AttributeError", "KeyError"], () => unknownTool(use, tools));
  // What it offers is known only once it is connected.
  if (tool.dynamic === true) return undefined;
  const prepared = prepare(use, tools);
  if (prepared === undefined) return unless(use, ["AttributeError", "KeyError"], () => unknownCallable(use, tool));
  if (use.missing !== null) return unless(use, ["AttributeError"], () => unknownAttribute(use, prepared));
  if (use.call === null) return undefined;
  const problem = await argumentProblem(prepared, use.call);
  if (problem === undefined || use.guarded.some((name) => ARGUMENT_ERRORS.includes(name))) return undefined;
  const { code, message, position, suggestion, pythonType } = problem;
  return {
    severity: use.certain && (use.runsAtOnce || pythonType === "TypeError") ? "error" : "warning",
    code,
    message,
    ...positionOf(position ?? use),
    suggestion: [suggestion, howToCall(prepared)].filter((part) => part !== "").join(" "),
    pythonType,
  };
}

function prepare(use: ToolUse, tools: ToolDirectory): PreparedToolCall | undefined {
  try {
    return tools.prepare(use.tool, use.callable);
  } catch (error) {
    if (error instanceof UnknownCallableError) return undefined;
    throw error;
  }
}

function unless(use: ToolUse, expected: readonly string[], find: () => Finding): Finding | undefined {
  return use.guarded.some((name) => expected.includes(name)) ? undefined : find();
}

function unknownTool(use: ToolUse, tools: ToolDirectory): Finding {
  const all = tools.list();
  const meant = closestName(use.tool, all.map(toolAlias));
  const holder = all.find((tool) => callableByAlias(tool, use.tool) !== undefined);
  let suggestion = `Find the tool that fits: tools.search("${use.tool.replaceAll("_", " ")}").`;
  if (meant !== undefined) suggestion = `Write tools.${meant}.`;
  else if (holder !== undefined) suggestion = `Write tools.${toolAlias(holder)}.${use.tool}.`;
  const names = all.slice(0, MOST_LISTED).map(toolAlias);
  const more = all.length > MOST_LISTED ? ` and ${String(all.length - MOST_LISTED)} more` : "";
  const message = `Unknown tool: ${use.tool}. Available: ${names.join(", ") || "none"}${more}`;
  return finding(use, "UNKNOWN_TOOL", { message, suggestion });
}

function unknownCallable(use: ToolUse, tool: Tool): Finding {
  const names = tool.callables.map(({ name }) => callableAlias(tool, name));
  const wanted = use.callable ?? "";
  const meant = closestName(wanted, names);
  const alias = toolAlias(tool);
  const message = `Unknown callable: ${tool.name}.${wanted}. Available: ${names.slice(0, 50).join(", ") || "none"}`;
  const suggestion =
    meant === undefined ? `print(tools.${alias}.signature()) shows them.` : `Write tools.${alias}.${meant}.`;
  return finding(use, "UNKNOWN_CALLABLE", { message, suggestion });
}

function unknownAttribute(use: ToolUse, prepared: PreparedToolCall): Finding {
  const message = `${use.text} does not exist: a callable has no ${use.missing ?? ""}`;
  return finding(use, "UNKNOWN_CALLABLE", { message, suggestion: howToCall(prepared) });
}

function finding(
  use: ToolUse,
  code: FindingCode,
  { message, suggestion }: { message: string; suggestion: string },
): Finding {
  const severity = use.certain ? "error" : "warning";
  return { severity, code, message, ...positionOf(use), suggestion, pythonType: "AttributeError" };
}

function howToCall({ tool, callable }: PreparedToolCall): string {
  if (callable === null) return "";
  const alias = toolAlias(tool);
  const shown =
    callable.name === tool.name
      ? `tools.${signature(callable, { name: alias })}`
      : `tools.${alias}.${signature(callable, { name: callableAlias(tool, callable.name) })}`;
  return `It is called ${shown}.`;
}
