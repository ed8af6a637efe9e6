import type { Value } from "../../protocol/index.js";
import type { AgentOnPath, CallingTask } from "../../tools/index.js";
import { BudgetMeter, type ModelPrices, type TaskBudget } from "../budget/budget.js";
import type { AgentEvent, EventBody } from "../events/events.js";
import { EventLog, type CallEvents, type WorkLog } from "./event-log.js";

/** How many agents work now, at whatever depth, inside the work that a person gave. */
export interface AgentCount {
  open: number;
}

/** The call that a task is solved for. */
export interface ParentCall {
  /** What the agent is called there: the name of its tool. */
  readonly name: string;
  readonly callId: string;
  /**
   * From where the call was made; null where it was made outside any work.
   *
   * @internal
   */
  readonly caller: WorkCaller | null;
  /** Counts what the task uses as well. */
  readonly meter: BudgetMeter;
  /** @internal */
  readonly agents: AgentCount;
  /** How many agents may be inside this one. */
  readonly depthLeft: number;
}

/** What a work is made of. */
export interface WorkOptions<Log extends WorkLog> {
  /** What it is called on the path to its calls. */
  readonly name: string;
  readonly log: Log;
  readonly meter: BudgetMeter;
  /** Stops it. */
  readonly signal?: AbortSignal | undefined;
  /** The call that it is done for, and who made that. */
  readonly callId: string | null;
  readonly caller: CallingTask | null;
  /** Default: those of the caller's work, where there is one. */
  readonly agents?: AgentCount;
  readonly depthLeft?: number;
  /**
   * Whether a program inside it reports its own calls, as an agent does. A turn hears of them from its session.
   * Default: true.
   */
  readonly programsReportCalls?: boolean;
}

/** The task of an agent, or a turn, while it is worked on: its log, its meter, what stops it, and the work inside it. */
export class Work<Log extends WorkLog = EventLog> {
  readonly log: Log;
  readonly meter: BudgetMeter;
  /** Aborted by who gave the work. */
  readonly cancellation: AbortSignal;
  /** Aborted by what watches its time. */
  readonly timeIsOver = new AbortController();
  /** Aborted in either case. */
  readonly signal: AbortSignal;
  /** The works inside one another, the outermost first, this one last. */
  readonly path: readonly AgentOnPath[];
  readonly agents: AgentCount;
  /** How many agents may be inside this one. */
  readonly depthLeft: number;
  readonly programsReportCalls: boolean;
  readonly #running = new Set<Promise<unknown>>();
  readonly #awaitedCalls = new Set<string>();
  readonly #agentCalls = new Set<string>();
  #agentsStarted = 0;

  constructor(options: WorkOptions<Log>) {
    const { name, log, meter, signal = new AbortController().signal, callId, caller } = options;
    const outer = caller instanceof WorkCaller ? caller.work : null;
    this.log = log;
    this.meter = meter;
    this.cancellation = signal;
    this.signal = AbortSignal.any([signal, this.timeIsOver.signal]);
    this.path = [...(caller?.path ?? []), { name, taskId: log.taskId, callId }];
    this.agents = options.agents ?? outer?.agents ?? { open: 0 };
    this.depthLeft = options.depthLeft ?? outer?.depthLeft ?? Infinity;
    this.programsReportCalls = options.programsReportCalls ?? true;
  }

  /** The work as tools see it that are called there: the id is that of an event, of a step's code for instance. */
  at(eventId: string): WorkCaller {
    return new WorkCaller(this, eventId);
  }

  /** An agent works for a call. */
  addAgent(working: Promise<unknown>, callId: string): void {
    this.#agentsStarted += 1;
    this.#agentCalls.add(callId);
    this.waitFor(working, callId);
  }

  /** Something works for a call that this work does not end before. */
  waitFor(working: Promise<unknown>, callId: string): void {
    this.#running.add(working);
    this.#awaitedCalls.add(callId);
    const done = (): void => {
      this.#running.delete(working);
    };
    working.then(done, done);
  }

  /** Whether what works for that call reports its own calls. */
  isReportedInside(callId: string): boolean {
    return this.#agentCalls.has(callId) || (this.programsReportCalls && this.#awaitedCalls.has(callId));
  }

  /** How many agents have worked inside it, those that still do included. */
  get agentsStarted(): number {
    return this.#agentsStarted;
  }

  /** Resolves when nothing works inside it any more. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
  }
}

/** What the work of an agent's task is made of. */
export interface TaskWorkOptions {
  /** Which kind of agent solves it. */
  readonly agent: string;
  readonly budget: TaskBudget;
  readonly prices: ModelPrices | undefined;
  readonly inside: ParentCall | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The task, where it is one that goes on. */
  readonly earlier?: { readonly taskId: string; readonly events: readonly AgentEvent[] };
}

/** The work of an agent's task. @throws {AgentOptionsError} when the budget cannot be kept. */
export function taskWork({ agent, budget, prices, inside, signal, earlier }: TaskWorkOptions): Work {
  const meter = new BudgetMeter(budget, prices, inside?.meter);
  const outer = inside?.caller?.eventsOf(inside.callId) ?? null;
  const log = new EventLog<EventBody>({ outer, taskId: earlier?.taskId, events: earlier?.events });
  return new Work({ name: agent, callId: null, caller: null, ...inside, log, meter, signal });
}

/** From where in a work a tool is called. */
export class WorkCaller implements CallingTask {
  readonly work: Work<WorkLog>;
  /** What calls from here began and the work waits for, in the order in which it began. */
  readonly awaited: Promise<Value>[] = [];
  readonly #eventId: string;

  constructor(work: Work<WorkLog>, eventId: string) {
    this.work = work;
    this.#eventId = eventId;
  }

  get taskId(): string {
    return this.work.log.taskId;
  }

  get path(): readonly AgentOnPath[] {
    return this.work.path;
  }

  get account(): BudgetMeter {
    return this.work.meter;
  }

  waitFor(working: Promise<Value>, callId: string): void {
    this.awaited.push(working);
    this.work.waitFor(working, callId);
  }

  /** Where events of a call belong: below the call, or, where the log has no such call, below what led to it. */
  eventsOf(callId: string): CallEvents {
    const { log } = this.work;
    const call = log.find(callId);
    const step = (call ?? log.find(this.#eventId))?.step ?? null;
    return { log, parentId: call === undefined ? this.#eventId : callId, step };
  }
}
