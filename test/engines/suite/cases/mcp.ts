import { mcpTool, type CallProgress } from "../../../../src/index.js";
import { differ, type PageCase } from "../engine-case.js";
import { addressOf } from "../server-address.js";

const official = [
  { name: "streamed", url: "everything", transport: "streamable_http" },
  { name: "evented", url: "everythingSse", transport: "sse" },
] as const;

/** Servers of MCP over HTTP: requests, streams of events, and how a call is given up. */
export const mcpCases: readonly PageCase[] = [
  {
    id: "mcp-1",
    title:
      "the official server is listed and called over Streamable HTTP and over SSE: texts, data, a picture, a resource",
    needs: ["sync_calls"],
    inChromium: "tools/mcp-servers.test.ts",
    run: async (_open, shared) => {
      const session = await shared();
      const differences: string[] = [];
      for (const { name, url, transport } of official) {
        session.tools.register(mcpTool({ name, url: addressOf(url), transport }));
        const { value, error } = await session.run(`
server = tools.${name}
listed = {tool.name for tool in server.list()}
picture = next(part for part in server.get_tiny_image() if not isinstance(part, str))
resource = next(one for one in server.list_resources() if one.get("uri"))
[
    {"echo", "get-sum", "list_resources", "get_prompt"} - listed,
    server.echo(message="hello"),
    sorted(server.get_structured_content(location="Chicago")),
    [picture.kind, picture.mime_type, picture.data[:4] == b"\\x89PNG"],
    server.read_resource(uri=resource["uri"]).uri == resource["uri"],
]`);
        differences.push(
          ...differ(`${name}: the error`, error?.message, undefined),
          ...differ(`${name}: the value`, value, [
            {},
            "Echo: hello",
            ["conditions", "humidity", "temperature"],
            ["image", "image/png", true],
            true,
          ]),
        );
      }
      return differences;
    },
  },
  {
    id: "mcp-2",
    title:
      "a stateless server's calls tell their progress, ask the page in their middle, and hear that their run is stopped",
    needs: ["sync_calls"],
    inChromium: "tools/mcp-servers.test.ts",
    run: async (_open, shared) => {
      const session = await shared();
      const url = addressOf("stateless");
      session.tools.register(mcpTool({ name: "sums", url }));
      const heard: CallProgress[] = [];
      const { value, error } = await session.run(
        `
try:
    tools.sums.add(a="two")
except ToolArgumentError as error:
    refused = error.code
[tools.sums.add(a=2), refused, tools.sums.count(), tools.sums.ask()]`,
        { onCallProgress: (progress) => heard.push(progress) },
      );
      const stop = new AbortController();
      const waiting = session.run("tools.sums.wait()", { signal: stop.signal });
      await logHas(url, "waiting");
      stop.abort();
      const stopped = await waiting;
      await logHas(url, "cancelled");
      return [
        ...differ("the error", error?.message, undefined),
        ...differ("the value", value, [{ sum: 3 }, "TOOL_ARGUMENT", "counted", "You like blue."]),
        ...differ(
          "the progress of what counts",
          heard.filter(({ name }) => name === "sums.count").map(({ message }) => message),
          ["step 1", "step 2", "step 3"],
        ),
        ...differ("the stopped run", stopped.error?.code, "RUN_INTERRUPTED"),
      ];
    },
  },
  {
    id: "mcp-3",
    title:
      "a server's error, a stream that ends too early and a server that is not there fail their calls, and no others",
    needs: ["sync_calls"],
    inChromium: "tools/mcp-servers.test.ts",
    run: async (_open, shared) => {
      const session = await shared();
      const origin = addressOf("scripted");
      for (const [name, url] of Object.entries({
        results: `${origin}/results`,
        cut: `${origin}/cut`,
        absent: `${origin}/status/503`,
      })) {
        session.tools.register(mcpTool({ name, url }));
      }
      const { value, error } = await session.run(`
def failing(call):
    try:
        return call()
    except ToolCallError as error:
        return [error.code, str(error)]
[
    failing(lambda: tools.results.fails()),
    failing(lambda: tools.cut.text())[0],
    failing(lambda: tools.absent.text())[0],
    tools.results.text(),
]`);
      return [
        ...differ("the error", error?.message, undefined),
        ...differ("the value", value, [
          ["TOOL_CALL", "Tool 'results' failed: no such city"],
          "MCP_CONNECTION",
          "MCP_CONNECTION",
          "one\ntwo",
        ]),
      ];
    },
  },
];

/** Waits until the server has noted it: the case's limit is the only one. */
async function logHas(url: string, word: string): Promise<void> {
  for (;;) {
    const response = await fetch(new URL("/log", url));
    if ((await response.text()).includes(word)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
