import type { Source, SourcePool } from "../codegen/index.js";
import type { StorageReadError } from "../storage/index.js";
import { isJsonList, isJsonRecord, parsedJson, type Json } from "./json-value.js";
import { isInSlice, parsePath, pathFault, type ContextPath, type PathFault, type SlotLeaf } from "./path-grammar.js";
import type { ContextArtifact, ContextFile, Slot, TurnRecord } from "./records.js";

/** One turn, as paths see it. */
export interface TurnContents {
  readonly record: TurnRecord;
  /** In the order in which they came. */
  readonly artifacts: readonly ContextArtifact[];
  /** Those that are stored and cannot be read, by `report@1`. */
  readonly damaged: ReadonlyMap<string, StorageReadError>;
}

/** What paths are looked up in. */
export interface ContextContents {
  readonly currentTurnId: string | null;
  /** An error where the turn is stored and cannot be read. */
  turn(id: string): TurnContents | StorageReadError | undefined;
  readonly sources: Pick<SourcePool, "rows" | "get">;
}

/** What is at a path. */
export interface Found {
  readonly kind: "found";
  /** As a program gets it. */
  readonly value: Json;
  readonly of: FoundThing;
  /** The whole thing, and not a leaf of it. */
  readonly isWhole: boolean;
  /** The sources that it rests on. */
  readonly sids: readonly number[];
}

export type FoundThing =
  | { readonly kind: "artifact"; readonly artifact: ContextArtifact }
  | { readonly kind: "slot"; readonly slot: Slot; readonly turnId: string }
  | { readonly kind: "file"; readonly file: ContextFile }
  | { readonly kind: "sources" }
  | { readonly kind: "other" };

/** Looks up a path. That nothing is there is an answer, never an exception. */
export function resolvePath(contents: ContextContents, given: unknown): Found | PathFault {
  const path = parsePath(given);
  return path.kind === "fault" ? path : resolveParsed(contents, path);
}

export function resolveParsed(contents: ContextContents, path: ContextPath): Found | PathFault {
  if (path.kind === "sources") {
    const { slice } = path;
    const rows = contents.sources.rows.filter(({ sid }) => slice === null || isInSlice(sid, slice));
    if (slice !== null && rows.length === 0) return pathFault("not_found", "The pool has none of these sources.");
    return found(rows.map(sourceValue), { kind: "sources" }, { sids: rows.map(({ sid }) => sid) });
  }
  const turn = findTurn(contents, path.turn);
  if (turn === undefined) return pathFault("unknown_turn_id", `There is no turn ${path.turn}.`);
  if (turn instanceof Error) return pathFault("tool_failure", turn.message);
  return new TurnLookup(contents, turn).at(path);
}

/** `current_turn`, `turn_<id>`, or the bare id. */
export function findTurn(contents: ContextContents, written: string): TurnContents | StorageReadError | undefined {
  const id = written === "current_turn" ? contents.currentTurnId : written;
  if (id === null) return undefined;
  return contents.turn(id) ?? contents.turn(`turn_${id}`);
}

/** `report@2` */
export function versionName({ id, version }: Pick<ContextArtifact, "id" | "version">): string {
  return `${id}@${String(version)}`;
}

/** The newest of an id, or the one of a version. */
export function findArtifact(
  artifacts: readonly ContextArtifact[],
  { id, version }: { readonly id: string; readonly version: number | null },
): ContextArtifact | undefined {
  return artifacts.findLast((artifact) => artifact.id === id && (version === null || artifact.version === version));
}

/** Follows steps into a value; texts that are JSON are opened on the way. */
function walkValue(value: Json, steps: readonly string[]): Json | undefined {
  let at: Json | undefined = value;
  for (const step of steps) {
    if (typeof at === "string") at = parsedJson(at);
    if (isJsonList(at)) at = /^\d{1,9}$/.test(step) ? at[Number(step)] : undefined;
    else if (isJsonRecord(at)) at = Object.hasOwn(at, step) ? at[step] : undefined;
    else return undefined;
  }
  return at;
}

