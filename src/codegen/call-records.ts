import type { Value } from "../protocol/index.js";
import type { ObserveTool } from "../session/index.js";

/** How a call of a program ended, as the page saw it. */
export type CallEnd =
  | { readonly kind: "pending" }
  | { readonly kind: "returned"; readonly value: Value }
  | { readonly kind: "failed"; readonly code: string; readonly message: string };

/** A call that a program made. */
export interface CallRecord {
  /** `web_search`, `github.get_repo`. */
  readonly toolId: string;
  /** `github_get_repo-0.json`: counted for each tool. */
  readonly file: string;
  /** Why the program says that it calls. */
  readonly description: string;
  readonly params: Readonly<Record<string, Value>>;
  readonly outcome: CallEnd;
}

/** The calls of a program in the order in which they began, noted by the page while they pass. */
export class CallRecords {
  readonly #records: CallRecord[] = [];
  readonly #counts = new Map<string, number>();
  #reason = "";

  get all(): readonly CallRecord[] {
    return [...this.#records];
  }

  /** The program said why it is about to make a call. */
  announce(reason: string): void {
    this.#reason = reason;
  }

  /** To be given to the child session. */
  readonly observe: ObserveTool = ({ name, arguments: params }) => {
    const count = this.#counts.get(name) ?? 0;
    this.#counts.set(name, count + 1);
    const file = `${name.replace(/[^A-Za-z0-9]/g, "_")}-${String(count)}.json`;
    const begun: CallRecord = { toolId: name, file, description: this.#reason, params, outcome: { kind: "pending" } };
    this.#reason = "";
    const at = this.#records.push(begun) - 1;
    return {
      returned: (value) => {
        this.#records[at] = { ...begun, outcome: { kind: "returned", value } };
      },
      failed: (error) => {
        const message = error instanceof Error ? error.message : String(error);
        const code = error instanceof Error ? error.name : "Error";
        this.#records[at] = { ...begun, outcome: { kind: "failed", code, message } };
      },
    };
  };

  /** `{tool_id: [file, …]}`. */
  static indexOf(records: readonly CallRecord[]): Record<string, readonly string[]> {
    const index = new Map<string, string[]>();
    for (const { toolId, file } of records) index.set(toolId, [...(index.get(toolId) ?? []), file]);
    return Object.fromEntries(index);
  }
}

/** A record as its file would hold it: `{description, in: {tool_id, params}, ret}`. */
export function recordContent({ toolId, description, params, outcome }: CallRecord): Value {
  return { description, in: { tool_id: toolId, params }, ret: returned(toolId, outcome) };
}

function returned(toolId: string, outcome: CallEnd): Value {
  if (outcome.kind === "pending") return null;
  if (outcome.kind === "failed") {
    const { code, message } = outcome;
    return { ok: false, error: { code, message, where: toolId, managed: true } };
  }
  const { value } = outcome;
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value) as Value;
  } catch {
    return value;
  }
}
