import { parseTurnContract } from "../contract/index.js";
import type { Value } from "../protocol/index.js";
import { FORMAT, turnContractRecord, type ContextFile, type TurnRecord } from "./records.js";

/** What a turn begins with. */
export interface NewTurn {
  /** What the user said. */
  readonly prompt: string;
  /** What came with it. */
  readonly attachments?: readonly NewFile[];
  /** Slot → `{type: "inline", format, description}` or `{type: "file", mime, filename_hint, description}`. Default: said later. */
  readonly contract?: Value;
  /** `turn_` and letters, digits, `_` or `-`. Default: a new one. */
  readonly id?: string;
}

/** A file of a turn. What is not said is empty. */
export interface NewFile {
  readonly filename: string;
  /** By which paths name it. Default: the filename. */
  readonly name?: string;
  readonly mime?: string;
  /** Below `/workspace`. */
  readonly path?: string;
  readonly text?: string;
  readonly summary?: string;
}

/** A turn that begins now. @throws {ContractError} */
export function newTurn({ prompt, attachments = [], contract }: NewTurn, id: string, order: number): TurnRecord {
  return {
    record: FORMAT,
    id,
    order,
    startedAt: Date.now(),
    prompt,
    attachments: attachments.map(fileOf),
    completion: null,
    files: [],
    contract: contract === undefined ? null : turnContractRecord(parseTurnContract(contract)),
    slots: [],
    rounds: [],
    end: null,
  };
}

export function fileOf({
  filename,
  name = filename,
  mime = "",
  path = "",
  text = "",
  summary = "",
}: NewFile): ContextFile {
  return { name, filename, mime, path, text, summary };
}
