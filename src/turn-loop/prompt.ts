import type { ContextArtifact, MappingOutcome, ReactContext, Registration, TurnContents } from "../context/index.js";
import { shorten, withDigits } from "../protocol/index.js";
import type { Skill } from "../skills/index.js";
import type { Tool, ToolParameter } from "../tools/index.js";
import type { TurnDecision } from "./decision.js";
import { callIds, type Violation } from "./verify-call.js";

/** Characters of an artifact that every round's account shows. */
const PREVIEW = 1_200;
/** Characters of a failure: what is wrong, with the end of what a program logged. */
const MOST_OF_FAILURE = 5_000;
/** Characters of what is shown because the model asked for it, all of it together. */
const MOST_SHOWN = 40_000;
const MOST_TOOL_TEXT = 60_000;
/** Characters of all artifacts together, as an account shows them: of the oldest ones less and less is told. */
const MOST_OF_ARTIFACTS = 60_000;
/** Characters of one line that tells of something. */
const MOST_OF_LINE = 300;
/** Lines of one kind in an account. */
const MOST_LINES = 50;

const RULES = `You work on one turn of a conversation, in rounds. The turn has a contract: slots that were promised to the user. In each round you answer with ONE JSON object, a decision, and nothing else:
{
  "action": "call_tool" | "decision" | "complete" | "exit" | "clarify",
  "strategy": "explore" | "exploit" | "render" | "exit",
  "focus_slot": "the slot that this round works for",
  "notes": "why, in one sentence",
  "next_decision_model": "strong" | "regular",
  "tool_call": {"tool_id": "…", "reasoning": "…", "params": {…}, "out_artifacts_spec": [{"name": "snake_case", "type": "markdown|json|text|…", "kind": "inline|file"}]},
  "fetch_context": [{"path": "…", "param_name": "…"}],
  "map_slots": [{"slot_name": "…", "source_path": "…", "draft": false, "gaps": ""}],
  "show_artifacts": ["path"], "show_skills": ["name"],
  "completion_summary": "what the user is told at the end",
  "clarification_questions": ["…"]
}
- call_tool makes one call. Name in out_artifacts_spec what it makes; a tool that writes programs takes its output_contract instead. Parameters that are not declared are left out.
- fetch_context puts what is at a path into a parameter of the call, below what you wrote there.
- map_slots fills slots with what EARLIER rounds made; what this round makes is mapped in the next one. It goes with any action.
- decision only looks: show_artifacts and show_skills are shown in full in the next round, and only there.
- complete when all slots are filled, exit when they cannot be, clarify when the user has to be asked.
- explore looks for what is needed, exploit makes what fills a slot, render brings it into another form. Mind BUDGET_STATE.
Paths: current_turn.artifacts.<id>[.text|.summary|.path|.mime|.format|.filename|.value.<…>], <id>@<version> for an older version, <id>[1,3] or [2:5] for sources of a search by sid; current_turn.slots.<name>.text; turn_<id>.… for earlier turns; current_turn.user.prompt.text; current_turn.user.attachments.<name>.text; sources_pool[1,3].`;

