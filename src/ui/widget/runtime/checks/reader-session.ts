import { isOpaque, pythonTypeOf, shorten, type Value } from "../../../../protocol/index.js";
import type { RunResult, Session } from "../../../../session/index.js";
import { LiteralTooLargeError, pythonLiteral } from "./python-literal.js";

/** What a check wants of the reader, as it is there. */
export type Wanted =
  | { readonly kind: "missing"; readonly name: string }
  | { readonly kind: "function" | "async function"; readonly name: string }
  | { readonly kind: "value"; readonly name: string; readonly value: Value };

/** What came of a call of the reader's function. A type alias: it crosses to the code of the check. */
export type CallAnswer =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly type: string; readonly message: string };

export interface ReaderOptions {
  readonly session: Session;
  /** When the time of the check is over, by `performance.now()`; null for no limit. */
  readonly deadline: number | null;
  readonly signal: AbortSignal;
  /** The interpreter was ended, with a sentence that says so. */
  readonly onLost: (notice: string) => void;
}

/** Characters of a description that a reason shows. */
const SHOWN = 80;

// By what no variable of the reader can hide. An interpreter in which code changed the builtins deceives none but itself.
const BUILTINS = '__import__("builtins")';

/** The reader's interpreter as a check sees it. Nothing of the check's code comes here: names and arguments alone. */
export class ReaderSession {
  readonly #options: ReaderOptions;
  /** What came to the check as a description, in sentences. */
  readonly described: string[] = [];

  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  /** @returns what the names stand for, or a sentence that says why that is not known. */
  async read(names: readonly string[]): Promise<readonly Wanted[] | string> {
    const list = pythonLiteral(names);
    const result = await this.#run(
      "(lambda builtins, inspect, there, names: [\n" +
        '    (name, "missing", None) if name not in there\n' +
        '    else (name, "async function", None) if inspect.iscoroutinefunction(there[name])\n' +
        '    else (name, "function", None) if builtins.callable(there[name])\n' +
        '    else (name, "value", there[name])\n' +
        `    for name in names\n])(${BUILTINS}, __import__("inspect"), ${BUILTINS}.globals(), ${list})`,
    );
    if (result.error !== null) return `The variables could not be read: ${result.error.message}`;
    const { value } = result;
    if (!Array.isArray(value)) return "The variables are too large for a check.";
    return (value as readonly Value[]).map((entry, index) => this.#wanted(names[index] ?? "", entry));
  }

  /** Calls a function of the reader. */
  async call(name: string, args: readonly Value[], kwargs: Readonly<Record<string, Value>>): Promise<CallAnswer> {
    let code: string;
    try {
      code = `${BUILTINS}.globals()[${pythonLiteral(name)}](*${pythonLiteral(args)}, **${pythonLiteral(kwargs)})`;
    } catch (error) {
      if (!(error instanceof LiteralTooLargeError)) throw error;
      return { ok: false, type: "ValueError", message: `the arguments of ${name} are too large for a check` };
    }
    const { error, value } = await this.#run(code);
    if (error !== null) return { ok: false, type: error.pythonType, message: error.message };
    this.#describe(`What \`${name}\` returns`, value);
    return { ok: true, value };
  }

  #wanted(name: string, entry: Value): Wanted {
    const [, kind, value] = Array.isArray(entry) ? (entry as readonly Value[]) : [];
    switch (kind) {
      case "function":
      case "async function":
        return { kind, name };
      case "value":
        this.#describe(`\`${name}\``, value);
        return { kind, name, value };
      default:
        return { kind: "missing", name };
    }
  }

  #describe(what: string, value: Value): void {
    if (!isOpaque(value)) return;
    const type = shorten(pythonTypeOf(value) ?? "", SHOWN);
    const sentence = `${what} is of the type ${type}, of which the check sees a description alone.`;
    if (!this.described.includes(sentence)) this.described.push(sentence);
  }

  async #run(code: string): Promise<RunResult> {
    const { session, deadline, signal, onLost } = this.#options;
    const timeout = deadline === null ? null : Math.max(1, deadline - performance.now());
    const result = await session.run(code, { name: "check", timeout, signal });
    if (result.lost) onLost("A function was stopped that did not end while it was checked: variables are gone.");
    return result;
  }
}
