import { canonicalKey } from "../../dispatch/index.js";
import { shorten, valueSize, VitrineError, withSizes, type Value } from "../../protocol/index.js";
import type { ObserveTool } from "../../session/index.js";
import type { Tool, ToolCallable } from "../../tools/index.js";

/** Bytes of arguments and answers that are kept, of all calls of a task together. */
const MOST_KEPT = 32 * 1024 ** 2;
/** Calls of the same tool that a refusal names. */
const MOST_NAMED = 3;

type Arguments = Readonly<Record<string, Value>>;

type Answer =
  | { readonly kind: "pending" }
  | { readonly kind: "returned"; readonly value: Value }
  | { readonly kind: "raised"; readonly error: unknown }
  /** It was too large to be kept. */
  | { readonly kind: "left-out" };

interface RecordedCall {
  readonly name: string;
  /** Null where they were too large to be kept. */
  readonly arguments: Arguments | null;
  answer: Answer;
}

/** A trial asks for what the task did not do, or what is not known of it. The tool was not called. */
export class UnrecordedCallError extends VitrineError {
  override readonly name = "UnrecordedCallError";
  readonly code = "CALL_NOT_RECORDED";

  constructor(
    readonly call: string,
    readonly reason: string,
  ) {
    super(`${call} is refused in this trial: ${reason}`);
  }
}

/** What the tools answered in a task, whole; the journal keeps summaries. */
export class ToolRecord {
  readonly #calls: RecordedCall[] = [];
  readonly #isPartial: boolean;
  #room: number;

  /**
   * @param isPartial - whether calls of the task were made before anybody heard of them.
   * @param room - bytes that are kept. Default 32 MB.
   */
  constructor({ isPartial = false, room = MOST_KEPT }: { readonly isPartial?: boolean; readonly room?: number } = {}) {
    this.#isPartial = isPartial;
    this.#room = room;
  }

  /** How many calls it has heard of. */
  get size(): number {
    return this.#calls.length;
  }

  readonly observe: ObserveTool = ({ name, arguments: args }) => {
    const call: RecordedCall = { name, arguments: this.#keeps(args) ? args : null, answer: { kind: "pending" } };
    this.#calls.push(call);
    return {
      returned: (value) => {
        call.answer = this.#keeps(value) ? { kind: "returned", value } : { kind: "left-out" };
      },
      failed: (error) => {
        call.answer = { kind: "raised", error };
      },
    };
  };

  /** What it has heard, to answer one trial with. `tools` say what is meant where arguments are left out. */
  answers(tools: readonly Tool[]): RecordedAnswers {
    return new RecordedAnswers(this.#calls, { tools, isPartial: this.#isPartial });
  }

  #keeps(value: Value): boolean {
    const size = valueSize(value, this.#room);
    if (size > this.#room) return false;
    this.#room -= size;
    return true;
  }
}

/** Answers the calls of one trial, each recorded call once and in the order in which they were made. */
export class RecordedAnswers {
  readonly #calls: readonly RecordedCall[];
  readonly #isPartial: boolean;
  readonly #callables: ReadonlyMap<string, ToolCallable>;
  readonly #keys: readonly (string | undefined)[];
  readonly #used = new Set<number>();

  constructor(
    calls: readonly RecordedCall[],
    { tools, isPartial }: { readonly tools: readonly Tool[]; readonly isPartial: boolean },
  ) {
    this.#calls = calls;
    this.#isPartial = isPartial;
    this.#callables = new Map(
      tools.flatMap((tool) => tool.callables.map((callable) => [fullName(tool, callable.name), callable] as const)),
    );
    this.#keys = calls.map(({ name, arguments: args }) => (args === null ? undefined : this.#keyOf(name, args)));
  }

  /**
   * What the task was answered to the same call.
   *
   * @throws {UnrecordedCallError} where there is no answer left.
   * @throws what the call ended with in the task.
   */
  take(name: string, args: Arguments): Value {
    const key = this.#keyOf(name, args);
    const index = this.#keys.findIndex((own, at) => key !== undefined && own === key && !this.#used.has(at));
    const answer = this.#calls[index]?.answer;
    if (answer === undefined) throw this.#refusal(name, key);
    this.#used.add(index);
    switch (answer.kind) {
      case "returned":
        return answer.value;
      case "raised":
        throw answer.error;
      case "left-out":
        throw new UnrecordedCallError(`tools.${name}`, "what it answered in the task was too large to be kept.");
      case "pending":
        throw new UnrecordedCallError(`tools.${name}`, "it had not ended when the task did.");
    }
  }

  #refusal(name: string, key: string | undefined): UnrecordedCallError {
    const ofTool = this.#calls.filter((call) => call.name === name);
    const reason =
      key !== undefined && this.#keys.includes(key)
        ? "the task made this call less often."
        : ofTool.length === 0
          ? "the task did not call this tool."
          : `the task called it with other arguments: ${ofTool.slice(0, MOST_NAMED).map(argumentText).join("; ")}.`;
    const earlier = this.#isPartial ? " Of calls from before the task was taken up only summaries are kept." : "";
    return new UnrecordedCallError(`tools.${name}`, `${reason}${earlier}`);
  }

  /** Whoever writes a default and whoever leaves it out mean the same. */
  #keyOf(name: string, args: Arguments): string | undefined {
    const defaults = (this.#callables.get(name)?.parameters ?? []).flatMap((parameter) =>
      parameter.default === undefined ? [] : [[parameter.name, parameter.default] as const],
    );
    const key = canonicalKey({ ...Object.fromEntries(defaults), ...args });
    return key === undefined ? undefined : `${name} ${key}`;
  }
}

/** As the journal names a call: `weather`, `github.get_repo`. */
export function fullName({ name }: Pick<Tool, "name">, callable: string | null): string {
  return callable === null || callable === name ? name : `${name}.${callable}`;
}

function argumentText({ arguments: args }: RecordedCall): string {
  return args === null ? "(too large to be kept)" : shorten(jsonText(args), 200);
}

/** Arguments as JSON, as far as they have one. */
export function jsonText(args: Arguments): string {
  return JSON.stringify(args, withSizes);
}
