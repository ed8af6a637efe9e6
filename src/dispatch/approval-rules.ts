import { OptionError } from "../options/index.js";
import type { Call, Decision, Policy } from "./call.js";
import { fits, fullName, isCallPattern } from "./call-pattern.js";

/** What is to be done about a call: make it, refuse it, or leave it to a person. */
export type ApprovalVerdict = "allow" | "ask" | "deny";

/** A verdict, or a function that finds one by looking at the call. */
export type ApprovalRule =
  | ApprovalVerdict
  | ((call: Call) => ApprovalVerdict | Decision | Promise<ApprovalVerdict | Decision>);

/**
 * Rules by what they are about: `tools.mail.send` is one recipe, `tools.mail` a tool with all its recipes, `tools` a
 * namespace, `skills.create` an operation, `skills.clean_units` one skill, `*` everything. `tools.mail.*` is the same
 * as `tools.mail`, without a call of the tool itself. The longest pattern that fits counts.
 */
export type Approvals = Readonly<Record<string, ApprovalRule>>;

/** A key of `approvals` that can fit no call. */
export class ApprovalPatternError extends TypeError {
  override readonly name = "ApprovalPatternError";
  readonly code = "APPROVAL_PATTERN";

  constructor(readonly pattern: string) {
    super(
      `"${pattern}" fits no call. A key of \`approvals\` begins with tools, skills, artifacts or deps, ` +
        "such as `tools.mail.send` or `skills.create`, or is `*`.",
    );
  }
}

/**
 * Decides by the rules, and where none fits by {@link defaultVerdict}.
 *
 * @throws {ApprovalPatternError}
 * @throws {OptionError} for a rule that is no verdict.
 */
export function approvalPolicy(approvals: Approvals = {}): Policy {
  const rules = new Map(Object.entries(approvals));
  for (const [pattern, rule] of rules) {
    checkPattern(pattern);
    if (typeof rule !== "function") checkVerdict(rule, pattern);
  }
  // The longest first, so that the first that fits is the most specific one.
  const ordered = [...rules].sort(([a], [b]) => b.length - a.length);
  return (call) => {
    const name = fullName(call);
    const [pattern, rule] = ordered.find(([candidate]) => fits(candidate, name)) ?? [];
    if (rule === undefined) return decisionOf(defaultVerdict(call), call, undefined);
    if (typeof rule !== "function") return decisionOf(rule, call, pattern);
    return Promise.resolve(rule(call)).then((verdict) => {
      if (typeof verdict === "object") return verdict;
      checkVerdict(verdict, pattern);
      return decisionOf(verdict, call, pattern);
    });
  };
}

/** Operations of code that change what stays after the run. In an agent's run a person is asked about them. */
const LASTING_CHANGES = new Set([
  "tools.register",
  "skills.create",
  "skills.delete",
  "deps.add",
  "deps.remove",
  "artifacts.delete",
]);

/**
 * The verdict where no rule fits:
 *
 * | call | by the page | in a run | in an agent's run, by or for a client |
 * |---|---|---|---|
 * | a tool hinted `readOnly` | allow | allow | allow |
 * | a tool hinted `destructive` | allow | ask | ask |
 * | any other tool | allow | allow | allow |
 * | `tools.register`, `skills.create`, `skills.delete`, `deps.add`, `deps.remove`, `artifacts.delete` | allow | allow | ask |
 * | everything else | allow | allow | allow |
 *
 * A tool that another one calls is judged as if the run had called it. A client is a foreign program that the page
 * serves; what it asks for itself and what the code does that it sends are judged alike.
 *
 * A tool without hints is one that the page registered knowingly: give it hints, or a rule.
 */
export function defaultVerdict(call: Call): "allow" | "ask" {
  if (call.caller === "page" || call.hints.readOnly === true) return "allow";
  if (isToolCall(call)) return call.hints.destructive === true ? "ask" : "allow";
  const isForeign = call.inAgentRun === true || call.caller === "client";
  return isForeign && LASTING_CHANGES.has(fullName(call)) ? "ask" : "allow";
}

/** No tool can be called `register`. */
function isToolCall(call: Call): boolean {
  return call.namespace === "tools" && call.name !== "register";
}

function decisionOf(verdict: ApprovalVerdict, call: Call, pattern: string | undefined): Decision {
  switch (verdict) {
    case "allow":
      return { kind: "allow" };
    case "deny":
      return { kind: "deny", reason: `the session's rule for "${pattern ?? ""}" is to deny it` };
    case "ask":
      return { kind: "ask", reason: whyAsked(call, pattern) };
  }
}

function whyAsked(call: Call, pattern: string | undefined): string {
  if (pattern !== undefined) return `The session asks before every call of ${pattern}.`;
  if (call.proposal !== undefined) return "This tool would write the files below.";
  if (isToolCall(call)) return "This tool may remove or overwrite what cannot be had back.";
  return call.caller === "client"
    ? "A program from outside wants to change what stays."
    : "An agent's code wants to change what stays after its run.";
}

const VERDICTS: readonly ApprovalVerdict[] = ["allow", "ask", "deny"];

function checkVerdict(verdict: unknown, pattern = ""): void {
  if (VERDICTS.some((known) => known === verdict)) return;
  throw new OptionError(
    `\`approvals["${pattern}"]\` must be "allow", "ask" or "deny", or a function that returns one of them, not ${JSON.stringify(verdict)}.`,
    { of: "Session.open", option: `approvals.${pattern}`, accepted: VERDICTS },
  );
}

function checkPattern(pattern: string): void {
  if (!isCallPattern(pattern)) throw new ApprovalPatternError(pattern);
}
