import { shortenTo } from "../protocol/index.js";

/** What went wrong with a program, as its result tells. */
export interface CodegenError {
  /** `codegen`, `codegen.tool`, `main`, `runtime`, or what the program itself said. */
  readonly where: string;
  /** A stable code, or what the program itself said. */
  readonly error: string;
  readonly description: string;
  readonly details: string;
  /** Whether the program, or its caller, noticed and said so; false for an exception that nobody caught. */
  readonly managed: boolean;
}

/** What a program wrote to stderr, as messages about it show it. */
export function errorLogTail(errorLog: string): string {
  return `Error logs tail:\n${errorLog}`;
}

/** An exception may have a page of HTML as its message, and every reader of a result is told what its error says. */
const MOST_SAID = 2_000;
const MOST_DETAILS = 20_000;

/** Of each text as much as an error may have: none of them reaches a model or a storage in any length. */
export function codegenError({
  where,
  error,
  description = "",
  details = "",
  managed = true,
}: Partial<CodegenError> & Pick<CodegenError, "where" | "error">): CodegenError {
  return {
    where: shortenTo(where, MOST_SAID),
    error: shortenTo(error, MOST_SAID),
    description: shortenTo(description, MOST_SAID),
    details: shortenTo(details, MOST_DETAILS),
    managed,
  };
}

/** What was stopped from outside. */
export const CANCELLED = codegenError({ where: "runtime", error: "cancelled", description: "The run was stopped." });
