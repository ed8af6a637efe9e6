import {
  callOf,
  oneLine as firstParagraph,
  toolAlias,
  TypeWriter,
  type Tool,
  type ToolCallable,
} from "../../tools/index.js";
import { shortenTo } from "../../protocol/index.js";
import { skillSignature } from "../../session/index.js";
import type { AgentSkill, WorkspaceFile } from "../agent-session.js";

/** What the session holds when the task starts. */
export interface PromptContext {
  /** In the place of the built-in rules; `{helpers}` in it becomes the names of the tools. */
  readonly rules?: string | null;
  /** Modules that the code may import, where they are not what the session's trust level allows. */
  readonly imports?: readonly string[];
  readonly tools: readonly Tool[];
  readonly skills: readonly AgentSkill[];
  readonly files: readonly WorkspaceFile[];
  /** Added at the end, after a blank line. */
  readonly suffix?: string;
}

/** A prompt names this many of a kind; the rest are found by searching. */
const MOST_LISTED = 60;

/**
 * The system prompt of a code agent. What never changes comes first, and the
 * whole stays the same from step to step, for the caches of providers.
 */
export function codeSystemPrompt({ rules, imports, tools, skills, files, suffix = "" }: PromptContext): string {
  const names = tools.map(toolAlias).join(", ");
  const own = rules === null || rules === undefined ? null : rules.replaceAll("{helpers}", names);
  const sections = [
    own ?? builtInRules(imports),
    importSection(imports),
    toolSection(tools),
    skillSection(skills),
    readsFiles(imports) ? fileSection(files) : "",
    suffix.trim(),
  ];
  return sections.filter((section) => section !== "").join("\n\n");
}

function importSection(imports: readonly string[] | undefined): string {
  if (imports === undefined) return "";
  const which =
    imports.length === 0 ? "Nothing may be imported." : `Only these may be imported: ${imports.join(", ")}.`;
  return `## Imports\n${which} There is no open(), eval(), exec() or input() either.`;
}

/** Whether code can open files: `open()` is not there where a list says what may be imported. */
function readsFiles(imports: readonly string[] | undefined): boolean {
  return imports === undefined || ["os", "pathlib", "io"].some((module) => imports.includes(module));
}

/** What code cannot do is not told: a model would try it. */
function builtInRules(imports: readonly string[] | undefined): string {
  const gathers = imports === undefined || imports.includes("asyncio");
  return [
    WAY_OF_WORKING,
    "## What is there",
    `- ${imports === undefined ? "The Python standard library." : "Python, with what may be imported (see below)."} There is no network, no process and no pip except through the names below, which are there without an import.`,
    `- tools: calls wait for their result and take keyword arguments. ${gathers ? "Several at once: asyncio.gather over tools.name.call_async(...). " : ""}Find more with tools.search("words").`,
    NAMES,
    ...(imports === undefined ? [`- input("…") asks the user a question, when only they can know.`] : []),
    "- display(value) shows something to the user, for instance an object with _repr_html_ or _repr_svg_.",
    ...(readsFiles(imports) ? ["- Files of the user are in /workspace; what you write there stays."] : []),
  ].join("\n");
}

const WAY_OF_WORKING = `You solve tasks by writing Python. Your code runs in a Python interpreter inside a browser tab.

## How to work
- Each reply is one short thought and then exactly one block of code that starts with \`\`\`python and ends with \`\`\` on a line of its own. Only that block is run.
- After each block you are told what it printed, the value of its last expression, or its error. Look before you go on: print what you need to see, in small amounts.
- Variables, functions and imports stay from block to block.
- When you have the answer, call final_answer(value, verified_by="how you made sure") in a block, once. That ends the task. The value must come from the code: compute it, do not copy it from what you read or believe.
- After an error, mend the cause and send a new block.
`;

const NAMES = `- skills: saved functions, called like skills.name(argument=...). Save a new one with skills.create(name="...", source="...", description="..."), where source is a module with a function run(...) that has type hints and a docstring.
- Failed calls raise classes that are there without an import: ToolCallError (with .status for HTTP), ToolTimeoutError, ArtifactNotFoundError and others, all below RuntimeError.
- artifacts: what the user shall keep. artifacts.save("name", data, description="..."), artifacts.load("name"), artifacts.list(). Data is text, bytes, or anything that JSON can hold; end the name in .csv, .md, .svg or the like.
- uncertain("…"), explore("…") and commit("…") tell the user what you doubt, try and decide; they end nothing.
- store("name", value), recall("name") and observe("…") note down what you want to be reminded of after each step.`;

