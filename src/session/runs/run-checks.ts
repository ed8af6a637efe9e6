import type { Executor } from "../../executor/index.js";
import { messageOf } from "../../protocol/index.js";
import type { Services } from "../calls/services.js";
import type { CheckedCode } from "./code-check.js";
import type { CheckOptions } from "./code-check-options.js";
import type { RunPlan } from "./run-plan.js";
import type { RunResult } from "./run-result.js";

export interface RunChecksParts {
  readonly executor: Executor;
  readonly services: Services;
  /** Modules that the session's code may import; undefined where its trust level rules. */
  readonly imports: readonly string[] | undefined;
}

interface CheckedRun {
  readonly plan: RunPlan;
  /** Aborted when somebody stops the run. */
  readonly signal: AbortSignal;
}

/** Has code looked at as it would be run in the session. */
export class RunChecks {
  readonly #parts: RunChecksParts;

  constructor(parts: RunChecksParts) {
    this.#parts = parts;
  }

  /** What a run wants to know before it begins. */
  async before({ plan, signal }: CheckedRun, check: Exclude<RunPlan["check"], false>): Promise<CheckedCode> {
    const { wire, name, scope } = plan;
    const { code, helpers, imports } = wire;
    return this.of(code, {
      helpers: helpers.kind,
      name,
      signal,
      ...(scope === undefined ? {} : { scope }),
      ...(imports === null ? {} : { imports }),
      ...(check === true ? {} : check),
    });
  }

  /** An agent's model is told what the tools say of themselves that its code called, once that has failed. */
  async after(run: CheckedRun, result: RunResult): Promise<RunResult> {
    if (run.plan.wire.helpers.kind !== "agent" || result.error === null || result.lost) return result;
    // Who was stopped, or too slow, did not misread the documentation.
    if (run.signal.aborted || result.error.code === "RUN_TIMEOUT") return result;
    try {
      return { ...result, namedTools: (await this.before(run, true)).namedTools };
    } catch (error) {
      // The interpreter may have ended meanwhile, which takes nothing from what the run did.
      const reason = messageOf(error);
      return { ...result, notices: [...result.notices, `Which tools the code calls is not known: ${reason}`] };
    }
  }

  async of(
    code: string,
    options: CheckOptions & { readonly name: string; readonly signal: AbortSignal },
  ): Promise<CheckedCode> {
    const { checkCode } = await import("./code-check.js");
    const { executor, services } = this.#parts;
    const { name, signal, helpers = "none", imports = this.#parts.imports, scope, types } = options;
    return checkCode({ code, filename: `<${name}>`, helpers, imports, scope, types, signal }, executor, services);
  }
}
