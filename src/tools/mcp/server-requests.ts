import type {
  Client,
  ClientCapabilities,
  CreateMessageRequestParams,
  ElicitRequest,
} from "@modelcontextprotocol/client";

import type { Value } from "../../protocol/index.js";
import type { McpAnswers, McpElicitation, McpWaitingCall } from "../mcp-answers.js";
import type { OpenCalls } from "./open-calls.js";
import { elicitationResult, samplingResult } from "./page-answers.js";

/** What a client says that it can do, by who is there to answer. */
export function capabilitiesOf({ onElicitation, onSampling }: McpAnswers): ClientCapabilities {
  return {
    ...(onElicitation === undefined ? {} : { elicitation: { form: { applyDefaults: true }, url: {} } }),
    ...(onSampling === undefined ? {} : { sampling: {} }),
  };
}

/** Hands what the server asks to the page. */
export function answerRequests(
  client: Client,
  answers: McpAnswers,
  { tool, openCalls }: { readonly tool: string; readonly openCalls: OpenCalls },
): void {
  const { onElicitation, onSampling } = answers;
  if (onElicitation !== undefined) {
    client.setRequestHandler("elicitation/create", async ({ params }, { mcpReq }) => {
      const answer = await openCalls.asking(mcpReq.signal, (calls, signal) =>
        onElicitation(elicitationOf(params, { tool, calls }), signal),
      );
      const { action, ...given } = elicitationResult(answer);
      return { action, ...given };
    });
  }
  if (onSampling !== undefined) {
    client.setRequestHandler("sampling/createMessage", async ({ params }, { mcpReq }) => {
      const answer = await openCalls.asking(mcpReq.signal, (calls, signal) =>
        onSampling({ tool, calls, ...samplingOf(params) }, signal),
      );
      return samplingResult(answer);
    });
  }
}

function elicitationOf(
  params: ElicitRequest["params"],
  asker: { readonly tool: string; readonly calls: readonly McpWaitingCall[] },
): McpElicitation {
  const { message } = params;
  if (params.mode === "url") return { kind: "url", ...asker, message, url: params.url };
  return { kind: "form", ...asker, message, schema: params.requestedSchema };
}

// oxlint-disable-next-line typescript/no-deprecated -- servers of 2025 ask for it, and it is to work on
function samplingOf({ messages, systemPrompt, maxTokens, temperature, stopSequences }: CreateMessageRequestParams) {
  return {
    messages: messages.map(({ role, content }) => ({ role, content: content as Value })),
    maxTokens,
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(stopSequences === undefined ? {} : { stopSequences }),
  };
}
