import type { Json } from "./json-value.js";

/** Sids of sources: single ones, and ranges of which both ends count. */
export type SidSlice = readonly (readonly [from: number, to: number])[];

/** What a path names. `turn` is as it was written: `current_turn`, `turn_1`, a bare id. */
export type ContextPath =
  | { readonly kind: "sources"; readonly slice: SidSlice | null }
  | { readonly kind: "turn"; readonly turn: string }
  | { readonly kind: "user" | "prompt" | "assistant" | "completion"; readonly turn: string }
  /** `rest` is a name, which may have dots in it, and perhaps a leaf; empty for all of them. */
  | { readonly kind: "attachments" | "files"; readonly turn: string; readonly rest: readonly string[] }
  | { readonly kind: "slots"; readonly turn: string }
  | { readonly kind: "slot"; readonly turn: string; readonly name: string; readonly leaf: SlotLeaf | null }
  | { readonly kind: "artifacts"; readonly turn: string }
  | {
      readonly kind: "artifact";
      readonly turn: string;
      readonly id: string;
      /** Null for the newest one. */
      readonly version: number | null;
      readonly part: ArtifactPart;
    };

export type ArtifactPart =
  | { readonly kind: "whole" }
  | { readonly kind: "slice"; readonly sids: SidSlice }
  | { readonly kind: "leaf"; readonly leaf: SlotLeaf }
  /** Below `.value`; empty for the value itself. */
  | { readonly kind: "value"; readonly steps: readonly string[] };

const LEAVES = ["text", "summary", "path", "format", "mime", "filename"] as const;
export type SlotLeaf = (typeof LEAVES)[number];

export type PathFaultCode =
  | "invalid_path_empty"
  /** It is no path at all, but a text. */
  | "invalid_path_literal"
  | "unknown_turn_id"
  | "not_found"
  /** Slots have no `.value`. */
  | "invalid_slot_value_access"
  | "invalid_slot_leaf"
  /** A record that cannot be read. */
  | "tool_failure";

/** Why there is nothing at a path. */
export interface PathFault {
  readonly kind: "fault";
  readonly code: PathFaultCode;
  readonly message: string;
  readonly details?: Json;
}

const LONGEST = 1_000;
const SECTIONS = ["user", "assistant", "slots", "artifacts", "files"] as const;

/** Reads a path. What is none is a fault, never an exception. */
export function parsePath(given: unknown): ContextPath | PathFault {
  if (typeof given !== "string" || given.trim() === "") return pathFault("invalid_path_empty", "The path is empty.");
  const path = given.trim();
  if (path.length > LONGEST || /[\n\r]/.test(path)) {
    return pathFault("invalid_path_literal", `This is a text, not a path: ${shown(path)}`);
  }
  const pool = /^sources_pool(\[.*\])?$/.exec(path);
  if (pool !== null) return sourcesPath(path, pool[1]);
  const [turn = "", section, ...rest] = path.split(".");
  if (!/^\w[\w-]*$/.test(turn)) return pathFault("invalid_path_literal", `This is no path: ${shown(path)}`);
  if (rest.includes("") || section === "") return nothing(path, "a name between two dots is missing");
  switch (section) {
    case undefined:
      return { kind: "turn", turn };
    case "user":
      return userPath(path, turn, rest);
    case "assistant":
      return assistantPath(path, turn, rest);
    case "files":
      return { kind: "files", turn, rest };
    case "slots":
      return slotPath(turn, rest);
    case "artifacts":
      return artifactPath(path, turn, rest);
    default:
      return nothing(path, `a turn has ${SECTIONS.join(", ")}`);
  }
}

export function pathFault(code: PathFaultCode, message: string, details?: Json): PathFault {
  return { kind: "fault", code, message, ...(details === undefined ? {} : { details }) };
}

/** Whether a sid is in a slice. */
export function isInSlice(sid: number, slice: SidSlice): boolean {
  return slice.some(([from, to]) => sid >= from && sid <= to);
}

