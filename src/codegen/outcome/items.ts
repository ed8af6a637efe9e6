import { stringify } from "yaml";

import {
  contractMismatch,
  type Contract,
  type ContractEntry,
  type FileEntry,
  type InlineEntry,
} from "../../contract/index.js";
import { isNestedDeeper, jsonIn, messageOf, shortenTo, type Value } from "../../protocol/index.js";
import { oneLine } from "../../tools/index.js";
import { ascending, citedSids, statedSids } from "../sources/citations.js";
import { codegenError, errorLogTail, type CodegenError } from "../errors.js";
import { DEEPEST_ARTIFACT } from "../plain-json.js";
import type { SourcePool } from "../sources/sources.js";
import type { ProgramEnd } from "./conclude.js";
import type { ArtifactPayload } from "./program-state.js";

/** What became of one entry of the contract. */
export interface CodegenItem {
  readonly artifactId: string;
  readonly kind: ContractEntry["type"];
  /** Of an inline artifact. */
  readonly format: string | null;
  /** Of a file: the contract's. */
  readonly mime: string | null;
  readonly description: string;
  readonly status: "success" | "error";
  /** Null where nothing was made. */
  readonly output: CodegenOutput | null;
  readonly summary: string;
  readonly error: CodegenError | null;
  readonly draft: boolean;
  readonly gaps: string | null;
  /** The sids that it rests on, as its text and the program say. */
  readonly sourcesUsed: readonly number[];
  /** Those of them that nobody knows. */
  readonly unresolvedSources: readonly number[];
  /** `contract_mismatch: …` and what was odd about its content. */
  readonly warnings: readonly string[];
}

/** What was made for an entry of the contract: a value, or a file. */
export type CodegenOutput =
  | { readonly kind: "inline"; readonly value: Value; /** As people read it. */ readonly text: string }
  | {
      readonly kind: "file";
      /** Below the output folder. */
      readonly path: string;
      /** Below `/workspace`. */
      readonly workspacePath: string;
      /** Bytes. */
      readonly size: number;
      /** What the program says that the file says. */
      readonly text: string;
    };

/** What was found in content: that it is what it is said to be, or not. */
export type ContentVerdict =
  | { readonly kind: "valid" }
  | { readonly kind: "warning"; readonly warnings: readonly string[] }
  | { readonly kind: "invalid"; readonly message: string };

/** Looks into content. */
export type CheckContent = (
  content: string | Uint8Array,
  claim: { readonly format?: string; readonly mime?: string; readonly filename?: string },
) => Promise<ContentVerdict>;

export interface ItemParts {
  readonly contract: Contract;
  readonly end: ProgramEnd;
  readonly sources: SourcePool;
  /** Absolute, below `/workspace`. */
  readonly outputDir: string;
  /** Of the files that this run wrote there; undefined for another. */
  readonly readFile: (path: string) => Promise<Uint8Array | undefined>;
  readonly checkContent: CheckContent;
  /** The end of what the program wrote to stderr. */
  readonly errorLog: string;
}

/** One item for each entry of the contract: what was made in the program's order, then what is missing. */
export async function makeItems(parts: ItemParts): Promise<CodegenItem[]> {
  const { contract, end } = parts;
  const made: CodegenItem[] = [];
  for (const [id, payload] of end.artifacts) {
    const entry = contract.get(id);
    if (entry === undefined) continue;
    const look = await lookAt(id, { entry, payload }, parts);
    made.push(itemOf(id, { entry, payload, look }, parts));
  }
  const missing = [...contract].filter(([id]) => !end.artifacts.has(id));
  return [...made, ...missing.map(([id, entry]) => missingItem(id, { entry, parts }))];
}

/** Names of what nobody asked for that are told. */
const MOST_FOREIGN = 20;

/** What a program made and nobody asked for, each as a warning. */
export function uncontracted({ artifacts }: ProgramEnd, contract: Contract): string[] {
  const ids = [...artifacts.keys()].filter((id) => !contract.has(id));
  const listed = ids
    .slice(0, MOST_FOREIGN)
    .map((id) => `the program made ${shortenTo(id, 100)}, which nobody asked for`);
  const left = ids.length - listed.length;
  const rest = left === 0 ? [] : [`and ${String(left)} more, which nobody asked for`];
  return [...listed, ...rest].map((warning) => `not_in_contract: ${warning}`);
}

