import type { AgentOnPath, CallingTask } from "../tools/index.js";
import { BudgetMeter, type ModelPrices, type TaskBudget } from "./budget.js";
import { EventLog } from "./event-log.js";
import type { AgentEvent } from "./events.js";

/** The agents that work at once below one task that a person gave. */
export class AgentTree {
  open = 0;
}

/** Where a task stands that is solved in the course of a call. */
export interface TaskInside {
  /** What the agent is called there: the name of its tool. */
  readonly name: string;
  readonly callId: string;
  /** The task whose code, or whose model, made the call; null where no agent did. */
  readonly caller: TaskPoint | null;
  /** Counts what the task uses as well. */
  readonly meter: BudgetMeter;
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

/** A task while it is solved: its events, its budget, and the agents that work in its course. */
export class RunningTask {
  readonly log: EventLog;
  readonly meter: BudgetMeter;
  /** The agents inside one another, the outermost first; the last one solves this task. */
  readonly path: readonly AgentOnPath[];
  readonly tree: AgentTree;
  /** How many agents may be inside the one that solves this task. */
  readonly depthLeft: number;
  readonly #children = new Set<Promise<unknown>>();
  #held = 0;

  /** @throws {AgentOptionsError} when the budget cannot be kept. */
  constructor({ agent, budget, prices, inside, earlier }: RunningTaskOptions) {
    this.meter = new BudgetMeter(budget, prices, inside?.meter);
    this.log = new EventLog({ above: inside?.caller?.placeOf(inside.callId) ?? null, earlier });
    const place = { name: inside?.name ?? agent, taskId: this.log.taskId, callId: inside?.callId ?? null };
    this.path = [...(inside?.caller?.path ?? []), place];
    this.tree = inside?.tree ?? new AgentTree();
    this.depthLeft = inside?.depthLeft ?? Infinity;
  }

  /** The task as the tools see it that are called there: the id is that of an event, of a step's code for instance. */
  at(eventId: string): TaskPoint {
    return new TaskPoint(this, eventId);
  }

  /** An agent works in its course. */
  hold(working: Promise<unknown>): void {
    this.#held += 1;
    this.#children.add(working);
    const done = (): void => {
      this.#children.delete(working);
    };
    working.then(done, done);
  }

  /** How many agents have worked in its course, those that still do included. */
  get held(): number {
    return this.#held;
  }

  /** Resolves when no agent works in its course any more. */
  async settled(): Promise<void> {
    while (this.#children.size > 0) await Promise.allSettled(this.#children);
  }
}

/** A point in a task from which tools are called. */
export class TaskPoint implements CallingTask {
  readonly task: RunningTask;
  readonly #eventId: string;

  constructor(task: RunningTask, eventId: string) {
    this.task = task;
    this.#eventId = eventId;
  }

  get taskId(): string {
    return this.task.log.taskId;
  }

  get path(): readonly AgentOnPath[] {
    return this.task.path;
  }

  get account(): BudgetMeter {
    return this.task.meter;
  }

  /** What events of a call belong to: the call, or, where the task was told of no such call, what led to it. */
  placeOf(callId: string): { readonly log: EventLog; readonly parentId: string } {
    const { log } = this.task;
    return { log, parentId: log.has(callId) ? callId : this.#eventId };
  }
}
