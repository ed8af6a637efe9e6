import type { ContextArtifact, MappingOutcome, ReactContext, TurnContents } from "../context/index.js";
import type { Skill } from "../skills/index.js";
import type { Tool, ToolParameter } from "../tools/index.js";
import type { TurnDecision } from "./decision.js";
import { callIds, type Violation } from "./verify-call.js";

/** Characters of an artifact that every round's account shows. */
const PREVIEW = 1_200;
/** Characters of what is shown because the model asked for it, all of it together. */
const MOST_SHOWN = 40_000;
const MOST_TOOL_TEXT = 60_000;

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
    lines.push(`(${String(more)} more tools: ${tools.slice(-more).flatMap(callIds).join(", ").slice(0, 4_000)})`);
  return [RULES, `Tools:\n${lines.join("\n") || "(none)"}`, suffix].filter((part) => part !== "").join("\n\n");
}

/** What the turn is about, and what has been done in it already. */
export function turnMessage(context: ReactContext, turn: TurnContents, contract: unknown): string {
  const { prompt, attachments, rounds, slots } = turn.record;
  const earlier = context.turnIds.filter((id) => id !== turn.record.id).slice(-20);
  const files = attachments.map(({ name, mime, summary }) =>
    `- ${name} (${mime || "unknown type"}) ${summary}`.trimEnd(),
  );
  const done = rounds.map(({ number, action, toolId, artifacts, notes }) => {
    return `- round ${String(number)}: ${action}${toolId === null ? "" : ` ${toolId}`} → ${artifacts.join(", ") || "nothing"} (${cut(notes, 200)})`;
  });
  return [
    `USER: ${prompt}`,
    files.length === 0 ? "" : `ATTACHMENTS:\n${files.join("\n")}`,
    earlier.length === 0 ? "" : `EARLIER TURNS: ${earlier.join(", ")}`,
    `CONTRACT: ${JSON.stringify(contract)}`,
    done.length === 0 ? "" : `DONE BEFORE:\n${done.join("\n")}`,
    slots.length === 0 ? "" : `FILLED: ${slots.map(({ name, mappedFrom }) => `${name} ← ${mappedFrom}`).join(", ")}`,
    turn.artifacts.length === 0 ? "" : `ARTIFACTS:\n${turn.artifacts.map(artifactLine).join("\n")}`,
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
  const mapped = mappings.map((outcome) => {
    const { slotName, sourcePath } = outcome.mapping;
    if (outcome.kind === "applied") return `- ${slotName} ← ${sourcePath}`;
    return `- ${slotName} refused: ${outcome.reason}. ${outcome.message}`;
  });
  return [
    headline,
    ...violations.map(({ code, isRed, message }) => `${isRed ? "RED" : "YELLOW"} ${code}: ${message}`),
    mapped.length === 0 ? "" : `MAPPED:\n${mapped.join("\n")}`,
    artifacts.length === 0 ? "" : `ARTIFACTS:\n${artifacts.map(artifactLine).join("\n")}`,
    `OPEN SLOTS: ${openSlots.join(", ") || "none"}`,
    budgetState,
  ]
    .filter((part) => part !== "")
    .join("\n");
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
  const parts = showArtifacts.map((path) => {
    const { ret, err } = context.fetch(path);
    if (err !== null) return `--- ${path}\n(${err.code}: ${err.message})`;
    return show(path, typeof ret === "string" ? ret : JSON.stringify(ret, plain, 1));
  });
  for (const name of showSkills) {
    // `clean_units`, `skills.clean_units`, `skills.public.clean_units`; one that cannot be read is as good as none.
    const skill = await session.skills.get(name.split(".").at(-1) ?? name).catch(() => null);
    const title = `skill ${name}`;
    parts.push(skill === null ? `--- ${title}\n(there is none)` : show(title, `${skill.description}\n${skill.source}`));
  }
  return ["SHOWN (in this round only):", ...parts].join("\n");
}

/** The last word before the turn is left. */
export function wrapUpMessage(open: readonly string[], usable: readonly ContextArtifact[]): string {
  const paths = usable.map(
    (artifact) => `- current_turn.artifacts.${artifact.id}@${String(artifact.version)}: ${cut(artifact.summary, 200)}`,
  );
  return `The turn is about to end with open slots: ${open.join(", ")}. These artifacts were made and fill no slot:\n${paths.join("\n")}\nAnswer with one last decision (action "exit", strategy "exit") whose map_slots fill what they can fill; everything else in it is ignored.`;
}

export const CONTRACT_PROMPT = `Say what a turn of a conversation is to deliver, before any work is done. Answer with ONE JSON object and nothing else:
{"slots": {"snake_case_name": {"type": "inline", "format": "markdown|text|json|url|xml|yaml|mermaid|html|csv", "description": "…"} or {"type": "file", "mime": "…", "filename_hint": "…", "description": "…"}},
 "budgets": {"snake_case_name": {"explore": 2, "exploit": 3, "render": 0, "context_reads": 0}}}
Few slots: what the user asked for, each once. No slots at all ({}) where a few words are the answer.`;

function toolText(tool: Tool): string {
  const ids = callIds(tool);
  const calls = tool.callables.map((callable, index) => {
    const about = callable.description === "" ? tool.description : callable.description;
    const parameters = callable.parameters.map((parameter) => `    ${parameterText(parameter)}`);
    return [`- ${ids[index] ?? tool.name}: ${cut(about.replace(/\s+/g, " "), 400)}`, ...parameters].join("\n");
  });
  return calls.length === 0 ? `- ${tool.name}: ${cut(tool.description, 400)}` : calls.join("\n");
}

function parameterText({ name, type, required, description }: ToolParameter): string {
  return `${name} (${type}${required ? ", required" : ""}) ${cut(description.replace(/\s+/g, " "), 200)}`.trimEnd();
}

function artifactLine(artifact: ContextArtifact): string {
  const { id, version, kind, error, text, summary, path } = artifact;
  const name = `- current_turn.artifacts.${id} (@${String(version)}, ${kind}${path === null ? "" : `, ${path}`})`;
  if (error !== null) return `${name}: ERROR [${error.error}] ${cut(error.description, 600)}`;
  return `${name}: ${summary}\n${cut(text, PREVIEW)}`;
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}… [${String(text.length)} characters]`;
}

function plain(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? value.toString() : value;
}
