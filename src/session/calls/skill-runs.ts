import { VitrineError, type Value } from "../../protocol/index.js";
import { SkillNotFoundError, type SkillLibrary } from "../../skills/index.js";
import type { ForeignContents } from "./foreign-content.js";
import type { CallOrigin } from "./call-origin.js";
import type { Operations } from "./operations.js";

/** A skill failed, or its run ended before it did. For the journal: Python has the real exception. */
export class SkillFailedError extends VitrineError {
  override readonly name: string;
  readonly code = "SKILL_FAILED";

  constructor(type: string, message: string) {
    super(message);
    this.name = type;
  }
}

interface OpenSkill {
  readonly runId: string;
  resolve(value: Value): void;
  reject(error: Error): void;
}

/**
 * Skills run in the interpreter, so their journal entries are opened and closed
 * from there: `begin` hands out the source, `end` tells how it went.
 */
export class SkillRuns {
  readonly #operations: Operations;
  readonly #library: SkillLibrary;
  readonly #foreign: ForeignContents;
  readonly #open = new Map<string, OpenSkill>();

  constructor(operations: Operations, { library, foreign }: { library: SkillLibrary; foreign: ForeignContents }) {
    this.#operations = operations;
    this.#library = library;
    this.#foreign = foreign;
  }

  /** @throws {SkillNotFoundError} and whatever the dispatcher refuses with. */
  begin(
    origin: CallOrigin,
    { name, args }: { name: string; args: Readonly<Record<string, Value>> },
  ): Promise<{ callId: string; source: string }> {
    const { promise: begun, resolve, reject } = Promise.withResolvers<{ callId: string; source: string }>();
    const call = this.#operations.dispatch(
      origin,
      { namespace: "skills", name, arguments: args },
      async (_checked, context) => {
        const { callId } = context;
        const skill = await this.#library.get(name);
        if (skill === null) throw new SkillNotFoundError(name);
        await this.#foreign.checkSkill(skill, origin, context);
        if (this.#open.has(callId))
          throw new SkillFailedError("RPCTransportError", "A skill cannot be called twice by a middleware.");
        const { promise: ended, ...settle } = Promise.withResolvers<Value>();
        this.#open.set(callId, { runId: origin.runId, ...settle });
        resolve({ callId, source: skill.source });
        return ended;
      },
    );
    // After `begun` a failure is the skill's own, which Python reports to its caller itself. A call that
    // ends before was refused, or answered by a middleware that has no source to run.
    call.then(() => {
      reject(new SkillFailedError("RPCTransportError", `A middleware answered for the skill "${name}".`));
    }, reject);
    return begun;
  }

  /** Python says how a skill of that run ended. What is not running is passed over: its run has ended. */
  end(callId: string, { runId, failure }: { runId: string; failure: { type: string; message: string } | null }): void {
    const open = this.#open.get(callId);
    if (open?.runId !== runId) return;
    this.#open.delete(callId);
    if (failure === null) open.resolve(null);
    else open.reject(new SkillFailedError(failure.type, failure.message));
  }

  /** The run is over: what is still open was cut off with it. */
  endRun(runId: string): void {
    for (const [callId, open] of this.#open) {
      if (open.runId !== runId) continue;
      this.#open.delete(callId);
      open.reject(new SkillFailedError("RunEndedError", "The run ended before the skill did."));
    }
  }
}
