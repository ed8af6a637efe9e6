import { optionCheck } from "../options/index.js";
import { messageOf, randomId } from "../protocol/index.js";
import {
  CODEGEN_OPTIONS,
  type CodegenCallOptions,
  type CodegenOptions,
  type CodegenRequest,
} from "./codegen-options.js";
import type { CodegenTaskOptions } from "./codegen-task.js";
import { codegenError } from "./errors.js";
import { CodegenLog, type CodegenEvent } from "./events.js";
import { failedResult, type CodegenResult } from "./outcome/result.js";

/** A generation that was started. Iterate over it for its events, from the first one on, as often as you like. */
export interface CodegenRun extends AsyncIterable<CodegenEvent> {
  readonly runId: string;
  /** The events so far. */
  readonly events: readonly CodegenEvent[];
  /** Objective, status, story and artifacts of the program that runs, or ran last, as Markdown. Empty before one ran. */
  projectLog(): string;
  /** How it ended. Never rejects. */
  readonly result: Promise<CodegenResult>;
}

const checkCodegenOptions = optionCheck<CodegenOptions>("new Codegen", CODEGEN_OPTIONS);
const checkRequest = optionCheck<Partial<CodegenRequest>>("codegen.run", {
  // A model may call this as a tool: what is missing or wrong of these is said in the result.
  outputContract: "any?",
  instruction: "any?",
  progName: "any?",
  skills: "any?",
  sourcesList: "any?",
  context: "string?",
});
const checkCallOptions = optionCheck<CodegenCallOptions>("codegen.run", {
  signal: "object?",
  parentCall: "string?",
  task: "object?",
  onEvent: "function?",
});

/** Has a model write a program that makes the artifacts of a contract, and runs it in a clean, sealed interpreter. */
export class Codegen {
  readonly #options: CodegenOptions;

  /** @throws {OptionError} */
  constructor(options: CodegenOptions) {
    checkCodegenOptions(options);
    this.#options = options;
  }

  /** Starts at once. A contract that says no clear thing ends it before anything is generated. */
  run(request: CodegenRequest, options: CodegenCallOptions = {}): CodegenRun {
    checkRequest(request);
    checkCallOptions(options);
    const runId = newRunId();
    const log = new CodegenLog(runId, options.onEvent);
    const { signal = new AbortController().signal, parentCall, task } = options;
    const result = this.#start(request, { ...this.#options, runId, log, signal, parentCall, task });
    return {
      runId,
      events: log.events,
      projectLog: () => log.project,
      result,
      [Symbol.asyncIterator]: () => log.read(),
    };
  }

  /** A page that never has a program written does not load how. */
  async #start(request: CodegenRequest, options: CodegenTaskOptions): Promise<CodegenResult> {
    const { log, runId } = options;
    try {
      const { CodegenTask } = await import("./codegen-task.js");
      return await new CodegenTask(request, options).run();
    } catch (error) {
      const description = messageOf(error);
      const failure = codegenError({ where: "codegen.tool", error: "not_loaded", description, managed: false });
      const result = failedResult(runId, failure);
      log.add({ type: "codegen-ended", result }, { id: `${runId}/end`, parentId: null });
      log.end();
      return result;
    }
  }
}

/** `cg-` and eight digits. */
export function newRunId(): string {
  return `cg-${randomId().slice(0, 8)}`;
}
