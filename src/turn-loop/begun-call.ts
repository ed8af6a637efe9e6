import type { CallJournal } from "../agent/index.js";
import type { ContextArtifact, ReactContext, Registration, RoundNote, ToolOutcome } from "../context/index.js";
import type { JournalEntry } from "../dispatch/index.js";

/** Entries of the journal that are looked at. */
const MOST_ENTRIES = 5000;
/** Calls in the course of it that are named. */
const MOST_NAMED = 20;

/**
 * Keeps what became of a call that was under way when the page went, as far as the journal knows: what it was to make is
 * there as failed, and it is not called again. Null where the round has no such call, or what came of it was kept and only
 * the note of its end was not.
 *
 * @throws {StorageError} when it could not be kept.
 */
export async function settleBegunCall(
  context: ReactContext,
  { begun, toolId, ...round }: RoundNote,
  journal: CallJournal | undefined,
): Promise<Registration | null> {
  if (begun === undefined || toolId === null) return null;
  // A round makes one call, so whatever came of the round came of it.
  const kept = context.currentTurn?.artifacts.filter(({ provenance }) => provenance.round === round.number) ?? [];
  if (kept.length > 0) {
    const callId = kept[0]?.provenance.callId ?? null;
    await context.noteRound({ ...round, toolId, callId, artifacts: kept.map(versionName) });
    return null;
  }
  const entries = ((await journal?.list({ limit: MOST_ENTRIES })) ?? []).filter(
    ({ namespace }) => namespace !== "runs",
  );
  const call = entries
    .filter(({ runId, parent, startedAt }) => runId === begun.runId && parent === null && startedAt >= round.time)
    .at(-1);
  const inner = call === undefined ? [] : below(call, entries);
  const registration = await context.registerResult({
    toolId,
    outcome: outcomeOf(call, inner),
    expected: begun.expected,
    isProgram: false,
    isCitable: false,
    params: begun.params,
    ...(call === undefined ? {} : { callId: call.id }),
    innerCallIds: inner.map(({ id }) => id),
    lineage: begun.lineage,
    round: round.number,
  });
  await context.noteRound({
    ...round,
    toolId,
    callId: call?.id ?? null,
    artifacts: registration.artifacts.map(versionName),
  });
  return registration;
}

function versionName({ id, version }: ContextArtifact): string {
  return `${id}@${String(version)}`;
}

function outcomeOf(call: JournalEntry | undefined, inner: readonly JournalEntry[]): ToolOutcome & { kind: "failed" } {
  if (call?.outcome.kind === "error") {
    return { kind: "failed", code: call.outcome.code, message: call.outcome.message };
  }
  const calls = inner.slice(0, MOST_NAMED).map((entry) => `${entry.name} (${isUnknown(entry) ? "unknown" : "ended"})`);
  const more = inner.length > MOST_NAMED ? ` and ${String(inner.length - MOST_NAMED)} more` : "";
  const nested = inner.length === 0 ? "" : ` Calls in its course: ${calls.join(", ")}${more}.`;
  if (call?.outcome.kind === "ok") {
    const message = `The call ended well, and the page went before its result was kept.${nested} What it changed stays.`;
    return { kind: "failed", code: "RESULT_LOST", message };
  }
  const message = `The page went while the call was under way. It may have taken effect: look before you make it again.${nested}`;
  return { kind: "failed", code: "OUTCOME_UNKNOWN", message };
}

function isUnknown({ outcome }: JournalEntry): boolean {
  return outcome.kind === "pending" || outcome.kind === "unknown";
}

/** The calls in the course of one, at whatever depth, in the order of the journal. */
function below(call: JournalEntry, entries: readonly JournalEntry[]): JournalEntry[] {
  const known = new Set([call.id]);
  return entries.filter(({ id, parent }) => {
    const isBelow = parent !== null && known.has(parent);
    if (isBelow) known.add(id);
    return isBelow;
  });
}
