import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import { afterEach, describe, expect, test, vi } from "vitest";

import { memorySecrets } from "../../../src/secrets/index.js";
import { mcpTool, ToolRegistry, type McpMessage, type McpTransport } from "../../../src/tools/index.js";
import { callTool } from "../../lone-calls/lone-call.js";
import { untilShown } from "../../timeouts.mjs";

const servers: Server[] = [];

afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(
    servers.splice(0).map(
      (server) =>
        new Promise((resolve) => {
          server.close(resolve);
          server.closeAllConnections();
        }),
    ),
  );
});

interface Site {
  readonly origin: string;
  readonly asked: { readonly path: string; readonly headers: IncomingHttpHeaders }[];
}

/** A site that answers everything in the same way. */
async function site(status: number, headers: Readonly<Record<string, string>>): Promise<Site> {
  const asked: Site["asked"] = [];
  const server = createServer((request, response) => {
    asked.push({ path: request.url ?? "", headers: request.headers });
    response.writeHead(status, headers).end();
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { origin: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`, asked };
}

test("a server's headers go to the server, not to the authorization server that it names", async () => {
  const elsewhere = await site(404, {});
  const server = await site(401, {
    "www-authenticate": `Bearer resource_metadata="${elsewhere.origin}/metadata"`,
  });
  const registry = new ToolRegistry({ environment: { secrets: memorySecrets({ KEY: "sesame-open" }) } });

  registry.register(
    mcpTool({ name: "x", url: `${server.origin}/mcp`, headers: { "x-api-key": "${KEY}" }, auth: { clientId: "me" } }),
  );
  await registry.settled();

  expect(server.asked[0]?.headers["x-api-key"]).toBe("sesame-open");
  expect(elsewhere.asked.map(({ path }) => path)).toContain("/metadata");
  for (const { headers } of elsewhere.asked) expect(headers).not.toHaveProperty("x-api-key");
  await registry.close();
});

interface Request {
  readonly id?: number;
  readonly method?: string;
}

type Listing = readonly { readonly name: string; readonly inputSchema: object }[];

/** A server that has tools, and perhaps says after each listing that they are others now. */
class ListingServer implements McpTransport {
  listings = 0;
  onclose?: () => void;
  onmessage?: (message: McpMessage) => void;

  readonly #list: (count: number) => Listing;
  readonly #isRestless: boolean;

  constructor(list: (count: number) => Listing, { isRestless = false }: { readonly isRestless?: boolean } = {}) {
    this.#list = list;
    this.#isRestless = isRestless;
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  send(message: Request): Promise<void> {
    const { id, method } = message;
    if (id === undefined) return Promise.resolve();
    if (method === "initialize") {
      const capabilities = { tools: { listChanged: true } };
      const serverInfo = { name: "listing", version: "1" };
      this.#say({ id, result: { protocolVersion: "2025-06-18", capabilities, serverInfo } });
    } else if (method === "tools/list") {
      this.listings += 1;
      this.#say({ id, result: { tools: this.#list(this.listings) } });
      if (this.#isRestless) this.#say({ method: "notifications/tools/list_changed" });
    } else this.#say({ id, error: { code: -32601, message: "unknown" } });
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.onclose?.();
    return Promise.resolve();
  }

  #say(message: object): void {
    queueMicrotask(() => this.onmessage?.({ jsonrpc: "2.0", ...message }));
  }
}

describe("a server whose list of tools changes with each look", () => {
  test("is asked ever more seldom, and its newest list counts", async () => {
    vi.useFakeTimers();
    const list = (count: number): Listing => [{ name: `tool_${String(count)}`, inputSchema: { type: "object" } }];
    const server = new ListingServer(list, { isRestless: true });
    const registry = new ToolRegistry();
    registry.register(mcpTool({ name: "x", transport: server }));
    await vi.waitFor(() => {
      expect(server.listings).toBeGreaterThan(0);
    }, untilShown);

    await vi.advanceTimersByTimeAsync(60_000);

    expect(server.listings).toBeGreaterThan(5);
    expect(server.listings).toBeLessThan(30);
    expect(registry.get("x")?.callables.map(({ name }) => name)).toEqual([`tool_${String(server.listings)}`]);
    await Promise.all([registry.close(), vi.advanceTimersByTimeAsync(20_000)]);
  });
});

test("a pattern that takes long with each of many texts makes the server's tool one to blame, and is not called", async () => {
  const x = { type: "array", items: { type: "string", pattern: "^(a+)+$" } };
  const server = new ListingServer(() => [{ name: "go", inputSchema: { type: "object", properties: { x } } }]);
  const registry = new ToolRegistry();
  registry.register(mcpTool({ name: "x", transport: server }));
  await registry.settled();

  const call = callTool(registry, {
    tool: "x",
    callable: "go",
    args: { x: Array.from({ length: 3000 }, () => `${"a".repeat(20)}!`) },
  });

  await expect(call).rejects.toMatchObject({ code: "TOOL_SCHEMA" });
  await registry.close();
});

test("tools that are described too deep for Python are left out, and the others are listed", async () => {
  let schema: object = { type: "string" };
  for (let level = 0; level < 20_000; level += 1) schema = { type: "array", items: schema };
  const nested = JSON.parse(`${"[".repeat(95)}${"]".repeat(95)}`) as unknown;
  const server = new ListingServer(() => [
    { name: "deep_type", inputSchema: { type: "object", properties: { x: schema } } },
    { name: "deep_default", inputSchema: { type: "object", properties: { x: { default: nested } } } },
    { name: "fine", inputSchema: { type: "object", properties: { x: { default: [[1]] } } } },
  ]);
  const registry = new ToolRegistry();

  const tool = registry.register(mcpTool({ name: "x", transport: server }));
  await registry.settled();

  expect(registry.get(tool.name)?.callables.map(({ name }) => name)).toEqual(["fine"]);
  expect(registry.problems().map(({ field }) => field)).toEqual(["tools.deep_type", "tools.deep_default"]);
  await registry.close();
});

test("a type that JSON Schema does not know is told of, and the tool works without that argument", async () => {
  const server = new ListingServer(() => [
    { name: "odd", inputSchema: { type: "object", properties: { x: { type: "dict" }, y: { type: "string" } } } },
  ]);
  const registry = new ToolRegistry();

  registry.register(mcpTool({ name: "x", transport: server }));
  await registry.settled();

  expect(registry.get("x")?.callables.map(({ name }) => name)).toEqual(["odd"]);
  expect(registry.problems()).toEqual([
    {
      file: "tools.x",
      field: "tools.odd.inputSchema.properties.x.type",
      code: "MCP_PROTOCOL",
      message: expect.stringContaining("'dict' is no type of JSON Schema; write 'object'"),
    },
  ]);
  await registry.close();
});

test("a header that a refusal repeats where the error is cut leaves no piece", async () => {
  const server = createServer(({ headers }, response) => {
    response.writeHead(500).end(`${"x".repeat(490)}${String(headers["x-api-key"])}${"x".repeat(100)}`);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/mcp`;
  const registry = new ToolRegistry({ environment: { secrets: memorySecrets({ KEY: "sesame-open-the-door" }) } });

  registry.register(mcpTool({ name: "x", url, headers: { "x-api-key": "${KEY}" } }));
  await registry.settled();

  expect(registry.problems()).toMatchObject([{ message: expect.stringContaining("HTTP 500") }]);
  expect(JSON.stringify(registry.problems())).not.toContain("sesame");
  await registry.close();
});
