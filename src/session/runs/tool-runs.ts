import { InvocationError, type Executor } from "../../executor/index.js";
import type { Value } from "../../protocol/index.js";
import {
  CallDeadline,
  ToolCallError,
  ToolCancelledError,
  ToolRaisedError,
  ToolTimeoutError,
} from "../../tools/index.js";
import { NoRunError } from "../errors.js";
import type { Operations } from "../calls/operations.js";
import type { PythonToolCall } from "../calls/python-tools.js";
import type { CurrentRun } from "./current-run.js";
import { newRunId, type ToolRun } from "./run-plan.js";
import type { RunResult } from "./run-result.js";

export interface ToolRunsParts {
  readonly executor: Pick<Executor, "invokeTool">;
  readonly operations: Operations;
  readonly current: CurrentRun;
  readonly served: ServedCalls;
  /** Makes a run that calls the tool, after the runs before it. */
  readonly run: (run: ToolRun) => Promise<RunResult>;
}

/** The arguments of calls that a run was made for. Python asks for them once that run has begun. */
export class ServedCalls {
  readonly #arguments = new Map<string, { readonly runId: string; readonly args: PythonToolCall["args"] }>();

  /** @returns how to say that the run has ended. */
  add(callId: string, runId: string, args: PythonToolCall["args"]): () => void {
    this.#arguments.set(callId, { runId, args });
    return () => this.#arguments.delete(callId);
  }

  /** @throws {NoRunError} for a call that another run serves, or none. */
  argumentsOf(callId: string, runId: string): PythonToolCall["args"] {
    const waiting = this.#arguments.get(callId);
    if (waiting?.runId !== runId) throw new NoRunError();
    return waiting.args;
  }
}

/**
 * Calls of tools that session code has defined. Their functions are in the interpreter: where it waits for the very call,
 * or for one in whose course it is made, it makes it meanwhile; for anybody else it is a run of its own.
 */
export class ToolRuns {
  readonly #parts: ToolRunsParts;

  constructor(parts: ToolRunsParts) {
    this.#parts = parts;
  }

  /**
   * @throws {ToolRaisedError} with what the function raised. @throws {ToolTimeoutError} @throws {ToolCancelledError}
   * @throws {ToolCallError} when the interpreter was lost.
   */
  call(call: PythonToolCall): Promise<Value> {
    return this.#parts.current.executing?.id === call.context.runId ? this.#callWaiting(call) : this.#callIdle(call);
  }

  /** A function that goes on after its time is over holds its caller for as long: only its run can stop it. */
  async #callWaiting({ tool, args, context }: PythonToolCall): Promise<Value> {
    const { name, timeout } = tool;
    const deadline = new CallDeadline(context.signal, timeout);
    try {
      return await deadline.race(() => this.#parts.executor.invokeTool(name, args, context.callId));
    } catch (error) {
      if (context.signal.aborted) throw new ToolCancelledError(name);
      if (deadline.expired) throw new ToolTimeoutError(name, timeout);
      if (!(error instanceof InvocationError)) throw error;
      const { pythonType, pythonMessage: message, invocation } = error;
      throw new ToolRaisedError(name, { pythonType, message, invocation });
    } finally {
      deadline.end();
    }
  }

  async #callIdle({ tool, args, context }: PythonToolCall): Promise<Value> {
    const { name, timeout } = tool;
    const { callId, signal } = context;
    const runId = newRunId();
    const serving = this.#parts.operations.openCalls.serve(callId, runId);
    const end = this.#parts.served.add(callId, runId, args);
    try {
      const { origin, isFromClient } = serving;
      const { error, value } = await this.#parts.run({
        id: runId,
        toolCall: { name, callId },
        timeout,
        signal,
        tools: origin.tools,
        isFromClient,
        task: origin.task,
      });
      if (error === null) return value;
      if (signal.aborted) throw new ToolCancelledError(name);
      if (error.code === "RUN_TIMEOUT") throw new ToolTimeoutError(name, timeout);
      // Without a traceback it was not the function that failed.
      if (error.traceback === "" || error.code === "RUN_INTERRUPTED")
        throw new ToolCallError(name, error.message, { args });
      throw new ToolRaisedError(name, { pythonType: error.pythonType, message: error.message });
    } finally {
      end();
    }
  }
}
