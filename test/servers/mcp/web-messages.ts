import type { IncomingMessage, ServerResponse } from "node:http";

/** A request of Node as one of the Fetch standard. */
export async function toRequest(request: IncomingMessage, signal: AbortSignal): Promise<Request> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(", ") : value);
  }
  const { method = "GET", url = "/" } = request;
  const body = method === "GET" || method === "HEAD" ? null : Buffer.concat(chunks);
  return new Request(new URL(url, `http://${request.headers.host ?? "127.0.0.1"}`), { method, headers, body, signal });
}

/** Sends an answer of the Fetch standard, piece by piece as it comes. */
export async function writeResponse(answer: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.flushHeaders();
  if (answer.body !== null) {
    for await (const chunk of answer.body) {
      if (response.destroyed) break;
      response.write(chunk);
    }
  }
  response.end();
}
