import type { BridgeContext } from "../../bridge/index.js";
import type { Value } from "../../protocol/index.js";
import type { ToolDirectory } from "../../tools/index.js";
import type { RunningCode } from "../calls/bridge-handlers.js";
import type { CallOrigin, HelperCall } from "../calls/call-origin.js";
import type { Services } from "../calls/services.js";
import { NoHelperError, NoInputError, NoRunError } from "../errors.js";
import type { CurrentRun } from "./current-run.js";
import type { ParentSession } from "./parent-session.js";
import type { ServedCalls } from "./tool-runs.js";

export interface RunAnswersParts {
  readonly services: Pick<Services, "operations" | "tools">;
  readonly served: ServedCalls;
  /** Of a session inside another one. */
  readonly parent: ParentSession | undefined;
}

/** Answers what code asks of its own run: in whose name it calls, what it sees, and who listens to it. */
export class RunAnswers implements RunningCode {
  readonly #current: CurrentRun;
  readonly #parts: RunAnswersParts;

  constructor(current: CurrentRun, parts: RunAnswersParts) {
    this.#current = current;
    this.#parts = parts;
  }

  originOf({ runId, parent: claimed }: BridgeContext): CallOrigin {
    const run = this.#current.executing;
    if (run?.id !== runId) throw new NoRunError();
    const { services, parent } = this.#parts;
    const open = services.operations.openCalls.inRun(claimed, runId);
    return {
      runId,
      parent: open?.id ?? parent?.callId ?? null,
      caller: open?.namespace === "tools" ? "tool" : run.plan.caller,
      inAgentRun: parent !== undefined || this.#current.agentWasHere,
      task: run.task,
      tools: run.tools,
      onTool: run.plan.onTool,
      signal: run.callSignal,
    };
  }

  get visibleTools(): ToolDirectory {
    return this.#current.executing?.tools ?? this.#parts.services.tools;
  }

  servedArguments(callId: string, runId: string): Readonly<Record<string, Value>> {
    return this.#parts.served.argumentsOf(callId, runId);
  }

  answerHelper(call: HelperCall): Value | Promise<Value> {
    const answer = this.#current.executing?.plan.onHelperCall;
    if (answer === undefined) throw new NoHelperError(call.kind);
    return answer(call);
  }

  /** Its clock stands still meanwhile. */
  async input(prompt: string): Promise<string> {
    const run = this.#current.executing;
    const onInput = run?.plan.onInput;
    if (run === undefined || onInput === undefined) throw new NoInputError();
    const resume = this.#parts.parent?.pauseClock() ?? this.#current.pauseClock();
    try {
      return await onInput(prompt, { signal: run.callSignal });
    } finally {
      resume();
    }
  }
}
