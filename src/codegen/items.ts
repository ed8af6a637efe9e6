import { isRecord, type Value } from "../protocol/index.js";
import { ascending, citedSids, statedSids } from "./citations.js";
import type { Contract, ContractEntry, FileEntry, InlineEntry } from "./contract.js";
import type { CodegenError } from "./errors.js";
import type { ProgramEnd } from "./conclude.js";
import type { ArtifactPayload } from "./program-state.js";
import type { SourcePool } from "./sources.js";

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
    if (entry !== undefined) made.push(await makeItem(id, { entry, payload }, parts));
  }
  const missing = [...contract].filter(([id]) => !end.artifacts.has(id));
  return [...made, ...missing.map(([id, entry]) => missingItem(id, { entry, parts }))];
}

/** Ids that a program made and nobody asked for. */
export function uncontracted({ artifacts }: ProgramEnd, contract: Contract): string[] {
  return [...artifacts.keys()].filter((id) => !contract.has(id));
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

async function makeItem(id: string, { entry, payload }: Made, parts: ItemParts): Promise<CodegenItem> {
  const { output, fault, warnings } =
    entry.type === "inline" ? await lookAtInline(entry, payload, parts) : await lookAtFile(entry, payload, parts);
  const text = output?.text ?? "";
  const cited = ascending([...citedSids(text), ...statedSids(payload.sources_used)]);
  const error = fault === null ? null : invalid(id, fault);
  const summary = textOf(payload.summary);
  return {
    ...about(id, entry),
    status: error === null ? "success" : "error",
    output,
    summary: error === null ? summary || `Made ${id}` : `ERROR [artifact_invalid]: ${fault ?? ""}`.slice(0, 300),
    error,
    draft: payload.draft === true || parts.end.areDrafts,
    gaps: textOf(payload.gaps) || null,
    sourcesUsed: cited,
    unresolvedSources: cited.filter((sid) => !parts.sources.has(sid)),
    warnings,
  };
}

function missingItem(
  id: string,
  { entry, parts }: { readonly entry: ContractEntry; readonly parts: Pick<ItemParts, "end" | "errorLog"> },
): CodegenItem {
  const { end, errorLog } = parts;
  const error = end.error ?? {
    where: "execution",
    error: "missing_artifact",
    description: `Artifact '${id}' not produced`,
    details: errorLog === "" ? "" : `Error logs tail:\n${errorLog}`,
    managed: true,
  };
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
  const warnings = mismatch("format", format, payload.format);
  const nothing = (fault: string): Look => ({ output: null, fault, warnings });
  if (payload.type === "file") return nothing("wrong_type: the contract asks for an inline artifact");
  const given = payload.value ?? payload.text;
  if (given === undefined || given === null) return nothing("no_value: the artifact has neither value nor text");
  const value = format === "json" && typeof given === "string" ? readJson(given) : given;
  if (value === undefined) return nothing("json_parse_failed: the value is no JSON");
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  const output = { kind: "inline", value, text } as const;
  return { output, ...(await judged(checkContent(text, { format }), warnings)) };
}

async function lookAtFile(
  { filename, mime }: FileEntry,
  payload: ArtifactPayload,
  { outputDir, readFile, checkContent }: ItemParts,
): Promise<Look> {
  const warnings = [...mismatch("mime", mime, payload.mime)];
  const nothing = (fault: string): Look => ({ output: null, fault, warnings });
  if (payload.type !== "file") return nothing("wrong_type: the contract asks for a file");
  const given = textOf(payload.path);
  if (given === "") return nothing("missing_path: the artifact names no path");
  const path = pathWithin(outputDir, given);
  if (path === null) return nothing(`path_outside_output_dir: ${given.slice(0, 200)}`);
  warnings.push(...mismatch("filename", filename, path));
  const bytes = await readFile(path);
  if (bytes === undefined) return nothing(`file_not_found: this run wrote no ${path}`);
  const workspacePath = `${outputDir.replace(/^\/workspace\/?/, "")}/${path}`;
  const output = { kind: "file", path, workspacePath, size: bytes.byteLength, text: textOf(payload.text) } as const;
  if (bytes.byteLength === 0) return { output, fault: "empty_file", warnings };
  return { output, ...(await judged(checkContent(bytes, { mime, filename: path }), warnings)) };
}

async function judged(
  checking: Promise<ContentVerdict>,
  warnings: readonly string[],
): Promise<Pick<Look, "fault" | "warnings">> {
  const verdict = await checking;
  if (verdict.kind === "invalid") return { fault: verdict.message, warnings };
  return { fault: null, warnings: verdict.kind === "warning" ? [...warnings, ...verdict.warnings] : warnings };
}

/** The contract wins; that the program says something else is worth a word. */
function mismatch(field: string, wanted: string, said: Value): string[] {
  if (typeof said !== "string" || said === "" || said.toLowerCase() === wanted.toLowerCase()) return [];
  return [`contract_mismatch: the contract says ${field} ${wanted}, the artifact ${said.slice(0, 200)}`];
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

function invalid(id: string, message: string): CodegenError {
  return {
    where: "execution",
    error: "artifact_invalid",
    description: message,
    details: `Artifact '${id}' cannot be used.`,
    managed: true,
  };
}

/** Undefined for what is no JSON. */
function readJson(text: string): Value {
  try {
    const value = JSON.parse(text) as Value;
    return isRecord(value) || Array.isArray(value) ? value : (value ?? null);
  } catch {
    return undefined;
  }
}

function textOf(value: Value): string {
  return typeof value === "string" ? value : "";
}
