import { afterEach, beforeEach } from "vitest";
import { z } from "zod";

import { ReactAgent, type AgentEvent, type AgentRun, type ReactAgentOptions } from "../../../src/agent/index.js";
import { openaiModel, type Model, type OpenAIModelSettings } from "../../../src/model/index.js";
import { functionTool, type ToolAdapter } from "../../../src/tools/index.js";
import { callLine, chunkLine, END } from "../../servers/model-chunks.js";
import {
  errorBody,
  startModelServer,
  type ModelAnswer,
  type ModelServer,
  type ReceivedRequest,
} from "../../servers/model-server.js";
import { toolSession } from "./tool-session.js";

export const F = "```";

export let server: ModelServer;
export type Dictated = ModelAnswer | ((request: ReceivedRequest) => ModelAnswer);
let answers: readonly Dictated[] = [];
/** What the tool `add` was called with. */
export const added: [number, number][] = [];

/** A server of its own for each test, which says what `dictate` was given, one after the other. */
export function useModelServer(): void {
  beforeEach(async () => {
    answers = [];
    added.length = 0;
    server = await startModelServer((request) => {
      const answer = answers[server.requests.length - 1] ?? { kind: "reply", text: '{"scratchpad": "Nothing more."}' };
      return typeof answer === "function" ? answer(request) : answer;
    });
  });
  afterEach(() => server.close());
}

export function dictate(...replies: readonly Dictated[]): void {
  answers = replies;
}

export const add = functionTool({
  name: "add",
  description: "Adds two numbers.",
  input: z.strictObject({ a: z.number(), b: z.number().default(1) }),
  run: ({ a, b }) => {
    added.push([a, b]);
    return a + b;
  },
});
export const returns = (value: string | null | readonly number[]): ToolAdapter =>
  functionTool({ name: "look", description: "", input: z.strictObject({}), run: () => value });
export const fails = functionTool({
  name: "fail",
  description: "Fails.",
  input: z.strictObject({}),
  run: () => {
    throw new Error("no luck");
  },
});

export const says = (value: unknown): ModelAnswer => ({ kind: "reply", text: JSON.stringify(value) });
export const text = (reply: string, finishReason = "stop"): ModelAnswer => ({
  kind: "reply",
  text: reply,
  finishReason,
});
export const asks = (tool: string, given: unknown = {}): ModelAnswer => says({ tool, arguments: given });
export const calls = (
  ...pieces: { readonly id: string; readonly name: string; readonly arguments: string }[]
): ModelAnswer => ({
  kind: "lines",
  lines: [...pieces.map((piece, index) => callLine({ index, ...piece })), chunkLine({}, "tool_calls"), END],
});
export const refuses = (message: string): ModelAnswer => ({ kind: "status", status: 400, body: errorBody(message) });
export const answer42 = says({ answer: "42" });

export const KEY = "sk-test-0123456789";

export function model(name = "test-model", settings: Partial<OpenAIModelSettings> = {}): Model {
  return openaiModel({ baseURL: server.baseURL(), apiKey: KEY, model: name, ...settings });
}

export function solve(tools: readonly ToolAdapter[] = [], options: Partial<ReactAgentOptions> = {}): AgentRun {
  const agent = new ReactAgent({ session: toolSession(tools), model: model(), retries: 0, ...options });
  return agent.run("What is it?");
}

const Sent = z.looseObject({
  temperature: z.number().optional(),
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })).optional(),
  response_format: z.looseObject({ type: z.string(), json_schema: z.unknown().optional() }).optional(),
  messages: z.array(z.looseObject({ role: z.string(), content: z.string().nullable() })),
});

/** The body of the request of that number, counted from 1. */
export const sent = (number: number) => Sent.parse(server.requests[number - 1]?.json);
export const toldBefore = (number: number) => sent(number).messages.at(-1)?.content;
export const temperatures = () => server.requests.map(({ body }) => body.temperature);
export const ofType = <T extends AgentEvent["type"]>(run: AgentRun, type: T) =>
  run.events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);
