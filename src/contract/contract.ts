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

/** A slot for a value. */
export type InlineSlotSpec = InlineEntry;

/** A slot for a file. */
export interface FileSlotSpec {
  readonly type: "file";
  readonly mime: string;
  /** What the file may be called; empty where any name will do. */
  readonly filenameHint: string;
  readonly description: string;
}

/** What one slot is to hold. */
export type SlotSpec = InlineSlotSpec | FileSlotSpec;

/** What a turn promises to its user, by the names of the slots. */
export type TurnContract = ReadonlyMap<string, SlotSpec>;

/** The live log of a run; no artifact can have its name. */
export const PROJECT_LOG = "project_log";

const ID = /^[a-z][a-z0-9_]{0,99}$/;
const MIME = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;.*)?$/;
export const MOST_ENTRIES = 50;

/** Characters of a contract that comes as JSON, and of one description: more is not read, on the page's own thread. */
export const LONGEST_CONTRACT = 200_000;
const LONGEST_DESCRIPTION = 20_000;

/** Where the contract of a program and that of a turn differ: in how one speaks of them, and in their files. */
interface ContractKind<File> {
  readonly what: { readonly whole: string; readonly any: string; readonly entry: string; readonly anEntry: string };
  /** How an entry is named, and the field of an error that says so. */
  readonly name: { readonly word: string; readonly aWord: string; readonly field: string };
  readonly notDict: (given: Value) => string;
  readonly tooLong: (text: string) => string;
  readonly longestDescription: number;
  /** Whether JSON `null` is an empty contract. */
  readonly takesNull: boolean;
  /** Of an entry that says none. */
  readonly type?: "inline";
  readonly file: (spec: FileSpec<File>) => File;
}

interface FileSpec<File> {
  readonly id: string;
  readonly spec: Readonly<Record<string, Value>>;
  readonly description: string;
  /** The entries before it. */
  readonly others: ReadonlyMap<string, InlineEntry | File>;
  readonly refusal: Refusal;
}

/** That an entry cannot be read by this field of it. */
type Refusal = (field: string, reason: string) => ContractError;

const OF_PROGRAM: ContractKind<FileEntry> = {
  what: { whole: "The output_contract", any: "A contract", entry: "artifact", anEntry: "an entry" },
  name: { word: "id", aWord: "an id", field: "artifact_id" },
  notDict: (given) => {
    const what = Array.isArray(given) ? "a list" : typeof given;
    return `The output_contract is a dict of artifacts by id, not ${what}.`;
  },
  tooLong: (text) => `The output_contract has ${tooLong(text, LONGEST_CONTRACT)}.`,
  longestDescription: LONGEST_DESCRIPTION,
  takesNull: false,
  file: ({ id, spec, description, others, refusal }) => {
    const required = (field: string): string => {
      const value = spec[field];
      if (typeof value === "string" && value.trim() !== "") return value;
      throw refusal(field, "it is missing");
    };
    const filename = required("filename");
    checkFilename(filename, id);
    const mime = required("mime");
    if (!MIME.test(mime)) throw refusal("mime", `${JSON.stringify(mime.slice(0, 100))} is no MIME type`);
    for (const [other, entry] of others) {
      if (entry.type !== "file" || entry.filename.toLowerCase() !== filename.toLowerCase()) continue;
      const message = `The artifacts "${other}" and "${id}" have one filename, ${filename}.`;
      throw new ContractError("duplicate_filename", message, { entry: id, field: "filename" });
    }
    return { type: "file", filename, mime, description };
  },
};

const OF_TURN: ContractKind<FileSlotSpec> = {
  what: { whole: "The turn's contract", any: "A turn's contract", entry: "slot", anEntry: "a slot" },
  name: { word: "name", aWord: "a name", field: "name" },
  notDict: () => "A turn's contract is a dict of slots by name.",
  tooLong: () => `The turn's contract has more than ${LONGEST_CONTRACT.toLocaleString("en-US")} characters.`,
  longestDescription: Infinity,
  takesNull: true,
  type: "inline",
  file: ({ spec, description, refusal }) => {
    const { mime, filename_hint: hint, filename } = spec;
    if (typeof mime !== "string" || !MIME.test(mime)) throw refusal("mime", "it is missing, or no MIME type");
    const filenameHint = typeof hint === "string" ? hint : typeof filename === "string" ? filename : "";
    return { type: "file", mime, filenameHint, description };
  },
};

