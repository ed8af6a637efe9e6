import type {
  Client,
  ClientCapabilities,
  CreateMessageRequestParams,
  ElicitRequest,
} from "@modelcontextprotocol/client";

import type { Value } from "../../protocol/index.js";
import { whilePaused } from "../call-deadline.js";
import type { McpAnswers, McpElicitation } from "../mcp-answers.js";
import { elicitationResult, samplingResult } from "./page-answers.js";

/** What a client says that it can do, by who is there to answer. */
export function capabilitiesOf({ onElicitation, onSampling }: McpAnswers): ClientCapabilities {
  return {
    ...(onElicitation === undefined ? {} : { elicitation: { form: { applyDefaults: true }, url: {} } }),
    ...(onSampling === undefined ? {} : { sampling: {} }),
  };
}

/** Hands what the server asks to the page. `pauseClock` stops the clock of the calls that wait. */
export function answerRequests(
  client: Client,
  answers: McpAnswers,
  { toolName, pauseClock }: { readonly toolName: string; readonly pauseClock: () => () => void },
): void {
  const { onElicitation, onSampling } = answers;
  if (onElicitation !== undefined) {
    client.setRequestHandler("elicitation/create", async ({ params }, { mcpReq }) => {
      const asked = elicitationOf(toolName, params);
      const { action, ...given } = elicitationResult(
        await whilePaused(pauseClock, () => onElicitation(asked, mcpReq.signal)),
      );
      return { action, ...given };
    });
  }
  if (onSampling !== undefined) {
    client.setRequestHandler("sampling/createMessage", async ({ params }, { mcpReq }) => {
      const asked = { tool: toolName, ...samplingOf(params) };
      return samplingResult(await whilePaused(pauseClock, () => onSampling(asked, mcpReq.signal)));
    });
  }
}

function elicitationOf(tool: string, params: ElicitRequest["params"]): McpElicitation {
  const { message } = params;
  if (params.mode === "url") return { kind: "url", tool, message, url: params.url };
  return { kind: "form", tool, message, schema: params.requestedSchema };
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
