import type { TaskUsage } from "../agent/index.js";
import type { Source } from "../codegen/index.js";
import type { Json, Slot, TurnContents } from "../context/index.js";
import type { TurnContract } from "../contract/index.js";

/** Why the loop left a turn. */
export type ExitReason =
  | "complete"
  /** The user is to be asked something. */
  | "clarify"
  | "max_iterations"
  | "context_reads_exhausted"
  /** The model decided to think on, and asked to see nothing. */
  | "decision_no_progress"
  | "decision_reruns_exhausted"
  /** The round for mapping brought no decision. */
  | "wrapup_no_decision_rerun"
  | "exploit_overdraft_blocked"
  | "incomplete_contract"
  /** The same invalid call came again and again. */
  | "protocol_violation"
  /** The model's contract for the turn is none. */
  | "invalid_contract"
  | "budget_reached"
  | "cancelled"
  | "error";

/** `llm_only`: the turn promised nothing but words. */
export type TurnStatus = "success" | "partial" | "failed" | "llm_only";

/** Why a turn came to no answer, or not all of it. */
export interface TurnError {
  readonly where: string;
  readonly error: string;
  readonly description: string;
  readonly details: Json;
}

/** How the loop left a turn. Never an exception: a failure is an exit. */
export interface TurnResult {
  readonly turnId: string;
  readonly exit: ExitReason;
  readonly status: TurnStatus;
  /** Whether every slot is filled, or, where there is none, the user was told something; and the loop was not broken off. */
  readonly ok: boolean;
  readonly slots: ReadonlyMap<string, Slot>;
  readonly missingSlots: readonly string[];
  /** What the user is answered; empty where the model said nothing. */
  readonly completion: string;
  readonly clarificationQuestions: readonly string[];
  readonly error: TurnError | null;
  readonly usage: TaskUsage;
  /** Milliseconds. */
  readonly elapsed: number;
  /** The turn's `result.json`. */
  readonly envelope: Json;
}

export interface EnvelopeParts {
  readonly turn: TurnContents;
  readonly contract: TurnContract;
  readonly contractRecord: Json;
  readonly sources: readonly Source[];
  readonly exit: ExitReason;
  /** Why it was broken off; null where it was not. */
  readonly failure: TurnError | null;
  readonly clarificationQuestions: readonly string[];
  readonly usage: TaskUsage;
  readonly elapsed: number;
}

/** Exits that end a turn although it may promise nothing that is missing. */
const BROKEN_OFF: readonly ExitReason[] = ["cancelled", "budget_reached", "error", "invalid_contract"];

export function turnResult(parts: EnvelopeParts): TurnResult {
  const { turn, contract, exit, failure, clarificationQuestions, usage, elapsed } = parts;
  const { id: turnId, slots: filled, completion } = turn.record;
  const missingSlots = [...contract.keys()].filter((name) => !filled.some((slot) => slot.name === name));
  const isBrokenOff = BROKEN_OFF.includes(exit);
  const isUnsaid = contract.size === 0 && !isBrokenOff && exit !== "clarify" && (completion ?? "").trim() === "";
  const ok = missingSlots.length === 0 && !isBrokenOff && !isUnsaid && (contract.size > 0 || failure === null);
  const error = failure ?? (isUnsaid ? unsaid(exit) : exit === "clarify" ? null : incomplete(parts, missingSlots));
  const status = statusOf(contract.size, missingSlots.length, ok);
  const envelope: Json = {
    ok,
    status,
    exit_reason: exit,
    out: filled.map(slotRow),
    contract: parts.contractRecord,
    sources_pool: parts.sources.map((source) => ({ ...source })),
    raw_files: rawFiles(turn),
    react_timings: { elapsed_ms: Math.round(elapsed), model_calls: usage.modelCalls, tool_calls: usage.toolCalls },
    ...(clarificationQuestions.length === 0 ? {} : { clarification_questions: [...clarificationQuestions] }),
    ...(error === null ? {} : { error: { ...error } }),
  };
  const slots = new Map(filled.map((slot) => [slot.name, slot]));
  return {
    turnId,
    exit,
    status,
    ok,
    slots,
    missingSlots,
    completion: completion ?? "",
    clarificationQuestions,
    error,
    usage,
    elapsed,
    envelope,
  };
}

function statusOf(declared: number, missing: number, ok: boolean): TurnStatus {
  if (declared === 0) return ok ? "llm_only" : "failed";
  if (missing === 0) return ok ? "success" : "partial";
  return missing < declared ? "partial" : "failed";
}

function unsaid(exit: ExitReason): TurnError {
  const description = "The turn promised nothing but words, and none were said to the user.";
  return { where: "react", error: exit === "complete" ? "no_completion" : exit, description, details: null };
}

/** Null where nothing is missing. */
function incomplete({ contract, turn }: EnvelopeParts, missing: readonly string[]): TurnError | null {
  if (missing.length === 0) return null;
  const declared = [...contract.keys()];
  return {
    where: "react",
    error: "incomplete_contract",
    description: `Contract incomplete: ${String(missing.length)} of ${String(declared.length)} slots not filled`,
    details: {
      contract_validation: {
        declared_slots: declared,
        filled_slots: turn.record.slots.map(({ name }) => name),
        missing_slots: [...missing],
      },
    },
  };
}

function slotRow(slot: Slot): Json {
  const { name, kind, resourceId, provenance, text, path, description, draft, gaps, summary, sids } = slot;
  return {
    slot: name,
    resource_id: resourceId,
    type: kind,
    tool_id: provenance?.toolId ?? null,
    tool_call_id: provenance?.callId ?? null,
    output: kind === "file" ? { path, text } : { text },
    citable: sids.length > 0,
    description,
    input: {},
    ...(kind === "file" ? { mime: slot.mime, filename: slot.filename } : { format: slot.format }),
    ...(draft ? { draft } : {}),
    ...(gaps === null ? {} : { gaps }),
    ...(summary === "" ? {} : { summary }),
    ...(sids.length === 0 ? {} : { sources_used: [...sids] }),
    mapped_from: slot.mappedFrom,
    mapped_artifact_id: slot.mappedArtifactId,
  };
}

/** By tool the calls of it, as the journal names them. */
function rawFiles({ record }: TurnContents): Json {
  const calls = new Map<string, string[]>();
  for (const { toolId, callId } of record.rounds) {
    if (toolId !== null && callId !== null) calls.set(toolId, [...(calls.get(toolId) ?? []), callId]);
  }
  return Object.fromEntries(calls);
}
