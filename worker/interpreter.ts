import {
  isRecord,
  jsonIn,
  parseJson,
  type CheckReport,
  type CheckRequest,
  type EncodedValue,
  type RunContext,
  type RunReply,
  type RunRequest,
  type WorkspaceChange,
} from "../src/protocol/index.js";
import type { InterpreterMemory } from "./interpreter-memory.js";
import type { InterruptSignal } from "./interrupt-signal.js";
import type { OutputStream } from "./output-stream.js";
import type { InterpreterWorkspace } from "./interpreter-workspace.js";

/** Encoded values as Python returns them. */
type WireValue = readonly [string, Uint8Array<ArrayBuffer>[]] | undefined;

/** `RunReply.wire` of `_run_reply.py`: error and report are JSON. */
type WireReply = readonly [
  value: WireValue,
  fullText: readonly [text: string, omitted: number] | undefined,
  valueRepr: string | undefined,
  error: string | undefined,
  finalAnswer: WireValue,
  report: string | undefined,
];

/** A reply of which the page has yet to look at what Python wrote as JSON. */
type UncheckedReply = Omit<RunReply, "error" | "finalAnswer" | "memory"> &
  Readonly<Record<"error" | "finalAnswer" | "memory", unknown>>;

/** A method of a Python object, as Pyodide hands it out: a new proxy at each look, to be destroyed after use. */
interface PythonMethod {
  (...args: readonly string[]): unknown;
  callPromising(...args: readonly string[]): Promise<unknown>;
  destroy(): void;
}

/** The Python object `vitrine._runner.Interpreter`. */
export interface PythonInterpreter {
  readonly run: PythonMethod;
  readonly complete: PythonMethod;
  readonly check: PythonMethod;
  readonly inspect_skill: PythonMethod;
}

/** The session's interpreter, called so that Python may wait inside. */
export class Interpreter {
  readonly #python: PythonInterpreter;
  readonly #signal: InterruptSignal;
  readonly #output: OutputStream;
  readonly #workspace: InterpreterWorkspace;
  readonly #memory: InterpreterMemory;
  readonly #suspends: boolean;

  constructor(
    python: PythonInterpreter,
    parts: {
      signal: InterruptSignal;
      output: OutputStream;
      workspace: InterpreterWorkspace;
      memory: InterpreterMemory;
      suspends: boolean;
    },
  ) {
    this.#python = python;
    this.#signal = parts.signal;
    this.#output = parts.output;
    this.#workspace = parts.workspace;
    this.#memory = parts.memory;
    this.#suspends = parts.suspends;
  }

  async run(
    request: RunRequest,
    { files, toolsVersion, stopSign }: RunContext<WorkspaceChange>,
  ): Promise<UncheckedReply> {
    this.#signal.watch(stopSign);
    this.#output.begin(request.outputBytes, () => {
      this.#signal.requestStop("output");
    });
    // The code beside the rest, as it is: it may be long, and JSON would write it out once more.
    const { code, heapGrowth, ...rest } = request;
    const broughtIn = this.#workspace.apply(files);
    const heapSize = this.#memory.size;
    this.#memory.beginRun(heapGrowth ?? undefined);
    const started = performance.now();
    const reply = (await this.#call("run", code, JSON.stringify({ ...rest, toolsVersion }))) as WireReply;
    const elapsed = performance.now() - started;
    this.#output.flush();
    const grown = this.#memory.size - heapSize;
    this.#memory.beginRun();
    const changed = this.#workspace.collect();
    const [value, fullText, valueRepr, error, finalAnswer, report] = reply;
    return {
      value: encodedValue(value),
      fullText: fullText === undefined ? null : { text: fullText[0], omitted: fullText[1] },
      error: error === undefined ? null : parseError(error),
      valueRepr: valueRepr ?? null,
      ...helperReport(finalAnswer, report),
      files: changed.files,
      fileProblems: [...broughtIn, ...changed.problems],
      heapGrowth: grown,
      elapsed,
    };
  }

  async complete(code: string): Promise<unknown> {
    return parseJson((await this.#call("complete", code)) as string);
  }

  async check(requests: readonly CheckRequest[]): Promise<unknown> {
    const pieces = requests.flatMap(({ code, filename, ...options }) => [code, filename, JSON.stringify(options)]);
    const reports = jsonIn((await this.#call("check", ...pieces)) as string);
    // Where session code broke what the check is made of. That it cannot be made costs no variables.
    const none: CheckReport = { findings: [], uses: [], names: [] };
    return reports === undefined ? requests.map(() => none) : reports;
  }

  async inspectSkill(name: string, source: string): Promise<string> {
    return (await this.#call("inspect_skill", name, source)) as string;
  }

  async #call(method: keyof PythonInterpreter, ...args: string[]): Promise<unknown> {
    const callable = this.#python[method];
    try {
      // Only a promising call may be suspended on a promise while it waits for the page, or for JavaScript.
      return await (this.#suspends ? callable.callPromising(...args) : callable(...args));
    } finally {
      callable.destroy();
    }
  }
}

function encodedValue(value: WireValue): EncodedValue | null {
  return value === undefined ? null : { text: value[0], buffers: value[1] };
}

/** What the helpers of an agent's run tell. */
function helperReport(answer: WireValue, text: string | undefined): Pick<UncheckedReply, "finalAnswer" | "memory"> {
  const report = text === undefined ? null : parseJson(text);
  if (!isRecord(report)) return { finalAnswer: null, memory: null };
  const value = encodedValue(answer);
  return {
    finalAnswer: value === null || !isRecord(report.answer) ? null : { ...report.answer, value },
    memory: report.memory,
  };
}

function parseError(text: string): unknown {
  const error = parseJson(text);
  // Null would say that there was none.
  if (!isRecord(error)) return error ?? {};
  const { python_type: pythonType, wanted_package: wantedPackage, ...rest } = error;
  return { ...rest, pythonType, ...(wantedPackage === null ? {} : { wantedPackage }) };
}