/** Characters that the tools may take with all their signatures. Where they would take more, the code looks them up. */
const MOST_TOOL_TEXT = 12_000;

/** Characters for the names of tools where their signatures are not shown. */
const MOST_NAME_TEXT = 1_000;

function toolSection(tools: readonly Tool[]): string {
  if (tools.length === 0) return "";
  return `## Tools\n${allTools(tools) ?? toolNames(tools)}`;
}

/** Every tool with its signatures and types; null when that is too much. */
function allTools(tools: readonly Tool[]): string | null {
  const types = new TypeWriter();
  const lines: string[] = [];
  let length = 0;
  for (const tool of tools) {
    // Whoever has so many is not worth the reading.
    if (lines.length + tool.callables.length > MOST_TOOL_TEXT / 20) return null;
    const described = describeTool(tool, types);
    lines.push(...described);
    length += described.reduce((sum, line) => sum + line.length + 1, 0);
    if (length > MOST_TOOL_TEXT) return null;
  }
  const text = [lines.join("\n"), ...types.declarations].join("\n\n");
  return text.length > MOST_TOOL_TEXT ? null : text;
}

/** What there is, and how the code finds out the rest. */
function toolNames(tools: readonly Tool[]): string {
  const count = tools.reduce((sum, { callables }) => sum + Math.max(1, callables.length), 0);
  const lines = [
    `${count.toLocaleString("en-US")} callables, too many to list. Look them up in code before you call one:`,
    `- tools.search("words of the task", limit=5): the best matches; print them to see their signatures.`,
    `- help(tools.name.callable): parameters, types and documentation of one. tools.name.list(): all of one tool.`,
  ];
  const bySize = tools.toSorted((one, other) => other.callables.length - one.callables.length);
  let length = 0;
  let shown = 0;
  for (const tool of bySize) {
    const line = nameLine(tool);
    length += line.length + 1;
    if (length > MOST_NAME_TEXT) break;
    lines.push(line);
    shown += 1;
  }
  const left = tools.length - shown;
  if (left > 0) lines.push(`${left.toLocaleString("en-US")} more: tools.search("words") finds them.`);
  return lines.join("\n");
}

function nameLine(tool: Tool): string {
  const { callables, description } = tool;
  const count = callables.length > 1 ? ` (${callables.length.toLocaleString("en-US")} callables)` : "";
  const short = shortenTo(oneLine(description), MOST_ABOUT);
  return `tools.${toolAlias(tool)}${count}${short === "" ? "" : `: ${short}`}`;
}

/** Characters of a description, and of a tool's where only names are shown. */
const MOST_LINE = 200;
const MOST_ABOUT = 80;

function describeTool(tool: Tool, types: TypeWriter): string[] {
  const alias = toolAlias(tool);
  const calls = tool.callables.map((callable) => {
    const call = `  tools.${callOf(tool, callable, { alias, types })}`;
    const about = isSaid(tool, callable) ? "" : oneLine(callable.description);
    return about === "" ? call : `${call}  # ${about}`;
  });
  return [`- ${alias}: ${oneLine(tool.description) || "no description"}`, ...calls];
}

function isSaid({ description }: Tool, callable: ToolCallable): boolean {
  return callable.description === description;
}

function skillSection(skills: readonly AgentSkill[]): string {
  if (skills.length === 0) return "";
  const lines = skills.slice(0, MOST_LISTED).map((skill) => `- ${describeSkill(skill)}`);
  if (skills.length > MOST_LISTED) lines.push(`${String(skills.length - MOST_LISTED)} more: skills.search("words").`);
  return `## Skills\n${lines.join("\n")}`;
}

function describeSkill({ name, description, parameters }: AgentSkill): string {
  return `${skillSignature({ name, parameters })}: ${oneLine(description) || "no description"}`;
}

function fileSection(files: readonly WorkspaceFile[]): string {
  if (files.length === 0) return "";
  const lines = files.slice(0, MOST_LISTED).map(({ path, size }) => `- ${absolute(path)} (${String(size)} bytes)`);
  if (files.length > MOST_LISTED)
    lines.push(`${String(files.length - MOST_LISTED)} more: see os.listdir("/workspace").`);
  return `## Files\n${lines.join("\n")}`;
}

function absolute(path: string): string {
  return path.startsWith("/") ? path : `/workspace/${path}`;
}

/** The first paragraph, on one line. */
function oneLine(text: string): string {
  return shortenTo(firstParagraph(text), MOST_LINE);
}
