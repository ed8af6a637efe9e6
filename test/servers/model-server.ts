import type { IncomingMessage, ServerResponse } from "node:http";

import { z } from "zod";

import { answerWithFunctionCalls } from "./function-calls.js";
import { startLocalServer } from "./local-server.js";
import { chunkLine, END, errorBody, usageLine } from "./model-chunks.js";
import { RequestBody, type ModelAnswer, type ReceivedRequest } from "./model-exchange.js";
import { answerScenario } from "./model-scenarios.js";

export { chunkLine, errorBody } from "./model-chunks.js";
export type { ModelAnswer, ReceivedRequest } from "./model-exchange.js";

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
    const received = { scenario, headers: request.headers, json, body: body.data };
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

function allowAnyOrigin(response: ServerResponse): void {
  response.setHeader("Access-Control-Allow-Origin", "*");
  response.setHeader("Access-Control-Allow-Headers", "authorization, content-type");
  response.setHeader("Access-Control-Expose-Headers", "retry-after");
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
  if (answer.kind === "endless") {
    while (!response.destroyed) await send(response, answer.line);
    return;
  }
  if (answer.kind === "lines") {
    const { lines, pause = 0, end = "close" } = answer;
    for (const line of lines) {
      if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
      await write(response, line);
    }
    if (end === "drop") await breakOff(response);
    if (end === "close") response.end();
    return;
  }
  if (answer.kind === "repeat") {
    const content = answer.text.repeat(Math.ceil(30_000 / answer.text.length));
    for (let sent = 0; sent < answer.length && !response.destroyed; sent += content.length) {
      await write(response, chunkLine({ content }));
    }
    await finish(response);
    return;
  }
  for (const piece of answer.text.match(/[^]{1,7}/g) ?? []) await write(response, chunkLine({ content: piece }));
  if (answer.kind === "stall") return;
  if (answer.kind === "drop") {
    await breakOff(response);
    return;
  }
  await finish(response, answer.finishReason);
}

async function finish(response: ServerResponse, finishReason = "stop"): Promise<void> {
  await write(response, chunkLine({}, finishReason));
  await write(response, usageLine());
  response.end(`${END}\n\n`);
}

/**
 * Chromium drops what a page has not yet read when the connection breaks, so what was sent is left time to arrive, also on
 * a machine that is busy.
 */
async function breakOff(response: ServerResponse): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 500));
  response.destroy();
}

/** Resolves when the line has left, so that pieces arrive as pieces. */
async function write(response: ServerResponse, line: string): Promise<void> {
  await send(response, `${line}\n\n`);
}

async function send(response: ServerResponse, text: string): Promise<void> {
  await new Promise<void>((resolve) => {
    response.once("close", resolve);
    response.write(text, () => {
      response.off("close", resolve);
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
