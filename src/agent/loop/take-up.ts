import { CallCancelledError, type JournalEntry } from "../../dispatch/index.js";
import type { ModelMessage } from "../../model/index.js";
import { shorten } from "../../protocol/index.js";
import type { CallJournal } from "../agent-session.js";
import type { StepOutcome } from "../work/agent-kind.js";
import type { ConversationItem, ConversationStep } from "../conversation/conversation.js";
import { interruptedReply, tellsModel } from "../conversation/remembered-reply.js";
import type { AgentEvent, AgentStep, InterruptedStep, TaskStarted } from "../events/events.js";
import type { EventLog } from "../work/event-log.js";
import { SavedTaskError } from "../saved/errors.js";
import type { SavedTask } from "../saved/saved-task.js";
import type { StepInProgress } from "../work/step.js";
import { NOTHING_LOST, type TakenUp } from "../work/taken-up.js";

/** What a task was before it goes on. */
export interface ResumedTask {
  readonly started: TaskStarted;
  /** The sequence of its newest event. */
  readonly newest: number;
  readonly steps: readonly AgentStep[];
  /** What was said until then, without the step that was interrupted. */
  readonly items: readonly ConversationItem[];
  /** What the person said and the model has not been told. */
  readonly unheard: readonly string[];
  /** The step that had begun and whose end is not told; null where all have ended. */
  readonly openStep: number | null;
  /** The model's reply in the step that was interrupted, where it was whole. */
  readonly reply: ModelMessage | null;
  /**
   * Looks up what became of the step that was interrupted; null where none was.
   *
   * @param journal - where calls of the task were noted, which knows more than its events do.
   */
  interrupted(journal: CallJournal | null): Promise<InterruptedStep | null>;
  /** What the model is told of it; null when there is nothing to tell. */
  observe(interrupted: InterruptedStep | null, names: TakenUp): string | null;
}

type TaskEvents = Pick<SavedTask, "taskId" | "events">;

/** Entries of the journal that are looked at: a step makes fewer calls. */
const MOST_ENTRIES = 5000;
/** Calls that the model is told of, and characters of what it is told of one, of what was printed, and of names. */
const MOST_CALLS = 50;
const LONGEST_CALL = 600;
const LONGEST_PRINTED = 4000;
const MOST_NAMES = 200;
const OF_UNKNOWN = "Calls whose outcome is unknown. They may have taken effect: look before you make them again.";
/** Codes of calls that were given up with their run. What they set going may have gone on. */
const GIVEN_UP: ReadonlySet<string> = new Set(["CALL_CANCELLED", "TOOL_CANCELLED"]);

/** A step that began and whose end is not told. */
interface BegunStep {
  readonly number: number;
  /** Ids of the calls that earlier steps made. */
  readonly earlierCalls: ReadonlySet<string>;
  /** The model's reply, once it was whole. */
  readonly reply: ModelMessage | null;
  /** The run that its code became, or to which its calls belong. */
  readonly runId: string | null;
  /** What is known of its calls, in the order in which they began. */
  readonly calls: readonly JournalEntry[];
  /** Ids of those to which a person has agreed. */
  readonly agreed: ReadonlySet<string>;
  readonly printed: string;
}

/** @throws {SavedTaskError} for one whose beginning is missing. */
export function resumedTask(saved: SavedTask): ResumedTask {
  // Steps and conversation are what `savedTaskOf` made of the same events.
  const { events, steps, conversation } = saved;
  const own = ownEvents(saved);
  const started = own.find((event) => event.type === "task-started");
  if (started === undefined) throw new SavedTaskError("its beginning is missing");
  const begun = begunStep(own);
  const ended = own.findLast((event) => event.type === "step-ended");
  const heard = own.findLastIndex(tellsModel);
  return {
    started,
    newest: events.at(-1)?.sequence ?? started.sequence,
    steps,
    items: conversation,
    unheard: own.slice(heard + 1).flatMap((event) => (event.type === "user-message" ? event.text : [])),
    openStep: begun?.number ?? null,
    reply: begun?.reply ?? null,
    interrupted: async (journal) =>
      begun === null ? (ended?.interrupted ?? null) : sorted(begun, await callsOf(begun, journal)),
    // Of a step that was cut short the conversation tells already.
    observe: (interrupted, names) => observation(begun, begun === null ? null : interrupted, names),
  };
}

/** A step that is cut short after a whole reply, with what it has done until then. */
export interface CutStep {
  readonly interrupted: InterruptedStep;
  readonly observation: string;
  readonly remembered: ConversationStep;
}

/**
 * The step of a running task that is cut short, by its events; null where the model's reply was not whole, so that nothing
 * came of it.
 */
export function cutStep(task: TaskEvents): CutStep | null {
  const begun = begunStep(ownEvents(task));
  const reply = begun?.reply ?? null;
  if (begun === null || reply === null) return null;
  const interrupted = sorted(begun, begun.calls);
  const text = observation(begun, interrupted, NOTHING_LOST) ?? "";
  const remembered = { kind: "step", reply, told: [{ role: "user", content: text }] } as const;
  return { interrupted, observation: text, remembered };
}

/**
 * What came of a step that was stopped while its calls were made: those that were given up are told of as such, to the
 * model whatever an observation may be cut to, and to whoever takes the task up.
 */
