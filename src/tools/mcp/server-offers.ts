import { METHOD_NOT_FOUND, ProtocolError, type Client, type RequestOptions } from "@modelcontextprotocol/client";
import { z } from "zod";

import { isRecord, type Value } from "../../protocol/index.js";
import { McpProtocolError } from "./mcp-errors.js";
import { messagesOf, resourceOf } from "./mcp-result.js";

const MAX_PAGES = 1000;
const MAX_TOOLS = 20_000;

/** A page of tools whose definitions are looked at one by one, so that a broken one does not take the page with it. */
const Page = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });

/** @throws {McpProtocolError} when the list has no end. */
export async function listPages(client: Client, toolName: string, options: RequestOptions): Promise<unknown[]> {
  const tools: unknown[] = [];
  const cursors = new Set<string>();
  let cursor: string | undefined;
  do {
    const request = { method: "tools/list", params: cursor === undefined ? {} : { cursor } };
    const page: z.infer<typeof Page> = await client.request(request, Page, options);
    tools.push(...page.tools);
    cursor = page.nextCursor;
    if (cursor !== undefined && (cursors.has(cursor) || cursors.size >= MAX_PAGES || tools.length > MAX_TOOLS)) {
      throw new McpProtocolError(toolName, "its list of tools does not come to an end");
    }
    if (cursor !== undefined) cursors.add(cursor);
  } while (cursor !== undefined);
  return tools;
}

export interface OfferCall {
  readonly toolName: string;
  /** `list_resources`, `read_resource`, `list_prompts` or `get_prompt`. */
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Asks a server for what it offers beside tools. */
export async function performOffer(
  client: Client,
  { toolName, name, args }: OfferCall,
  options: RequestOptions,
): Promise<Value> {
  switch (name) {
    case "list_resources": {
      const { resources } = await client.listResources(undefined, options);
      return [...resources, ...(await listTemplates(client, options))].map(inSnakeCase);
    }
    case "read_resource":
      return resourceOf(toolName, await client.readResource({ uri: String(args.uri) }, options));
    case "list_prompts": {
      const { prompts } = await client.listPrompts(undefined, options);
      return prompts.map(inSnakeCase);
    }
    default: {
      const values = isRecord(args.arguments) ? Object.entries(args.arguments) : [];
      const texts = values.map(([key, value]) => [key, typeof value === "string" ? value : JSON.stringify(value)]);
      const prompt = { name: String(args.name), arguments: Object.fromEntries(texts) as Record<string, string> };
      return messagesOf(toolName, await client.getPrompt(prompt, options));
    }
  }
}

async function listTemplates(client: Client, options: RequestOptions): Promise<Readonly<Record<string, unknown>>[]> {
  try {
    return (await client.listResourceTemplates(undefined, options)).resourceTemplates;
  } catch (error) {
    // A server may have resources and no templates, and not know the question.
    if (error instanceof ProtocolError && error.code === METHOD_NOT_FOUND) return [];
    throw error;
  }
}

/** What a list tells of an item, as a dict of Python. */
function inSnakeCase(item: Readonly<Record<string, unknown>>): Value {
  const entries = Object.entries(item).filter(([key]) => key !== "_meta" && key !== "icons");
  return Object.fromEntries(
    entries.map(([key, value]) => [key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value as Value]),
  );
}