/** The same in every round, so that providers can keep it. */
export function systemPrompt(tools: readonly Tool[], suffix: string): string {
  let room = MOST_TOOL_TEXT;
  const lines = tools.flatMap((tool) => {
    const text = toolText(tool);
    room -= text.length;
    return room < 0 ? [] : [text];
  });
  const more = tools.length - lines.length;
  if (more > 0)
    lines.push(`(${String(more)} more tools: ${line(tools.slice(-more).flatMap(callIds).join(", "), 4_000)})`);
  return [RULES, `Tools:\n${lines.filter((text) => text !== "").join("\n") || "(none)"}`, suffix]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** What the turn is about, and what has been done in it already. */
export function turnMessage(context: ReactContext, turn: TurnContents, contract: unknown): string {
  const { prompt, attachments, rounds, slots } = turn.record;
  const earlier = context.turnIds.filter((id) => id !== turn.record.id).slice(-20);
  const files = attachments.map(({ name, mime, summary }) =>
    `- ${line(name)} (${line(mime, 100) || "unknown type"}) ${line(summary)}`.trimEnd(),
  );
  const done = rounds.slice(-MOST_LINES).map(({ number, action, toolId, artifacts, notes }) => {
    const call = `${action}${toolId === null ? "" : ` ${line(toolId)}`}`;
    return `- round ${String(number)}: ${call} → ${line(artifacts.join(", ")) || "nothing"} (${line(notes, 200)})`;
  });
  return [
    `USER: ${prompt}`,
    files.length === 0 ? "" : `ATTACHMENTS:\n${listed(files)}`,
    earlier.length === 0 ? "" : `EARLIER TURNS: ${earlier.join(", ")}`,
    `CONTRACT: ${JSON.stringify(contract)}`,
    done.length === 0 ? "" : `DONE BEFORE:\n${done.join("\n")}`,
    slots.length === 0
      ? ""
      : `FILLED: ${slots.map(({ name, mappedFrom }) => `${name} ← ${line(mappedFrom)}`).join(", ")}`,
    turn.artifacts.length === 0 ? "" : `ARTIFACTS:\n${artifactLines(turn.artifacts).join("\n")}`,
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

export interface RoundAccount {
  readonly headline: string;
  readonly violations: readonly Violation[];
  readonly mappings: readonly MappingOutcome[];
  readonly artifacts: readonly ContextArtifact[];
  readonly openSlots: readonly string[];
  readonly budgetState: string;
}

/** What the model is told of a round. */
export function roundMessage(account: RoundAccount): string {
  const { headline, violations, mappings, artifacts, openSlots, budgetState } = account;
  // What stopped the call comes first: there may be more than is told.
  const against = [...violations.filter(({ isRed }) => isRed), ...violations.filter(({ isRed }) => !isRed)];
  return [
    headline,
    listed(against.map(({ code, isRed, message }) => `${isRed ? "RED" : "YELLOW"} ${code}: ${line(message, 2_500)}`)),
    mappedText(mappings),
    artifacts.length === 0 ? "" : `ARTIFACTS:\n${artifactLines(artifacts).join("\n")}`,
    `OPEN SLOTS: ${openSlots.join(", ") || "none"}`,
    budgetState,
  ]
    .filter((part) => part !== "")
    .join("\n");
}

/** What came of a call, in one line. */
export function callHeadline(toolId: string, { error, summary, warnings }: Omit<Registration, "artifacts">): string {
  const listed = warnings.slice(0, 10).map((warning) => line(warning));
  const more =
    warnings.length > listed.length ? [`(and ${String(warnings.length - listed.length)} more warnings)`] : [];
  const state = error === null ? "ok" : `ERROR [${line(error.error, 100)}]`;
  return [`${line(toolId)}: ${state}. ${line(summary)}`, ...listed, ...more].join(" ").trim();
}

interface ShownFrom {
  readonly context: ReactContext;
  readonly session: { readonly skills: { get(name: string): Promise<Skill | null> } };
}

/** What a decision wants to see, in full, for one round; null where it wants nothing. */
export async function shownMessage(
  { context, session }: ShownFrom,
  { showArtifacts, showSkills }: Pick<TurnDecision, "showArtifacts" | "showSkills">,
): Promise<string | null> {
  if (showArtifacts.length === 0 && showSkills.length === 0) return null;
  let room = MOST_SHOWN;
  const show = (title: string, text: string): string => {
    const shown = cut(text, Math.max(0, room));
    room -= shown.length;
    return `--- ${title}\n${shown}`;
  };
  const parts = showArtifacts.slice(0, MOST_LINES).map((path) => {
    const { ret, err } = context.fetch(path);
    const title = line(path);
    if (err !== null) return `--- ${title}\n(${err.code}: ${line(err.message)})`;
    return show(title, typeof ret === "string" ? ret : JSON.stringify(ret, withDigits, 1));
  });
  for (const name of showSkills.slice(0, MOST_LINES)) {
    // `clean_units`, `skills.clean_units`, `skills.public.clean_units`; one that cannot be read is as good as none.
    const skill = await session.skills.get(name.split(".").at(-1) ?? name).catch(() => null);
    const title = `skill ${line(name)}`;
    parts.push(skill === null ? `--- ${title}\n(there is none)` : show(title, `${skill.description}\n${skill.source}`));
  }
  return ["SHOWN (in this round only):", ...parts].join("\n");
}

/** The last word before the turn is left. */
export function wrapUpMessage(
  open: readonly string[],
  usable: readonly ContextArtifact[],
  mappings: readonly MappingOutcome[],
): string {
  const paths = usable.map(
    (artifact) => `- current_turn.artifacts.${artifact.id}@${String(artifact.version)}: ${line(artifact.summary, 200)}`,
  );
  return [
    mappedText(mappings),
    `The turn is about to end with open slots: ${open.join(", ")}. These artifacts were made and fill no slot:`,
    listed(paths),
    'Answer with one last decision (action "exit", strategy "exit") whose map_slots fill what they can fill; everything else in it is ignored.',
  ]
    .filter((part) => part !== "")
    .join("\n");
}

function mappedText(mappings: readonly MappingOutcome[]): string {
  const lines = mappings.map((outcome) => {
    const { slotName, sourcePath } = outcome.mapping;
    if (outcome.kind === "applied") return `- ${line(slotName)} ← ${line(sourcePath)}`;
    return `- ${line(slotName)} refused: ${outcome.reason}. ${line(outcome.message, 1_000)}`;
  });
  return lines.length === 0 ? "" : `MAPPED:\n${listed(lines)}`;
}

export const CONTRACT_PROMPT = `Say what a turn of a conversation is to deliver, before any work is done. Answer with ONE JSON object and nothing else:
{"slots": {"snake_case_name": {"type": "inline", "format": "markdown|text|json|url|xml|yaml|mermaid|html|csv", "description": "…"} or {"type": "file", "mime": "…", "filename_hint": "…", "description": "…"}},
 "budgets": {"snake_case_name": {"explore": 2, "exploit": 3, "render": 0, "context_reads": 0}}}
Few slots: what the user asked for, each once. No slots at all ({}) where a few words are the answer.`;

/** Names come from servers as well: one that is no line is left out, since in no other form it could be called. */
function toolText(tool: Tool): string {
  const ids = callIds(tool);
  if (tool.callables.length === 0) return `- ${tool.name}: ${line(tool.description, 400)}`;
  const calls = tool.callables.map((callable, index) => {
    const id = ids[index] ?? tool.name;
    if (line(id) !== id) return "";
    const about = callable.description === "" ? tool.description : callable.description;
    const parameters = callable.parameters.map((parameter) => `    ${parameterText(parameter)}`);
    return [`- ${id}: ${line(about, 400)}`, ...parameters].join("\n");
  });
  return calls.filter((call) => call !== "").join("\n");
}

function parameterText({ name, type, required, description }: ToolParameter): string {
  return `${line(name)} (${line(type)}${required ? ", required" : ""}) ${line(description, 200)}`.trimEnd();
}

/** What was made, and why it was not. Of the last failure all is told: the others of a call often end in the same log. */
function artifactLines(artifacts: readonly ContextArtifact[]): string[] {
  const last = artifacts.findLast(({ error }) => error !== null);
  const lines: string[] = [];
  let room = MOST_OF_ARTIFACTS;
  for (const artifact of artifacts.toReversed()) {
    const { head, body } = artifactText(artifact, artifact === last ? MOST_OF_FAILURE : 600);
    const whole = body === "" ? head : `${head}\n${body}`;
    const text = whole.length <= room ? whole : head;
    room -= text.length;
    if (room < 0) break;
    lines.unshift(text);
  }
  const left = artifacts.length - lines.length;
  return left === 0 ? lines : [`(and ${String(left)} before them)`, ...lines];
}

/** What artifacts say stands below their line, further in: so it cannot pass for something that is said here. */
function artifactText(artifact: ContextArtifact, mostOfFailure: number): { head: string; body: string } {
  const { id, version, kind, error, text, summary, path } = artifact;
  const name = `- current_turn.artifacts.${id} (@${String(version)}, ${kind}${path === null ? "" : `, ${line(path)}`})`;
  if (error === null) return { head: `${name}: ${line(summary)}`, body: inset(cut(text, PREVIEW)) };
  const [first = "", ...more] = cut(error.description, mostOfFailure).split(/[\r\n\u2028\u2029]+/);
  return { head: `${name}: ERROR [${line(error.error, 100)}] ${first}`, body: inset(more.join("\n")) };
}

function inset(text: string): string {
  return text.replace(/^/gm, "  ").trimEnd();
}

function listed(lines: readonly string[]): string {
  const more = lines.length - MOST_LINES;
  return [...lines.slice(0, MOST_LINES), ...(more > 0 ? [`(and ${String(more)} more)`] : [])].join("\n");
}

/** What others have written, as a part of one line. */
function line(text: string, length = MOST_OF_LINE): string {
  const beginning = shorten(text, 20 * length, "");
  return shorten(beginning.replace(/[\s\p{Cc}]+/gu, " ").trim(), length);
}

function cut(text: string, length: number): string {
  return shorten(text, length, `… [${String(text.length)} characters]`);
}
