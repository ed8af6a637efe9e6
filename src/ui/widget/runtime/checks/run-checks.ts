import { z } from "zod";

import { isRecord, messageOf, shorten, unlessAborted, type Value } from "../../../../protocol/index.js";
import { LONGEST_TIMEOUT, type ChildSession, type RunResult, type Session } from "../../../../session/index.js";
import { memoryStorage } from "../../../../storage/index.js";
import { functionTool } from "../../../../tools/index.js";
import type { CellCheck, CheckOutcome } from "../../cell-runtime.js";
import { ReaderSession, type CallAnswer, type Wanted } from "./reader-session.js";
import standIns from "./stand-ins.py?raw";

export interface CheckParts {
  /** The reader's, in which nothing else runs meanwhile. */
  readonly session: Session;
  /** Milliseconds that each check may take; null for no limit. */
  readonly timeout: number | null;
  readonly signal: AbortSignal;
  /** The reader's interpreter was ended, with a sentence that says so. */
  readonly onLost: (notice: string) => void;
}

/** Characters of a reason. */
const LONGEST_REASON = 1000;

const STOPPED = "The check was stopped before it came to a result.";

/**
 * Has code of the author judge what the reader's code came to. It runs in an interpreter of its own; the reader's has
 * nothing of it. Whatever both do, there is an outcome for each check.
 */
export async function runChecks(checks: readonly CellCheck[], parts: CheckParts): Promise<CheckOutcome[]> {
  const room = new CheckRoom(parts);
  const outcomes: CheckOutcome[] = [];
  try {
    for (const check of checks) {
      const reason = parts.signal.aborted ? STOPPED : await room.whyNot(check);
      const { label } = check;
      outcomes.push(reason === null ? { kind: "passed", label } : { kind: "failed", label, reason });
    }
    return outcomes;
  } finally {
    await room.close();
  }
}

/** The session in which the checks of a run are made, one after the other. It is opened with the first that needs it. */
class CheckRoom {
  readonly #parts: CheckParts;
  #child: Promise<ChildSession> | undefined;
  #reader: ReaderSession | undefined;
  #wanted: readonly Wanted[] = [];

  constructor(parts: CheckParts) {
    this.#parts = parts;
  }

  /** Null where the check passed. */
  async whyNot({ code, wants }: CellCheck): Promise<string | null> {
    const { signal, timeout } = this.#parts;
    try {
      const child = await unlessAborted(this.#open(), signal);
      const deadline = timeout === null ? null : performance.now() + timeout;
      const reader = new ReaderSession({ ...this.#parts, deadline });
      const wanted = wants.length === 0 ? [] : await reader.read(wants);
      if (signal.aborted) return STOPPED;
      if (typeof wanted === "string") return shorten(wanted, LONGEST_REASON);
      const missing = wanted.filter(({ kind }) => kind === "missing").map(({ name }) => `\`${name}\``);
      if (missing.length > 0) return `${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} not defined.`;
      this.#reader = reader;
      this.#wanted = wanted;
      const placed = await child.run(standIns, { name: "stand-ins", timeout, signal });
      const left = deadline === null ? null : Math.max(1, deadline - performance.now());
      const result = placed.ok ? await child.run(code, { name: "check", timeout: left, signal }) : placed;
      if (result.ok) return null;
      if (isStopped(signal)) return STOPPED;
      return shorten([reasonOf(result, code, timeout), ...reader.described].join(" "), LONGEST_REASON);
    } catch (error) {
      return signal.aborted ? STOPPED : shorten(`The check could not be made: ${messageOf(error)}`, LONGEST_REASON);
    }
  }

  async close(): Promise<void> {
    const child = await this.#child?.catch(() => undefined);
    await child?.close();
  }

  /** A session with the reader's packages, and nothing else of it: what the reader stored is not there either. */
  #open(): Promise<ChildSession> {
    const { session } = this.#parts;
    this.#child ??= session.openChild({
      trust: session.trust,
      storage: memoryStorage(),
      scope: { names: [] },
      tools: [this.#tool()],
    });
    return this.#child;
  }

  #tool(): ReturnType<typeof functionTool> {
    return functionTool({
      name: "vitrine_reader",
      description: "What the check wants of the reader's code, and calls of the functions among it.",
      input: z.object({ ask: z.enum(["wanted", "call"]), name: z.string(), args: z.any(), kwargs: z.any() }),
      hints: { readOnly: true },
      // The check's own time is the bound.
      timeout: LONGEST_TIMEOUT,
      run: async ({ ask, name, args, kwargs }): Promise<Value> => {
        if (ask === "wanted")
          return this.#wanted.map((each) => [each.name, each.kind, "value" in each ? each.value : null]);
        return this.#call(name, args as Value, kwargs as Value);
      },
    });
  }

  async #call(name: string, args: Value, kwargs: Value): Promise<CallAnswer> {
    const isWanted = this.#wanted.some((each) => each.name === name && each.kind !== "value");
    if (this.#reader === undefined || !isWanted || !Array.isArray(args) || !isRecord(kwargs)) {
      return { ok: false, type: "LookupError", message: `the check wants no function ${name}` };
    }
    return this.#reader.call(name, args as readonly Value[], kwargs);
  }
}

/** Asked again after a wait. */
function isStopped(signal: AbortSignal): boolean {
  return signal.aborted;
}

function reasonOf({ error }: RunResult, code: string, timeout: number | null): string {
  if (error === null) return "";
  if (error.code === "RUN_TIMEOUT") return `The check did not end within ${String((timeout ?? 0) / 1000)} seconds.`;
  if (error.pythonType !== "AssertionError") return lastLineOf(error.traceback) ?? error.message;
  return error.message === "" ? `This does not hold: ${assertedAt(error.traceback, code)}` : error.message;
}

function lastLineOf(traceback: string): string | undefined {
  const last = traceback.trimEnd().split("\n").at(-1);
  return last === "" ? undefined : last;
}

/** What an `assert` without a message says. */
function assertedAt(traceback: string, code: string): string {
  const [, line = ""] = [...traceback.matchAll(/File "<check>", line (\d+)/g)].at(-1) ?? [];
  const text = code.split("\n")[Number(line) - 1]?.trim() ?? "";
  return text.startsWith("assert ") ? text.slice("assert ".length) : text;
}
