import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

import { SecretFilter } from "../src/model/secret-filter.js";
import { allowEveryPage, startLocalServer } from "../test/servers/local-server.js";
import { callLine, chunkLine, END, errorBody } from "../test/servers/model-chunks.js";
import type { Exchange } from "./count-bodies.js";
import { readReply } from "./read-reply.js";
import { ScriptReader, targetOf } from "./script-reader.js";
import type { Script, ScriptedReply } from "./transcript.js";
import { writerRoles, type WriterRole } from "./writer-roles.js";

/** A server of the protocol behind ours. */
export interface Upstream {
  /** Ends before `/chat/completions`. */
  readonly baseURL: string;
  /** Added to every request here, so that no page ever holds it. Empty for servers that want none. */
  readonly apiKey: string;
}

/** One task of one agent, as the server sees it. Who writes files for it is asked at addresses beside the agent's. */
export interface Conversation {
  readonly baseURL: string;
  /** Requests and replies so far, in their order. */
  readonly exchanges: readonly Exchange[];
  /** Requests to its address are refused from now on. */
  readonly end: () => void;
}

export interface EvalModelServer {
  /** The replies that a transcript gives, or those of a model. */
  readonly converse: (source: Script | Upstream) => Conversation;
  readonly close: () => Promise<void>;
}

interface OpenConversation {
  readonly source: ScriptReader | Upstream;
  readonly exchanges: Exchange[];
}

const ADDRESS = new RegExp(`^/([^/]+)(?:/(${writerRoles.join("|")}))?/v1/chat/completions$`);

/**
 * Speaks OpenAI's chat completions to the pages: replays transcripts, or passes requests on to a model and adds its key.
 * It sees what is really sent. The addresses are secret: any other page could use up the key's money by them.
 */
export async function startEvalModelServer(): Promise<EvalModelServer> {
  const open = new Map<string, OpenConversation>();
  const server = await startLocalServer((request, response) => {
    const [, id = "", role] = ADDRESS.exec(request.url ?? "") ?? [];
    allowEveryPage(response);
    if (request.method === "OPTIONS") {
      response.writeHead(204).end();
      return;
    }
    const conversation = open.get(id);
    if (conversation === undefined) {
      refuse(response, 404, "There is no such conversation.");
      return;
    }
    const asked = writerRoles.find((each) => each === role) ?? null;
    answer(conversation, { asked, request, response }).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      if (response.headersSent) response.destroy();
      else refuse(response, 502, `The model's server could not be asked: ${reason}`);
    });
  });
  return {
    converse: (source) => {
      const id = randomUUID();
      const exchanges: Exchange[] = [];
      open.set(id, { source: "replies" in source ? new ScriptReader(source) : source, exchanges });
      return { baseURL: `${server.origin}/${id}/v1`, exchanges, end: () => open.delete(id) };
    },
    close: server.close,
  };
}

interface Asking {
  /** Null for the agent itself. */
  readonly asked: WriterRole | null;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

async function answer({ source, exchanges }: OpenConversation, { asked, request, response }: Asking): Promise<void> {
  const text = await readBody(request);
  const body: unknown = JSON.parse(text);
  const stream =
    source instanceof ScriptReader
      ? replay(asked === null ? source.next() : source.nextOf(asked, targetOf(body)), response)
      : await forward(source, { text, response });
  if (stream !== null) exchanges.push({ body, ...readReply(stream) });
}

/** @returns what was streamed; null where the script has come to its end. */
function replay(reply: ScriptedReply | undefined, response: ServerResponse): string | null {
  if (reply === undefined) {
    refuse(response, 400, "The transcript has no further reply.");
    return null;
  }
  const text = typeof reply === "string" ? reply : reply.text;
  const calls = typeof reply === "string" ? [] : reply.calls;
  const pieces = calls.map(({ name, arguments: given }, index) =>
    callLine({ index, id: `call_${randomUUID().slice(0, 8)}`, name, arguments: JSON.stringify(given) }),
  );
  const lines = [
    chunkLine({ role: "assistant", content: text }),
    ...pieces,
    chunkLine({}, calls.length === 0 ? "stop" : "tool_calls"),
    END,
  ];
  const stream = lines.map((line) => `${line}\n\n`).join("");
  response.writeHead(200, { "content-type": "text/event-stream" }).end(stream);
  return stream;
}

/** @returns what was streamed; null where the server refused. */
async function forward(
  { baseURL, apiKey }: Upstream,
  { text, response }: { readonly text: string; readonly response: ServerResponse },
): Promise<string | null> {
  const gone = new AbortController();
  response.once("close", () => {
    gone.abort();
  });
  const answered = await fetch(`${baseURL.replace(/\/+$/, "")}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(apiKey === "" ? {} : { authorization: `Bearer ${apiKey}` }) },
    body: text,
    signal: gone.signal,
  });
  const filter = new SecretFilter(apiKey);
  const passedOn = ["content-type", "retry-after", "retry-after-ms"];
  const headers = passedOn.flatMap((name): [string, string][] => {
    const value = answered.headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  response.writeHead(answered.status, Object.fromEntries(headers));
  let stream = "";
  const pass = (piece: string): void => {
    stream += piece;
    response.write(piece);
  };
  const decoder = new TextDecoder();
  for await (const chunk of answered.body ?? []) pass(filter.push(decoder.decode(chunk, { stream: true })));
  pass(filter.push(decoder.decode()) + filter.flush());
  response.end();
  return answered.ok ? stream : null;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { "content-type": "application/json" }).end(errorBody(message));
}
