import { z } from "zod";

import { ascending, citedSids, sourceRows, type SourcePool } from "../codegen/index.js";
import type { Value } from "../protocol/index.js";
import { pathFault } from "../storage/index.js";
import { isJsonList, isJsonRecord, jsonText, jsonValue, type Json } from "./json-value.js";
import type { ArtifactFailure, ContextArtifact } from "./records.js";

/** An artifact that a call was to make. */
export interface ExpectedArtifact {
  readonly name: string;
  /** Of an inline artifact its format. */
  readonly type?: string;
  readonly kind?: "inline" | "file";
}

/** What a call of a tool came to. */
export type ToolOutcome =
  | { readonly kind: "returned"; readonly value: Value }
  | { readonly kind: "failed"; readonly code: string; readonly message: string };

/** How a call ended, and which artifacts it was to make. */
export interface ToolResult {
  readonly toolId: string;
  readonly outcome: ToolOutcome;
  readonly expected: readonly ExpectedArtifact[];
  /** It runs programs: what it returns is their result, with an item for each artifact. */
  readonly isProgram: boolean;
  /** What it returns are sources. */
  readonly isCitable: boolean;
}

/** An artifact without what the context adds to it. */
export type ArtifactDraft = Omit<ContextArtifact, "turnId" | "version" | "order" | "provenance" | "time">;

/** What the result of a tool came to: artifacts, and what was wrong with it. */
export interface ReadResult {
  readonly artifacts: readonly ArtifactDraft[];
  /** What the call as a whole came to. */
  readonly error: ArtifactFailure | null;
  readonly summary: string;
  readonly warnings: readonly string[];
}

/** Makes artifacts of what a tool returned. New sources go into the pool. */
export function readToolResult(result: ToolResult, sources: SourcePool): ReadResult {
  const { toolId, outcome, isProgram, isCitable } = result;
  const expected = expectedOf(result);
  if (outcome.kind === "failed") {
    const { code, message } = outcome;
    const error = { where: toolId, error: code, description: message, details: "" };
    const summary = `ERROR [${code}] at ${toolId}: ${message}`.slice(0, 300);
    return { artifacts: expected.map((each) => failed(each, error)), error, summary, warnings: [] };
  }
  const program = isProgram ? Envelope.safeParse(jsonValue(outcome.value)) : undefined;
  if (program?.success === true) return readProgram(program.data, sources);
  const artifacts = isCitable
    ? [sourcesArtifact(expected[0] ?? { name: nameOf(toolId) }, outcome.value, sources)]
    : valueArtifacts(expected, jsonValue(outcome.value), sources);
  const broken = artifacts.find(({ error }) => error !== null)?.error ?? null;
  const summary = broken === null ? `Made ${artifacts.map(({ id }) => id).join(", ")}` : broken.description;
  return { artifacts, error: broken, summary, warnings: [] };
}

/** A name by which paths can name an artifact; of such a name itself. */
export function nameOf(text: string): string {
  const clean = text.replace(/\W+/g, "_").replace(/^_+/, "");
  return clean.slice(0, 100).replace(/_+$/, "") || "result";
}

function expectedOf({ expected, toolId }: ToolResult): readonly ExpectedArtifact[] {
  if (expected.length === 0) return [{ name: nameOf(toolId) }];
  return expected.map((each) => ({ ...each, name: nameOf(each.name) }));
}

const Failure = z.object({
  where: z.string(),
  error: z.string(),
  description: z.string(),
  details: z.string().catch(""),
});

const Output = z.union([
  z.object({ path: z.string(), workspace_path: z.string(), size: z.int(), text: z.string() }),
  z.object({ value: z.custom<Json>((value) => value !== undefined), text: z.string() }),
]);

const Item = z.object({
  artifact_id: z.string(),
  type: z.enum(["inline", "file"]),
  format: z.string().nullable().catch(null),
  mime: z.string().nullable().catch(null),
  description: z.string().catch(""),
  summary: z.string().catch(""),
  output: Output.nullable(),
  error: Failure.nullable(),
  draft: z.boolean().catch(false),
  gaps: z.string().nullable().catch(null),
  sources_used: z.array(z.int()).catch([]),
  warnings: z.array(z.string()).catch([]),
});
type Item = z.infer<typeof Item>;

/** What the tools of codegen return. */
const Envelope = z.object({
  ok: z.boolean(),
  error: Failure.nullable(),
  summary: z.string().catch(""),
  items: z.array(Item),
  sources_pool: z.array(z.record(z.string(), z.custom<Json>())).catch([]),
  warnings: z.array(z.string()).catch([]),
});

function readProgram(
  { error, summary, items, sources_pool, warnings }: z.infer<typeof Envelope>,
  sources: SourcePool,
): ReadResult {
  // The program counted its sources for itself: here another one may have that number.
  const renumbered = new Map<number, number>();
  for (const row of sources_pool) {
    const source = sources.add(row);
    if (source !== null && typeof row.sid === "number" && row.sid !== source.sid) renumbered.set(row.sid, source.sid);
  }
  return { artifacts: items.map((item) => itemArtifact(item, sources, renumbered)), error, summary, warnings };
}

