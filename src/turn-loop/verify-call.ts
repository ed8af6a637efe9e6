import { PROGRAM_TOOL_TAG } from "../codegen/index.js";
import type { BoundParams, FetchDirective, Json, LineageEntry } from "../context/index.js";
import { isRecord, jsonIn, type Value } from "../protocol/index.js";
import { mismatch, type Tool, type ToolCallable, type ToolParameter } from "../tools/index.js";
import type { TurnDecision } from "./decision.js";

/** Something about a decision that is against the protocol. A red one stops the call, a yellow one is told. */
export interface Violation {
  readonly code:
    | "missing_tool_id"
    | "unknown_tool_id"
    | "bad_params"
    | "missing_out_artifacts_spec"
    | "missing_required"
    | "unresolved_path"
    | "unknown_param"
    | "type_mismatch"
    | "param_binding_skipped_unsliced_search"
    | "param_binding_no_sources"
    | "unknown_focus_slot"
    | "stage_used_up"
    | "decision_invalid_json"
    | "decision_invalid"
    | "decision_invalid_strategy"
    | "decision_no_progress"
    | "exploit_overdraft_blocked";
  readonly isRed: boolean;
  readonly message: string;
}

/** A call that may be made. */
export interface VerifiedCall {
  readonly toolId: string;
  readonly tool: Tool;
  readonly isProgram: boolean;
  readonly params: Readonly<Record<string, Json>>;
  readonly lineage: readonly LineageEntry[];
}

export interface Verification {
  /** Null where a violation is red. */
  readonly call: VerifiedCall | null;
  readonly violations: readonly Violation[];
}

export interface VerifyParts {
  readonly tools: readonly Tool[];
  readonly bind: (
    params: Readonly<Record<string, Value>>,
    directives: readonly FetchDirective[],
    parameters: readonly ToolParameter[],
  ) => BoundParams;
}

/** Holds the call of a decision against the protocol and against what the tool takes. Nothing is called. */
export function verifyCall({ toolCall, fetchContext }: TurnDecision, { tools, bind }: VerifyParts): Verification {
  const stopped = (code: Violation["code"], message: string): Verification => {
    return { call: null, violations: [{ code, isRed: true, message }] };
  };
  const toolId = toolCall?.toolId.trim() ?? "";
  if (toolCall === null || toolId === "")
    return stopped("missing_tool_id", "The decision calls a tool and names none.");
  const found = findTool(tools, toolId);
  if (found === undefined) {
    const names = tools.flatMap(callIds).join(", ");
    return stopped("unknown_tool_id", `There is no tool ${toolId.slice(0, 100)}. There are: ${names.slice(0, 2_000)}.`);
  }
  const { params } = toolCall;
  if (!isRecord(params)) {
    const what = Array.isArray(params) ? "a list" : `a ${typeof params}`;
    return stopped("bad_params", `The params of ${toolId} are a dict by name, not ${what}.`);
  }
  const isProgram = found.tool.tags.includes(PROGRAM_TOOL_TAG);
  if (toolCall.outArtifacts.length === 0 && !(isProgram && hasContract(params))) {
    const message = `Name what ${toolId} makes: "out_artifacts_spec": [{"name": "…"}].`;
    return stopped("missing_out_artifacts_spec", message);
  }
  const parameters = found.callable?.parameters ?? [];
  const bound = bind(params, fetchContext, parameters);
  const faults = bound.faults.map(({ code, message }) => ({ code, message, isRed: code === "unresolved_path" }));
  const checked = checkParams(toolId, found.callable, bound.params);
  const violations: Violation[] = [...faults, ...checked.violations];
  if (violations.some(({ isRed }) => isRed)) return { call: null, violations };
  const lineage = bound.lineage.filter(({ param }) => Object.hasOwn(checked.params, param));
  const call = { toolId, tool: found.tool, isProgram, params: checked.params, lineage };
  return { call, violations };
}

