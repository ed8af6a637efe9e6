import { McpServer } from "@modelcontextprotocol/server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";

import {
  functionTool,
  mcpTool,
  memoryStorage,
  messagePortTransport,
  Session,
  type ApprovalRequest,
} from "../../../src/index.js";
import {
  conformanceCases,
  ConformanceRunner,
  fixtureCommands,
  fixtureSeeds,
  fixtureTools,
} from "../../conformance/index.js";

/** A server of the official SDK, in this page. */
function inPageServer(log: string[] = []): McpServer {
  const server = new McpServer({ name: "page", version: "1" }, { capabilities: { tools: { listChanged: true } } });
  const picture = { content: [{ type: "image" as const, mimeType: "image/png", data: "iVBORw==" }] };
  server.registerTool("picture", { description: "A picture" }, () => picture);
  server.registerTool(
    "greet",
    { inputSchema: z.object({ name: z.string() }), annotations: { readOnlyHint: true } },
    ({ name }) => ({ content: [{ type: "text", text: `Hello, ${name}` }] }),
  );
  server.registerTool("wipe", { annotations: { destructiveHint: true } }, () => {
    log.push("wiped");
    return { content: [] };
  });
  server.registerTool("grow", {}, () => {
    server.registerTool("grown", {}, () => ({ content: [{ type: "text", text: "tall" }] }));
    return { content: [] };
  });
  return server;
}

describe("a session with servers", () => {
  const log: string[] = [];
  const asked: ApprovalRequest[] = [];
  const problems: unknown[] = [];
  const channel = new MessageChannel();
  let session: Session;

  beforeAll(async () => {
    await inPageServer().connect(messagePortTransport(channel.port2));
    session = await Session.open({
      storage: memoryStorage(),
      seeds: [
        { file: "tools/down.yaml", text: "name: down\ntype: mcp\nurl: http://127.0.0.1:9/mcp\n" },
        { file: "tools/program.yaml", text: "name: program\ntype: mcp\ncommand: uvx\nargs: [mcp-server-fetch]\n" },
      ],
      tools: [
        mcpTool({ name: "page", server: inPageServer(log) }),
        mcpTool({ name: "ported", port: channel.port1 }),
        functionTool({ name: "plain", description: "", input: z.object({}), run: () => "plain" }),
      ],
      onApproval: (request) => {
        asked.push(request);
        return Promise.resolve({ decision: "deny" });
      },
      onProblem: (problem) => problems.push(problem),
    });
  });

  afterAll(() => session.close());

  async function value(code: string): Promise<unknown> {
    const result = await session.run(code);
    expect(result.error).toBeNull();
    return result.value;
  }

  test("the first listing after it opened has the callables of its servers", async () => {
    expect(await value("[c.name for c in tools.page.list()]")).toEqual(["picture", "greet", "wipe", "grow"]);
    expect(await value("tools.page.greet('Ada'), tools.ported.greet(name='Bob')")).toEqual([
      "Hello, Ada",
      "Hello, Bob",
    ]);
  });

  test("a picture is an object with its bytes, and shows itself", async () => {
    const result = await session.run("picture = tools.page.picture()\nprint(repr(picture), picture.data[:4])\npicture");

    expect(result.stdout).toBe("<Content image, image/png, 4 bytes> b'\\x89PNG'\n");
    expect(result.outputs).toEqual([
      expect.objectContaining({
        data: expect.objectContaining({ "image/png": new Uint8Array([137, 80, 78, 71]) }) as object,
      }),
    ]);
  });

  test("what a server calls destructive is asked about, though nothing else said so", async () => {
    const result = await session.run("tools.page.wipe()");

    expect(result.error).toMatchObject({ pythonType: "ToolNotAllowedError" });
    expect(asked).toEqual([expect.objectContaining({ name: "tools.page.wipe" })]);
    expect(log).toEqual([]);
  });

  test("a tool that the server adds is there for the next code, without a reset", async () => {
    const changed = new Promise<void>((resolve) => {
      session.tools.onChange(() => {
        if (session.tools.get("page")?.callables.some(({ name }) => name === "grown") === true) resolve();
      });
    });

    await session.run("tools.page.grow()");
    await changed;

    expect(await value("tools.page.grown()")).toBe("tall");
  });

  test("a server that is down is a problem of the page, a program says what to do, and other tools work", async () => {
    const down = await session.run("tools.down.anything(x=1)");
    const program = await session.run("tools.program.fetch(url='x')");

    expect(session.tools.problems()).toEqual([expect.objectContaining({ file: "tools/down.yaml" })]);
    expect(problems).toContainEqual(expect.objectContaining({ name: "ToolProblemError" }));
    expect(down.error?.message).toContain("127.0.0.1:9 could not be reached");
    expect(program.error).toMatchObject({ pythonType: "ToolUnavailableError" });
    expect(program.error?.message).toContain("transport: streamable_http");
    expect(await value("tools.plain()")).toBe("plain");
  });

  test("calls of a server are in the journal, with their arguments", async () => {
    const result = await session.run("tools.page.greet(name='Eve')");

    expect(result.calls).toEqual([
      expect.objectContaining({
        name: "page.greet",
        arguments: { name: "Eve" },
        outcome: expect.objectContaining({ kind: "ok" }) as object,
      }),
    ]);
  });
});

test("a server is one tool with a callable for each of its tools; results, errors and parameters come over, and one that does not start spoils nothing (D8–D13)", async () => {
  const runner = new ConformanceRunner((storage) =>
    Session.open({
      storage,
      tools: fixtureTools,
      seeds: fixtureSeeds,
      commands: fixtureCommands,
      onProblem: () => undefined,
    }),
  );

  const results = await runner.runAll(conformanceCases["D. Servers"] ?? []);

  expect(results.filter(({ differences }) => differences.length > 0)).toEqual([]);
});
