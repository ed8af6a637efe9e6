import type { Value } from "../protocol/index.js";
import type { AgentOnPath } from "./calling-task.js";
import type { JsonSchema } from "./json-schema.js";
import type { McpOAuth, McpToken } from "./mcp-auth.js";

/** A call of a server that is not answered yet. */
export interface McpWaitingCall {
  /** The id of its journal entry. */
  readonly callId: string;
  /** The run in whose course it was made, or what stands for one where there is none. */
  readonly runId: string;
  /** The agents inside one another whose work led to it, the outermost first; empty where no agent's task goes on. */
  readonly path: readonly AgentOnPath[];
}

/** A server asks a person for data, or to visit a page, while a call of it waits. */
export type McpElicitation =
  | {
      readonly kind: "form";
      /** The tool that the server is. */
      readonly tool: string;
      /** Its calls that wait, the oldest first. Which of them the question is about no server says. */
      readonly calls: readonly McpWaitingCall[];
      readonly message: string;
      /** An object of flat fields: texts, numbers, booleans, choices. A `default` is for the page to fill in beforehand. */
      readonly schema: JsonSchema;
    }
  | {
      readonly kind: "url";
      readonly tool: string;
      readonly calls: readonly McpWaitingCall[];
      readonly message: string;
      /** Of `https:` or `http:`, as a browser writes it. Show it whole before it is opened: the server chose it. */
      readonly url: string;
    };

/** What a person said to a question of an MCP server. */
export type McpElicitationAnswer =
  | { readonly action: "accept"; readonly content?: Readonly<Record<string, string | number | boolean | string[]>> }
  | { readonly action: "decline" | "cancel" };

/** A server asks for a model's answer while a call of it waits. */
export interface McpSampling {
  /** The tool that the server is. */
  readonly tool: string;
  /** Its calls that wait, the oldest first. Which of them the question is about no server says. */
  readonly calls: readonly McpWaitingCall[];
  /** As MCP has them: `role`, and `content` with its `type`. */
  readonly messages: readonly { readonly role: "user" | "assistant"; readonly content: Value }[];
  readonly systemPrompt?: string;
  readonly maxTokens: number;
  readonly temperature?: number;
  readonly stopSequences?: readonly string[];
}

/** What a model said to an MCP server that asked for it: its text, or the result in MCP's own form. */
export type McpSamplingAnswer = {
  /** The name of the model that answered. */
  readonly model: string;
  /** `endTurn` (the default), `maxTokens`, `stopSequence` or the provider's own. */
  readonly stopReason?: string;
} & ({ readonly text: string } | { readonly role: "assistant"; readonly content: McpSamplingContent });

/** The content of a message in MCP's form; `data` is Base64. */
export type McpSamplingContent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image" | "audio"; readonly data: string; readonly mimeType: string };

/** A server that is to be connected to. */
export interface McpServerToAuthorize {
  /** The tool that the server is. */
  readonly tool: string;
  /** As the tool has it: the secrets that it refers to are not filled in. */
  readonly url: string;
}

/**
 * Who answers what MCP servers ask of their client. What is left out is not
 * offered to servers. The clock of the run and of the call stands still meanwhile.
 * The signal is aborted when the server takes its question back, and when the calls
 * that waited as it came are over, because they were stopped for instance. An error
 * that is thrown reaches the server with its message, and with its `code` where that
 * is a whole number: MCP has -1 for a person's no to sampling.
 */
export interface McpAnswers {
  readonly onElicitation?: (asked: McpElicitation, signal: AbortSignal) => Promise<McpElicitationAnswer>;
  readonly onSampling?: (asked: McpSampling, signal: AbortSignal) => Promise<McpSamplingAnswer>;
  /**
   * The `auth` of a server at an address that has none of its own and sends no `Authorization`, as those of tool files;
   * asked for each connection. With `McpOAuth` a login is begun only where the server names its authorization server.
   */
  readonly authFor?: (
    server: McpServerToAuthorize,
  ) => Promise<McpOAuth | McpToken | undefined> | McpOAuth | McpToken | undefined;
}