/** What the artifacts are called that a decision's call is to make. */
export function promisedArtifacts({ toolCall }: TurnDecision): string[] {
  if (toolCall === null) return [];
  const { params, outArtifacts } = toolCall;
  const contract = isRecord(params) ? parsed(params.output_contract) : null;
  const files = isRecord(params) ? parsed(params.out_artifacts_spec) : null;
  const fileNames = (Array.isArray(files) ? (files as readonly Value[]) : []).flatMap((each) =>
    isRecord(each) && typeof each.name === "string" ? [each.name] : [],
  );
  return [...outArtifacts.map(({ name }) => name), ...(isRecord(contract) ? Object.keys(contract) : []), ...fileNames];
}

/** How calls name the callables of a tool. */
export function callIds({ name, callables }: Tool): string[] {
  return callables.map((callable) => (callable.name === name ? name : `${name}.${callable.name}`));
}

function findTool(
  tools: readonly Tool[],
  id: string,
): { readonly tool: Tool; readonly callable: ToolCallable | null } | undefined {
  for (const tool of tools) {
    const at = callIds(tool).indexOf(id);
    const callable = tool.callables[at];
    if (callable !== undefined) return { tool, callable };
  }
  // What such a tool can do is known when it is called.
  const open = tools.find(({ name, dynamic }) => dynamic === true && (id === name || id.startsWith(`${name}.`)));
  return open === undefined ? undefined : { tool: open, callable: null };
}

function hasContract(params: Readonly<Record<string, Value>>): boolean {
  const { output_contract: contract, out_artifacts_spec: files } = params;
  return [contract, files].some((given) => {
    if (typeof given === "string") return given.trim() !== "";
    return Array.isArray(given) ? given.length > 0 : isRecord(given) && Object.keys(given).length > 0;
  });
}

/** A parameter that may be given as JSON; null for text that is none. */
function parsed(given: Value): Value {
  return typeof given === "string" ? (jsonIn(given) ?? null) : given;
}

interface CheckedParams {
  readonly params: Readonly<Record<string, Json>>;
  readonly violations: readonly Violation[];
}

/** What the tool does not know, and an optional parameter of a wrong type, are dropped. */
function checkParams(
  toolId: string,
  callable: ToolCallable | null,
  given: Readonly<Record<string, Json>>,
): CheckedParams {
  if (callable === null) return { params: given, violations: [] };
  const violations: Violation[] = [];
  const kept = new Map<string, Json>();
  const { additionalProperties: more } = callable.inputSchema ?? {};
  for (const [name, value] of Object.entries(given)) {
    const parameter = callable.parameters.find((each) => each.name === name);
    if (parameter === undefined) {
      if (more === true || isRecord(more)) kept.set(name, value);
      else violations.push({ code: "unknown_param", isRed: false, message: unknownParam(toolId, name, callable) });
      continue;
    }
    if (value === null && !parameter.required) continue;
    const wrong = parameter.schema === undefined ? undefined : mismatch(parameter.schema, value);
    if (wrong === undefined) kept.set(name, value);
    else {
      const dropped = parameter.required ? "" : " It was left out.";
      const message = `${name} of ${toolId} must be ${wrong}.${dropped}`;
      violations.push({ code: "type_mismatch", isRed: parameter.required, message });
    }
  }
  const isGiven = (name: string): boolean => Object.hasOwn(given, name) && given[name] !== undefined;
  for (const { name, required } of callable.parameters) {
    if (!required || isGiven(name)) continue;
    violations.push({ code: "missing_required", isRed: true, message: `${toolId} needs ${name}.` });
  }
  return { params: Object.fromEntries(kept), violations };
}

function unknownParam(toolId: string, name: string, { parameters }: ToolCallable): string {
  const names = parameters.map((each) => each.name).join(", ") || "nothing";
  return `${toolId} has no parameter ${name.slice(0, 100)}, which was left out. It takes: ${names}.`;
}
