import {
  inOrder,
  judgeToolUse,
  positionOf,
  type Finding,
  type FindingCode,
  type TypeChecker,
} from "../../check/index.js";
import type { Executor } from "../../executor/index.js";
import { closestName } from "../../options/index.js";
import type { CheckedFinding, CheckReport, CheckRequest, HelperKind, ToolUse } from "../../protocol/index.js";
import { toolAlias, type ToolDirectory, type ToolScope } from "../../tools/index.js";
import { callForUrl } from "../calls/call-for-url.js";
import type { Services } from "../calls/services.js";
import type { NamedTool } from "./run-result.js";

export interface CheckPlan {
  readonly code: string;
  readonly filename: string;
  /** Whether it is the text of a file. Default: of a cell. */
  readonly isModule?: boolean;
  readonly helpers: HelperKind;
  readonly imports: readonly string[] | undefined;
  readonly scope: ToolScope | undefined;
  readonly types: TypeChecker | undefined;
  /** Modules that will be there when the code runs, by the first part of their names: that one is missing is a warning. */
  readonly provided?: ReadonlySet<string>;
  /** Ends the wait for the type checker. */
  readonly signal: AbortSignal;
}

/** What a check tells. */
export interface CheckedCode {
  readonly findings: Finding[];
  readonly namedTools: readonly NamedTool[];
}

/** More than these no piece of code is taken to mean. */
const MOST_SKILLS = 50;

/** Looks for mistakes in code, in the interpreter first, then with what only the page knows. Runs and calls nothing. */
export async function checkCode(plan: CheckPlan, executor: Executor, services: Services): Promise<CheckedCode> {
  const [report] = await executor.check(await requestFor(plan, services));
  return judgeReport(plan, services, report);
}

/** What the interpreter is asked. */
export async function requestFor(
  { code, filename, isModule = false, helpers, imports }: CheckPlan,
  services: Services,
): Promise<CheckRequest> {
  return {
    code,
    filename,
    helpers,
    skills: await skillsNamedIn(code, services),
    ...(imports === undefined ? {} : { imports }),
    ...(isModule ? { isModule } : {}),
  };
}

/** What it answers, with what only the page knows. */
export async function judgeReport(
  plan: CheckPlan,
  services: Services,
  report: CheckReport = { findings: [], uses: [], names: [] },
): Promise<CheckedCode> {
  const { code, scope } = plan;
  const tools = scope === undefined ? services.tools : services.tools.inScope(scope);
  const findings: Finding[] = [];
  const urlCall = report.findings.some(({ network }) => network === true) ? callForUrl(tools) : undefined;
  for (const found of report.findings) {
    const finding = await completed(found, { services, tools, urlCall, provided: plan.provided });
    if (finding !== undefined) findings.push(finding);
  }
  for (const use of report.uses) {
    const finding = await judgeToolUse(use, tools);
    if (finding !== undefined) findings.push(finding);
  }
  const { types, signal } = plan;
  // Python's own word on syntax is better than a second one; and what was too much for Python is too much for the page.
  const isChecked = !findings.some((finding) => finding.code === "SYNTAX" || finding.code === "NOT_CHECKED");
  if (types !== undefined && isChecked) {
    const { typeFindings } = await import("./type-check.js");
    findings.push(...(await typeFindings({ signal, code, types, tools, names: report.names, found: findings })));
  }
  return { findings: inOrder(findings), namedTools: calledIn(report.uses) };
}

/** What is called by its name, each once, in the order of the code. */
function calledIn(uses: readonly ToolUse[]): NamedTool[] {
  const called = new Map<string, NamedTool>();
  for (const { tool, callable, call } of uses)
    if (call !== null) called.set(`${tool}.${callable ?? ""}`, { tool, callable });
  return [...called.values()];
}

/** The sources of the skills that the code may call, so that it can be held against them. */
async function skillsNamedIn(code: string, { skills }: Services): Promise<(readonly [string, string])[]> {
  const names = new Set(
    Array.from(code.matchAll(/\b(?:skills|workflows)\s*\.\s*([\p{L}_][\p{L}\p{N}_]*)/gu), ([, name = ""]) => name),
  );
  const found = await Promise.all([...names].slice(0, MOST_SKILLS).map((name) => skills.get(name)));
  return found.flatMap((skill) => (skill === null ? [] : [[skill.name, skill.source] as const]));
}

interface Known {
  readonly services: Services;
  readonly tools: ToolDirectory;
  /** How code calls a tool that fetches an address. */
  readonly urlCall: string | undefined;
  readonly provided: CheckPlan["provided"];
}

/** What the page knows more of: files that can be imported, skills, tools that were meant. Undefined: nothing is wrong. */
async function completed(
  found: CheckedFinding,
  { services, tools, urlCall, provided }: Known,
): Promise<Finding | undefined> {
  const { severity, code, message, pythonType, name, module, skill } = found;
  const suggestion =
    found.network === true && urlCall !== undefined
      ? `Code has no network here: call a tool instead, \`${urlCall}\`.`
      : found.suggestion;
  const finding: Finding = {
    severity,
    code: findingCode(code),
    message,
    ...positionOf(found),
    suggestion,
    pythonType,
  };
  if (module !== undefined) {
    if (await hasModule(module, services)) return undefined;
    if (await services.deps.providesModule(module)) return undefined;
    if (provided?.has(module) === true) return { ...finding, severity: "warning" };
    const tool = tools.get(module);
    return tool === undefined
      ? finding
      : { ...finding, suggestion: `tools.${toolAlias(tool)} is a tool and needs no import. ${suggestion}` };
  }
  if (skill !== undefined) {
    if ((await services.skills.get(skill)) !== null) return undefined;
    const { skills } = await services.skills.list();
    const meant = closestName(
      skill,
      Array.from(skills, (each) => each.name),
    );
    const instead =
      meant === undefined ? `Find it: skills.search("${skill.replaceAll("_", " ")}").` : `Write skills.${meant}.`;
    return { ...finding, suggestion: instead };
  }
  if (name !== undefined) {
    const tool = tools.get(name);
    if (tool !== undefined) return { ...finding, suggestion: `Write tools.${toolAlias(tool)}.` };
    if ((await services.skills.get(name)) !== null) return { ...finding, suggestion: `Write skills.${name}.` };
  }
  return finding;
}

/** Files of the workspace may have come since the last run; whatever folder they are in, it may be on Python's path. */
async function hasModule(module: string, { workspace }: Services): Promise<boolean> {
  try {
    const files = await workspace.list();
    return files.some(({ path }) => path.split("/").some((part) => part === module || part.startsWith(`${module}.`)));
  } catch {
    // A storage that fails says nothing of what there is.
    return true;
  }
}

const CODES: ReadonlySet<string> = new Set<FindingCode>([
  "SYNTAX",
  "SYNTAX_WARNING",
  "UNKNOWN_NAME",
  "UNBOUND_NAME",
  "UNKNOWN_SKILL",
  "UNKNOWN_METHOD",
  "MISSING_ARGUMENT",
  "UNKNOWN_ARGUMENT",
  "IMPORT_NOT_FOUND",
  "IMPORT_REFUSED",
  "NO_NETWORK",
]);

function isFindingCode(code: string): code is FindingCode {
  return CODES.has(code);
}

function findingCode(code: string): FindingCode {
  return isFindingCode(code) ? code : "NOT_CHECKED";
}
