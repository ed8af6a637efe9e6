import type { IncomingMessage, ServerResponse } from "node:http";

import { z } from "zod";

import { readDictated } from "./dictated-replies.js";
import { answerWithFunctionCalls } from "./function-calls.js";
import { startLocalServer } from "./local-server.js";

const RequestBody = z.looseObject({
  model: z.string(),
  stream: z.literal(true),
  temperature: z.number().optional(),
  stream_options: z.unknown().optional(),
  messages: z.array(z.object({ role: z.enum(["system", "user", "assistant"]), content: z.string() })).min(1),
});

/** A request as it arrived. */
export interface ReceivedRequest {
  /** The first part of the path: `/rate-limited/v1/…` asks for the answer of that name. */
  readonly scenario: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: z.infer<typeof RequestBody>;
}

/** What the server does with one request. */
export type ModelAnswer =
  | { readonly kind: "reply"; readonly text: string; readonly finishReason?: string }
  | {
      readonly kind: "status";
      readonly status: number;
      readonly body: string;
      readonly headers?: Record<string, string>;
    }
  /** 200 with a body of any kind. */
  | { readonly kind: "body"; readonly contentType: string; readonly body: string }
  /** A stream of these `data:` lines as they are. */
  | { readonly kind: "lines"; readonly lines: readonly string[] }
  /** Accepts the request and sends nothing. */
  | { readonly kind: "silence" }
  /** Streams the text, then nothing more, with the connection open. */
  | { readonly kind: "stall"; readonly text: string }
  /** Streams the text, then breaks the connection. */
  | { readonly kind: "drop"; readonly text: string };

export interface ModelServer {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  /** Base URL for a client that wants the answer of that name. */
  baseURL(scenario?: string): string;
  /** Requests in the order of their arrival. */
  readonly requests: readonly ReceivedRequest[];
  close(): Promise<void>;
}

/**
 * A real server of the OpenAI protocol on 127.0.0.1 that answers what it is
 * told, faults included. Its CORS rules are as narrow as real servers' are:
 * only Authorization and Content-Type are let through.
 */
export async function startModelServer(
  answer: (request: ReceivedRequest) => ModelAnswer = answerScenario,
): Promise<ModelServer> {
  const requests: ReceivedRequest[] = [];

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, scenario = "", ...path] = (request.url ?? "").split("/");
    if (scenario !== "without-cors") allowAnyOrigin(response);
    if (request.method === "OPTIONS") {
      response.writeHead(204).end();
      return;
    }
    if (request.method !== "POST" || path.join("/") !== "v1/chat/completions") {
      sendStatus(response, { kind: "status", status: 404, body: errorBody("There is nothing here.") });
      return;
    }
    const json: unknown = JSON.parse(await readText(request));
    if (scenario === "calls-functions") {
      const answered = answerWithFunctionCalls(json);
      if (answered.status === 200 && z.looseObject({ stream: z.boolean().optional() }).parse(json).stream === true)
        await sendAnswer(response, { kind: "lines", lines: streamedAnswer(answered.body) });
      else sendStatus(response, { kind: "status", ...answered });
      return;
    }
    const body = RequestBody.safeParse(json);
    if (!body.success) {
      sendStatus(response, { kind: "status", status: 400, body: errorBody(body.error.message) });
      return;
    }
    const received = { scenario, headers: request.headers, body: body.data };
    requests.push(received);
    await sendAnswer(response, answer(received));
  }

  const { origin, close } = await startLocalServer((request, response) => {
    void serve(request, response);
  });
  return {
    origin,
    requests,
    baseURL: (scenario = "streams") => `${origin}/${scenario}/v1`,
    close,
  };
}

/** A whole completion as the chunks of a stream; arguments of a call come in two pieces. */
function streamedAnswer(body: string): string[] {
  const [choice] = Completion.parse(JSON.parse(body)).choices;
  const { message, finish_reason: finishReason } = choice;
  const deltas: Record<string, unknown>[] = [{ role: "assistant", content: message.content }];
  for (const { id, type, function: called } of message.tool_calls ?? []) {
    const half = Math.floor(called.arguments.length / 2);
    const start = { index: 0, id, type, function: { name: called.name, arguments: called.arguments.slice(0, half) } };
    deltas.push({ tool_calls: [start] });
    deltas.push({ tool_calls: [{ index: 0, function: { arguments: called.arguments.slice(half) } }] });
  }
  return [...deltas.map((delta) => chunkLine(delta)), chunkLine({}, finishReason), "data: [DONE]"];
}

