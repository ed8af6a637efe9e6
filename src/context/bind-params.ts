import { SourcePool, type Source } from "../codegen/index.js";
import { optionCheck } from "../options/index.js";
import type { ToolParameter } from "../tools/index.js";
import type { Value } from "../protocol/index.js";
import { isJsonList, isJsonRecord, jsonText, jsonValue, type Json } from "./json-value.js";
import { parsePath } from "./path-grammar.js";
import type { LineageEntry } from "./records.js";
import { resolvePath, sourceValue, versionName, type ContextContents, type Found } from "./resolve-path.js";

/** What of the context a call gets, and as which parameter. */
export interface FetchDirective {
  readonly path: string;
  readonly paramName: string;
}

/** Why something was not bound. */
export interface BindingFault {
  /**
   * `unresolved_path`: there is nothing at the path, or what failed, and the call is not to be made without it.
   * `param_binding_skipped_unsliced_search`: a whole search or fetch was asked for; the call can do without.
   * `param_binding_no_sources`: what is at the path names no sources.
   */
  readonly code: "unresolved_path" | "param_binding_skipped_unsliced_search" | "param_binding_no_sources";
  readonly path: string;
  readonly paramName: string;
  readonly message: string;
}

/** Parameters with their references replaced by what these stand for. With faults the call is not to be made. */
export interface BoundParams {
  readonly params: Readonly<Record<string, Json>>;
  /** Where what was bound comes from. */
  readonly lineage: readonly LineageEntry[];
  /** With an `unresolved_path` among them the call is not to be made. */
  readonly faults: readonly BindingFault[];
}

/** What is known of the tool whose parameters are bound. */
export interface BindOptions {
  /** The parameters of the tool: one that takes no text gets what is bound to it alone as it is. */
  readonly parameters?: readonly ToolParameter[];
}

export const checkBindOptions = optionCheck<BindOptions>("context.bindParams", { parameters: "array?" });

/** Parameters that are what a writer writes, or what a model is told: of a file they get what it says. */
const TEXT_PARAMS = ["content", "input_context"];

/**
 * Puts what paths name into the parameters of a call. Parts for one parameter stand below each other, after the text
 * that the caller wrote there itself. `sources_list` becomes one list with each address once, `attachments` a list.
 */
export function bindParams(
  contents: ContextContents,
  baseParams: Readonly<Record<string, Value>>,
  { directives, parameters = [] }: BindOptions & { readonly directives: readonly FetchDirective[] },
): BoundParams {
  const lineage: LineageEntry[] = [];
  const faults: BindingFault[] = [];
  const byParam = new Map<string, Found[]>();
  for (const directive of directives) {
    const { path, paramName } = directive;
    const at = resolvePath(contents, path);
    const fault =
      at.kind === "fault" ? unresolved(directive, at.message) : (failed(directive, at) ?? whyNot(directive, at));
    if (fault !== null || at.kind === "fault") {
      if (fault !== null) faults.push(fault);
      continue;
    }
    byParam.set(paramName, [...(byParam.get(paramName) ?? []), at]);
    const { of } = at;
    const artifact = of.kind === "artifact" ? `${of.artifact.turnId}.${versionName(of.artifact)}` : null;
    lineage.push({ param: paramName, path, artifact });
  }
  const params = new Map(Object.entries(baseParams).map(([name, value]) => [name, jsonValue(value)]));
  for (const [name, parts] of byParam) {
    params.set(name, boundValue(contents, { name, parts, base: params.get(name), parameters }));
  }
  return { params: Object.fromEntries(params), lineage, faults };
}

function unresolved({ path, paramName }: FetchDirective, reason: string): BindingFault {
  return { code: "unresolved_path", path, paramName, message: `${paramName} cannot be bound. ${reason}` };
}

/** What a call failed to make is as good as nothing; what is said of it is not. */
function failed(directive: FetchDirective, { of }: Found): BindingFault | null {
  if (of.kind !== "artifact" || of.artifact.error === null) return null;
  const path = parsePath(directive.path);
  if (path.kind === "artifact" && path.part.kind === "leaf" && path.part.leaf === "summary") return null;
  const { error, description } = of.artifact.error;
  return unresolved(directive, `What is at ${directive.path} failed with ${error}: ${description.slice(0, 600)}`);
}

