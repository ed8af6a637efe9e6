import { ContractError, INLINE_FORMATS, LONGEST_CONTRACT, PROJECT_LOG, type InlineFormat } from "../contract/index.js";
import { isRecord, messageOf, parseJson, type Value } from "../protocol/index.js";
import type { SlotSpecRecord } from "./records.js";

/** A slot for a value. */
export interface InlineSlotSpec {
  readonly type: "inline";
  readonly format: InlineFormat;
  readonly description: string;
}

/** A slot for a file. */
export interface FileSlotSpec {
  readonly type: "file";
  readonly mime: string;
  /** What the file may be called; empty where nobody cares. */
  readonly filenameHint: string;
  readonly description: string;
}

/** What one slot is to hold. */
export type SlotSpec = InlineSlotSpec | FileSlotSpec;

/** What a turn promises to its user, by the names of the slots. */
export type TurnContract = ReadonlyMap<string, SlotSpec>;

const NAME = /^[a-z][a-z0-9_]{0,99}$/;
const MIME = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;.*)?$/;
const MOST_SLOTS = 50;

/**
 * Reads a turn's contract: slot → `{type: "inline", format, description}` or `{type: "file", mime, filename_hint,
 * description}`, a dict or JSON of one. An empty one is a turn that promises nothing but words.
 *
 * @throws {ContractError} naming slot and field.
 */
export function parseTurnContract(given: Value): TurnContract {
  const value = typeof given === "string" ? readJson(given) : given;
  if (value === null || value === undefined) return new Map();
  if (!isRecord(value))
    throw new ContractError("invalid_output_contract", "A turn's contract is a dict of slots by name.");
  const entries = Object.entries(value);
  if (entries.length > MOST_SLOTS) {
    throw new ContractError("invalid_output_contract", `A turn's contract has at most ${String(MOST_SLOTS)} slots.`);
  }
  return new Map(entries.map(([name, spec]) => [name, parseSlot(name, spec)]));
}

/** The contract as it is kept, and as a model is told of it. */
export function turnContractRecord(contract: TurnContract): Record<string, SlotSpecRecord> {
  return Object.fromEntries(Array.from(contract, ([name, spec]) => [name, slotRecord(spec)]));
}

function slotRecord(spec: SlotSpec): SlotSpecRecord {
  if (spec.type === "inline") return spec;
  const { type, mime, filenameHint, description } = spec;
  return { type, mime, filename_hint: filenameHint, description };
}

function parseSlot(name: string, spec: Value): SlotSpec {
  if (name === PROJECT_LOG) {
    const message = `"${PROJECT_LOG}" is the run's own log; choose another name.`;
    throw new ContractError("reserved_artifact_id", message, { entry: name });
  }
  if (!NAME.test(name)) throw faulty(name, "name", "a name is snake_case: letters, digits and _");
  if (!isRecord(spec)) throw faulty(name, "type", "a slot is a dict with type, description and more");
  // A slot without a type is inline.
  const { type = "inline", description = "" } = spec;
  if (typeof description !== "string") throw faulty(name, "description", "it is a text");
  if (type === "inline") return { type, format: inlineFormat(name, spec.format), description };
  if (type !== "file") throw faulty(name, "type", 'it is "inline" or "file"');
  const { mime, filename_hint: hint, filename } = spec;
  if (typeof mime !== "string" || !MIME.test(mime)) throw faulty(name, "mime", "it is missing, or no MIME type");
  const filenameHint = [hint, filename].find((each) => typeof each === "string") ?? "";
  return { type, mime, filenameHint: typeof filenameHint === "string" ? filenameHint : "", description };
}

function inlineFormat(name: string, format: Value): InlineFormat {
  const found = INLINE_FORMATS.find((known) => known === format);
  if (found === undefined) throw faulty(name, "format", `it is one of ${INLINE_FORMATS.join(", ")}`);
  return found;
}

function faulty(entry: string, field: string, reason: string): ContractError {
  const message = `The slot ${JSON.stringify(entry.slice(0, 100))} cannot be read by its ${field}: ${reason}.`;
  return new ContractError("invalid_artifact_spec", message, { entry, field });
}

function readJson(text: string): Value {
  if (text.trim() === "") return null;
  if (text.length > LONGEST_CONTRACT) {
    const message = `The turn's contract has more than ${LONGEST_CONTRACT.toLocaleString("en-US")} characters.`;
    throw new ContractError("invalid_output_contract", message);
  }
  try {
    return parseJson(text);
  } catch (error) {
    const reason = messageOf(error);
    throw new ContractError("invalid_output_contract", `The turn's contract is text that is no JSON: ${reason}`);
  }
}
