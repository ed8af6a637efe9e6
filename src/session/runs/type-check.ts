import { STUB_MODULES, type Finding, type TypeChecker } from "../../check/index.js";
import { messageOf } from "../../protocol/index.js";
import { checkingStubs, type Tool, type ToolDirectory } from "../../tools/index.js";

/** Ways to call tools that are described to the type checker; a tool whose ways are more than what is left is Any. */
const MOST_CALLABLES = 500;

/** Findings of the type checker that are told. */
const MOST_FINDINGS = 200;

/** The stubs that were written last, by the first of their tools. */
const writtenStubs = new WeakMap<Tool, { readonly tools: readonly Tool[]; readonly text: string }>();

/** What code finds beside its own names. */
const ALWAYS_THERE = ["skills", "workflows", "artifacts", "deps", "display", "final_answer"];

export interface TypeCheckPlan {
  readonly code: string;
  readonly types: TypeChecker;
  /** Ends the wait for it: with no findings. */
  readonly signal: AbortSignal;
  readonly tools: ToolDirectory;
  /** The session's variables, whose types nobody knows. */
  readonly names: readonly string[];
  /** What was found without it, which is not said twice. */
  readonly found: readonly Finding[];
}

/** What a type checker says of the code. One that fails costs its opinion, which is then missing, and that is said. */
export async function typeFindings({
  code,
  types,
  signal,
  tools,
  names,
  found,
}: TypeCheckPlan): Promise<readonly Finding[]> {
  const known = [...new Set([...ALWAYS_THERE, ...names])];
  const [namesModule, toolsModule] = STUB_MODULES;
  const stubs = new Map([
    [namesModule, namesStub(known)],
    [toolsModule, stubsOf(describedTools(tools.list()))],
  ]);
  const prelude = `from ${namesModule} import *; from ${toolsModule} import tools`;
  try {
    const said = await untilAborted(signal, types.check({ code, stubs, prelude }));
    return said.filter((finding) => !found.some((other) => overlap(finding, other))).slice(0, MOST_FINDINGS);
  } catch (error) {
    const reason = messageOf(error);
    const message = `Types were not checked: ${reason}`;
    return [
      { severity: "warning", code: "NOT_CHECKED", message, line: 1, column: 1, suggestion: "", pythonType: "Warning" },
    ];
  }
}

async function untilAborted(signal: AbortSignal, work: Promise<readonly Finding[]>): Promise<readonly Finding[]> {
  const { promise: nothing, resolve } = Promise.withResolvers<readonly Finding[]>();
  const giveUp = (): void => {
    resolve([]);
  };
  signal.addEventListener("abort", giveUp);
  if (signal.aborted) giveUp();
  try {
    return await Promise.race([work, nothing]);
  } finally {
    signal.removeEventListener("abort", giveUp);
  }
}

/** The stubs leave the others open. */
function describedTools(tools: readonly Tool[]): readonly Tool[] {
  let left = MOST_CALLABLES;
  return tools.filter(({ callables }) => {
    const count = Math.max(1, callables.length);
    if (count > left) return false;
    left -= count;
    return true;
  });
}

/** A tool is another object with each change, so that the same tools have the same stubs. */
function stubsOf(tools: readonly Tool[]): string {
  const [first] = tools;
  if (first === undefined) return checkingStubs([]);
  const written = writtenStubs.get(first);
  if (written?.tools.length === tools.length && written.tools.every((tool, index) => tool === tools[index])) {
    return written.text;
  }
  const text = checkingStubs(tools);
  writtenStubs.set(first, { tools, text });
  return text;
}

/** A star takes only what does not begin with an underscore, unless the module says what it takes. */
function namesStub(names: readonly string[]): string {
  const all = names.map((name) => JSON.stringify(name)).join(", ");
  const declared = names.map((name) => `${name}: __vitrine_typing.Any`);
  return ["import typing as __vitrine_typing", `__all__ = [${all}]`, ...declared, ""].join("\n");
}

/** Whether one of them is about a part of what the other is about. */
function overlap(one: Finding, other: Finding): boolean {
  return isBefore(startOf(one), endOf(other)) && isBefore(startOf(other), endOf(one));
}

type Position = readonly [line: number, column: number];

function startOf({ line, column }: Finding): Position {
  return [line, column];
}

function endOf({ line, column, endLine, endColumn }: Finding): Position {
  return endColumn === undefined ? [line, column + 1] : [endLine ?? line, endColumn];
}

function isBefore([line, column]: Position, [otherLine, otherColumn]: Position): boolean {
  return line < otherLine || (line === otherLine && column < otherColumn);
}
