import { z } from "zod";

import { fencedJson } from "../agent/index.js";

const ACTIONS = ["call_tool", "decision", "complete", "exit", "clarify"] as const;
const STRATEGIES = ["explore", "exploit", "render", "exit"] as const;
/** How the model means to go on. */
export type Strategy = (typeof STRATEGIES)[number];

/** What the model wants to do in a round. Only its form is known to be right; see `verify-call.ts` for the call. */
export interface TurnDecision {
  readonly action: (typeof ACTIONS)[number];
  readonly strategy: Strategy;
  /** The slot that the round works for; empty where it does not say. */
  readonly focusSlot: string;
  readonly notes: string;
  readonly nextDecisionModel: "strong" | "regular";
  readonly toolCall: DecidedCall | null;
  readonly fetchContext: readonly { readonly path: string; readonly paramName: string }[];
  readonly mapSlots: readonly DecidedMapping[];
  readonly showArtifacts: readonly string[];
  readonly showSkills: readonly string[];
  readonly completionSummary: string;
  readonly clarificationQuestions: readonly string[];
}

/** A call that the model decided on. */
export interface DecidedCall {
  readonly toolId: string;
  /** Why it is called. */
  readonly reasoning: string;
  /** As the model wrote them: perhaps no dict. */
  readonly params: unknown;
  readonly outArtifacts: readonly {
    readonly name: string;
    readonly type?: string;
    readonly kind?: "inline" | "file";
  }[];
}

/** A slot that the model wants filled, and from where. */
export interface DecidedMapping {
  readonly slotName: string;
  readonly sourcePath: string;
  readonly draft?: boolean;
  readonly gaps?: string;
}

export type ReadDecision =
  | { readonly kind: "decision"; readonly decision: TurnDecision }
  | {
      readonly kind: "fault";
      readonly code: "decision_invalid_json" | "decision_invalid" | "decision_invalid_strategy";
      readonly message: string;
      /** What the turn came to, where the reply ends it and is clear but for its strategy; empty otherwise. */
      readonly completionSummary: string;
    };

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? "");
const texts = z
  .union([z.array(z.string()), z.string().transform((one) => [one])])
  .nullish()
  .transform((value) => value ?? []);

const ToolCall = z.object({
  tool_id: text,
  reasoning: text,
  params: z.unknown().optional(),
  out_artifacts_spec: z
    .array(
      z.union([
        z.object({ name: z.string(), type: z.string().nullish(), kind: z.enum(["inline", "file"]).nullish() }),
        z.string().transform((name) => ({ name, type: null, kind: null })),
      ]),
    )
    .nullish(),
});

const Reply = z.object({
  action: z.enum(ACTIONS),
  strategy: z.enum(STRATEGIES),
  focus_slot: text,
  notes: text,
  next_decision_model: z.enum(["strong", "regular"]).catch("strong"),
  // `{}` says that there is none.
  tool_call: z.preprocess((value) => (isEmpty(value) ? null : value), ToolCall.nullable()).optional(),
  fetch_context: z.array(z.object({ path: text, param_name: text })).nullish(),
  map_slots: z
    .array(z.object({ slot_name: text, source_path: text, draft: z.boolean().nullish(), gaps: z.string().nullish() }))
    .nullish(),
  show_artifacts: texts,
  show_skills: texts,
  completion_summary: text,
  clarification_questions: texts,
});

/** Reads a decision from a reply: JSON, bare or in a fence, with or without words around it. */
export function readDecision(reply: string): ReadDecision {
  const json = readJson(reply);
  if (json === undefined) {
    return fault("decision_invalid_json", "The reply is not one JSON object. Answer with the decision alone.", "");
  }
  const parsed = Reply.safeParse(json);
  if (parsed.success) return { kind: "decision", decision: decisionOf(parsed.data) };
  const { issues } = parsed.error;
  const [issue] = issues;
  const isClear = issues.every(({ path: [at] }) => at === "strategy");
  const summary = isClear ? (Ending.safeParse(json).data?.completion_summary ?? "") : "";
  const field = issue?.path.join(".") ?? "";
  const message = `The decision cannot be read at ${field === "" ? "its top" : field}: ${issue?.message ?? "unknown"}.`;
  return fault(field === "strategy" ? "decision_invalid_strategy" : "decision_invalid", message, summary);
}

const Ending = z.object({ action: z.enum(["complete", "exit"]), completion_summary: z.string() });

type Fault = Extract<ReadDecision, { readonly kind: "fault" }>;

function fault(code: Fault["code"], message: string, completionSummary: string): Fault {
  return { kind: "fault", code, message, completionSummary };
}

function decisionOf(reply: z.infer<typeof Reply>): TurnDecision {
  const { tool_call: call = null, notes } = reply;
  return {
    action: reply.action,
    strategy: reply.strategy,
    focusSlot: reply.focus_slot,
    notes,
    nextDecisionModel: reply.next_decision_model,
    toolCall:
      call === null
        ? null
        : {
            toolId: call.tool_id,
            reasoning: call.reasoning === "" ? notes : call.reasoning,
            params: call.params ?? {},
            outArtifacts: (call.out_artifacts_spec ?? []).map(({ name, type, kind }) => ({
              name,
              ...(type === null || type === undefined ? {} : { type }),
              ...(kind === null || kind === undefined ? {} : { kind }),
            })),
          },
    fetchContext: (reply.fetch_context ?? []).map(({ path, param_name: paramName }) => ({ path, paramName })),
    mapSlots: (reply.map_slots ?? []).map(({ slot_name: slotName, source_path: sourcePath, draft, gaps }) => ({
      slotName,
      sourcePath,
      ...(draft === true ? { draft } : {}),
      ...(gaps === null || gaps === undefined || gaps === "" ? {} : { gaps }),
    })),
    showArtifacts: reply.show_artifacts,
    showSkills: reply.show_skills,
    completionSummary: reply.completion_summary,
    clarificationQuestions: reply.clarification_questions,
  };
}

/** The JSON object of a reply; undefined where there is none. */
export function readJson(reply: string): unknown {
  const { tagged, untagged } = fencedJson(reply);
  const first = reply.indexOf("{");
  const bare = first < 0 ? "" : reply.slice(first, reply.lastIndexOf("}") + 1);
  for (const text of [reply, ...tagged, ...untagged, bare]) {
    try {
      const value: unknown = JSON.parse(text);
      if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
    } catch {
      // The next form of it may be one.
    }
  }
  return undefined;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === "object" && Object.keys(value).length === 0);
}
