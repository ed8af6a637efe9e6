import { z } from "zod";

import { messageOf } from "../protocol/index.js";
import type { Session } from "../session/index.js";
import type { ClientToolResult } from "./client-tools.js";
import type { ChatToolCall, ChatToolMessage, RunCodeFunction } from "./run-code-function.js";
import { RunPython, RunPythonInput, type RunPythonHandling, type RunPythonOptions } from "./run-python.js";

/** What {@link runPythonFunction} is made of: that of every offer of `run_python`. */
export type RunPythonFunctionOptions = RunPythonOptions;

/** Pictures of the runs before. A message of a tool may hold none in chat completions, so they come as the user's. */
export interface ChatImageMessage {
  readonly role: "user";
  readonly content: (
    | { readonly type: "text"; readonly text: string }
    | { readonly type: "image_url"; readonly image_url: { readonly url: string } }
  )[];
}

/** `run_python` as a function of OpenAI's form, and what answers its calls. */
export interface RunPythonFunction {
  /** An entry of `tools` of a chat completion, with the tools that the session has now in its description. */
  readonly definition: RunCodeFunction["definition"];
  /** Runs the code of a tool call; arguments that are no JSON and code that fails are results as well. */
  handle(argumentsJson: string, handling?: RunPythonHandling): Promise<ClientToolResult>;
  /** Runs the calls of one reply, in their order, and answers with the messages that follow it. */
  answer(calls: readonly ChatToolCall[], handling?: RunPythonHandling): Promise<(ChatToolMessage | ChatImageMessage)[]>;
}

/**
 * `run_python` for a loop of somebody else's, in the form of OpenAI's chat completions. What its code does is judged as an
 * agent's code is, with `client` as caller.
 */
export function runPythonFunction(session: Session, options: RunPythonFunctionOptions = {}): RunPythonFunction {
  const python = new RunPython(session, options);
  const { name } = python;
  const handle: RunPythonFunction["handle"] = async (argumentsJson, handling) => {
    let args: unknown;
    try {
      args = JSON.parse(argumentsJson);
    } catch (error) {
      const reason = messageOf(error);
      return failure(`The arguments of ${name} are no JSON (${reason}). Call it again with {"code": "…"}.`);
    }
    return python.call(args, handling);
  };
  const parameters: Record<string, unknown> = { ...z.toJSONSchema(RunPythonInput, { io: "input" }) };
  // Servers differ in what they think of keywords that they do not need.
  delete parameters.$schema;
  return {
    get definition() {
      const { description } = python;
      return { type: "function", function: { name, description, parameters, strict: true } } as const;
    },
    handle,
    answer: async (calls, handling) => {
      const messages: ChatToolMessage[] = [];
      const images: ClientToolResult["images"][number][] = [];
      for (const call of calls) {
        const result =
          call.function.name === name
            ? await handle(call.function.arguments, handling)
            : failure(`There is no function ${call.function.name}; this one is ${name}.`);
        messages.push({ role: "tool", tool_call_id: call.id, content: result.text });
        images.push(...result.images);
      }
      return options.images === true && images.length > 0
        ? [...messages, imageMessage(`What the code of ${name} has shown:`, images)]
        : messages;
    },
  };
}

export function imageMessage(text: string, images: ClientToolResult["images"]): ChatImageMessage {
  return {
    role: "user",
    content: [
      { type: "text", text },
      ...images.map(({ mimeType, data }) => ({
        type: "image_url" as const,
        image_url: { url: `data:${mimeType};base64,${data}` },
      })),
    ],
  };
}

function failure(reason: string): ClientToolResult {
  return { text: `Error: ${reason}`, isError: true, images: [] };
}
