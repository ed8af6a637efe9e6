import { jsonIn, VitrineError, type Value } from "../protocol/index.js";

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

/** How long a text is, and how long it may be. */
export function tooLong(text: string, most: number): string {
  return `${text.length.toLocaleString("en-US")} characters, and ${most.toLocaleString("en-US")} are read`;
}

/** A parameter that came as JSON. @throws {ContractError} with that code, for text that is not JSON or is too long. */
export function jsonParameter(name: string, text: string, { most, code }: JsonBounds): Value {
  if (text.length > most) throw new ContractError(code, `The ${name} has ${tooLong(text, most)}.`);
  const json = jsonIn(text);
  if (json === undefined) throw new ContractError(code, `The ${name} is text that is no JSON.`);
  return json;
}

interface JsonBounds {
  readonly most: number;
  readonly code: ContractFault;
}
