import type { McpInPageServer, McpTransport } from "../../src/index.js";

interface RpcRequest {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly name?: string; readonly arguments?: Readonly<Record<string, unknown>> };
}

type Answer = { readonly result: unknown } | { readonly error: { readonly code: number; readonly message: string } };

const city = { type: "string", description: "Where" };
const nothing = { type: "object", properties: {} };

/** The specification's MCP server `time`, in this page; `vanishing` is gone once it was called. */
export function timeServer(): McpInPageServer {
  return {
    connect: async (transport) => {
      let gone = false;
      transport.onmessage = (message) => {
        const { id, method, params } = message as RpcRequest;
        if (id === undefined) return;
        const answer = answerOf(method, params, { gone });
        if (params?.name === "vanishing") gone = true;
        void reply(transport, id, answer);
      };
      await transport.start();
    },
  };
}

async function reply(transport: McpTransport, id: number, answer: Answer): Promise<void> {
  await transport.send({ jsonrpc: "2.0", id, ...answer });
}

function answerOf(method: string, params: RpcRequest["params"], { gone }: { readonly gone: boolean }): Answer {
  switch (method) {
    case "initialize":
      return {
        result: {
          protocolVersion: "2025-06-18",
          capabilities: { tools: {} },
          serverInfo: { name: "time", version: "1", title: "The time of cities" },
        },
      };
    case "tools/list":
      return { result: { tools: tools.filter(({ name }) => !(gone && name === "vanishing")) } };
    case "tools/call":
      return callOf(params?.name ?? "", params?.arguments ?? {});
    default:
      return { error: { code: -32601, message: "Method not found" } };
  }
}

const tools = [
  {
    name: "a",
    description: "One more",
    inputSchema: {
      type: "object",
      properties: {
        x: { type: "integer", description: "A number" },
        city: { ...city, default: "Oslo" },
        free: {},
      },
      required: ["x"],
    },
  },
  { name: "b", description: "Two texts", inputSchema: nothing },
  { name: "now-utc", description: "As data", inputSchema: nothing },
  { name: "clock", description: "As a picture", inputSchema: nothing },
  { name: "fails", description: "Fails", inputSchema: nothing },
  { name: "refuses", description: "Says that the tool is unknown, which it is not", inputSchema: nothing },
  { name: "vanishing", description: "Is gone once it was called", inputSchema: nothing },
];

const text = (...texts: string[]): Answer => ({
  result: { content: texts.map((each) => ({ type: "text", text: each })) },
});

function callOf(name: string, args: Readonly<Record<string, unknown>>): Answer {
  switch (name) {
    case "a":
      return text(String(Number(args.x) + 1));
    case "b":
      return text("first", "second");
    case "now-utc":
      return { result: { content: [{ type: "text", text: "{}" }], structuredContent: { hour: 12 } } };
    case "clock":
      return { result: { content: [{ type: "image", mimeType: "image/png", data: "iVBORw==" }] } };
    case "fails":
      return { result: { content: [{ type: "text", text: "tool not found in the cupboard" }], isError: true } };
    default:
      return { error: { code: -32602, message: "Unknown tool" } };
  }
}