interface Made {
  readonly entry: ContractEntry;
  readonly payload: ArtifactPayload;
}

/** What of an artifact can be used, and what is wrong or odd about it. */
interface Look {
  readonly output: CodegenOutput | null;
  readonly fault: string | null;
  readonly warnings: readonly string[];
}

/** Whatever is wrong with an artifact is its own fault, and costs no other one. */
async function lookAt(id: string, { entry, payload }: Made, parts: ItemParts): Promise<Look> {
  const unusable = (fault: string): Look => ({ output: null, fault, warnings: [] });
  const refused = parts.end.refused.get(id);
  if (refused !== undefined) return unusable(`refused: ${refused}`);
  try {
    return await (entry.type === "inline" ? lookAtInline(entry, payload, parts) : lookAtFile(entry, payload, parts));
  } catch (error) {
    return unusable(`unreadable: ${messageOf(error)}`);
  }
}

/** Characters of a summary, and of what is said to be missing. They are lines of what models are told. */
const MOST_SUMMARY = 300;
const MOST_GAPS = 1_000;

function itemOf(
  id: string,
  { entry, payload, look }: Made & { readonly look: Look },
  { end, sources }: ItemParts,
): CodegenItem {
  const { output, fault, warnings } = look;
  const text = output?.text ?? "";
  const cited = ascending([...citedSids(text), ...statedSids(payload.sources_used)]);
  const summary = fault === null ? lineOf(payload.summary, MOST_SUMMARY) : `ERROR [artifact_invalid]: ${fault}`;
  return {
    ...about(id, entry),
    status: fault === null ? "success" : "error",
    output,
    summary: shortenTo(summary, MOST_SUMMARY) || `Made ${id}`,
    error: fault === null ? null : invalid(id, fault),
    draft: payload.draft === true || end.areDrafts,
    gaps: lineOf(payload.gaps, MOST_GAPS) || null,
    sourcesUsed: cited,
    unresolvedSources: cited.filter((sid) => !sources.has(sid)),
    warnings: boundedWarnings(warnings),
  };
}

/** Cut before its lines are joined: it may be as long as a program likes. */
function lineOf(value: Value, length: number): string {
  return shortenTo(oneLine(shortenTo(textOf(value), length)), length);
}

const MOST_WARNINGS = 50;
const LONGEST_WARNING = 1_000;

/** As many as anybody reads, and how many more there were. */
export function boundedWarnings(warnings: readonly string[]): string[] {
  const kept = warnings.slice(0, MOST_WARNINGS).map((warning) => shortenTo(warning, LONGEST_WARNING));
  const left = warnings.length - kept.length;
  return left === 0 ? kept : [...kept, `warnings_left_out: ${String(left)} more`];
}

function missingItem(
  id: string,
  { entry, parts }: { readonly entry: ContractEntry; readonly parts: Pick<ItemParts, "end" | "errorLog"> },
): CodegenItem {
  const { end, errorLog } = parts;
  const error =
    end.error ??
    codegenError({
      where: "execution",
      error: "missing_artifact",
      description: `Artifact '${id}' not produced`,
      details: errorLog === "" ? "" : errorLogTail(errorLog),
    });
  return {
    ...about(id, entry),
    status: "error",
    output: null,
    summary: `MISSING: ${id}`,
    error,
    draft: false,
    gaps: null,
    sourcesUsed: [],
    unresolvedSources: [],
    warnings: [],
  };
}

function about(
  artifactId: string,
  entry: ContractEntry,
): Pick<CodegenItem, "artifactId" | "kind" | "format" | "mime" | "description"> {
  const { type: kind, description } = entry;
  const isFile = entry.type === "file";
  return { artifactId, kind, format: isFile ? null : entry.format, mime: isFile ? entry.mime : null, description };
}

