import type { Value } from "../../protocol/index.js";
import type { AgentOnPath, CallingTask } from "../../tools/index.js";
import { BudgetMeter, type ModelPrices, type TaskBudget } from "../budget/budget.js";
import type { AgentEvent, AgentNotice, EventBody } from "../events/events.js";
import { EventLog, type LogAbove } from "./event-log.js";

/** The agents that work at once below one task that a person gave. */
export class AgentTree {
  open = 0;
}

/** Where a task stands that is solved in the course of a call. */
export interface TaskInside {
  /** What the agent is called there: the name of its tool. */
  readonly name: string;
  readonly callId: string;
  /**
   * The task, or the turn, whose code or whose model made the call; null where none did.
   *
   * @internal
   */
  readonly caller: ToldTask | null;
  /** Counts what the task uses as well. */
  readonly meter: BudgetMeter;
  /** @internal */
  readonly tree: AgentTree;
  /** How many agents may be inside this one. */
  readonly depthLeft: number;
}

export interface RunningTaskOptions {
  /** Which kind of agent solves it. */
  readonly agent: string;
  readonly budget: TaskBudget;
  readonly prices: ModelPrices | undefined;
  readonly inside: TaskInside | undefined;
  /** The task, where it is one that goes on. */
  readonly earlier?: { readonly taskId: string; readonly events: readonly AgentEvent[] };
}

/** What works in the course of a task, or of a turn: agents, who are counted, and programs. */
export class TaskCourse {
  /** The agents inside one another, the outermost first; the last one is whose course this is. */
  readonly path: readonly AgentOnPath[];
  readonly tree: AgentTree;
  /** How many agents may be inside the last one. */
  readonly depthLeft: number;
  readonly #children = new Set<Promise<unknown>>();
  readonly #works = new Set<string>();
  readonly #agents = new Set<string>();
  #held = 0;

  constructor(
    path: readonly AgentOnPath[],
    { tree, depthLeft }: { readonly tree?: AgentTree; readonly depthLeft?: number } = {},
  ) {
    this.path = path;
    this.tree = tree ?? new AgentTree();
    this.depthLeft = depthLeft ?? Infinity;
  }

  /** An agent works in the course of a call. */
  hold(working: Promise<unknown>, callId: string): void {
    this.#held += 1;
    this.#agents.add(callId);
    this.waitFor(working, callId);
  }

  /** Something works in the course of a call whose end the task does not end before. It tells of its own calls. */
  waitFor(working: Promise<unknown>, callId: string): void {
    this.#children.add(working);
    this.#works.add(callId);
    const done = (): void => {
      this.#children.delete(working);
    };
    working.then(done, done);
  }

  /** Whether what works in the course of that call tells of its own calls. */
  isWork(callId: string): boolean {
    return this.#works.has(callId);
  }

  /** Whether an agent works, or has worked, in the course of that call. */
  isAgent(callId: string): boolean {
    return this.#agents.has(callId);
  }

  /** How many agents have worked in its course, those that still do included. */
  get held(): number {
    return this.#held;
  }

  /** Resolves when nothing works in its course any more. */
  async settled(): Promise<void> {
    while (this.#children.size > 0) await Promise.allSettled(this.#children);
  }
}

/** A task while it is solved: its events, its budget, and what works in its course. */
export class RunningTask extends TaskCourse {
  readonly log: EventLog;
  readonly meter: BudgetMeter;

  /** @throws {AgentOptionsError} when the budget cannot be kept. */
  constructor({ agent, budget, prices, inside, earlier }: RunningTaskOptions) {
    const meter = new BudgetMeter(budget, prices, inside?.meter);
    const log = new EventLog({ above: inside?.caller?.placeOf(inside.callId) ?? null, earlier });
    const place = { name: inside?.name ?? agent, taskId: log.taskId, callId: inside?.callId ?? null };
    super([...(inside?.caller?.path ?? []), place], inside);
    this.meter = meter;
    this.log = log;
  }

  /** The task as the tools see it that are called there: the id is that of an event, of a step's code for instance. */
  at(eventId: string): TaskPoint {
    return new TaskPoint(this, eventId);
  }
}

/** Where events of something that works in the course of a call belong. */
export interface ToldPlace {
  readonly log: LogAbove & { add(body: EventBody): void };
  readonly parentId: string;
  readonly step: number | null;
}

/** A task that is told what becomes of what its calls began. */
export abstract class ToldTask implements CallingTask {
  abstract readonly taskId: string;
  abstract readonly course: TaskCourse;
  abstract readonly account: BudgetMeter;
  abstract placeOf(callId: string): ToldPlace;

  get path(): readonly AgentOnPath[] {
    return this.course.path;
  }

  waitFor(working: Promise<Value>, callId: string): void {
    this.course.waitFor(working, callId);
  }

  /** Tells something of a call that stopped nothing. */
  notice(callId: string, notice: AgentNotice): void {
    const { log, parentId } = this.placeOf(callId);
    log.add({ type: "notice", id: `${this.taskId}/notice-${String(log.next())}`, parentId, step: null, notice });
  }
}

/** A point in a task from which tools are called. */
export class TaskPoint extends ToldTask {
  readonly task: RunningTask;
  readonly #eventId: string;

  constructor(task: RunningTask, eventId: string) {
    super();
    this.task = task;
    this.#eventId = eventId;
  }

  get taskId(): string {
    return this.task.log.taskId;
  }

  get course(): TaskCourse {
    return this.task;
  }

  get account(): BudgetMeter {
    return this.task.meter;
  }

  /** What events of a call belong to: the call, or, where the task was told of no such call, what led to it. */
  placeOf(callId: string): { readonly log: EventLog; readonly parentId: string; readonly step: number | null } {
    const { log } = this.task;
    const call = log.find(callId);
    const step = (call ?? log.find(this.#eventId))?.step ?? null;
    return { log, parentId: call === undefined ? this.#eventId : callId, step };
  }
}
