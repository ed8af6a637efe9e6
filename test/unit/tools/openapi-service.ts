import type { Value } from "../../../src/protocol/index.js";
import { openApiTools, type OpenApiOptions, type ToolAdapter } from "../../../src/tools/index.js";
import { callAdapter } from "../../lone-calls/lone-call.js";
import type { ScriptedServer } from "../../servers/scripted-server.js";
import { testedService, type TestedService } from "./tested-service.js";

export interface OpenApiService extends TestedService {
  /** The tool of a document, whose requests come to this service below `/base`. */
  made(document: string | Record<string, unknown>, options?: Partial<OpenApiOptions>): ReturnType<typeof openApiTools>;
}

export function openApiService(): OpenApiService {
  const service = testedService();
  return {
    get server(): ScriptedServer {
      return service.server;
    },
    made: (document, options = {}) =>
      openApiTools(document, { name: "x", baseUrl: `${service.server.origin}/base`, ...options }),
  };
}

export function callOperation(adapter: ToolAdapter, name: string, args: Record<string, Value> = {}): Promise<Value> {
  return callAdapter(adapter, { callable: name, args });
}

/** A document with these paths. */
export const documentOf = (paths: unknown, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  openapi: "3.0.3",
  info: { title: "Library", description: "Books of the town.\n\nMore of it." },
  paths,
  ...more,
});

/** What an operation has to say of its answers. */
export const ok = { responses: { 200: { description: "" } } };