async function lookAtInline(
  { format }: InlineEntry,
  payload: ArtifactPayload,
  { checkContent }: ItemParts,
): Promise<Look> {
  const warnings = contractMismatch(format, payload.format, "format");
  const nothing = (fault: string): Look => ({ output: null, fault, warnings });
  if (payload.type === "file") return nothing("wrong_type: the contract asks for an inline artifact");
  const isData = format === "json" || format === "yaml";
  const given = payload.value ?? payload.text ?? (isData ? payload.value : undefined);
  if (given === undefined) return nothing("no_value: the artifact has neither value nor text");
  const value = format === "json" && typeof given === "string" ? jsonIn(given) : given;
  if (value === undefined) return nothing("json_parse_failed: the value is no JSON");
  if (isNestedDeeper(value, DEEPEST_ARTIFACT)) {
    return nothing(`nested_too_deep: the value has more than ${String(DEEPEST_ARTIFACT)} levels`);
  }
  if (!isData && typeof value === "object") {
    return nothing(`not_text: ${format} is a text, and the value is a ${Array.isArray(value) ? "list" : "dict"}`);
  }
  const text = textIn(format, value);
  const output = { kind: "inline", value, text } as const;
  return { output, ...(await judged(checkContent(text, { format }), warnings)) };
}

/** Characters of JSON that is written as YAML, on the page's own thread. */
const MOST_YAML = 100_000;
/** Line breaks and spaces that are worth the reading of JSON. */
const MOST_INDENTATION = 1_000_000;

/** JSON is YAML, too: large values stay JSON, and those whose indentation would be most of their text have none. */
function textIn(format: InlineEntry["format"], value: Value): string {
  if (typeof value === "string" && format !== "json") return value;
  const plain = JSON.stringify(value);
  if (format === "yaml") return plain.length > MOST_YAML ? plain : stringify(value, { lineWidth: 0 });
  return indentation(value) > MOST_INDENTATION ? plain : JSON.stringify(value, null, 2);
}

function indentation(value: unknown, level = 1): number {
  if (typeof value !== "object" || value === null) return 0;
  const parts: unknown[] = Object.values(value);
  return parts.reduce<number>((sum, part) => sum + 2 * level + 1 + indentation(part, level + 1), 0);
}

async function lookAtFile(
  { filename, mime }: FileEntry,
  payload: ArtifactPayload,
  { outputDir, readFile, checkContent }: ItemParts,
): Promise<Look> {
  const warnings = contractMismatch(mime, payload.mime, "mime");
  const nothing = (fault: string): Look => ({ output: null, fault, warnings });
  if (payload.type !== "file") return nothing("wrong_type: the contract asks for a file");
  const given = textOf(payload.path);
  if (given === "") return nothing("missing_path: the artifact names no path");
  const path = pathWithin(outputDir, given);
  if (path === null) return nothing(`path_outside_output_dir: ${given.slice(0, 200)}`);
  warnings.push(...contractMismatch(filename, path, "filename"));
  let bytes: Uint8Array | undefined;
  try {
    bytes = await readFile(path);
  } catch (error) {
    return nothing(`file_unreadable: ${messageOf(error)}`);
  }
  if (bytes === undefined) return nothing(`file_not_found: this run wrote no ${shortenTo(path, 200)}`);
  const workspacePath = `${outputDir.replace(/^\/workspace\/?/, "")}/${path}`;
  const output = { kind: "file", path, workspacePath, size: bytes.byteLength, text: textOf(payload.text) } as const;
  if (bytes.byteLength === 0) return { output, fault: "empty_file", warnings };
  return { output, ...(await judged(checkContent(bytes, { mime, filename: path }), warnings)) };
}

async function judged(
  checking: Promise<ContentVerdict>,
  warnings: readonly string[],
): Promise<Pick<Look, "fault" | "warnings">> {
  // What cannot be looked into is not thrown away: it is said.
  const verdict = await checking.catch((error: unknown): ContentVerdict => {
    return { kind: "warning", warnings: [`not_checked: ${messageOf(error)}`] };
  });
  if (verdict.kind === "invalid") return { fault: verdict.message, warnings };
  return { fault: null, warnings: verdict.kind === "warning" ? [...warnings, ...verdict.warnings] : warnings };
}

/** Relative to the folder; null for what leads out of it. */
export function pathWithin(folder: string, given: string): string | null {
  const base = folder.split("/").filter((part) => part !== "");
  const isAbsolute = given.startsWith("/");
  const parts: string[] = isAbsolute ? [] : [...base];
  for (const part of given.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  const isWithin = parts.length > base.length && base.every((part, index) => parts[index] === part);
  return isWithin ? parts.slice(base.length).join("/") : null;
}

function invalid(id: string, description: string): CodegenError {
  const details = `Artifact '${id}' cannot be used.`;
  return codegenError({ where: "execution", error: "artifact_invalid", description, details });
}

function textOf(value: Value): string {
  return typeof value === "string" ? value : "";
}
