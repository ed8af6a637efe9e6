import { AgentOptionsError, BudgetMeter, EventLog } from "../agent/index.js";
import { randomId } from "../protocol/index.js";
import {
  checkLoopOptions,
  checkTurnOptions,
  checkTurnRequest,
  type DecisionLoopOptions,
  type TurnCallOptions,
  type TurnRequest,
} from "./decision-loop-options.js";
import type { TurnEvent, TurnEventBody } from "./events.js";
import type { TurnResult } from "./turn-result.js";

/** A turn that is worked on. Iterate over it for its events, from the first one on, as often as you like. */
export interface TurnRun extends AsyncIterable<TurnEvent> {
  readonly taskId: string;
  /** The events so far. */
  readonly events: readonly TurnEvent[];
  /** How it was left. Never rejects. */
  readonly result: Promise<TurnResult>;
}

/** Works on a turn in rounds: a model decides, its calls are made, and what they bring fills the slots of the turn. */
export class DecisionLoop {
  readonly #options: DecisionLoopOptions;

  /** @throws {OptionError} @throws {AgentOptionsError} when the budget cannot be kept. */
  constructor(options: DecisionLoopOptions) {
    checkLoopOptions(options);
    new BudgetMeter(options.budget, options.prices);
    this.#options = options;
  }

  /**
   * Starts at once. One turn of a context at a time.
   *
   * @throws {AgentOptionsError} when the prompt is empty.
   */
  async run(request: TurnRequest, options: TurnCallOptions = {}): Promise<TurnRun> {
    checkTurnRequest(request);
    checkTurnOptions(options);
    const { signal, task } = options;
    if ("prompt" in request && request.prompt.trim() === "") throw new AgentOptionsError("task", "is empty");
    // A page that never runs one does not load how.
    const { TurnLoop } = await import("./turn-loop.js");
    const log = new EventLog<TurnEventBody>({ taskId: `turn-run-${randomId()}` });
    const result = new TurnLoop(request, log, { ...this.#options, signal, task }).run();
    return {
      taskId: log.taskId,
      get events() {
        return log.events;
      },
      result,
      [Symbol.asyncIterator]: () => log.read(),
    };
  }
}
