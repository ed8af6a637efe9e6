import { whilePaused, type CallDeadline } from "../requests/call-deadline.js";
import type { ToolContext } from "../definition.js";
import type { McpWaitingCall } from "../mcp-answers.js";

/** A question of the server, and those whose calls it belongs to. */
interface Question {
  readonly calls: ReadonlySet<CallDeadline>;
  readonly withdraw: () => void;
}

/** What waits for one server, calls and attempts to connect, and what it asks meanwhile. */
export class OpenCalls {
  /** Undefined for an attempt to connect, which is no call. */
  readonly #open = new Map<CallDeadline, McpWaitingCall | undefined>();
  readonly #questions = new Set<Question>();

  /** Gives `work` a clock, and hears when it is over, however it ended. */
  async during<T>(deadline: CallDeadline, context: ToolContext | undefined, work: () => Promise<T>): Promise<T> {
    this.#open.set(deadline, context === undefined ? undefined : waitingCall(context));
    try {
      return await work();
    } finally {
      this.#open.delete(deadline);
      deadline.end();
      for (const { calls, withdraw } of this.#questions) {
        if (calls.has(deadline) && ![...calls].some((call) => this.#open.has(call))) withdraw();
      }
    }
  }

  /** Stops all clocks; what is returned lets them go on. */
  readonly pauseClocks = (): (() => void) => {
    const resumes = [...this.#open.keys()].map((deadline) => deadline.pause());
    return () => {
      for (const resume of resumes) resume();
    };
  };

  /**
   * Asks while the clocks stand still.
   *
   * @param signal - of the request. What `ask` is given is also aborted once none of the calls that wait now waits any more.
   */
  async asking<T>(
    signal: AbortSignal,
    ask: (calls: readonly McpWaitingCall[], signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const waiting = [...this.#open].flatMap(([deadline, call]) => (call === undefined ? [] : [{ deadline, call }]));
    const withdrawn = new AbortController();
    const question: Question = {
      calls: new Set(waiting.map(({ deadline }) => deadline)),
      withdraw: () => {
        withdrawn.abort(new DOMException("The calls in whose course the server asked are over.", "AbortError"));
      },
    };
    this.#questions.add(question);
    try {
      return await whilePaused(this.pauseClocks, () =>
        ask(
          waiting.map(({ call }) => call),
          AbortSignal.any([signal, withdrawn.signal]),
        ),
      );
    } finally {
      this.#questions.delete(question);
    }
  }
}

function waitingCall({ callId, runId, task }: ToolContext): McpWaitingCall {
  return { callId, runId, path: task?.path ?? [] };
}
