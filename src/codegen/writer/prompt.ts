import { contractRecord, type Contract } from "../../contract/index.js";
import { callOf, oneLine, toolAlias, TypeWriter, type Tool } from "../../tools/index.js";
import type { ModelMessage } from "../../model/index.js";
import { shorten, shortenTo } from "../../protocol/index.js";
import type { Skill } from "../../skills/index.js";
import { errorLogTail, type CodegenError } from "../errors.js";
import type { CallRecord } from "../records/call-records.js";
import { jsonOf } from "../plain-json.js";
import type { SourcePool } from "../sources/sources.js";

export interface CodegenPrompt {
  readonly instruction: string;
  readonly contract: Contract;
  readonly tools: readonly Tool[];
  readonly skills: readonly Skill[];
  readonly sources: SourcePool;
  /** Lines that the program should not exceed. */
  readonly lineBudget: number;
  /** What the caller adds: the state of its work, files that are there. */
  readonly context: string;
}

/** Characters of signatures; where there are more, the rest is found by its name. */
const MOST_TOOL_TEXT = 16_000;
const MOST_SKILL_TEXT = 24_000;
const MOST_SOURCE_TEXT = 60_000;
const MOST_OF_A_SOURCE = 4_000;

/** What a model that writes programs is told. What never changes comes first, for the caches of providers. */
export function codegenMessages(prompt: CodegenPrompt): ModelMessage[] {
  const { instruction, contract, tools, skills, sources, lineBudget, context } = prompt;
  const user = [
    `## Instruction\n${instruction.trim()}`,
    `## Contract\nMake exactly these artifacts:\n${JSON.stringify(contractRecord(contract), null, 2)}`,
    toolSection(tools),
    skillSection(skills),
    sourceSection(sources),
    context.trim() === "" ? "" : `## Context\n${context.trim()}`,
    `At most ${String(lineBudget)} lines.`,
  ];
  return [
    { role: "system", content: RULES },
    { role: "user", content: user.filter((section) => section !== "").join("\n\n") },
  ];
}

const RULES = `You write one Python program that makes the artifacts of a contract. It runs once, in a Python interpreter inside a browser tab, with nobody to answer questions.

Reply with one JSON object and nothing else:
{"files": [{"path": "main.py", "content": "…"}], "entrypoint": "python main.py", "outputs": [{"filename": "…", "kind": "json|text|binary", "key": "<artifact id>"}], "notes": "…", "result_interpretation_instruction": "…"}

## The program
- main.py is the body of an async function: it may await and return at its top. Write no main() and no wrapper.
- It makes the artifacts of the contract and no others, each under its id.
- No network, no process, no pip. The standard library is there.
- Tools are called as listed, or with
  result = await agent_io_tools.tool_call(fn=tools.alias.function, params={…}, call_reason="five to twelve words", tool_id="alias.function")
  Do not import them. A tool that fails raises an exception; its message says why.
- Contents come from tools, files and sources, not from what you believe.
- Files are written under OUTPUT (a Path) with the filename of the contract: OUTPUT / "report.pdf". The user's files are in /workspace.
- Nothing is printed.

## Names that are there without an import
- await set_progress(objective=…, status=…, story_append="What was done.", artifact={"name": "<artifact id>", …}, flush=True): after each milestone; short sentences in the past tense.
  inline: {"name": id, "type": "inline", "format": "<as in the contract>", "value": …, "description": "…"}
  file: {"name": id, "type": "file", "path": "<relative to OUTPUT>", "mime": "<as in the contract>", "text": "<what the file says, as text>", "description": "…"}
  Add "draft": true and "gaps": "…" where something is missing, "sources_used": [sids] for what it rests on.
- await done(): once, when all artifacts are set.
- await fail("what is missing", where="step", error="code"), then return: when it cannot be done.
- ctx_tools.fetch_ctx("sources_pool[1,3]"): {"ret": rows, "err": None}. ctx_tools.merge_sources([rows, rows]): one list with one sid for each address; merge before you cite.
- Texts that rest on sources cite them: [[S:1]], [[S:1,3]], [[S:2-4]].
- Path, os, sys, asyncio, logger, OUTPUT_DIR, CONTRACT.`;

