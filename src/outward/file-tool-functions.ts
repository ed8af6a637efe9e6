import { checkArgument, optionCheck } from "../options/index.js";
import { messageOf } from "../protocol/index.js";
import type { Session } from "../session/index.js";
import type { ClientTool, ClientToolResult } from "./client-tools.js";
import { fileToolsOf, FILE_TOOLS, type FileToolOptions } from "./file-tools.js";
import { PATCH_GRAMMAR } from "./patch-grammar.js";
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

/** `apply_patch` as a tool whose call is the patch itself, which the server holds to the grammar of patches. */
export interface FreeformPatchDefinition {
  readonly type: "custom";
  readonly custom: {
    readonly name: string;
    readonly description: string;
    readonly format: {
      readonly type: "grammar";
      readonly grammar: { readonly syntax: "lark"; readonly definition: string };
    };
  };
}

/** A call of a custom tool, as a model makes it. */
export interface ChatCustomToolCall {
  readonly id: string;
  readonly custom: { readonly name: string; readonly input: string };
}

/** How the tools on files are described to a model. */
export interface FileToolFunctionsOptions extends FileToolOptions {
  /**
   * Has `apply_patch` as a custom tool, whose call is the patch itself and no JSON, for models that were trained on that.
   * Default: false.
   */
  readonly freeformPatch?: boolean;
}

/** The tools on files as functions of OpenAI's form, and what answers their calls. */
export interface FileToolFunctions<Definition = FileToolDefinition> {
  /** Entries of `tools` of a chat completion, as the tools are now. */
  readonly definitions: Definition[];
  /** Makes one call. An unknown name, or arguments that are not JSON, give a result that says so. */
  handle(name: string, argumentsJson: string, handling?: FileToolHandling): Promise<ClientToolResult>;
  /** Makes the calls of one reply, in their order, and answers with the messages that follow it. */
  answer(
    calls: readonly (ChatToolCall | ChatCustomToolCall)[],
    handling?: FileToolHandling,
  ): Promise<(ChatToolMessage | ChatImageMessage)[]>;
}

/** How calls are stopped. */
export interface FileToolHandling {
  readonly signal?: AbortSignal | undefined;
}

const checkOptions = optionCheck<FileToolFunctionsOptions>("fileToolFunctions", {
  ...FILE_TOOLS,
  freeformPatch: "boolean?",
});

/**
 * `read_file`, `apply_patch`, `shell` and the other tools on the session's files for a loop of somebody else's, in the form
 * of OpenAI's chat completions, whether or not the session was opened with `fileTools`. Calls are judged as an agent's are,
 * with `client` as caller.
 */
export function fileToolFunctions(
  session: Session,
  options?: FileToolFunctionsOptions & { readonly freeformPatch?: false },
): FileToolFunctions;
export function fileToolFunctions(
  session: Session,
  options: FileToolFunctionsOptions,
): FileToolFunctions<FileToolDefinition | FreeformPatchDefinition>;
export function fileToolFunctions(
  session: Session,
  options: FileToolFunctionsOptions = {},
): FileToolFunctions<FileToolDefinition | FreeformPatchDefinition> {
  checkArgument("fileToolFunctions", "session", session, "object");
  checkOptions(options);
  const { images = false, freeformPatch = false } = options;
  const toolsNow = fileToolsOf(session, options);
  const call = async (name: string, args: unknown, signal?: AbortSignal): Promise<ClientToolResult> =>
    toolsNow()
      .find((tool) => tool.name === name)
      ?.call(args, signal) ?? unsupported(name);
  const handle: FileToolFunctions["handle"] = async (name, argumentsJson, { signal } = {}) => {
    let args: unknown;
    try {
      args = JSON.parse(argumentsJson);
    } catch (error) {
      return failure(`failed to parse function arguments: ${messageOf(error)}`);
    }
    return call(name, args, signal);
  };
  const callFreeform = async (
    { name, input }: ChatCustomToolCall["custom"],
    signal?: AbortSignal,
  ): Promise<ClientToolResult> => (name === PATCH ? call(name, { input }, signal) : unsupported(name));
  return {
    get definitions() {
      return toolsNow().map((tool) =>
        freeformPatch && tool.name === PATCH ? freeformDefinition(tool) : functionDefinition(tool),
      );
    },
    handle,
    answer: async (calls, handling) => {
      const messages: ChatToolMessage[] = [];
      const shown: ClientToolResult["images"][number][] = [];
      for (const made of calls) {
        const result =
          "function" in made
            ? await handle(made.function.name, made.function.arguments, handling)
            : await callFreeform(made.custom, handling?.signal);
        messages.push({ role: "tool", tool_call_id: made.id, content: result.text });
        shown.push(...result.images);
      }
      return images && shown.length > 0 ? [...messages, imageMessage("What view_image has shown:", shown)] : messages;
    },
  };
}

/** The one tool whose call may be a text. */
const PATCH = "apply_patch";

function functionDefinition({ name, description, input }: ClientTool): FileToolDefinition {
  return { type: "function", function: { name, description, parameters: jsonSchemaOf(input), strict: false } };
}

function freeformDefinition({ name, description }: ClientTool): FreeformPatchDefinition {
  const grammar = { syntax: "lark", definition: PATCH_GRAMMAR } as const;
  return {
    type: "custom",
    custom: {
      name,
      description: `${description} The call is the patch itself, and no JSON around it.`,
      format: { type: "grammar", grammar },
    },
  };
}

function unsupported(name: string): ClientToolResult {
  return failure(`unsupported call: ${name.slice(0, 200)}`);
}

function failure(text: string): ClientToolResult {
  return { text, isError: true, images: [] };
}
