import { checkArgument, optionCheck } from "../options/index.js";
import { messageOf } from "../protocol/index.js";
import type { Session } from "../session/index.js";
import { TOOL_SCOPE, type ToolScope } from "../tools/index.js";
import { clientTools, type ClientToolOptions } from "./client-tools.js";
import { jsonSchemaOf } from "./tool-input.js";

/** What {@link runCodeFunction} is made of. */
export interface RunCodeFunctionOptions extends Omit<ClientToolOptions, "canChangeDeps"> {
  /** How the function is called, and its runs in the journal. Default: `run_code`. */
  readonly name?: string;
  /** The tools that the model's code sees of those that the session's code sees. Default: all of them. */
  readonly scope?: ToolScope;
}

const checkOptions = optionCheck<RunCodeFunctionOptions>("runCodeFunction", {
  timeout: "number|null?",
  maxLength: "number?",
  name: "string?",
  scope: TOOL_SCOPE,
});

/** A tool call of a chat completion, as a model makes it. */
export interface ChatToolCall {
  readonly id: string;
  readonly function: { readonly name: string; /** JSON. */ readonly arguments: string };
}

/** What is sent back for it. */
export interface ChatToolMessage {
  readonly role: "tool";
  readonly tool_call_id: string;
  readonly content: string;
}

/** A function of OpenAI's form that runs code, and what answers its calls. */
export interface RunCodeFunction {
  /** An entry of `tools` of a chat completion. */
  readonly definition: {
    readonly type: "function";
    readonly function: {
      readonly name: string;
      readonly description: string;
      readonly parameters: Record<string, unknown>;
      readonly strict: true;
    };
  };
  /** Runs the code of a tool call and answers with the text for the model; mistakes of the model are told in it. */
  handle(argumentsJson: string, options?: { readonly signal?: AbortSignal }): Promise<string>;
  /** The same as a message for the conversation. */
  answer(call: ChatToolCall, options?: { readonly signal?: AbortSignal }): Promise<ChatToolMessage>;
}

/**
 * `run_code` for a model that calls functions, in the form of OpenAI's chat completions. What its code does is judged as
 * an agent's code is, with `client` as caller.
 */
export function runCodeFunction(session: Session, options: RunCodeFunctionOptions = {}): RunCodeFunction {
  checkArgument("runCodeFunction", "session", session, "object");
  checkOptions(options);
  const { name = "run_code", scope } = options;
  const client = session.client({ name, ...(scope === undefined ? {} : { scope }) });
  const tool = clientTools(client, options).find((candidate) => candidate.name === "run_code");
  if (tool === undefined) throw new TypeError("There is no run_code.");
  const handle: RunCodeFunction["handle"] = async (argumentsJson, { signal } = {}) => {
    let args: unknown;
    try {
      args = JSON.parse(argumentsJson);
    } catch (error) {
      const reason = messageOf(error);
      return `Error: The arguments of ${name} are no JSON (${reason}). Call it again with {"code": "…"}.`;
    }
    return (await tool.call(args, signal)).text;
  };
  const parameters: Record<string, unknown> = jsonSchemaOf(tool.input);
  // Servers differ in what they think of keywords that they do not need.
  delete parameters.$schema;
  return {
    definition: { type: "function", function: { name, description: tool.description, parameters, strict: true } },
    handle,
    answer: async (call, handling) => ({
      role: "tool",
      tool_call_id: call.id,
      content:
        call.function.name === name
          ? await handle(call.function.arguments, handling)
          : `Error: There is no function ${call.function.name}; this one is ${name}.`,
    }),
  };
}