interface RepairParts {
  readonly missing: readonly string[];
  readonly calls: readonly CallRecord[];
  /** The end of what the program wrote to stderr. */
  readonly errorLog: string;
}

/** What a model is told whose program did not do. */
export function repairMessage(error: CodegenError, { missing, calls, errorLog }: RepairParts): ModelMessage {
  const parts = [
    `The program did not fulfil the contract: ${error.error}${error.description === "" ? "" : `: ${error.description}`}`,
    error.details === "" ? "" : shortenTo(error.details, 6_000),
    missing.length === 0 ? "" : `Not made, or not usable: ${shortenTo(missing.join("; "), 6_000)}`,
    calls.length === 0
      ? ""
      : `These calls were made already. Do not repeat one that changes something:\n${calls.slice(-40).map(callLine).join("\n")}`,
    errorLog === "" ? "" : errorLogTail(errorLog),
    "It starts anew: variables and files of the first attempt are gone. Send the whole mended program in the same form.",
  ];
  return { role: "user", content: parts.filter((part) => part !== "").join("\n\n") };
}

function callLine({ toolId, params, outcome }: CallRecord): string {
  const shown = shortenTo(jsonOf(params), 200);
  const ending =
    outcome.kind === "returned"
      ? "returned"
      : outcome.kind === "failed"
        ? `failed: ${shorten(outcome.message, 200)}`
        : "did not end";
  return `- ${toolId}(${shown}) ${ending}`;
}

function toolSection(tools: readonly Tool[]): string {
  if (tools.length === 0) return "";
  const types = new TypeWriter();
  const lines: string[] = [];
  let length = 0;
  let left = 0;
  for (const tool of tools) {
    const described = toolLines(tool, types);
    const size = described.reduce((sum, line) => sum + line.length + 1, 0);
    if (length + size > MOST_TOOL_TEXT) {
      left += 1;
      continue;
    }
    length += size;
    lines.push(...described);
  }
  if (left > 0) lines.push(`${String(left)} more tools: tools.search("words") finds them.`);
  return ["## Tools", lines.join("\n"), ...types.declarations].join("\n").trimEnd();
}

function toolLines(tool: Tool, types: TypeWriter): string[] {
  const alias = toolAlias(tool);
  const about = oneLine(tool.description);
  const calls = tool.callables.map((callable) => {
    const purpose = callable.description === tool.description ? "" : oneLine(callable.description);
    return `  tools.${callOf(tool, callable, { alias, types })}${purpose === "" ? "" : `  # ${shorten(purpose, 200)}`}`;
  });
  return [`- ${alias}: ${about === "" ? "no description" : shorten(about, 300)}`, ...calls];
}

function skillSection(skills: readonly Skill[]): string {
  if (skills.length === 0) return "";
  let room = MOST_SKILL_TEXT;
  const parts = skills.map(({ name, description, source }) => {
    const shown = source.length <= room ? source : "";
    room -= shown.length;
    return `### skills.${name}(…)\n${description}${shown === "" ? "" : `\n${FENCE}python\n${shown.trimEnd()}\n${FENCE}`}`;
  });
  return `## Skills\nFunctions that are there, called as skills.name(argument=…):\n\n${parts.join("\n\n")}`;
}

const FENCE = "```";

function sourceSection(sources: SourcePool): string {
  // Of the others the model is told by what shows them to it.
  const given = sources.addedOr([]);
  if (given.length === 0) return "";
  let room = MOST_SOURCE_TEXT;
  const rows = given.map(({ sid, title, url, text, mime = "unknown type" }) => {
    const shown = shorten(text, Math.max(0, Math.min(MOST_OF_A_SOURCE, room)));
    room -= shown.length;
    const at = `ctx_tools.fetch_ctx("sources_pool[${String(sid)}]")`;
    const hasContent = sources.contentOf(sid).base64 !== undefined;
    const content = hasContent ? `\nIts content (${mime}) is base64 in ${at}.` : "";
    return `[S:${String(sid)}] ${[title, url].filter((part) => part !== "").join(" — ")}\n${shown}${content}`.trimEnd();
  });
  return `## Sources\n${[...sources.notes, ...rows].join("\n\n")}`;
}