/**
 * Reads what a program is to make, a dict or JSON of one, once and for all: what comes after it checks nothing.
 *
 * @throws {ContractError} naming entry and field.
 */
export function parseContract(given: Value): Contract {
  const contract = readContract(given, OF_PROGRAM);
  if (contract.size === 0) throw new ContractError("missing_parameters", "The output_contract is missing or empty.");
  return contract;
}

/**
 * Reads a turn's contract: slot → `{type: "inline", format, description}` or `{type: "file", mime, filename_hint,
 * description}`, a dict or JSON of one. An empty one is a turn that promises nothing but words.
 *
 * @throws {ContractError} naming slot and field.
 */
export function parseTurnContract(given: Value): TurnContract {
  const isNothing = typeof given === "string" && given.trim() === "";
  return readContract(isNothing ? null : given, OF_TURN);
}

/** The contract of a program as it is sent: to a model, to a program. */
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

/** The contract wins; that what was made says something else is worth a word. */
export function contractMismatch(wanted: string, said: Value, field?: string): string[] {
  if (typeof said !== "string" || said === "" || said.toLowerCase() === wanted.toLowerCase()) return [];
  // With a field it is a program that speaks, at any length; a slot has the words of an artifact that was read before.
  const [what, shown] = field === undefined ? [wanted, said] : [`${field} ${wanted}`, said.slice(0, 200)];
  return [`contract_mismatch: the contract says ${what}, the artifact ${shown}`];
}

function readContract<File>(given: Value, kind: ContractKind<File>): ReadonlyMap<string, InlineEntry | File> {
  if (given === null || given === undefined || given === "") return new Map();
  const value = typeof given === "string" ? contractJson(given, kind) : given;
  if (value === null && kind.takesNull) return new Map();
  if (!isRecord(value)) throw new ContractError("invalid_output_contract", kind.notDict(value));
  const entries = Object.entries(value);
  if (entries.length > MOST_ENTRIES) {
    const { any, entry } = kind.what;
    throw new ContractError("invalid_output_contract", `${any} has at most ${String(MOST_ENTRIES)} ${entry}s.`);
  }
  const contract = new Map<string, InlineEntry | File>();
  for (const [id, spec] of entries) contract.set(id, readEntry(id, spec, { kind, others: contract }));
  return contract;
}

function contractJson(text: string, { what, tooLong: fault }: Pick<ContractKind<unknown>, "what" | "tooLong">): Value {
  if (text.length > LONGEST_CONTRACT) throw new ContractError("invalid_output_contract", fault(text));
  try {
    return parseJson(text);
  } catch (error) {
    const message = `${what.whole} is text that is no JSON: ${messageOf(error)}`;
    throw new ContractError("invalid_output_contract", message);
  }
}

function readEntry<File>(
  id: string,
  spec: Value,
  { kind, others }: Pick<FileSpec<File>, "others"> & { readonly kind: ContractKind<File> },
): InlineEntry | File {
  const { what, name, longestDescription } = kind;
  const refusal: Refusal = (field, reason) => {
    const message = `The ${what.entry} ${JSON.stringify(id.slice(0, 100))} cannot be read by its ${field}: ${reason}.`;
    return new ContractError("invalid_artifact_spec", message, { entry: id, field });
  };
  if (id === PROJECT_LOG) {
    const message = `"${PROJECT_LOG}" is the run's own log; choose another ${name.word}.`;
    throw new ContractError("reserved_artifact_id", message, { entry: id });
  }
  if (!ID.test(id)) throw refusal(name.field, `${name.aWord} is snake_case: letters, digits and _`);
  if (!isRecord(spec)) throw refusal("type", `${what.anEntry} is a dict with type, description and more`);
  const { type = kind.type, description = "" } = spec;
  if (typeof description !== "string") throw refusal("description", "it is a text");
  if (description.length > longestDescription) {
    throw refusal("description", `it has ${tooLong(description, longestDescription)}`);
  }
  if (type === "file") return kind.file({ id, spec, description, others, refusal });
  if (type !== "inline") throw refusal("type", 'it is "inline" or "file"');
  const format = INLINE_FORMATS.find((known) => known === spec.format);
  if (format === undefined) throw refusal("format", `it is one of ${INLINE_FORMATS.join(", ")}`);
  return { type, format, description };
}
