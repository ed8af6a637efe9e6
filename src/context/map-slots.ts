import { ascending, citedSids } from "../codegen/index.js";
import { contractMismatch, type SlotSpec, type TurnContract } from "../contract/index.js";
import { pathFault as fileFault } from "../storage/index.js";
import { nameOf } from "./artifacts-of-result.js";
import { isJsonRecord, jsonText, type Json } from "./json-value.js";
import { parsePath } from "./path-grammar.js";
import type { ContextArtifact, Slot } from "./records.js";
import {
  findArtifact,
  findTurn,
  resolveParsed,
  versionName,
  type ContextContents,
  type Found,
} from "./resolve-path.js";

/** A slot that is to be filled with what is at a path. */
export interface SlotMapping {
  readonly slotName: string;
  readonly sourcePath: string;
  /** What is there is not finished. A text may then stand for a file. */
  readonly draft?: boolean;
  /** What is missing in it. */
  readonly gaps?: string;
}

/** Why a slot was not filled. */
export type MappingRefusal =
  | "missing_slot_or_path"
  /** The contract has no such slot. */
  | "unknown_slot"
  /** The round itself is about to make it. */
  | "future_artifact"
  /** It was not there when the round began. */
  | "not_in_round_snapshot"
  /** It was there, and nothing can be taken from it. */
  | "not_resolvable_now"
  | "artifact_not_compatible_file"
  | "artifact_not_found_or_not_object";

/** What became of the wish to fill a slot. */
export type MappingOutcome =
  | { readonly kind: "applied"; readonly mapping: SlotMapping; readonly slot: Slot }
  | {
      readonly kind: "refused";
      readonly mapping: SlotMapping;
      readonly reason: MappingRefusal;
      readonly message: string;
    };

/** What was there when a round began: `turn_1.report@2`. */
export type ArtifactSnapshot = ReadonlySet<string>;

export interface MappingOptions {
  readonly contract: TurnContract;
  /** Default: whatever there is now. */
  readonly snapshot?: ArtifactSnapshot;
  /** Artifacts that the round is about to make, by the names that were written for them. */
  readonly future?: readonly string[];
  readonly round: number | null;
}

export function snapshotOf(artifacts: Iterable<ContextArtifact>): ArtifactSnapshot {
  return new Set(Array.from(artifacts, (artifact) => `${artifact.turnId}.${versionName(artifact)}`));
}

/** Finds out what a slot would be filled with, or why it is not. Nothing is changed. */
export function mapSlot(contents: ContextContents, mapping: SlotMapping, options: MappingOptions): MappingOutcome {
  const { slotName, sourcePath } = mapping;
  const refused = (reason: MappingRefusal, message: string): MappingOutcome => {
    return { kind: "refused", mapping, reason, message };
  };
  if (slotName.trim() === "" || sourcePath.trim() === "") {
    return refused("missing_slot_or_path", "A mapping needs slot_name and source_path.");
  }
  const spec = options.contract.get(slotName);
  if (spec === undefined) {
    const names = [...options.contract.keys()].join(", ") || "none";
    return refused("unknown_slot", `The contract has no slot ${slotName.slice(0, 100)}; it has: ${names}.`);
  }
  const path = parsePath(sourcePath);
  if (path.kind === "fault") return refused("not_resolvable_now", path.message);
  if (path.kind === "artifact") {
    const untimely = notYet(contents, path, options);
    if (untimely !== null) return refused(untimely.reason, untimely.message);
  }
  const at = resolveParsed(contents, path);
  if (at.kind === "fault") return refused("not_resolvable_now", at.message);
  if (at.of.kind === "artifact" && at.of.artifact.error !== null && mapping.draft !== true) {
    const { error } = at.of.artifact.error;
    return refused(
      "not_resolvable_now",
      `${sourcePath} cannot be used (${error}); map it with draft, or make it anew.`,
    );
  }
  const filling = spec.type === "inline" ? inlineFilling(at) : fileFilling(at, mapping);
  if (typeof filling === "string") return refused(filling, REFUSALS[filling]);
  return { kind: "applied", mapping, slot: slotOf(mapping, { spec, at, filling, round: options.round }) };
}

type Untimely = { readonly reason: MappingRefusal; readonly message: string } | null;

function notYet(
  contents: ContextContents,
  path: { readonly turn: string; readonly id: string; readonly version: number | null },
  { snapshot, future = [] }: MappingOptions,
): Untimely {
  const turn = findTurn(contents, path.turn);
  if (turn === undefined || turn instanceof Error) return null;
  const isCurrent = turn.record.id === contents.currentTurnId;
  if (isCurrent && path.version === null && future.some((name) => nameOf(name) === path.id)) {
    const message = `${path.id} is what this round makes; map it in the next one, or name an older version: ${path.id}@1.`;
    return { reason: "future_artifact", message };
  }
  const artifact = findArtifact(turn.artifacts, path);
  const isThere = artifact !== undefined && snapshot?.has(`${turn.record.id}.${versionName(artifact)}`) !== false;
  if (isThere || [...turn.damaged.keys()].some((name) => name.startsWith(`${path.id}@`))) return null;
  return { reason: "not_in_round_snapshot", message: `There was no ${path.id} when the round began.` };
}

