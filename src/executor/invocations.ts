import { z } from "zod";

import { encodeValueInSlices, VitrineError, type SentValue, type Value } from "../protocol/index.js";

const Failure = z.object({ type: z.string(), message: z.string() });

/** What the page had the waiting interpreter run, a skill for instance, failed there. */
export class InvocationError extends VitrineError {
  override readonly name = "SkillExecutionError";
  readonly code = "SKILL_EXECUTION";

  constructor(
    readonly pythonType: string,
    readonly pythonMessage: string,
    /** Under which the interpreter keeps the exception until its run ends. */
    readonly invocation: number,
  ) {
    super(`${pythonType}: ${pythonMessage}`);
  }

  override details(): Record<string, Value> {
    return { original_type: this.pythonType };
  }
}

/** The run ended before Python came to answer. */
export class InvocationAbandonedError extends VitrineError {
  override readonly name = "InvocationAbandonedError";
  readonly code = "INVOCATION_ABANDONED";

  constructor(reason: string) {
    super(`The interpreter did not come to answer: ${reason}.`);
  }
}

interface Pending {
  resolve(value: Value): void;
  reject(error: unknown): void;
}

/** The calls that the page makes into a waiting interpreter, until Python has answered them. */
export class Invocations {
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;
  #lastSent: Promise<void> = Promise.resolve();

  /**
   * Makes a call, and waits for its answer. Calls are sent in their order, although a large one takes its time: of two changes
   * of a file the later one counts.
   *
   * @param send - hands the call over. Not called where the call was abandoned before.
   */
  async call(
    invocation: Readonly<Record<string, Value>>,
    send: (id: number, payload: SentValue) => void,
  ): Promise<Value> {
    const { promise: result, resolve, reject } = Promise.withResolvers<Value>();
    this.#lastId += 1;
    const id = this.#lastId;
    this.#pending.set(id, { resolve, reject });
    const sending = this.#lastSent.then(async () => {
      const payload = await encodeValueInSlices(invocation);
      if (this.#pending.has(id)) send(id, payload);
    });
    this.#lastSent = sending.catch((error: unknown) => {
      this.#pending.delete(id);
      reject(error);
    });
    return await result;
  }

  /** Takes Python's answer, the method `invoke.end`. */
  end(args: Readonly<Record<string, Value>>): null {
    const { id, value, error } = args;
    const pending = typeof id === "number" ? this.#pending.get(id) : undefined;
    if (pending === undefined || typeof id !== "number") return null;
    this.#pending.delete(id);
    const failure = Failure.safeParse(error);
    if (failure.success) pending.reject(new InvocationError(failure.data.type, failure.data.message, id));
    else pending.resolve(value);
    return null;
  }

  /** Nobody will answer any more. */
  abandon(reason: string): void {
    for (const pending of this.#pending.values()) pending.reject(new InvocationAbandonedError(reason));
    this.#pending.clear();
  }
}