const Completion = z.object({
  choices: z.tuple([
    z.object({
      finish_reason: z.string(),
      message: z.object({
        content: z.string().nullish(),
        tool_calls: z
          .array(
            z.object({
              id: z.string(),
              type: z.string(),
              function: z.object({ name: z.string(), arguments: z.string() }),
            }),
          )
          .optional(),
      }),
    }),
  ]),
});

export function errorBody(message: string, extra: Record<string, unknown> = {}): string {
  return JSON.stringify({ error: { message, type: "invalid_request_error", ...extra } });
}

function allowAnyOrigin(response: ServerResponse): void {
  response.setHeader("Access-Control-Allow-Origin", "*");
  response.setHeader("Access-Control-Allow-Headers", "authorization, content-type");
  response.setHeader("Access-Control-Expose-Headers", "retry-after");
}

/** One `data:` line with a piece of the reply. */
export function chunkLine(delta: Record<string, unknown>, finishReason: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finishReason }];
  return `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 0, model: "test", choices })}`;
}

/** The answers that can be had by name, for tests that run in a browser and cannot hand over a function. */
function answerScenario({ scenario, headers, body }: ReceivedRequest): ModelAnswer {
  const dictated = readDictated(scenario);
  if (dictated !== null) {
    const text = dictated[body.messages.filter(({ role }) => role === "assistant").length];
    return text === undefined ? { kind: "status", status: 500, body: "" } : { kind: "reply", text };
  }
  switch (scenario) {
    case "streams":
      return { kind: "reply", text: "The sum follows.\n```python\nfinal_answer(2 + 3)\n```" };
    case "no-code":
      return { kind: "reply", text: "I would rather not." };
    case "unauthorized":
      return {
        kind: "status",
        status: 401,
        body: errorBody(`Incorrect API key provided: ${headers.authorization ?? "none"}`),
      };
    case "rate-limited":
      return { kind: "status", status: 429, body: errorBody("Slow down."), headers: { "Retry-After": "20" } };
    case "broken":
      return { kind: "status", status: 500, body: errorBody("The server had an error.") };
    case "redirects":
      return { kind: "status", status: 307, body: "", headers: { Location: "/streams/v1/chat/completions" } };
    case "nonsense":
      return { kind: "body", contentType: "text/html", body: "<!doctype html><title>Welcome</title>" };
    case "malformed":
      return { kind: "lines", lines: [chunkLine({ content: "Let me " }), "data: {broken", "data: [DONE]"] };
    case "silent":
      return { kind: "silence" };
    case "drops":
      return { kind: "drop", text: "The sum follows.\n```python\nfinal_" };
    default:
      return { kind: "status", status: 404, body: errorBody(`There is no model "${body.model}".`) };
  }
}

async function sendAnswer(response: ServerResponse, answer: ModelAnswer): Promise<void> {
  switch (answer.kind) {
    case "status":
      sendStatus(response, answer);
      return;
    case "body":
      response.writeHead(200, { "Content-Type": answer.contentType }).end(answer.body);
      return;
    case "silence":
      return;
    default:
  }
  response.writeHead(200, { "Content-Type": "text/event-stream" });
  if (answer.kind === "lines") {
    response.end(`${answer.lines.join("\n\n")}\n\n`);
    return;
  }
  for (const piece of answer.text.match(/[^]{1,7}/g) ?? []) await write(response, chunkLine({ content: piece }));
  if (answer.kind === "stall") return;
  if (answer.kind === "drop") {
    response.destroy();
    return;
  }
  await write(response, chunkLine({}, answer.finishReason ?? "stop"));
  const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };
  await write(response, `data: ${JSON.stringify({ choices: [], usage })}`);
  response.end("data: [DONE]\n\n");
}

/** Resolves when the line has left, so that pieces arrive as pieces. */
async function write(response: ServerResponse, line: string): Promise<void> {
  await new Promise<void>((resolve) => {
    response.write(`${line}\n\n`, () => {
      resolve();
    });
  });
}

function sendStatus(
  response: ServerResponse,
  { status, body, headers }: Extract<ModelAnswer, { kind: "status" }>,
): void {
  response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(body);
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks).toString("utf8");
}
