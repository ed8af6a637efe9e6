/**
 * What kind of mistake a finding is. `NOT_CHECKED` says that the code, or a part of it, was not looked at; `TYPE` is
 * what a type checker says.
 */
export type FindingCode =
  | "SYNTAX"
  | "SYNTAX_WARNING"
  | "UNKNOWN_NAME"
  | "UNBOUND_NAME"
  | "UNKNOWN_TOOL"
  | "UNKNOWN_CALLABLE"
  | "UNKNOWN_SKILL"
  | "UNKNOWN_METHOD"
  | "TOOL_UNAVAILABLE"
  | "MISSING_ARGUMENT"
  | "UNKNOWN_ARGUMENT"
  | "ARGUMENT_TYPE"
  | "IMPORT_NOT_FOUND"
  | "IMPORT_REFUSED"
  | "NO_NETWORK"
  | "NOT_CHECKED"
  | "TYPE";

/** A mistake in code, found without running it. */
export interface Finding {
  /** `error`: the run would certainly fail of it. `warning`: it may, or only where the code comes past. */
  readonly severity: "error" | "warning";
  readonly code: FindingCode;
  /** As the run would say it. */
  readonly message: string;
  /** From 1 on. */
  readonly line: number;
  /** From 1 on, in UTF-16 units. */
  readonly column: number;
  readonly endLine?: number;
  /** Of the first character that is no part of it. */
  readonly endColumn?: number;
  /** What to write instead; empty where nothing can be said. */
  readonly suggestion: string;
  /** The exception that the run would raise. */
  readonly pythonType: string;
}

/** A position in code, as findings have it. */
export type Position = Pick<Finding, "line" | "column" | "endLine" | "endColumn">;

/** The position alone, of something that has more. */
export function positionOf({
  line,
  column,
  endLine,
  endColumn,
}: {
  readonly line: number;
  readonly column: number;
  readonly endLine?: number | undefined;
  readonly endColumn?: number | undefined;
}): Position {
  return {
    line,
    column,
    ...(endLine === undefined ? {} : { endLine }),
    ...(endColumn === undefined ? {} : { endColumn }),
  };
}

/** By position, what is graver first. */
export function inOrder(findings: readonly Finding[]): Finding[] {
  const rank = ({ severity }: Finding): number => (severity === "error" ? 0 : 1);
  return findings.toSorted((a, b) => a.line - b.line || a.column - b.column || rank(a) - rank(b));
}
