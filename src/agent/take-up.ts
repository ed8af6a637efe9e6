import type { JournalEntry } from "../dispatch/index.js";
import type { ModelMessage } from "../model/index.js";
import type { ConversationItem } from "./conversation.js";
import type { AgentStep, InterruptedStep, TaskStarted } from "./events.js";
import { SavedTaskError } from "./saved/errors.js";
import type { SavedTask } from "./saved/saved-task.js";
import { TaskStory, type BegunStep } from "./saved/task-story.js";

/** Where calls are noted; the journal of a session is one. */
export interface CallJournal {
  list(options?: { readonly limit?: number }): Promise<readonly JournalEntry[]>;
}

/** What a task was before it goes on. */
export interface ResumedTask {
  readonly started: TaskStarted;
  readonly steps: readonly AgentStep[];
  /** What was said until then, without the step that was interrupted. */
  readonly items: readonly ConversationItem[];
  /** What the person said and the model has not been told. */
  readonly unheard: readonly string[];
  /** The model's reply in the step that was interrupted, where it was whole. */
  readonly reply: ModelMessage | null;
  /**
   * Looks up what became of the step that had begun; null where none had.
   *
   * @param journal - where calls of the task were noted, which knows more than its events do.
   */
  interrupted(journal: CallJournal | null): Promise<InterruptedStep | null>;
  /** What the model is told of it; null when there is nothing to tell. */
  observe(interrupted: InterruptedStep | null, gone: readonly string[]): string | null;
}

/** Entries of the journal that are looked at: a step makes fewer calls. */
const MOST_ENTRIES = 5000;
/** Calls that the model is told of, and characters of what it is told of one, of what was printed, and of names. */
const MOST_CALLS = 50;
const LONGEST_CALL = 600;
const LONGEST_PRINTED = 4000;
const MOST_NAMES = 200;

/** @throws {SavedTaskError} for one whose beginning is missing. */
export function resumedTask({ taskId, events }: SavedTask): ResumedTask {
  const started = events.filter((event) => event.type === "task-started").find((event) => event.taskId === taskId);
  if (started === undefined) throw new SavedTaskError("its beginning is missing");
  const story = new TaskStory(started);
  for (const event of events) story.add(event);
  const { begun } = story;
  return {
    started,
    steps: story.steps,
    items: story.conversation,
    unheard: story.unheard,
    reply: begun?.reply ?? null,
    interrupted: async (journal) => (begun === null ? null : sorted(begun, await callsOf(begun, journal))),
    observe: (interrupted, gone) => observation(begun, interrupted, gone),
  };
}

/** The calls of the step, by the journal where it knows them. */
async function callsOf(begun: BegunStep, journal: CallJournal | null): Promise<readonly JournalEntry[]> {
  const known = new Map(begun.calls);
  const runs = new Set([begun.runId, ...Array.from(begun.calls.values(), ({ runId }) => runId)]);
  for (const entry of (await journal?.list({ limit: MOST_ENTRIES })) ?? []) {
    // What a call of the step set going is noted below it, under a run of its own.
    const isOfStep = runs.has(entry.runId) || (entry.parent !== null && known.has(entry.parent));
    // Calls that an agent makes itself have one run for the whole task.
    if (entry.startedAt < begun.startedAt) continue;
    if (isOfStep && entry.namespace !== "runs") known.set(entry.id, entry);
  }
  return [...known.values()];
}

function sorted({ number }: BegunStep, calls: readonly JournalEntry[]): InterruptedStep {
  const isUnknown = ({ outcome }: JournalEntry): boolean => outcome.kind === "pending" || outcome.kind === "unknown";
  return {
    step: number,
    finished: calls.filter((entry) => !isUnknown(entry)),
    unknown: calls.filter(isUnknown).map((entry) => ({ ...entry, outcome: { kind: "unknown" } })),
  };
}

function observation(
  begun: BegunStep | null,
  interrupted: InterruptedStep | null,
  gone: readonly string[],
): string | null {
  const parts: string[] = [];
  if (begun !== null && begun.reply !== null) {
    parts.push(
      "The task was interrupted before it could be told what came of this. It is not done again; what it did stays. " +
        "Names that it made may be gone.",
    );
  }
  if (interrupted !== null && interrupted.finished.length > 0) {
    parts.push(listed("Calls that finished:", interrupted.finished));
  }
  if (interrupted !== null && interrupted.unknown.length > 0) {
    const heading = "Calls whose outcome is unknown. They may have taken effect: look before you make them again.";
    parts.push(listed(heading, interrupted.unknown));
  }
  if (begun !== null && begun.printed.trim() !== "") {
    parts.push(`It had printed:\n${begun.printed.trimEnd().slice(0, LONGEST_PRINTED)}`);
  }
  if (gone.length > 0) {
    const names = gone.slice(0, MOST_NAMES).join(", ");
    const more = gone.length > MOST_NAMES ? ` and ${String(gone.length - MOST_NAMES)} more` : "";
    parts.push(
      `Python has started anew. These names are gone: ${names}${more}. ` +
        "Files in /workspace, artifacts and skills are still there. Import and compute again what you need.",
    );
  }
  return parts.length === 0 ? null : parts.join("\n\n");
}

function listed(heading: string, entries: readonly JournalEntry[]): string {
  const lines = entries.slice(0, MOST_CALLS).map((entry) => `- ${callLine(entry)}`);
  const left = entries.length - lines.length;
  return [heading, ...lines, ...(left > 0 ? [`and ${String(left)} more`] : [])].join("\n");
}

function callLine({ namespace, name, arguments: given, outcome }: JournalEntry): string {
  const call = cut(`${namespace}.${name}(${JSON.stringify(given).slice(1, -1)})`);
  if (outcome.kind === "ok") return `${call} -> ${cut(JSON.stringify(outcome.summary))}`;
  return outcome.kind === "error" ? `${call} failed: ${cut(`${outcome.name}: ${outcome.message}`)}` : call;
}

function cut(text: string): string {
  return text.length <= LONGEST_CALL ? text : `${text.slice(0, LONGEST_CALL)}...`;
}
