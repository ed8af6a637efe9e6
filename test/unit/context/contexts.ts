// Loaded before the first test, whose time it would otherwise take.
import "../../../src/context/react-context.js";

import { openContext, type ReactContext, type RegisteredCall } from "../../../src/context/index.js";
import type { Value } from "../../../src/protocol/index.js";
import { memoryStorage, type StorageBackend } from "../../../src/storage/index.js";

export const CONTRACT = {
  report: { type: "inline", format: "markdown", description: "What was found." },
  table: { type: "file", mime: "text/csv", filename_hint: "sales.csv", description: "Sales by month." },
};

/** A context with one turn that promises a report and a table. */
export async function newContext(storage: StorageBackend = memoryStorage()): Promise<ReactContext> {
  const context = await openContext({ storage, id: "talk" });
  await context.beginTurn({ id: "turn_1", prompt: "Sum up the sales.", contract: CONTRACT });
  return context;
}

/** What a tool returned, under one name. */
export function returned(
  value: Value,
  call: Partial<RegisteredCall> & { readonly name?: string } = {},
): RegisteredCall {
  const { name = "found", ...rest } = call;
  return {
    toolId: "look_up",
    outcome: { kind: "returned", value },
    expected: [{ name }],
    isProgram: false,
    isCitable: false,
    ...rest,
  };
}

export const ROWS = [
  { title: "One", url: "https://one.example/?utm_source=x", text: "first" },
  { title: "Two", url: "https://two.example/#top", text: "second" },
  { title: "Three", url: "http://host8080", text: "third" },
];

/** What a search returned. */
export function searched(name = "hits", rows: Value = ROWS): RegisteredCall {
  return returned(rows, { name, toolId: "web_search", isCitable: true });
}

/** What `codegen_python` returns for one file, and one text that may cite sources of the program's own counting. */
export function programResult({
  text = "All *well*.",
  pool = [] as Value[],
  error = null as Value,
  ofReport = {},
} = {}): RegisteredCall {
  const value = {
    ok: error === null,
    status: error === null ? "success" : "partial",
    error,
    summary: "Made 2 artifacts",
    items: [
      {
        artifact_id: "report",
        type: "inline",
        format: "markdown",
        description: "",
        status: "success",
        summary: "The report",
        output: { value: text, text },
        error: null,
        ...(pool.length === 0 ? {} : { sources_used: pool.map((_, index) => index + 1) }),
        ...ofReport,
      },
      {
        artifact_id: "table",
        type: "file",
        mime: "text/csv",
        description: "",
        status: "success",
        summary: "The table",
        output: { path: "table.csv", workspace_path: "codegen/cg-1/table.csv", size: 8, text: "month,sum" },
        error: null,
      },
    ],
    sources_pool: pool,
    warnings: [],
  };
  return returned(value, { toolId: "codegen_python", isProgram: true, callId: "call-7", round: 2 });
}
