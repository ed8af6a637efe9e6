import { optionCheck } from "../options/index.js";
import type { JsonSchema, ToolAdapter } from "../tools/index.js";
import { PROGRAM_OPTIONS, type ProgramOptions } from "./codegen-options.js";
import type { CodegenEvent } from "./events.js";
import { DEFAULT_SECONDS, programTool } from "./program-tool.js";
import type { CodegenResult } from "./outcome/result.js";

/** What {@link executeCodeTool} is made of. */
export interface ExecuteCodeToolOptions extends ProgramOptions {
  /** Default: `execute_code_python`. */
  readonly name?: string;
  /** Hears every event of every call. */
  readonly onEvent?: (event: CodegenEvent) => void;
  /** Hears the result of every call, before the tool answers with it. */
  readonly onResult?: (result: CodegenResult) => void;
}

const checkOptions = optionCheck<ExecuteCodeToolOptions>("executeCodeTool", {
  ...PROGRAM_OPTIONS,
  name: "string?",
  onEvent: "function?",
  onResult: "function?",
});

const DESCRIPTION = `Runs a program that you wrote, in a clean interpreter: the body of an async function, with the names OUTPUT (the folder to write to), agent_io_tools.tool_call and set_progress. Every file of out_artifacts_spec has to be there and not empty at its end.
Returns {ok, status, error, summary, items: [{artifact_id, status, output, error, …}], …}.`;

const INPUT: JsonSchema = {
  type: "object",
  properties: {
    code: { type: "string", description: "The body of an async function." },
    out_artifacts_spec: {
      type: ["array", "string"],
      items: { type: "object" },
      description: "The files that it writes below OUTPUT: [{name, filename (relative), mime, description}].",
    },
    prog_name: { type: "string", description: "What people read while it works." },
    timeout_s: { type: "number", description: "Seconds that it may run. Default 600." },
  },
  required: ["code", "out_artifacts_spec"],
  additionalProperties: false,
};

const SLACK = 120_000;

/** The tool `execute_code_python`: as {@link codegenTool}, for code that is there already. */
export function executeCodeTool(options: ExecuteCodeToolOptions): ToolAdapter {
  checkOptions(options);
  const { name = "execute_code_python", timeout = DEFAULT_SECONDS * 1000 } = options;
  return programTool({
    name,
    description: DESCRIPTION,
    input: INPUT,
    // A program's own limit, and time to start and to look at its files.
    timeout: (timeout ?? 24 * 3_600_000) + SLACK,
    run: async (args, context) => {
      // A page that never runs a program does not load how.
      const { executeCode } = await import("./execute-code.js");
      const result = await executeCode(args, context, options);
      options.onResult?.(result);
      return result;
    },
  });
}
