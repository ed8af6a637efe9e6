import { summarize, summarizeText } from "../../dispatch/index.js";
import { isRecord, jsonIn, messageOf, valueSize, type Value } from "../../protocol/index.js";
import type { ObserveTool } from "../../session/index.js";

/**
 * Bytes of arguments and results that are kept whole, of all calls of a run together. They become files of the
 * workspace, which every interpreter after it loads.
 */
const MOST_WHOLE = 4 * 1024 ** 2;
/** Bytes of summaries beyond that. */
const MOST_SUMMARIES = 1024 ** 2;
/** In place of what finds no room even as a summary. */
const LEFT_OUT = "… [left out]";

/** How a call of a program ended, as the page saw it. */
export type CallEnd =
  | { readonly kind: "pending" }
  | { readonly kind: "returned"; readonly value: Value }
  | { readonly kind: "failed"; readonly code: string; readonly message: string };

/** A call that a program made. */
export interface CallRecord {
  /** `web_search`, `github.get_repo`. */
  readonly toolId: string;
  /** `github_get_repo-0.json`: of this call alone, counted for each tool. */
  readonly file: string;
  /** Why the program says that it calls. */
  readonly description: string;
  readonly params: Readonly<Record<string, Value>>;
  readonly outcome: CallEnd;
  /** Whether arguments or result are a summary, or left out, because the run's records have grown too large. */
  readonly abridged: boolean;
}

export interface RecordLimits {
  /** Bytes that are kept whole. Default 4 MB. */
  readonly whole?: number;
  /** Bytes of summaries beyond that. Default 1 MB. */
  readonly summaries?: number;
}

/** The calls of a program in the order in which they began, noted by the page while they pass. */
export class CallRecords {
  readonly #records: CallRecord[] = [];
  readonly #counts = new Map<string, number>();
  #wholeRoom: number;
  #summaryRoom: number;
  #reason = "";

  constructor({ whole = MOST_WHOLE, summaries = MOST_SUMMARIES }: RecordLimits = {}) {
    this.#wholeRoom = whole;
    this.#summaryRoom = summaries;
  }

  /** How many records hold less than the call had. */
  get abridged(): number {
    return this.#records.filter(({ abridged }) => abridged).length;
  }

  get all(): readonly CallRecord[] {
    return [...this.#records];
  }

  /** The program said why it is about to make a call. */
  announce(reason: string): void {
    this.#reason = reason;
  }

  /** To be given to the child session. */
  readonly observe: ObserveTool = ({ name, arguments: params }) => {
    // By what is left of the name: `a-b` and `a_b` are one there.
    const stem = name.replace(/[^A-Za-z0-9]/g, "_");
    const count = this.#counts.get(stem) ?? 0;
    this.#counts.set(stem, count + 1);
    const file = `${stem}-${String(count)}.json`;
    const kept = this.#keep(params);
    const begun: CallRecord = {
      toolId: name,
      file,
      description: this.#reason,
      params: isRecord(kept.value) ? kept.value : { "…": LEFT_OUT },
      outcome: { kind: "pending" },
      abridged: kept.abridged,
    };
    this.#reason = "";
    const at = this.#records.push(begun) - 1;
    const end = (outcome: CallEnd, abridged: boolean): void => {
      this.#records[at] = { ...begun, outcome, abridged: begun.abridged || abridged };
    };
    return {
      returned: (result) => {
        const { value, abridged } = this.#keep(result);
        end({ kind: "returned", value }, abridged);
      },
      failed: (error) => {
        const message = messageOf(error);
        const code = error instanceof Error ? error.name : "Error";
        end({ kind: "failed", code, message: summarizeText(message) }, false);
      },
    };
  };

  #keep(value: Value): { readonly value: Value; readonly abridged: boolean } {
    const size = valueSize(value, this.#wholeRoom);
    if (size <= this.#wholeRoom) {
      this.#wholeRoom -= size;
      return { value, abridged: false };
    }
    const summary = summarize(value);
    const summarySize = valueSize(summary, this.#summaryRoom);
    if (summarySize > this.#summaryRoom) return { value: LEFT_OUT, abridged: true };
    this.#summaryRoom -= summarySize;
    return { value: summary, abridged: true };
  }

  /** `{tool_id: [file, …]}`. */
  static indexOf(records: readonly CallRecord[]): Record<string, readonly string[]> {
    const index = new Map<string, string[]>();
    for (const { toolId, file } of records) index.set(toolId, [...(index.get(toolId) ?? []), file]);
    return Object.fromEntries(index);
  }
}

/** A record as its file holds it: `{description, in: {tool_id, params}, ret}`, with `abridged` where it is. */
export function recordContent({ toolId, description, params, outcome, abridged }: CallRecord): Value {
  const content = { description, in: { tool_id: toolId, params }, ret: returned(toolId, outcome) };
  return abridged ? { ...content, abridged } : content;
}

function returned(toolId: string, outcome: CallEnd): Value {
  if (outcome.kind === "pending") return null;
  if (outcome.kind === "failed") {
    const { code, message } = outcome;
    return { ok: false, error: { code, message, where: toolId, managed: true } };
  }
  const { value } = outcome;
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
  const json = jsonIn(value);
  return json === undefined ? value : json;
}
