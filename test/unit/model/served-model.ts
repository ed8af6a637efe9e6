import { createServer } from "node:net";

import { afterEach, beforeEach } from "vitest";

import {
  ModelError,
  openaiModel,
  type Model,
  type ModelChunk,
  type ModelRequest,
  type OpenAIModelSettings,
} from "../../../src/model/index.js";
import {
  startModelServer,
  type ModelAnswer,
  type ModelServer,
  type ReceivedRequest,
} from "../../servers/model-server.js";
import { textOf } from "../../servers/read-chunks.js";

export const KEY = "sk-proj-1234567890abcdef";

export const request: ModelRequest = {
  messages: [
    { role: "system", content: "You write Python." },
    { role: "user", content: "Add 2 and 3." },
  ],
  temperature: 0,
};

/** A model behind a server of its own in each test, which answers as the test says. */
export class ServedModel {
  /** What comes next. */
  answer: (request: ReceivedRequest) => ModelAnswer = () => ({ kind: "reply", text: "5" });
  #server: ModelServer | undefined;

  constructor() {
    beforeEach(async () => {
      this.#server = await startModelServer((received) => this.answer(received));
    });
    afterEach(() => this.#server?.close());
  }

  get server(): ModelServer {
    if (this.#server === undefined) throw new Error("The server runs only in tests.");
    return this.#server;
  }

  get requests(): readonly ReceivedRequest[] {
    return this.server.requests;
  }

  model(settings: Partial<OpenAIModelSettings> = {}): Model {
    return openaiModel({ baseURL: this.server.baseURL(), apiKey: KEY, model: "test-model", ...settings });
  }

  /** All that the model answers to `asked`. */
  ask(asked: ModelRequest = request, settings: Partial<OpenAIModelSettings> = {}): Promise<ModelChunk[]> {
    return collect(this.model(settings).complete(asked));
  }
}

export async function collect(chunks: AsyncIterable<ModelChunk>): Promise<ModelChunk[]> {
  const all: ModelChunk[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return all;
}

export function noticesOf(chunks: readonly ModelChunk[]) {
  return chunks.flatMap((chunk) => (chunk.type === "notice" ? [chunk.notice] : []));
}

/** The error that ends the reply, and what came before it. */
export async function fail(
  chunks: AsyncIterable<ModelChunk>,
): Promise<{ error: ModelError; text: string; chunks: ModelChunk[] }> {
  const all: ModelChunk[] = [];
  try {
    for await (const chunk of chunks) all.push(chunk);
  } catch (error) {
    if (error instanceof ModelError) return { error, text: textOf(all), chunks: all };
    throw error;
  }
  throw new Error("The reply did not fail.");
}

/** A port on which nothing listens. */
export async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}
