import { z } from "zod";

import { checkArgument, optionCheck } from "../options/index.js";
import type { OutputChunk } from "../protocol/index.js";
import type { Session, SessionClient } from "../session/index.js";
import { callOf, oneLine, TOOL_SCOPE, toolAlias, TypeWriter, type Tool, type ToolScope } from "../tools/index.js";
import { callForClient, type ClientToolOptions, type ClientToolResult } from "./client-tools.js";
import { imagesOf, MAX_TEXT, renderRun } from "./render-run.js";
import { runCodeDescription } from "./run-code-description.js";

/** What `run_python` is called, and what its code may use. */
export interface RunPythonOptions extends Omit<ClientToolOptions, "canChangeDeps"> {
  /** How its runs are called in the journal, and the function where it has a name. Default: `run_python`. */
  readonly name?: string;
  /** The tools that the model's code sees of those that the session's code sees. Default: all of them. */
  readonly scope?: ToolScope;
  /** Whether the model sees: pictures that its code shows are then sent along. Default: false. */
  readonly images?: boolean;
}

const checkOptions = optionCheck<RunPythonOptions>("run_python", {
  timeout: "number|null?",
  maxLength: "number?",
  name: "string?",
  scope: TOOL_SCOPE,
  images: "boolean?",
});

/** How one call of `run_python` is stopped and watched. */
export interface RunPythonHandling {
  /** Stops the run. */
  readonly signal?: AbortSignal | undefined;
  /** Hears what the code prints and shows while it runs. */
  readonly onOutput?: ((chunk: OutputChunk) => void) | undefined;
}

/** What a model gives. */
export const RunPythonInput = z.strictObject({
  code: z.string().describe("Python. The value of the last expression is the result."),
});
export type RunPythonInput = z.infer<typeof RunPythonInput>;

/** `run_python` of one session: what every protocol's form of it stands on. */
export class RunPython {
  readonly name: string;
  readonly #client: SessionClient;
  readonly #options: RunPythonOptions;

  constructor(session: Session, options: RunPythonOptions = {}) {
    checkArgument("run_python", "session", session, "object");
    checkOptions(options);
    const { name = "run_python", scope } = options;
    this.name = name;
    this.#options = options;
    this.#client = session.client({ name, ...(scope === undefined ? {} : { scope }) });
  }

  /** With the tools that there are now. */
  get description(): string {
    return `${runCodeDescription(this.#client.trust)}${describeTools(this.#client.listTools())}`;
  }

  /** Whatever comes of it is a result, arguments that do not fit and code that fails included. */
  call(args: unknown, { signal, onOutput }: RunPythonHandling = {}): Promise<ClientToolResult> {
    const { timeout, maxLength = MAX_TEXT } = this.#options;
    return callForClient({ name: this.name, input: RunPythonInput, maxLength }, args, async ({ code }) => {
      const run = await this.#client.run(code, {
        ...(timeout === undefined ? {} : { timeout }),
        ...(signal === undefined ? {} : { signal }),
        ...(onOutput === undefined ? {} : { onOutput }),
      });
      return { text: renderRun(run, maxLength), isError: !run.ok, images: imagesOf(run.outputs) };
    });
  }
}

/** Characters that the tools may take with their signatures. */
const MOST_TOOL_TEXT = 8000;

/** The tools as Python is called; where that is too much, how many there are. */
function describeTools(tools: readonly Tool[]): string {
  if (tools.length === 0) return "";
  const types = new TypeWriter();
  const lines: string[] = [];
  let length = 0;
  for (const tool of tools) {
    const alias = toolAlias(tool);
    for (const callable of tool.callables) {
      const about = oneLine(callable.description || tool.description);
      const line = `- tools.${callOf(tool, callable, { alias, types })}${about === "" ? "" : `  # ${about}`}`;
      lines.push(line);
      length += line.length + 1;
      if (length > MOST_TOOL_TEXT) return tooMany(tools);
    }
  }
  const text = [lines.join("\n"), ...types.declarations].join("\n\n");
  return text.length > MOST_TOOL_TEXT ? tooMany(tools) : `\n\nThe tools:\n${text}`;
}

function tooMany(tools: readonly Tool[]): string {
  const count = tools.reduce((sum, { callables }) => sum + Math.max(1, callables.length), 0);
  return `\n\nThere are ${count.toLocaleString("en-US")} tools, too many to list: tools.search("words") finds them.`;
}