export function sourceValue(source: Source): Readonly<Record<string, Json>> {
  return { ...source };
}

class TurnLookup {
  readonly #contents: ContextContents;
  readonly #turn: TurnContents;

  constructor(contents: ContextContents, turn: TurnContents) {
    this.#contents = contents;
    this.#turn = turn;
  }

  at(path: Exclude<ContextPath, { readonly kind: "sources" }>): Found | PathFault {
    const { record } = this.#turn;
    switch (path.kind) {
      case "turn":
        return found(this.#view());
      case "user":
        return found(this.#user());
      case "prompt":
        return found(record.prompt);
      case "assistant":
        return found({ completion: { text: record.completion } });
      case "completion":
        return record.completion === null
          ? pathFault("not_found", `The turn ${record.id} has no answer yet.`)
          : found(record.completion);
      case "attachments":
        return this.#file(record.attachments, path.rest);
      case "files":
        return this.#file(record.files, path.rest);
      case "slots":
        return found(this.#slots());
      case "slot":
        return this.#slot(path.name, path.leaf);
      case "artifacts":
        return found(this.#artifacts());
      case "artifact":
        return this.#artifact(path);
    }
  }

  #view(): Json {
    const { id, completion } = this.#turn.record;
    return {
      turn_id: id,
      user: this.#user(),
      assistant: { completion: { text: completion } },
      slots: this.#slots(),
      artifacts: this.#artifacts(),
    };
  }

  #user(): Json {
    const { prompt, attachments } = this.#turn.record;
    return { prompt: { text: prompt }, attachments: filesValue(attachments) };
  }

  #slots(): Json {
    return Object.fromEntries(this.#turn.record.slots.map((slot) => [slot.name, this.#slotValue(slot)]));
  }

  /** The newest version of each id. */
  #artifacts(): Json {
    return Object.fromEntries(this.#turn.artifacts.map((artifact) => [artifact.id, this.#artifactValue(artifact)]));
  }

  #slot(name: string, leaf: SlotLeaf | null): Found | PathFault {
    const { id, slots } = this.#turn.record;
    const slot = slots.find((each) => each.name === name);
    if (slot === undefined) return pathFault("not_found", `The turn ${id} has filled no slot ${name.slice(0, 100)}.`);
    const of: FoundThing = { kind: "slot", slot, turnId: id };
    if (leaf === null) return found(this.#slotValue(slot), of, { isWhole: true, sids: slot.sids });
    return leafOf(slot[leaf], { of, sids: slot.sids, where: `the slot ${name}`, leaf });
  }

  #artifact({ id, version, part }: Extract<ContextPath, { readonly kind: "artifact" }>): Found | PathFault {
    const { artifacts, damaged, record } = this.#turn;
    const artifact = findArtifact(artifacts, { id, version });
    const broken = version === null ? undefined : damaged.get(versionName({ id, version }));
    if (artifact === undefined) {
      if (broken !== undefined) return pathFault("tool_failure", broken.message);
      const lost = [...damaged].find(([name]) => version === null && name.startsWith(`${id}@`))?.[1];
      if (lost !== undefined) return pathFault("tool_failure", lost.message);
      const name = version === null ? id : versionName({ id, version });
      return pathFault("not_found", `The turn ${record.id} has no artifact ${name.slice(0, 100)}.`);
    }
    const of: FoundThing = { kind: "artifact", artifact };
    const { sids } = artifact;
    const where = `the artifact ${versionName(artifact)}`;
    switch (part.kind) {
      case "whole":
        return found(this.#artifactValue(artifact), of, { isWhole: true, sids });
      case "leaf":
        return leafOf(artifact[part.leaf], { of, sids, where, leaf: part.leaf });
      case "value": {
        const value = walkValue(artifact.value, part.steps);
        if (value !== undefined) return found(value, of, { sids });
        return pathFault("not_found", `The value of ${where} has no ${part.steps.join(".").slice(0, 200)}.`);
      }
      case "slice": {
        const wanted = sids.filter((sid) => isInSlice(sid, part.sids));
        if (wanted.length === 0) return pathFault("not_found", `None of these sources is in ${where}.`);
        return found(this.#rows(wanted), { kind: "sources" }, { sids: wanted });
      }
    }
  }

  /** By index or by name. Names may have dots: the longest one that is there counts. */
  #file(files: readonly ContextFile[], rest: readonly string[]): Found | PathFault {
    if (rest.length === 0) return found(filesValue(files));
    for (let length = rest.length; length > 0; length--) {
      const name = rest.slice(0, length).join(".");
      const file =
        files.find((each) => each.name === name) ?? (/^\d{1,4}$/.test(name) ? files[Number(name)] : undefined);
      if (file === undefined) continue;
      const of: FoundThing = { kind: "file", file };
      const [leaf, ...more] = rest.slice(length);
      if (leaf === undefined) return found({ ...file }, of, { isWhole: true });
      const leaves: Readonly<Record<string, string>> = file;
      const value = leaves[leaf];
      if (more.length > 0 || value === undefined || !Object.hasOwn(file, leaf)) break;
      return found(value, of);
    }
    const there = files.map(({ name }) => name).join(", ") || "none";
    return pathFault("not_found", `There is no file ${rest.join(".").slice(0, 200)}; there are: ${there}.`);
  }

  #slotValue(slot: Slot): Json {
    const { name, kind, resourceId, text, summary, description, draft, gaps, sids, mappedFrom, mappedArtifactId } =
      slot;
    return {
      name,
      type: kind,
      resource_id: resourceId,
      ...present({ format: slot.format, mime: slot.mime, path: slot.path, filename: slot.filename }),
      text,
      summary,
      description,
      draft,
      ...present({ gaps }),
      sources_used: this.#rows(sids),
      mapped_from: mappedFrom,
      mapped_artifact_id: mappedArtifactId,
    };
  }

  #artifactValue(artifact: ContextArtifact): Json {
    const { id, version, kind, text, value, summary, description, draft, gaps, sids, error, provenance } = artifact;
    return {
      artifact_id: id,
      version,
      type: kind,
      ...present({
        format: artifact.format,
        mime: artifact.mime,
        path: artifact.path,
        filename: artifact.filename,
        size: artifact.size,
      }),
      text,
      value,
      summary,
      description,
      draft,
      ...present({ gaps, error: error === null ? null : { ...error } }),
      sources_used: this.#rows(sids),
      tool_id: provenance.toolId,
      tool_call_id: provenance.callId,
      timestamp: new Date(artifact.time).toISOString(),
    };
  }

  #rows(sids: readonly number[]): Json {
    return sids.flatMap((sid): Json[] => {
      const source = this.#contents.sources.get(sid);
      return source === undefined ? [] : [sourceValue(source)];
    });
  }
}

function found(
  value: Json,
  of: FoundThing = { kind: "other" },
  { isWhole = false, sids = [] }: { readonly isWhole?: boolean; readonly sids?: readonly number[] } = {},
): Found {
  return { kind: "found", value, of, isWhole, sids };
}

function leafOf(
  value: string | null,
  { of, sids, where, leaf }: { of: FoundThing; sids: readonly number[]; where: string; leaf: SlotLeaf },
): Found | PathFault {
  if (value === null) return pathFault("not_found", `There is no ${leaf} in ${where}.`);
  return found(value, of, { sids });
}

function present(fields: Readonly<Record<string, Json>>): Record<string, Json> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

function filesValue(files: readonly ContextFile[]): Json {
  return files.map((file) => ({ ...file }));
}