function sourcesPath(path: string, brackets: string | undefined): ContextPath | PathFault {
  if (brackets === undefined) return { kind: "sources", slice: null };
  const slice = readSlice(brackets);
  return slice === null ? nothing(path, BAD_SLICE) : { kind: "sources", slice };
}

function userPath(path: string, turn: string, [part, ...rest]: readonly string[]): ContextPath | PathFault {
  if (part === undefined) return { kind: "user", turn };
  if (part === "attachments") return { kind: "attachments", turn, rest };
  if (part === "prompt" && (rest.length === 0 || (rest.length === 1 && rest[0] === "text"))) {
    return { kind: "prompt", turn };
  }
  return nothing(path, "below user there are prompt.text and attachments");
}

function assistantPath(path: string, turn: string, [part, ...rest]: readonly string[]): ContextPath | PathFault {
  if (part === undefined) return { kind: "assistant", turn };
  if (part === "completion" && (rest.length === 0 || (rest.length === 1 && rest[0] === "text"))) {
    return { kind: "completion", turn };
  }
  return nothing(path, "below assistant there is completion.text");
}

/** What is written below a leaf is cut off. */
function slotPath(turn: string, [name, leaf]: readonly string[]): ContextPath | PathFault {
  if (name === undefined) return { kind: "slots", turn };
  if (leaf === undefined) return { kind: "slot", turn, name, leaf: null };
  if (leaf === "value") {
    return pathFault("invalid_slot_value_access", `A slot has no .value; slots.${name}.text is what it says.`);
  }
  const found = LEAVES.find((known) => known === leaf);
  if (found !== undefined) return { kind: "slot", turn, name, leaf: found };
  const message = `A slot has no .${leaf.slice(0, 100)}; it has ${LEAVES.join(", ")}.`;
  return pathFault("invalid_slot_leaf", message, { allowed: [...LEAVES] });
}

function artifactPath(path: string, turn: string, [head, leaf, ...steps]: readonly string[]): ContextPath | PathFault {
  if (head === undefined) return { kind: "artifacts", turn };
  const match = /^([^@[\]]+)(?:@([1-9]\d{0,8}))?(\[.*\])?$/.exec(head);
  const [, id, version, brackets] = match ?? [];
  if (id === undefined) return nothing(path, "an artifact is named by its id, and perhaps a version: report@2");
  const artifact = { kind: "artifact", turn, id, version: version === undefined ? null : Number(version) } as const;
  if (brackets !== undefined) {
    const sids = readSlice(brackets);
    if (sids === null || leaf !== undefined) return nothing(path, BAD_SLICE);
    return { ...artifact, part: { kind: "slice", sids } };
  }
  if (leaf === undefined) return { ...artifact, part: { kind: "whole" } };
  if (leaf === "value") return { ...artifact, part: { kind: "value", steps } };
  const found = LEAVES.find((known) => known === leaf);
  if (found === undefined || steps.length > 0) {
    return nothing(path, `an artifact has ${LEAVES.join(", ")}, and what is below value`);
  }
  return { ...artifact, part: { kind: "leaf", leaf: found } };
}

const BAD_SLICE = "sids are written as [1,3] or [2:5], and nothing follows them";

/** `[1,3]`, `[2:5]`, `[1,4:6]`; null for anything else. */
function readSlice(brackets: string): SidSlice | null {
  const ends: [number, number][] = [];
  for (const part of brackets.slice(1, -1).split(",")) {
    const [, from, to = from] = /^\s*(\d{1,9})\s*(?::\s*(\d{1,9})\s*)?$/.exec(part) ?? [];
    if (from === undefined || to === undefined) return null;
    ends.push([Number(from), Number(to)]);
  }
  return ends;
}

function nothing(path: string, reason: string): PathFault {
  return pathFault("not_found", `There is nothing at ${shown(path)}: ${reason}.`);
}

function shown(path: string): string {
  return JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path);
}
