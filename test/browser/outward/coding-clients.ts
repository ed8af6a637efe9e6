import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { afterAll } from "vitest";

import { serveMcp, type McpService, type McpServiceOptions, type Session } from "../../../src/index.js";
import { ELEVEN } from "./served-page.js";

/** What a client is offered for code where the session has no place to install packages from. */
export const NINE = ELEVEN.filter((name) => !name.endsWith("_dep"));

interface Connection {
  readonly client: Client;
  readonly service: McpService;
}

export type Connect = (session: Session, options: McpServiceOptions) => Promise<Client>;

/** Connects clients for the tests of this file. */
export function codingClients(): Connect {
  const open: Connection[] = [];
  afterAll(async () => {
    for (const { client, service } of open) {
      await client.close();
      await service.close();
    }
  });
  return async (session, options) => {
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    const service = await serveMcp(session, ours, options);
    const client = new Client({ name: "test", version: "1" });
    await client.connect(theirs);
    open.push({ client, service });
    return client;
  };
}

export async function namesOf(client: Client): Promise<string[]> {
  return (await client.listTools()).tools.map(({ name }) => name);
}

/** What a tool has answered: text, and whether it counts as a failure. */
export async function call(
  client: Client,
  name: string,
  args: Record<string, unknown>,
): Promise<[text: string, isError: boolean]> {
  const { content, isError = false } = await client.callTool({ name, arguments: args });
  const [first] = content;
  return [first?.type === "text" ? first.text : `no text but ${String(first?.type)}`, isError];
}
