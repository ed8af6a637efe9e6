import { checkArgument, optionCheck } from "../options/index.js";
import { messageOf } from "../protocol/index.js";
import type { Session } from "../session/index.js";
import type { ClientToolResult } from "./client-tools.js";
import { fileToolsOf, FILE_TOOLS, type FileToolOptions } from "./file-tools.js";
import type { ChatToolCall, ChatToolMessage } from "./run-code-function.js";
import { imageMessage, type ChatImageMessage } from "./run-python-function.js";
import { jsonSchemaOf } from "./tool-input.js";

/** A tool on files as an entry of `tools` of a chat completion. */
export interface FileToolDefinition {
  readonly type: "function";
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: Record<string, unknown>;
    /** Parameters may be left out, which the strict form does not know. */
    readonly strict: false;
  };
}

/** The tools on files as functions of OpenAI's form, and what answers their calls. */
export interface FileToolFunctions {
  /** Entries of `tools` of a chat completion, as the tools are now. */
  readonly definitions: FileToolDefinition[];
  /** Makes one call; a name that is none of them and arguments that are no JSON are results as well. */
  handle(name: string, argumentsJson: string, handling?: FileToolHandling): Promise<ClientToolResult>;
  /** Makes the calls of one reply, in their order, and answers with the messages that follow it. */
  answer(calls: readonly ChatToolCall[], handling?: FileToolHandling): Promise<(ChatToolMessage | ChatImageMessage)[]>;
}

/** How calls are stopped. */
export interface FileToolHandling {
  readonly signal?: AbortSignal | undefined;
}

const checkOptions = optionCheck<FileToolOptions>("fileToolFunctions", FILE_TOOLS);

/**
 * `read_file`, `apply_patch`, `shell` and the other tools on the session's files for a loop of somebody else's, in the form
 * of OpenAI's chat completions, whether or not the session was opened with `fileTools`. Calls are judged as an agent's are,
 * with `client` as caller.
 */
export function fileToolFunctions(session: Session, options: FileToolOptions = {}): FileToolFunctions {
  checkArgument("fileToolFunctions", "session", session, "object");
  checkOptions(options);
  const { images = false } = options;
  const toolsNow = fileToolsOf(session, options);
  const handle: FileToolFunctions["handle"] = async (name, argumentsJson, { signal } = {}) => {
    const tool = toolsNow().find((each) => each.name === name);
    if (tool === undefined) return failure(`unsupported call: ${name.slice(0, 200)}`);
    let args: unknown;
    try {
      args = JSON.parse(argumentsJson);
    } catch (error) {
      return failure(`failed to parse function arguments: ${messageOf(error)}`);
    }
    return tool.call(args, signal);
  };
  return {
    get definitions() {
      return toolsNow().map(({ name, description, input }): FileToolDefinition => ({
        type: "function",
        function: { name, description, parameters: jsonSchemaOf(input), strict: false },
      }));
    },
    handle,
    answer: async (calls, handling) => {
      const messages: ChatToolMessage[] = [];
      const shown: ClientToolResult["images"][number][] = [];
      for (const call of calls) {
        const result = await handle(call.function.name, call.function.arguments, handling);
        messages.push({ role: "tool", tool_call_id: call.id, content: result.text });
        shown.push(...result.images);
      }
      return images && shown.length > 0 ? [...messages, imageMessage("What view_image has shown:", shown)] : messages;
    },
  };
}

function failure(text: string): ClientToolResult {
  return { text, isError: true, images: [] };
}