/** What goes into a slot. */
interface Filling {
  readonly text: string;
  readonly path: string | null;
  readonly filename: string | null;
  readonly mime: string | null;
  readonly format: string | null;
}

const REFUSALS = {
  artifact_not_compatible_file: "The slot wants a file, and this is none. Map a file, or say draft.",
  artifact_not_found_or_not_object: "The slot wants a file, and there is neither a file nor a text here.",
} as const;

function inlineFilling(at: Found): Filling {
  const { of, isWhole, value } = at;
  const format = of.kind === "artifact" ? of.artifact.format : of.kind === "slot" ? of.slot.format : null;
  if (isWhole && of.kind === "artifact") return inline(of.artifact.text, format);
  if (isWhole && of.kind === "slot") return inline(of.slot.text, format);
  if (isWhole && of.kind === "file") return inline(of.file.text, null);
  return inline(objectText(value), format);
}

function inline(text: string, format: string | null): Filling {
  return { text, path: null, filename: null, mime: null, format };
}

/** Of an object what it calls its text. */
function objectText(value: Json): string {
  if (!isJsonRecord(value)) return jsonText(value);
  const text = [value.text, value.content, value.value].find((each) => typeof each === "string");
  return typeof text === "string" ? text : jsonText(value);
}

function fileFilling(at: Found, { draft = false }: SlotMapping): Filling | keyof typeof REFUSALS {
  const { of, isWhole, value } = at;
  if (isWhole && of.kind === "file") return { ...of.file, format: null };
  const file = isWhole && of.kind === "artifact" ? of.artifact : isWhole && of.kind === "slot" ? of.slot : null;
  if (file?.kind === "file" && file.path !== null && (file.path !== "" || draft)) {
    return { text: file.text, path: file.path, filename: file.filename, mime: file.mime, format: null };
  }
  const stated = statedFile(file === null ? value : of.kind === "artifact" ? of.artifact.value : null);
  if (stated !== null) return stated;
  const text = file === null ? (typeof value === "string" ? value : null) : file.text;
  if (draft && text !== null) return { text, path: "", filename: null, mime: null, format: null };
  return text === null && !isJsonRecord(value) ? "artifact_not_found_or_not_object" : "artifact_not_compatible_file";
}

/** `{type: "file", path, text}`, itself or under `value`. */
function statedFile(value: Json): Filling | null {
  if (!isJsonRecord(value)) return null;
  const { type, path, text = "", mime = null, filename = null } = value;
  if (type === "file" && typeof path === "string" && fileFault(path) === null) {
    return {
      text: typeof text === "string" ? text : jsonText(text),
      path,
      filename: typeof filename === "string" ? filename : null,
      mime: typeof mime === "string" ? mime : null,
      format: null,
    };
  }
  return value.value === undefined ? null : statedFile(value.value);
}

interface SlotParts {
  readonly spec: SlotSpec;
  readonly at: Found;
  readonly filling: Filling;
  readonly round: number | null;
}

function slotOf({ slotName, sourcePath, draft = false, gaps }: SlotMapping, parts: SlotParts): Slot {
  const { spec, at, filling, round } = parts;
  const artifact = at.of.kind === "artifact" ? at.of.artifact : null;
  const from = artifact ?? (at.of.kind === "slot" ? at.of.slot : null);
  const isFile = spec.type === "file";
  return {
    name: slotName,
    kind: spec.type,
    resourceId: `slot:${slotName}`,
    // The contract wins.
    format: isFile ? null : spec.format,
    mime: isFile ? spec.mime : null,
    text: filling.text,
    path: isFile ? (filling.path ?? "") : null,
    filename: isFile ? (filling.filename ?? (spec.filenameHint === "" ? null : spec.filenameHint)) : null,
    summary: from?.summary ?? "",
    description: spec.description,
    draft: draft || (from?.draft ?? false),
    gaps: gaps ?? from?.gaps ?? null,
    // What the text cites counts as much as what its maker said.
    sids: ascending([...at.sids, ...citedSids(filling.text)]),
    warnings: isFile ? contractMismatch(spec.mime, filling.mime) : contractMismatch(spec.format, filling.format),
    mappedFrom: sourcePath,
    mappedArtifactId: artifact === null ? null : versionName(artifact),
    provenance: artifact?.provenance ?? (at.of.kind === "slot" ? at.of.slot.provenance : null),
    round,
    time: Date.now(),
  };
}