function whyNot({ path, paramName }: FetchDirective, at: Found): BindingFault | null {
  if (paramName === "sources_list") {
    if (at.sids.length > 0 || rowsOf(at).length > 0) return null;
    const message = `What is at ${path} names no sources, so ${paramName} got none from it.`;
    return { code: "param_binding_no_sources", path, paramName, message };
  }
  if (at.of.kind !== "artifact" || at.of.artifact.kind !== "sources" || !at.isWhole) return null;
  const message = `${path} is all of what a search or a fetch returned; name the sources that are wanted: ${path}[1,3].`;
  return { code: "param_binding_skipped_unsliced_search", path, paramName, message };
}

interface Binding {
  readonly name: string;
  readonly parts: readonly Found[];
  readonly base: Json | undefined;
  readonly parameters: readonly ToolParameter[];
}

function boundValue(contents: ContextContents, { name, parts, base, parameters }: Binding): Json {
  if (name === "sources_list") return mergedSources(contents, base, parts);
  if (name === "attachments") return [...(isJsonList(base) ? base : []), ...parts.flatMap(attachmentsOf)];
  const [only] = parts;
  if (only !== undefined && parts.length === 1 && isEmpty(base) && takesNoText(name, parameters)) {
    return rawValue(only);
  }
  const texts = parts.map((part) => textFor(name, part));
  return [...(isEmpty(base) ? [] : [jsonText(base ?? null)]), ...texts].join("\n\n");
}

function rawValue({ of, isWhole, value }: Found): Json {
  return isWhole && of.kind === "artifact" && of.artifact.kind !== "file" ? of.artifact.value : value;
}

function isEmpty(base: Json | undefined): boolean {
  return base === undefined || base === null || base === "";
}

function takesNoText(name: string, parameters: readonly ToolParameter[]): boolean {
  const parameter = parameters.find((each) => each.name === name);
  if (parameter === undefined) return false;
  const { type = parameter.type } = parameter.schema ?? {};
  const types = typeof type === "string" ? [type] : type;
  return !types.some((each) => ["string", "str", "any", ""].includes(each.toLowerCase()));
}

/** Of a whole artifact what it says, and not the record of it. */
function textFor(name: string, part: Found): string {
  const { of, isWhole, value } = part;
  if (!isWhole) return jsonText(value);
  if (of.kind === "artifact" && of.artifact.kind === "inline") return of.artifact.text;
  if (of.kind === "slot" && of.slot.kind === "inline") return of.slot.text;
  if (TEXT_PARAMS.includes(name)) {
    if (of.kind === "artifact" && of.artifact.kind === "file") return of.artifact.text;
    if (of.kind === "slot") return of.slot.text;
    if (of.kind === "file") return of.file.text;
  }
  return jsonText(value);
}

function attachmentsOf({ of, isWhole, value }: Found): Json[] {
  if (isJsonList(value)) return [...value];
  if (!isWhole || of.kind === "other" || of.kind === "sources" || of.kind === "file") return [value];
  const { path, filename, mime, text } = of.kind === "artifact" ? of.artifact : of.slot;
  return [{ path, filename, mime, text }];
}

/** Each address once. Sids of the pool stay what they are; a row that the caller wrote may get another one. */
function mergedSources(contents: ContextContents, base: Json | undefined, parts: readonly Found[]): Json {
  const pool = new SourcePool();
  const own = isJsonList(base) ? base.filter(isJsonRecord) : [];
  const fromPool = parts.flatMap(({ sids }) => sids.flatMap((sid) => contents.sources.get(sid) ?? []));
  const rows: readonly Readonly<Record<string, Json>>[] = [...fromPool.map(sourceValue), ...parts.flatMap(rowsOf)];
  for (const row of rows) pool.add(row);
  for (const row of own) pool.add(row);
  return pool.rows.map((source: Source) => sourceValue(source));
}

/** Rows with an address in a value that is no pool's: a list that a program made, for instance. */
function rowsOf({ of, value }: Found): Readonly<Record<string, Json>>[] {
  if (of.kind === "sources") return [];
  if (of.kind === "artifact" && of.artifact.kind === "sources") return [];
  return isJsonList(value) ? value.filter(isJsonRecord).filter(({ url }) => typeof url === "string") : [];
}
