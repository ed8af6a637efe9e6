import { shortenTo, VitrineError } from "../protocol/index.js";

/** Why a contract, or what promises files, is none. */
export type ContractFault =
  | "missing_parameters"
  | "invalid_output_contract"
  | "invalid_artifact_spec"
  | "invalid_filename"
  | "duplicate_filename"
  | "reserved_artifact_id"
  | "unknown_skill"
  | "invalid_sources_list"
  | "missing_artifacts"
  | "invalid_artifacts_json"
  | "invalid_artifacts";

/** Somebody asked for a program with parameters that say no clear thing. Nothing was generated and nothing ran. */
export class ContractError extends VitrineError {
  override readonly name = "ContractError";
  readonly code: ContractFault;
  /** The entry that is wrong, where it is one. */
  readonly entry: string | null;
  /** The field of it. */
  readonly field: string | null;

  constructor(
    code: ContractFault,
    message: string,
    { entry = null, field = null }: { readonly entry?: string | null; readonly field?: string | null } = {},
  ) {
    super(message);
    this.code = code;
    this.entry = entry;
    this.field = field;
  }
}

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

/** How long a text is, and how long it may be. */
export function tooLong(text: string, most: number): string {
  return `${text.length.toLocaleString("en-US")} characters, and ${most.toLocaleString("en-US")} are read`;
}
