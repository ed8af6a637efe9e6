import {
  INTERNAL_ERROR,
  INVALID_PARAMS,
  ProtocolError,
  type Client,
  type ClientCapabilities,
  type CreateMessageRequestParams,
  type ElicitRequest,
} from "@modelcontextprotocol/client";

import { unlessAborted, VitrineError, type Value } from "../../protocol/index.js";
import type { McpAnswers, McpElicitation, McpElicitationAnswer } from "../mcp-answers.js";
import type { OpenCalls } from "./open-calls.js";
import { elicitationResult, samplingResult } from "./page-answers.js";
import { checkedAddress, checkQuestionLength, McpQuestionError, McpQuestionTooLongError } from "./question-check.js";

/** What a client says that it can do, by who is there to answer. */
export function capabilitiesOf({ onElicitation, onSampling }: McpAnswers): ClientCapabilities {
  return {
    // Not `applyDefaults`: with it the SDK sends what a person took out of a form.
    ...(onElicitation === undefined ? {} : { elicitation: { form: {}, url: {} } }),
    ...(onSampling === undefined ? {} : { sampling: {} }),
  };
}

/** Hands what the server asks to the page, once a person can be shown all of it. */
export function answerRequests(
  client: Client,
  answers: McpAnswers,
  { tool, openCalls }: { readonly tool: string; readonly openCalls: OpenCalls },
): void {
  const { onElicitation, onSampling } = answers;
  if (onElicitation !== undefined) {
    client.setRequestHandler("elicitation/create", ({ params }, { mcpReq }) =>
      explained(async () => {
        const asked = elicitationOf(params);
        checkQuestionLength(asked);
        const answer = await openCalls.asking(mcpReq.signal, (calls, signal) =>
          unlessAborted(onElicitation({ ...asked, tool, calls }, signal), signal).catch((error: unknown) => {
            if (signal.aborted) return DISMISSED;
            throw error;
          }),
        );
        const { action, ...given } = elicitationResult(answer);
        return { action, ...given };
      }),
    );
  }
  if (onSampling !== undefined) {
    client.setRequestHandler("sampling/createMessage", ({ params }, { mcpReq }) =>
      explained(async () => {
        const asked = samplingOf(params);
        checkQuestionLength(asked);
        const answer = await openCalls.asking(mcpReq.signal, (calls, signal) =>
          unlessAborted(onSampling({ tool, calls, ...asked }, signal), signal),
        );
        return samplingResult(answer);
      }),
    );
  }
}

/** A question whose calls are over has been dismissed, also where the page overlooks that they are. */
const DISMISSED: McpElicitationAnswer = { action: "cancel" };

type Asked<T> = T extends unknown ? Omit<T, "tool" | "calls"> : never;

function elicitationOf(params: ElicitRequest["params"]): Asked<McpElicitation> {
  const { message } = params;
  if (params.mode === "url") return { kind: "url", message, url: checkedAddress(params.url) };
  return { kind: "form", message, schema: params.requestedSchema };
}

// oxlint-disable-next-line typescript/no-deprecated -- servers of 2025 ask for it, and it is to work on
function samplingOf(params: CreateMessageRequestParams) {
  const { messages, systemPrompt, maxTokens, temperature, stopSequences, tools } = params;
  // Left out, they would change what is asked without anybody's knowledge.
  if (tools !== undefined) throw new McpQuestionError("This client does not offer tools to the model in sampling.");
  return {
    messages: messages.map(({ role, content }) => ({ role, content: content as Value })),
    maxTokens,
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(stopSequences === undefined ? {} : { stopSequences }),
  };
}

/** Has the server read which error of ours it was, and its limit: JSON-RPC's own codes are numbers. */
async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof VitrineError ? new RefusedQuestion(error) : error;
  }
}

class RefusedQuestion extends ProtocolError {
  constructor(override readonly cause: VitrineError) {
    const isServersFault = cause instanceof McpQuestionError || cause instanceof McpQuestionTooLongError;
    const limit = "limit" in cause ? { limit: cause.limit } : {};
    super(isServersFault ? INVALID_PARAMS : INTERNAL_ERROR, cause.message, { code: cause.code, ...limit });
  }
}
