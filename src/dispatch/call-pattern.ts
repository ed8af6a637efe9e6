import type { CallDescription } from "./call.js";

/**
 * Which calls are meant: `tools.mail.send` is one recipe, `tools.mail` a tool with all its recipes, `tools` a namespace,
 * `skills.create` an operation, `*` everything. `tools.mail.*` is the same as `tools.mail`, without a call of the tool
 * itself.
 */
export type CallPattern = string;

/** A pattern that can fit no call. */
export class CallPatternError extends TypeError {
  override readonly name = "CallPatternError";
  readonly code = "CALL_PATTERN";

  constructor(readonly pattern: string) {
    super(
      `"${pattern}" fits no call. A pattern begins with tools, skills, artifacts or deps, ` +
        "such as `tools.mail.send` or `skills.create`, or is `*`.",
    );
  }
}

/** With its namespace: `tools.mail.send`. */
export function fullName({ namespace, name }: Pick<CallDescription, "namespace" | "name">): string {
  return `${namespace}.${name}`;
}

export function isCallPattern(pattern: string): boolean {
  return /^(?:\*|(?:tools|skills|artifacts|deps)(?:\..+)?)$/.test(pattern);
}

/** Whether a call of this full name is meant. */
export function fits(pattern: CallPattern, name: string): boolean {
  if (pattern === "*") return true;
  if (pattern.endsWith(".*")) return name.startsWith(pattern.slice(0, -1));
  return name === pattern || name.startsWith(`${pattern}.`);
}

/** Whether one of the patterns means the call. @throws {CallPatternError} before any call. */
export function callSelector(
  patterns: CallPattern | readonly CallPattern[],
): (call: Pick<CallDescription, "namespace" | "name">) => boolean {
  const all = typeof patterns === "string" ? [patterns] : [...patterns];
  for (const pattern of all) if (!isCallPattern(pattern)) throw new CallPatternError(pattern);
  return (call) => {
    const name = fullName(call);
    return all.some((pattern) => fits(pattern, name));
  };
}
