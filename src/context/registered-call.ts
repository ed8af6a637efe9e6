import type { Value } from "../protocol/index.js";
import type { ReadResult, ToolResult } from "./artifacts-of-result.js";
import { storedParams } from "./json-value.js";
import type { ContextArtifact, LineageEntry } from "./records.js";
import type { TurnContents } from "./resolve-path.js";

/** What a call of a tool came to, and how it was made. */
export interface RegisteredCall extends ToolResult {
  readonly params?: Readonly<Record<string, Value>>;
  /** The journal's entry of the call. */
  readonly callId?: string;
  /** Those of the calls that were made in its course. */
  readonly innerCallIds?: readonly string[];
  readonly lineage?: readonly LineageEntry[];
  readonly round?: number;
}

/** What was kept of the result of a call. */
export interface Registration extends Omit<ReadResult, "artifacts"> {
  readonly artifacts: readonly ContextArtifact[];
}

/** What a call made in a turn, as it is kept: of an id that is there already a new version, and after all others in order. */
export function artifactsOfCall(
  call: RegisteredCall,
  drafts: ReadResult["artifacts"],
  turn: TurnContents,
): ContextArtifact[] {
  const made: ContextArtifact[] = [];
  const { id: turnId } = turn.record;
  for (const [item, draft] of drafts.entries()) {
    const earlier = [...turn.artifacts, ...made].filter(({ id }) => id === draft.id);
    const lost = [...turn.damaged.keys()].filter((name) => name.startsWith(`${draft.id}@`));
    const taken = [...earlier.map(({ version }) => version), ...lost.map((name) => Number(name.split("@")[1]))];
    const version = Math.max(0, ...taken) + 1;
    const order = Math.max(0, ...turn.artifacts.map((artifact) => artifact.order)) + 1 + item;
    made.push({ ...draft, turnId, version, order, provenance: provenanceOf(call, item), time: Date.now() });
  }
  return made;
}

function provenanceOf(call: RegisteredCall, item: number): ContextArtifact["provenance"] {
  const { toolId, callId = null, innerCallIds = [], params = {}, lineage = [], round = null } = call;
  return {
    toolId,
    callId,
    innerCallIds: [...innerCallIds],
    params: storedParams(params),
    item,
    round,
    lineage: [...lineage],
  };
}
