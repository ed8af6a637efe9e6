import { z } from "zod";

import type { Finding } from "../../check/index.js";
import type { Packages } from "../../deps/index.js";
import { messageOf } from "../../protocol/index.js";
import type { FileCheckOptions, RepairedTexts, TextInterpreter, TextWorkOptions } from "../../write-code/index.js";
import type { Services } from "../calls/services.js";
import { packagesFor } from "../package-options.js";
import type { SessionOptions } from "../session-options.js";
import type { CheckPlan } from "./code-check.js";
import { GatheredChecks } from "./gathered-checks.js";
import { callPython, SealedPython } from "./sealed-python.js";

const REPAIRS = "ftfy";

const RepairedList = z.array(z.string());
export interface TextInterpreterParts {
  /** Of the session: where its interpreters and packages come from. */
  readonly options: SessionOptions;
  /** What the session's code sees. Asked when a text is looked at. */
  readonly services: () => Services;
}

/**
 * What looks at texts for write_code while the session's own interpreter waits for the call. Code is checked in an
 * interpreter that has the session's packages, and against the session's tools, skills and files; mojibake is repaired in
 * another one, that has ftfy and nothing of the session. Neither is known to the session's code, and none of what they do
 * is asked about, counted or noted: it is the page's own wish.
 */
export class SessionTextInterpreter implements TextInterpreter {
  readonly #parts: TextInterpreterParts;
  readonly #checking: SealedPython;
  readonly #checks: GatheredChecks;
  readonly #repairing: SealedPython;
  readonly #packages: Packages;

  constructor(parts: TextInterpreterParts) {
    this.#parts = parts;
    this.#checking = new SealedPython(parts.options);
    this.#checks = new GatheredChecks(this.#checking, parts.services);
    this.#repairing = new SealedPython(parts.options);
    this.#packages = packagesFor(parts.options);
  }

  /** Has the interpreter for checks start, without waiting for it. What is wrong with it the first check says. */
  open(): TextInterpreter {
    if (this.#checking.isStarted || this.#checking.isBusy) return this;
    const wheels = this.#parts.services().deps.handedOut();
    this.#checking.use({ wheels, work: () => Promise.resolve() }).catch(() => undefined);
    return this;
  }

  async check(code: string, { provided = [], signal }: FileCheckOptions = {}): Promise<readonly Finding[]> {
    const plan: CheckPlan = {
      ...{ code, filename: "<code>", isModule: true, helpers: "none", scope: undefined, types: undefined },
      imports: this.#parts.options.imports,
      provided: new Set(provided),
      // Ends the wait for a type checker, and none is asked.
      signal: new AbortController().signal,
    };
    return (await this.#checks.check(plan, signal)).findings;
  }

  async repair(texts: readonly string[], { signal }: TextWorkOptions = {}): Promise<RepairedTexts> {
    if (!this.#packages.hasSources) return unrepaired(texts, `the session has no packages to take ${REPAIRS} from`);
    try {
      const ended = signal === undefined ? {} : { signal };
      const wheels = await this.#packages.fetch(REPAIRS, [], { installed: [], ...ended });
      const { default: source } = await import("virtual:text-repair");
      const answer = await this.#repairing.use({
        wheels,
        work: (executor) => callPython(executor, { source, name: "repair_texts", given: texts }),
        signal,
      });
      const repaired = RepairedList.parse(answer);
      if (repaired.length !== texts.length) return unrepaired(texts, "Python answered with other texts");
      return { texts: repaired, isRepaired: true };
    } catch (error) {
      signal?.throwIfAborted();
      return unrepaired(texts, messageOf(error));
    }
  }

  close(): void {
    this.#checking.close();
    this.#repairing.close();
  }
}

function unrepaired(texts: readonly string[], reason: string): RepairedTexts {
  return { texts, isRepaired: false, reason };
}
