import type { Value } from "../protocol/index.js";
import {
  functionTool,
  ToolArgumentError,
  UnknownCallableError,
  type JsonSchema,
  type ToolAdapter,
  type ToolContext,
} from "../tools/index.js";
import type { CodegenEvent } from "./events.js";
import { PROGRAM_TOOL_TAG } from "./outcome/program-tag.js";
import { resultValue, type CodegenResult } from "./outcome/result.js";

type Arguments = Readonly<Record<string, Value>>;

/** Seconds that a program may run where nobody says otherwise. */
export const DEFAULT_SECONDS = 600;

export interface ProgramToolOptions {
  readonly name: string;
  readonly description: string;
  /** What a model is told of the arguments. They are checked by the tool itself, which answers with a result. */
  readonly input: JsonSchema;
  /** Milliseconds that a call may take. */
  readonly timeout: number;
  readonly run: (args: Arguments, context: ToolContext) => Promise<CodegenResult>;
}

/** A tool that runs programs. What is wrong with its arguments is part of its result, never an exception. */
export function programTool({ name, description, input, timeout, run }: ProgramToolOptions): ToolAdapter {
  const about = { name, description, timeout, ownTime: true, tags: [PROGRAM_TOOL_TAG] };
  const inner = functionTool({
    ...about,
    input: ANY,
    run: (args, context) => {
      const working = run(args, context).then(resultValue);
      // What it says of its end, and what it had made, belongs to the task that called.
      context.task?.waitFor?.(working, context.callId);
      return working;
    },
  });
  const { tool } = functionTool({ ...about, input, run: () => null });
  const names = Object.keys(input.properties ?? {});
  return {
    tool,
    validate: (callable, args) => {
      if (callable !== null && callable !== name) throw new UnknownCallableError(name, callable, [name]);
      const unknown = Object.keys(args).find((given) => !names.includes(given));
      if (unknown === undefined) return args;
      throw new ToolArgumentError(name, `There is no parameter ${unknown}; there are ${names.join(", ")}`, {
        args,
        parameter: unknown,
      });
    },
    call: (callable, args, context) => inner.call(callable, args, context),
  };
}

/** What is asked for is looked at by {@link ProgramToolOptions.run}. */
const ANY: JsonSchema = { type: "object", additionalProperties: true };

/** Reports how far it is to the listeners of the call. */
export function progressReporter(context: ToolContext): (event: CodegenEvent) => void {
  let progress = 0;
  const say = (message: string): void => {
    progress += 1;
    context.report({ progress, message });
  };
  return (event) => {
    if (event.type === "codegen-started") say(event.progName);
    else if (event.type === "generation-started") say("Writing the program");
    else if (event.type === "generation-retry") say("Asking the model again, which failed");
    else if (event.type === "run-started") say("Running the program");
    else if (event.type === "progress") say(event.story.at(-1) ?? event.status ?? event.objective ?? "");
    else if (event.type === "artifact") say(`Made ${event.artifactId}`);
    else if (event.type === "repair") say(`Mending the program: ${event.error.error}`);
  };
}
