import { messageOf, type TrustLevel } from "../../protocol/index.js";
import type { Workspace } from "../../workspace/index.js";
import { jsonOf } from "../plain-json.js";
import { CallRecords, recordContent } from "./call-records.js";

/** Of a program's level: what tools returned to it may say anything, so a session of another level asks before it gets it. */
const TRUST: TrustLevel = "sandboxed";

/**
 * Keeps the calls of a run where its files are: `tool_calls/web_search-0.json`, and `tool_calls/tool_calls_index.json`.
 *
 * @returns what is worth a warning.
 */
export async function keepCallRecords(workspace: Workspace, runId: string, records: CallRecords): Promise<string[]> {
  const { all } = records;
  if (all.length === 0) return [];
  const file = (name: string, text: string): { readonly path: string; readonly content: Uint8Array<ArrayBuffer> } => ({
    path: `codegen/${runId}/tool_calls/${name}`,
    content: new TextEncoder().encode(text),
  });
  try {
    const { problems } = await workspace
      .mirror(TRUST)
      .applyChanges([
        file("tool_calls_index.json", jsonOf(CallRecords.indexOf(all))),
        ...all.map((record) => file(record.file, jsonOf(recordContent(record)))),
      ]);
    return problems.slice(0, 1).map(({ message }) => `calls_not_kept: ${message}`);
  } catch (error) {
    return [`calls_not_kept: ${messageOf(error)}`];
  }
}