export function withUnknownCalls(outcome: StepOutcome, step: StepInProgress, log: EventLog): StepOutcome {
  const interrupted = outcome.kind === "observed" ? cutStep(log)?.interrupted : undefined;
  if (outcome.kind !== "observed" || interrupted === undefined || interrupted.unknown.length === 0) return outcome;
  step.interrupted = interrupted;
  const content = listed(OF_UNKNOWN, interrupted.unknown);
  const observation = `${outcome.observation}\n\n${content}`;
  return { kind: "observed", observation, messages: [...outcome.messages, { role: "user", content }] };
}

/** Without those of tasks in its course. */
function ownEvents({ taskId, events }: TaskEvents): AgentEvent[] {
  return events.filter((event) => event.taskId === taskId);
}

/** @param own - the events of the task. */
function begunStep(own: readonly AgentEvent[]): BegunStep | null {
  const at = own.findLastIndex(({ type }) => type === "step-started");
  const began = own[at];
  const since = own.slice(at);
  if (began?.type !== "step-started" || since.some(({ type }) => type === "step-ended")) return null;
  const said = since.findLast((event) => event.type === "model-ended");
  const entries = entriesOf(since);
  return {
    number: began.step ?? own.filter(({ type }) => type === "step-started").length,
    earlierCalls: new Set(entriesOf(own.slice(0, at)).map(({ id }) => id)),
    reply: said === undefined ? null : interruptedReply({ ...said, text: said.reply }),
    runId: since.findLast((event) => event.type === "code")?.runId ?? began.callsRunId,
    calls: [...new Map(entries.map((entry) => [entry.id, entry])).values()],
    agreed: new Set(entries.filter(({ approval }) => approval === "allowed").map(({ id }) => id)),
    printed: since
      .map((event) => (event.type === "output" && event.chunk.kind === "stdout" ? event.chunk.text : ""))
      .join(""),
  };
}

/** Calls as the events report them, in that order. */
function entriesOf(events: readonly AgentEvent[]): JournalEntry[] {
  return events.flatMap((event) => (event.type === "call" ? event.entry : []));
}

/** The calls of the step, by the journal where it knows them. */
async function callsOf(begun: BegunStep, journal: CallJournal | null): Promise<readonly JournalEntry[]> {
  const known = new Map(begun.calls.map((entry) => [entry.id, entry]));
  const runs = new Set([begun.runId, ...begun.calls.map(({ runId }) => runId)]);
  for (const entry of (await journal?.list({ limit: MOST_ENTRIES })) ?? []) {
    // What a call of the step set going is noted below it, under a run of its own.
    const isOfStep = runs.has(entry.runId) || (entry.parent !== null && known.has(entry.parent));
    // Calls that an agent makes itself have one run for the whole task. Times would not tell: clocks are set back.
    if (begun.earlierCalls.has(entry.id)) continue;
    if (isOfStep && entry.namespace !== "runs") known.set(entry.id, entry);
  }
  return [...known.values()];
}

function sorted({ number, agreed }: BegunStep, calls: readonly JournalEntry[]): InterruptedStep {
  const finished: JournalEntry[] = [];
  const unknown: JournalEntry[] = [];
  for (const entry of calls) {
    if (!isUnknown(entry)) finished.push(entry);
    else if (neverBegan(entry, agreed)) finished.push({ ...entry, outcome: notMade(entry) });
    else unknown.push({ ...entry, outcome: { kind: "unknown" } });
  }
  return { step: number, finished, unknown };
}

function isUnknown({ outcome }: JournalEntry): boolean {
  return outcome.kind === "error" ? GIVEN_UP.has(outcome.code) : outcome.kind !== "ok";
}

/**
 * Whether the call waited for a person or for its turn until the end. Who is asked about it once more, since a middleware
 * changed it, may have been asked after an attempt.
 */
function neverBegan({ id, approval, course = {} }: JournalEntry, agreed: ReadonlySet<string>): boolean {
  const waits = (approval === "asked" && !agreed.has(id)) || course.queue?.kind === "waiting";
  return waits && course.attempts === undefined;
}

function notMade({ namespace, name }: JournalEntry): JournalEntry["outcome"] {
  const { name: error, code, message } = new CallCancelledError(`${namespace}.${name}`, false);
  return { kind: "error", name: error, code, message, elapsed: 0 };
}

function observation(
  begun: BegunStep | null,
  interrupted: InterruptedStep | null,
  { gone, unknown }: TakenUp,
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
    parts.push(listed(OF_UNKNOWN, interrupted.unknown));
  }
  if (begun !== null && begun.printed.trim() !== "") {
    parts.push(`It had printed:\n${begun.printed.trimEnd().slice(0, LONGEST_PRINTED)}`);
  }
  if (gone.length > 0) {
    parts.push(
      `Python has started anew. These names are gone: ${named(gone)}. ` +
        "Files in /workspace, artifacts and skills are still there. Import and compute again what you need.",
    );
  }
  if (unknown.length > 0) {
    parts.push(
      `It could not be found out which of these names are still there: ${named(unknown)}. ` +
        "Look before you use them. Files in /workspace, artifacts and skills are still there.",
    );
  }
  return parts.length === 0 ? null : parts.join("\n\n");
}

function named(names: readonly string[]): string {
  const more = names.length > MOST_NAMES ? ` and ${String(names.length - MOST_NAMES)} more` : "";
  return `${names.slice(0, MOST_NAMES).join(", ")}${more}`;
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
  return shorten(text, LONGEST_CALL, "...");
}