function itemArtifact(item: Item, sources: SourcePool, renumbered: ReadonlyMap<number, number>): ArtifactDraft {
  const { output, error, draft, gaps, description, summary } = item;
  const isFile = output !== null && "path" in output;
  const stale = citedSids(output?.text ?? "").filter((sid) => renumbered.has(sid));
  const sids = ascending(item.sources_used.map((sid) => renumbered.get(sid) ?? sid));
  const note = `sources_renumbered: the file cites ${stale.map((sid) => `S:${String(sid)}`).join(", ")} by other numbers than the context`;
  return {
    ...blank(nameOf(item.artifact_id)),
    kind: item.type,
    format: item.format,
    mime: item.mime,
    description,
    summary,
    value: output === null || isFile ? null : recited(output.value, renumbered),
    text: output === null ? "" : isFile ? output.text : recitedText(output.text, renumbered),
    path: isFile ? output.workspace_path : null,
    filename: isFile ? output.path : null,
    size: isFile ? output.size : null,
    error,
    draft,
    gaps,
    sids,
    unresolvedSids: sids.filter((sid) => !sources.has(sid)),
    warnings: isFile && stale.length > 0 ? [...item.warnings, note] : item.warnings,
  };
}

/** Citations in a text by the numbers that sources have here. */
function recitedText(text: string, renumbered: ReadonlyMap<number, number>): string {
  if (renumbered.size === 0) return text;
  return text.replace(/\[\[S:[\d\s,\-–]+\]\]/g, (mark) => {
    const sids = citedSids(mark);
    if (!sids.some((sid) => renumbered.has(sid))) return mark;
    return `[[S:${ascending(sids.map((sid) => renumbered.get(sid) ?? sid)).join(",")}]]`;
  });
}

function recited(value: Json, renumbered: ReadonlyMap<number, number>): Json {
  if (typeof value === "string") return recitedText(value, renumbered);
  if (isJsonList(value)) return value.map((item) => recited(item, renumbered));
  if (!isJsonRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, recited(item, renumbered)]));
}

function sourcesArtifact({ name }: ExpectedArtifact, value: Value, sources: SourcePool): ArtifactDraft {
  const rows = sourceRows(value).flatMap((row) => sources.add(row) ?? []);
  const sids = ascending(rows.map(({ sid }) => sid));
  const found = sids.flatMap((sid) => sources.get(sid) ?? []);
  const text = found.map(({ sid, title, url, text: body }) => `[S:${String(sid)}] ${title} ${url}\n${body}`.trim());
  return {
    ...blank(name),
    kind: "sources",
    format: "json",
    value: jsonValue(value),
    text: text.join("\n\n"),
    summary: `${String(sids.length)} sources`,
    sids,
  };
}

/** One result for each name, where the value is a dict with them; else the first one gets it all. */
function valueArtifacts(expected: readonly ExpectedArtifact[], value: Json, sources: SourcePool): ArtifactDraft[] {
  const named = isJsonRecord(value) && expected.length > 1 && expected.some(({ name }) => Object.hasOwn(value, name));
  return expected.map((each, index) => {
    const first = index === 0 ? value : undefined;
    const own = !named ? first : Object.hasOwn(value, each.name) ? value[each.name] : undefined;
    if (own === undefined) {
      const description = `Artifact '${each.name}' not produced`;
      return failed(each, { where: "execution", error: "missing_artifact", description, details: "" });
    }
    return each.kind === "file" ? fileArtifact(each, own) : inlineArtifact(each, own, sources);
  });
}

function inlineArtifact({ name, type }: ExpectedArtifact, value: Json, sources: SourcePool): ArtifactDraft {
  const text = jsonText(value);
  const sids = citedSids(text);
  return {
    ...blank(name),
    format: type ?? (typeof value === "string" ? "text" : "json"),
    value,
    text,
    summary: `Made ${name}`,
    sids,
    unresolvedSids: sids.filter((sid) => !sources.has(sid)),
  };
}

/** A tool's own word for where it wrote a file: its path, or a dict with one. */
function fileArtifact(expected: ExpectedArtifact, value: Json): ArtifactDraft {
  const fields = isJsonRecord(value) ? value : { path: value };
  const path = typeof fields.path === "string" ? fields.path.replace(/^\/workspace\//, "") : "";
  if (pathFault(path) !== null) {
    const description = "The tool named no file below /workspace.";
    return failed(expected, { where: "execution", error: "artifact_invalid", description, details: "" });
  }
  const { text, mime } = fields;
  return {
    ...blank(expected.name),
    kind: "file",
    mime: typeof mime === "string" ? mime : null,
    value,
    text: typeof text === "string" ? text : "",
    path,
    filename: path.split("/").at(-1) ?? path,
    summary: `Made ${expected.name}`,
  };
}

function failed({ name, kind = "inline", type }: ExpectedArtifact, error: ArtifactFailure): ArtifactDraft {
  const summary = error.error === "missing_artifact" ? `MISSING: ${name}` : error.description.slice(0, 300);
  return { ...blank(name), kind, format: type ?? null, error, summary };
}

function blank(id: string): ArtifactDraft {
  return {
    id,
    kind: "inline",
    format: null,
    mime: null,
    description: "",
    summary: "",
    value: null,
    text: "",
    path: null,
    filename: null,
    size: null,
    error: null,
    draft: false,
    gaps: null,
    sids: [],
    unresolvedSids: [],
    warnings: [],
  };
}
