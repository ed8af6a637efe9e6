import type { JournalEntry, Policy } from "../../dispatch/index.js";
import { optionCheck } from "../../options/index.js";
import type { Value } from "../../protocol/index.js";
import type { NewSkill, Skill } from "../../skills/index.js";
import type { CallingTask } from "../../tools/index.js";
import { SessionClosedError } from "../errors.js";
import { checkParentCall, stricter, type ParentSession } from "../runs/parent-session.js";
import { newRunId } from "../runs/run-plan.js";
import { RunBudget, type BudgetLimits } from "../runs/run-budget.js";
import type { CallOrigin } from "../calls/call-origin.js";
import type { Services } from "../calls/services.js";

/** How to make calls that belong together. */
export interface ClientCallsOptions {
  /** Decides about each of the calls, and about those made in their course, before the session's own policy, which it can only make stricter. */
  readonly policy?: Policy;
  /** Hears of each call, and of those made in its course, when it begins and again when it ends. */
  readonly onCall?: (entry: JournalEntry) => void;
  /** Told that a person is asked while a call is under way; what it returns is called when they have answered. */
  readonly onPause?: () => () => void;
  /** Takes the pictures that the calls show. Default: there is no one to show them to, and `view_image` fails. */
  readonly onPicture?: (picture: ShownPicture) => void;
}

/** A picture that a tool on files shows. */
export interface ShownPicture {
  readonly mimeType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export const checkClientCalls = optionCheck<ClientCallsOptions>("client.openCalls", {
  policy: "function?",
  onCall: "function?",
  onPause: "function?",
  onPicture: "function?",
});
const checkCall = optionCheck<CallSettings>("calls.call", { signal: "object?", task: "object?" });
const checkCreateSkill = optionCheck<SkillSettings>("calls.createSkill", {
  signal: "object?",
  task: "object?",
  notes: "array?",
});

interface CallSettings {
  readonly signal?: AbortSignal;
  readonly task?: CallingTask;
}

interface SkillSettings extends CallSettings {
  readonly notes?: readonly string[];
}

/** What the calls need of their session. */
export interface ClientCallsParts {
  readonly services: Services;
  /** Who makes them, and what can be seen from there. */
  readonly origin: Pick<CallOrigin, "caller" | "inAgentRun" | "tools" | "parent">;
  /** Of a session inside another one. */
  readonly parent: ParentSession | undefined;
  /** How many there may be, as of a run. */
  readonly limits: BudgetLimits;
  /** Aborted when the session closes. */
  readonly closing: AbortSignal;
  /** Has `onPause` told whenever a person is asked, until the answer is called. */
  readonly watchPauses: (onPause: () => () => void) => () => void;
}

/**
 * Calls of tools that belong together as those of one run of code do: they have one run id in the journal, and what a
 * person wants remembered for the run is remembered until `close`. There may be as many as a run may make
 * (`limits.callsPerRun`, `limits.openCalls`). Close them when the last one has ended.
 */
export class ClientCalls {
  /** What stands in the journal for the run. */
  readonly runId = newRunId();
  readonly #parts: ClientCallsParts;
  readonly #options: ClientCallsOptions;
  readonly #budget: RunBudget;
  readonly #stopListening: () => void;

  /** @internal Use `session.client().openCalls()`. */
  constructor(parts: ClientCallsParts, options: ClientCallsOptions = {}) {
    const { services } = parts;
    const { policy, onPicture } = options;
    this.#parts = parts;
    this.#options = options;
    // Whoever calls is on the page, and is told of each call that is one too many: there is no flood to end.
    this.#budget = new RunBudget(parts.limits, () => undefined);
    const { runPolicies } = services;
    const runAbove = parts.parent?.runId ?? null;
    const strictest = stricter(runAbove === null ? undefined : runPolicies.get(runAbove), policy);
    if (strictest !== undefined) runPolicies.set(this.runId, strictest);
    this.#stopListening = this.#listen();
    if (onPicture === undefined) return;
    services.pictureViewers.set(this.runId, (mimeType, bytes) => {
      onPicture({ mimeType, bytes });
    });
  }

  /** Whether no call is made any more, because the session is closed. */
  get sessionIsClosed(): boolean {
    return this.#parts.closing.aborted;
  }

  /**
   * Calls a tool: `weather`, `github.get_repo`. With `task` it is made in the course of an agent's task.
   *
   * @throws {ToolNotFoundError} @throws {ToolArgumentError} @throws {CallNotAllowedError} with nothing called.
   * @throws {CallBudgetError} @throws {OpenCallsError} when it would be one too many, with nothing called.
   * @throws {SessionClosedError} when the session is closed, or was closed meanwhile.
   * @throws {VitrineError} as the tool failed.
   */
  async call(name: string, args: Readonly<Record<string, Value>> = {}, options: CallSettings = {}): Promise<Value> {
    checkCall(options);
    const { signal, task } = options;
    const { services } = this.#parts;
    const done = this.#budget.admitBelow("tools.call");
    try {
      return await this.make(signal, (origin) =>
        services.operations.callToolByName(task === undefined ? origin : { ...origin, task }, name, args),
      );
    } finally {
      done();
    }
  }

  /**
   * Saves a skill, which carries the trust of the session. A person who is asked about it is told the `notes` as well.
   *
   * @throws {CallNotAllowedError} @throws {SkillValidationError} @throws {SkillSyntaxError} with nothing changed.
   * @throws {SessionClosedError} when the session is closed, or was closed meanwhile.
   */
  async createSkill(skill: Omit<NewSkill, "trust">, options: SkillSettings = {}): Promise<Skill> {
    checkCreateSkill(options);
    const { signal, task, notes = [] } = options;
    const { operations, trust } = this.#parts.services;
    return this.make(signal, (origin) =>
      operations.createSkill(task === undefined ? origin : { ...origin, task }, { ...skill, trust }, notes),
    );
  }

  /** @internal Makes a call of any kind. */
  async make<T>(signal: AbortSignal | undefined, call: (origin: CallOrigin) => Promise<T>): Promise<T> {
    const { origin, parent, closing, watchPauses } = this.#parts;
    const { onPause } = this.#options;
    const given = signal === undefined ? closing : AbortSignal.any([closing, signal]);
    const isClosed = (): boolean => closing.aborted;
    if (isClosed()) throw new SessionClosedError();
    if (parent !== undefined) checkParentCall(parent, "the child's call");
    const done = parent?.admit("tools.call");
    const stopWatching = onPause === undefined ? undefined : watchPauses(onPause);
    try {
      return await call({ ...origin, task: parent?.task, runId: this.runId, signal: given });
    } catch (error) {
      // Why it was given up is more than that it was.
      throw isClosed() ? new SessionClosedError() : error;
    } finally {
      stopWatching?.();
      done?.();
    }
  }

  /** The calls have ended: what was remembered for them is not needed any more. */
  close(): void {
    const { approver, runPolicies, pictureViewers } = this.#parts.services;
    this.#stopListening();
    pictureViewers.delete(this.runId);
    approver.endRun(this.runId);
    runPolicies.delete(this.runId);
  }

  /** What is called in the course of a call may have a run of its own: that of a tool of session code has. */
  #listen(): () => void {
    const { onCall } = this.#options;
    if (onCall === undefined) return () => undefined;
    const heard = new Set<string>();
    return this.#parts.services.dispatcher.onCall((entry) => {
      const { id, runId, parent, namespace } = entry;
      if (namespace === "runs" || (runId !== this.runId && (parent === null || !heard.has(parent)))) return;
      heard.add(id);
      onCall(entry);
    });
  }
}
