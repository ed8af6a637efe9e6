import { optionCheck } from "../options/index.js";
import type { JsonSchema, ToolAdapter } from "../tools/index.js";
import { Codegen } from "./codegen.js";
import { CODEGEN_OPTIONS, type CodegenOptions } from "./codegen-options.js";
import type { CodegenEvent } from "./events.js";
import { programTool, progressReporter } from "./program-tool.js";
import type { CodegenResult } from "./outcome/result.js";

/** What {@link codegenTool} is made of; the rest as for {@link Codegen}. */
export interface CodegenToolOptions extends CodegenOptions {
  /** Default: `codegen_python`. */
  readonly name?: string;
  /** Milliseconds that a call may take, the model's time included. Default 1,800,000. */
  readonly callTimeout?: number;
  /** Asked with each call: what the model should know of the work so far, `context.workSoFar` of a `ReactContext` for instance. */
  readonly workSoFar?: () => string;
  /** Hears every event of every call. */
  readonly onEvent?: (event: CodegenEvent) => void;
  /** Hears the whole result of every call; the tool returns what a model can use of it. */
  readonly onResult?: (result: CodegenResult) => void;
}

const checkOptions = optionCheck<CodegenToolOptions>("codegenTool", {
  ...CODEGEN_OPTIONS,
  name: "string?",
  callTimeout: "number?",
  workSoFar: "function?",
  onEvent: "function?",
  onResult: "function?",
});

const DESCRIPTION = `Has a program written and run that makes the artifacts of a contract: for work that needs several tool calls, transformations, rendering or files. Not for a search, a fetch or one simple look-up.
Returns {ok, status, error, summary, items: [{artifact_id, type, status, output, error, …}], …}. Nothing but the contract's artifacts is made.`;

const INPUT: JsonSchema = {
  type: "object",
  properties: {
    output_contract: {
      type: ["object", "string"],
      description:
        'What is to be made: artifact_id (snake_case) → {"type": "inline", "description", "format": markdown|text|json|url|xml|yaml|mermaid|html|csv} or {"type": "file", "description", "filename" (relative), "mime"}.',
    },
    instruction: {
      type: "string",
      description: "Objective, constraints, tone and length of this step; nothing beyond the contract.",
    },
    prog_name: { type: "string", description: "What people read while it works." },
    skills: {
      type: "array",
      items: { type: "string" },
      description: "Names of skills that the program may call.",
    },
    sources_list: {
      type: "array",
      items: { type: "object" },
      description: "Sources that texts can cite: {sid (whole number), title, url, text, …}.",
    },
  },
  required: ["output_contract", "instruction"],
  additionalProperties: false,
};

/** The tool `codegen_python`, to be registered in the session that it works for: `session.tools.register(codegenTool({ session, model }))`. */
export function codegenTool(options: CodegenToolOptions): ToolAdapter {
  checkOptions(options);
  const { name = "codegen_python", callTimeout = 1_800_000, workSoFar, onEvent, onResult, ...rest } = options;
  const codegen = new Codegen(rest);
  return programTool({
    name,
    description: DESCRIPTION,
    input: INPUT,
    timeout: callTimeout,
    run: async (args, context) => {
      const reportProgress = progressReporter(context);
      const run = codegen.run(
        {
          outputContract: args.output_contract,
          instruction: args.instruction,
          progName: args.prog_name,
          skills: args.skills,
          sourcesList: args.sources_list,
          ...(workSoFar === undefined ? {} : { context: workSoFar() }),
        },
        {
          signal: context.signal,
          parentCall: context.callId,
          task: context.task,
          onEvent: (event) => {
            reportProgress(event);
            onEvent?.(event);
          },
        },
      );
      const result = await run.result;
      onResult?.(result);
      return result;
    },
  });
}
