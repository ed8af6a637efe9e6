import type { IncomingHttpHeaders, ServerResponse } from "node:http";

import { startLocalServer } from "./local-server.js";

/** A request as it arrived. */
export interface Received {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface ScriptedServer {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  /** What arrived, oldest first. */
  readonly received: readonly Received[];
  /** Answers from now on as this says, and forgets what arrived. */
  answerWith(answer: Answer): void;
  close(): Promise<void>;
}

/** `count` tells how many requests came before. */
export type Answer = (received: Received, response: ServerResponse, count: number) => void;

/** A server on 127.0.0.1 whose answers a test writes; for tests in Node, where nothing asks for CORS. */
export async function startScriptedServer(): Promise<ScriptedServer> {
  const received: Received[] = [];
  let answer: Answer = (_, response) => response.end();
  const { origin, close } = await startLocalServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      const { method = "", headers } = request;
      const url = new URL(request.url ?? "/", "http://127.0.0.1");
      const arrived = { method, url, headers, body: Buffer.concat(pieces) };
      received.push(arrived);
      answer(arrived, response, received.length - 1);
    });
  });
  return {
    origin,
    received,
    answerWith: (next) => {
      answer = next;
      received.length = 0;
    },
    close,
  };
}

/** An answer in JSON. */
export function json(response: ServerResponse, value: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(200, { "content-type": "application/json", ...headers }).end(JSON.stringify(value));
}
