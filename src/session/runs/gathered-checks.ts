import { unlessAborted } from "../../protocol/index.js";
import type { Services } from "../calls/services.js";
import { SessionClosedError } from "../errors.js";
import type { CheckedCode, CheckPlan } from "./code-check.js";
import { asTextInterpreterError, type SealedPython } from "./sealed-python.js";

/** Pieces of code that are looked at in one step, and characters of them: a step is not interrupted between them. */
const MOST_AT_ONCE = 5;
const MOST_CHARACTERS = 200_000;

interface AskedCheck {
  readonly plan: CheckPlan;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (checked: CheckedCode) => void;
  readonly reject: (error: unknown) => void;
}

/** Looks for mistakes in code with one interpreter. What is asked for while it is busy is looked at in one step then. */
export class GatheredChecks {
  readonly #python: Pick<SealedPython, "use">;
  readonly #services: () => Services;
  #waiting: AskedCheck[] = [];

  constructor(python: Pick<SealedPython, "use">, services: () => Services) {
    this.#python = python;
    this.#services = services;
  }

  /** @throws {TextInterpreterError} @throws {SessionClosedError} */
  async check(plan: CheckPlan, signal?: AbortSignal): Promise<CheckedCode> {
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<CheckedCode>();
    this.#waiting.push({ plan, signal, resolve, reject });
    if (this.#waiting.length === 1) void this.#work();
    return signal === undefined ? promise : unlessAborted(promise, signal);
  }

  /** @param given - default: what waits when the interpreter is free. */
  async #work(given?: readonly AskedCheck[]): Promise<void> {
    let taken = given;
    try {
      const services = this.#services();
      const { judgeReport, requestFor } = await import("./code-check.js");
      // An interpreter is not started for what is not waited for.
      if (taken === undefined) this.#waiting = this.#waiting.filter(isWaitedFor);
      else taken = taken.filter(isWaitedFor);
      if ((taken ?? this.#waiting).length === 0) return;
      await this.#python.use({
        wheels: services.deps.handedOut(),
        work: async (executor) => {
          taken = taken?.filter(isWaitedFor) ?? this.#take();
          if (taken.length === 0) return;
          const reports = await executor.check(
            ...(await Promise.all(taken.map(({ plan }) => requestFor(plan, services)))),
          );
          const judged = taken.map(async ({ plan, resolve, reject }, index) => {
            // What is wrong with one of them is no other's affair.
            await judgeReport(plan, services, reports[index]).then(resolve, (error: unknown) => {
              reject(asTextInterpreterError(error));
            });
          });
          await Promise.all(judged);
        },
      });
    } catch (error) {
      const failed = taken ?? this.#waiting.splice(0);
      // The interpreter may have been lost to one of them, which takes no other one along.
      const areTriedAlone = taken !== undefined && taken.length > 1 && !(error instanceof SessionClosedError);
      for (const each of failed.filter(isWaitedFor)) {
        if (areTriedAlone) void this.#work([each]);
        else each.reject(error);
      }
    }
  }

  /** Those that are still waited for, in their order. */
  #take(): readonly AskedCheck[] {
    const taken: AskedCheck[] = [];
    let characters = 0;
    while (taken.length < MOST_AT_ONCE) {
      const [next] = this.#waiting;
      if (next === undefined) break;
      if (isWaitedFor(next)) {
        characters += next.plan.code.length;
        if (taken.length > 0 && characters > MOST_CHARACTERS) break;
        taken.push(next);
      }
      this.#waiting.shift();
    }
    if (this.#waiting.length > 0) void this.#work();
    return taken;
  }
}

function isWaitedFor({ signal }: AskedCheck): boolean {
  return signal?.aborted !== true;
}
