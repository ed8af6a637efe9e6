import { isRecord, messageOf, parseJson, type Value } from "../protocol/index.js";
import { pathFault } from "../storage/index.js";
import { ContractError, tooLong } from "./errors.js";

/** Formats of text that a contract can ask for. */
export const INLINE_FORMATS = ["markdown", "text", "json", "url", "xml", "yaml", "mermaid", "html", "csv"] as const;
/** How the value of an inline artifact is read. */
export type InlineFormat = (typeof INLINE_FORMATS)[number];

/** A value that a contract asks for. */
export interface InlineEntry {
  readonly type: "inline";
  readonly format: InlineFormat;
  readonly description: string;
}

/** A file that a contract asks for. */
export interface FileEntry {
  readonly type: "file";
  /** Relative to the output folder of the run. */
  readonly filename: string;
  readonly mime: string;
  readonly description: string;
}

/** One artifact that a contract asks for. */
export type ContractEntry = InlineEntry | FileEntry;

/** What a program is to make, by artifact id: exactly these and no more. */
export type Contract = ReadonlyMap<string, ContractEntry>;

/** The live log of a run; no artifact can have its name. */
export const PROJECT_LOG = "project_log";

const ID = /^[a-z][a-z0-9_]{0,99}$/;
const MIME = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;.*)?$/;
export const MOST_ENTRIES = 50;

/** Characters of a contract that comes as JSON, and of one description: more is not read, on the page's own thread. */
export const LONGEST_CONTRACT = 200_000;
const LONGEST_DESCRIPTION = 20_000;

/**
 * Reads a contract, a dict or JSON of one, once and for all: what comes after it checks nothing.
 *
 * @throws {ContractError} naming entry and field.
 */
export function parseContract(given: Value): Contract {
  const entries = contractEntries(given);
  if (entries.length === 0) throw new ContractError("missing_parameters", "The output_contract is missing or empty.");
  if (entries.length > MOST_ENTRIES) {
    throw new ContractError("invalid_output_contract", `A contract has at most ${String(MOST_ENTRIES)} artifacts.`);
  }
  const contract = new Map<string, ContractEntry>();
  const filenames = new Map<string, string>();
  for (const [id, spec] of entries) {
    const entry = parseEntry(id, spec);
    contract.set(id, entry);
    if (entry.type !== "file") continue;
    const other = filenames.get(entry.filename.toLowerCase());
    if (other !== undefined) {
      const message = `The artifacts "${other}" and "${id}" have one filename, ${entry.filename}.`;
      throw new ContractError("duplicate_filename", message, { entry: id, field: "filename" });
    }
    filenames.set(entry.filename.toLowerCase(), id);
  }
  return contract;
}

/** The contract as it is sent: to a model, to a program. */
export function contractRecord(contract: Contract): Record<string, Readonly<Record<string, string>>> {
  return Object.fromEntries(Array.from(contract, ([id, entry]) => [id, { ...entry }]));
}

/** @throws {ContractError} `invalid_filename` for a path that leads out of its folder. */
export function checkFilename(filename: string, entry: string): void {
  const fault = pathFault(filename);
  if (fault === null) return;
  const message = `The filename ${JSON.stringify(filename.slice(0, 200))} of "${entry}" is not a relative path within the output folder.`;
  throw new ContractError("invalid_filename", message, { entry, field: "filename" });
}

function contractEntries(given: Value): [string, Value][] {
  if (given === null || given === undefined || given === "") return [];
  const value = typeof given === "string" ? parsedJson(given) : given;
  if (!isRecord(value)) {
    const what = Array.isArray(value) ? "a list" : typeof value;
    throw new ContractError(
      "invalid_output_contract",
      `The output_contract is a dict of artifacts by id, not ${what}.`,
    );
  }
  return Object.entries(value);
}

function parsedJson(text: string): Value {
  if (text.length > LONGEST_CONTRACT) {
    throw new ContractError("invalid_output_contract", `The output_contract has ${tooLong(text, LONGEST_CONTRACT)}.`);
  }
  try {
    return parseJson(text);
  } catch (error) {
    const reason = messageOf(error);
    throw new ContractError("invalid_output_contract", `The output_contract is text that is no JSON: ${reason}`);
  }
}

function parseEntry(id: string, spec: Value): ContractEntry {
  if (id === PROJECT_LOG) {
    throw new ContractError("reserved_artifact_id", `"${PROJECT_LOG}" is the run's own log; choose another id.`, {
      entry: id,
    });
  }
  if (!ID.test(id)) throw faulty(id, "artifact_id", "an id is snake_case: letters, digits and _");
  if (!isRecord(spec)) throw faulty(id, "type", "an entry is a dict with type, description and more");
  const { type, description = "" } = spec;
  if (typeof description !== "string") throw faulty(id, "description", "it is a text");
  if (description.length > LONGEST_DESCRIPTION) {
    throw faulty(id, "description", `it has ${tooLong(description, LONGEST_DESCRIPTION)}`);
  }
  if (type === "inline") return { type, format: inlineFormat(id, spec.format), description };
  if (type === "file") {
    const filename = requiredText(id, spec, "filename");
    checkFilename(filename, id);
    const mime = requiredText(id, spec, "mime");
    if (!MIME.test(mime)) throw faulty(id, "mime", `${JSON.stringify(mime.slice(0, 100))} is no MIME type`);
    return { type, filename, mime, description };
  }
  throw faulty(id, "type", 'it is "inline" or "file"');
}

function inlineFormat(id: string, format: Value): InlineFormat {
  const found = INLINE_FORMATS.find((known) => known === format);
  if (found === undefined) throw faulty(id, "format", `it is one of ${INLINE_FORMATS.join(", ")}`);
  return found;
}

function requiredText(id: string, spec: Readonly<Record<string, Value>>, field: string): string {
  const value = spec[field];
  if (typeof value === "string" && value.trim() !== "") return value;
  throw faulty(id, field, "it is missing");
}

function faulty(entry: string, field: string, reason: string): ContractError {
  const message = `The artifact ${JSON.stringify(entry.slice(0, 100))} cannot be read by its ${field}: ${reason}.`;
  return new ContractError("invalid_artifact_spec", message, { entry, field });
}
