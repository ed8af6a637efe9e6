import { ToldTask, type BudgetMeter, type TaskCourse, type ToldPlace } from "../agent/index.js";
import type { Value } from "../protocol/index.js";
import type { TurnLog } from "./events.js";

/** A round of a turn, as tools see it that are called there: what they ask models for counts in the turn's budget. */
export class TurnPoint extends ToldTask {
  /** What works in the course of its calls, in the order in which it began. */
  readonly working: Promise<Value>[] = [];
  readonly #log: TurnLog;
  readonly #round: number;

  constructor(
    { log, round }: { readonly log: TurnLog; readonly round: number },
    readonly course: TaskCourse,
    readonly account: BudgetMeter,
  ) {
    super();
    this.#log = log;
    this.#round = round;
  }

  get taskId(): string {
    return this.#log.taskId;
  }

  override waitFor(working: Promise<Value>, callId: string): void {
    this.working.push(working);
    super.waitFor(working, callId);
  }

  placeOf(callId: string): ToldPlace {
    return { log: this.#log.ofAgents, parentId: callId, step: this.#round };
  }
}
