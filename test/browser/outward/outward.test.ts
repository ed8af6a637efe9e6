import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import OpenAI from "openai";
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { commands } from "vitest/browser";
import { z } from "zod";

import {
  functionTool,
  provideWebMcp,
  runCodeFunction,
  serveMcp,
  type ApprovalAnswer,
  type ApprovalRequest,
  type McpService,
  type Session,
} from "../../../src/index.js";
import { openSession } from "../session/hosts.js";
import { wheel } from "../session/wheel.js";

const ELEVEN = [
  ...["run_code", "list_tools", "search_tools", "list_skills", "search_skills", "create_skill", "delete_skill"],
  ...["list_artifacts", "list_deps", "add_dep", "remove_dep"],
];

const started: string[] = [];
const ended: string[] = [];
const tools = [
  functionTool({
    name: "weather",
    description: "Weather of a city",
    input: z.object({ city: z.string() }),
    hints: { readOnly: true },
    run: ({ city }) => `sunny in ${city}`,
  }),
  functionTool({
    name: "erase",
    description: "Erases everything",
    input: z.object({}),
    hints: { destructive: true },
    run: () => "erased",
  }),
  functionTool({
    name: "forever",
    description: "Waits until it is given up",
    input: z.object({ name: z.string() }),
    run: ({ name }, { signal }) => {
      started.push(name);
      return new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          ended.push(name);
          reject(new Error("given up"));
        });
      });
    },
  }),
];

let session: Session;
let asked: ApprovalRequest[] = [];
let answer: ApprovalAnswer = { decision: "allow" };

beforeAll(async () => {
  const packagesURL = `${inject("embeddingServer")}/files/outward/`;
  const file = "greeter-1.0-py3-none-any.whl";
  await fetch(`${packagesURL}${file}`, { method: "PUT", body: await wheel("greeter", "1.0", "hello = 'hi'") });
  await fetch(`${packagesURL}index.json`, { method: "PUT", body: JSON.stringify([file]) });
  session = await openSession({
    tools,
    packagesURL,
    onApproval: (request) => {
      asked.push(request);
      return answer;
    },
  });
});

afterEach(() => {
  asked = [];
  answer = { decision: "allow" };
});

afterAll(async () => {
  await session.close();
});

/** The one text of a tool's result. */
function textOf({ content }: { readonly content: readonly unknown[] }): string {
  return z.tuple([z.object({ type: z.literal("text"), text: z.string() })]).parse(content)[0].text;
}

describe("as an MCP server", () => {
  let client: Client;
  let service: McpService;

  async function connect(): Promise<void> {
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    service = await serveMcp(session, ours);
    client = new Client({ name: "test", version: "1" });
    await client.connect(theirs);
  }

  async function call(name: string, args: Record<string, unknown> = {}): Promise<{ text: string; isError: boolean }> {
    const result = await client.callTool({ name, arguments: args });
    return { text: textOf(result), isError: result.isError === true };
  }

  beforeAll(connect);
  afterAll(async () => {
    await client.close();
    await service.close();
  });

  test("the official client finds the eleven tools, with schemas and hints", async () => {
    const { tools: found } = await client.listTools();

    expect(found.map(({ name }) => name)).toEqual(ELEVEN);
    expect(found.find(({ name }) => name === "run_code")).toMatchObject({
      inputSchema: { type: "object", properties: { code: { type: "string" } }, required: ["code"] },
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
    });
    expect(found.find(({ name }) => name === "search_tools")?.annotations).toMatchObject({ readOnlyHint: true });
    expect(client.getInstructions()).toContain("tools.search");
  });

  test("run_code answers with value and output, and variables stay", async () => {
    expect(await call("run_code", { code: "x = 20\nprint('counting')\nx + 1" })).toEqual({
      text: "21\n\nStdout:\ncounting\n",
      isError: false,
    });
    expect((await call("run_code", { code: "x + 2" })).text).toBe("22");
    expect((await call("run_code", { code: "'a text'" })).text).toBe("a text");
    expect((await call("run_code", { code: "None" })).text).toBe("(no output)");
  });

  test("an error of the code is a result with traceback and output, marked as an error", async () => {
    const { text, isError } = await call("run_code", { code: "print('before')\n1/0" });

    expect(isError).toBe(true);
    expect(text).toMatch(/^Error: Traceback/);
    expect(text).toContain("ZeroDivisionError");
    expect(text).toMatch(/Stdout:\nbefore\n$/);
  });

  test("a picture that the code shows comes as an image", async () => {
    const code = [
      "class Dot:",
      "    def _repr_png_(self):",
      "        return bytes([137, 80, 78, 71])",
      "display(Dot())",
    ].join("\n");

    const { content } = await client.callTool({ name: "run_code", arguments: { code } });

    expect(content).toContainEqual({ type: "image", mimeType: "image/png", data: "iVBORw==" });
  });

  test("tools are listed and found as JSON", async () => {
    const listed: unknown = JSON.parse((await call("list_tools")).text);
    const found: unknown = JSON.parse((await call("search_tools", { query: "weather" })).text);

    expect(listed).toMatchObject([{ name: "weather" }, { name: "erase" }, { name: "forever" }]);
    expect(found).toMatchObject([
      { name: "weather", callables: [{ name: "weather", parameters: [{ name: "city", required: true }] }] },
    ]);
    expect((await call("list_tools", { limit: 1, offset: 1 })).text).toMatch(/^\[\{"name":"erase".*\n1 more/);
  });

  test("a skill that it saves asks a person, who is told that a program from outside asks", async () => {
    const source = "def run(n):\n    '''Doubles.'''\n    return n * 2";
    const created = await call("create_skill", { name: "twice", source });

    expect(asked).toMatchObject([
      { name: "skills.create", caller: "client", arguments: { name: "twice", source }, inAgentRun: false },
    ]);
    expect(asked[0]?.reason).toContain("program from outside");
    expect(JSON.parse(created.text)).toMatchObject({ name: "twice", parameters: [{ name: "n" }] });
    expect((await call("run_code", { code: "skills.twice(n=4)" })).text).toBe("8");
    expect(JSON.parse((await call("search_skills", { query: "doubles" })).text)).toMatchObject([{ name: "twice" }]);
    expect((await session.skills.get("twice"))?.trust).toBe("sandboxed");
    expect((await call("delete_skill", { name: "twice" })).text).toBe("true");
    expect((await call("list_skills")).text).toBe("[]");
  });

  test("what the person refuses is an error that says so, and nothing happened", async () => {
    answer = { decision: "deny", reason: "not today" };

    const skill = await call("create_skill", { name: "no", source: "def run(): pass" });
    const tool = await call("run_code", { code: "tools.erase()" });
    const inCode = await call("run_code", { code: "skills.create('no', 'def run(): pass')" });

    for (const { text, isError } of [skill, tool, inCode]) {
      expect(isError).toBe(true);
      expect(text).toContain("not today");
    }
    expect(asked.map(({ name, caller }) => [name, caller])).toEqual([
      ["skills.create", "client"],
      ["tools.erase", "client"],
      ["skills.create", "client"],
    ]);
    expect(await session.skills.get("no")).toBeNull();
  });

  test("its calls and runs stand in the journal as the client's", async () => {
    await call("run_code", { code: "tools.weather(city='Oslo')" });

    const newest = (await session.journal.list()).slice(-2);

    expect(newest.map(({ namespace, name, caller }) => [namespace, name, caller])).toEqual([
      ["runs", expect.stringMatching(/^vitrine \d+$/), "client"],
      ["tools", "weather", "client"],
    ]);
  });

  test("a package is added after the person agreed, used, listed and removed", async () => {
    expect(JSON.parse((await call("add_dep", { package: "greeter" })).text)).toMatchObject({ installed: ["greeter"] });
    expect(asked).toMatchObject([{ name: "deps.add", caller: "client", arguments: { package: "greeter" } }]);
    expect((await call("run_code", { code: "import greeter\ngreeter.hello" })).text).toBe("hi");
    expect((await call("list_deps")).text).toBe('["greeter"]');
    await call("remove_dep", { package: "greeter" });
    expect((await call("list_deps")).text).toBe("[]");
  });

  test("artifacts that code saved are listed", async () => {
    await call("run_code", { code: "artifacts.save('numbers', [1, 2], 'some')" });

    expect(JSON.parse((await call("list_artifacts")).text)).toMatchObject([{ name: "numbers", description: "some" }]);
  });

  test("arguments that do not fit and unknown tools are told, and the connection goes on", async () => {
    const wrong = await call("run_code", { code: 5 });
    const unknown = client.callTool({ name: "format_disk", arguments: {} });

    expect(wrong.isError).toBe(true);
    expect(wrong.text).toContain("code");
    await expect(unknown).rejects.toThrow("format_disk");
    expect((await call("run_code", { code: "1" })).text).toBe("1");
  });

  test("a request that the client cancels stops its run", async () => {
    const stop = new AbortController();
    const running = client.callTool(
      { name: "run_code", arguments: { code: "tools.forever(name='cancelled')" } },
      { signal: stop.signal },
    );
    running.catch(() => undefined);
    await vi.waitFor(() => expect(started).toContain("cancelled"));

    stop.abort();

    await expect(running).rejects.toThrow();
    await vi.waitFor(() => expect(ended).toContain("cancelled"));
    expect((await call("run_code", { code: "'still here'" })).text).toBe("still here");
  });

  test("a client that goes away leaves no run behind", async () => {
    const running = client.callTool({ name: "run_code", arguments: { code: "tools.forever(name='left')" } });
    running.catch(() => undefined);
    await vi.waitFor(() => expect(started).toContain("left"));

    await client.close();

    await vi.waitFor(() => expect(ended).toContain("left"));
    await connect();
  });

  test("over a MessagePort, in the stateless revision, with only the tools in its scope", async () => {
    const { port1, port2 } = new MessageChannel();
    const served = await serveMcp(session, port1, { scope: { names: ["weather"] }, canChangeDeps: false });
    const other = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
    await other.connect(portClient(port2));

    const names = (await other.listTools()).tools.map(({ name }) => name);
    const seen = await other.callTool({
      name: "run_code",
      arguments: { code: "[[t.name for t in tools.list()], hasattr(tools, 'erase'), tools.weather(city='Rome')]" },
    });

    expect(other.getNegotiatedProtocolVersion()).toBe("2026-07-28");
    expect(names).toEqual(ELEVEN.filter((name) => !name.endsWith("_dep")));
    expect(textOf(seen)).toBe("[['weather'], False, 'sunny in Rome']");
    await other.close();
    await served.close();
  });
});

/** The client's end of a port, by what the SDK asks of a transport. */
function portClient(port: MessagePort): InMemoryTransport {
  const [near, far] = InMemoryTransport.createLinkedPair();
  far.onmessage = (message) => {
    port.postMessage(message);
  };
  port.onmessage = ({ data }) => void far.send(data as Parameters<typeof far.send>[0]);
  void far.start();
  return near;
}

describe("as a function of OpenAI's form", () => {
  const openai = (): OpenAI =>
    new OpenAI({
      baseURL: `${inject("modelServer")}/calls-functions/v1`,
      apiKey: "sk-test",
      dangerouslyAllowBrowser: true,
      maxRetries: 0,
      // The server lets through what servers do, and the client's own headers are not among it.
      fetch: (url, init) => {
        const headers = new Headers(init?.headers);
        for (const name of [...headers.keys()]) if (name.startsWith("x-stainless")) headers.delete(name);
        return fetch(url, { ...init, headers });
      },
    });

  test("the official client takes its definition, calls it over HTTP, and gets its answers back", async () => {
    const runCode = runCodeFunction(session);
    const client = openai();
    const said = [{ code: "y = 6" }, { code: "y * 7" }, { code: "1/0" }, { kode: "1" }].map((args) =>
      JSON.stringify(args),
    );
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: [...said, "no JSON"].join("\n") }];

    for (;;) {
      const completion = await client.chat.completions.create({ model: "m", messages, tools: [runCode.definition] });
      const message = completion.choices[0]?.message;
      if (message === undefined) break;
      messages.push(message);
      if (message.tool_calls === undefined) break;
      for (const call of message.tool_calls) if (call.type === "function") messages.push(await runCode.answer(call));
    }

    const answers = messages.flatMap((message) =>
      message.role === "tool" && typeof message.content === "string" ? [message.content] : [],
    );
    expect(answers.slice(0, 2)).toEqual(["(no output)", "42"]);
    expect(answers[2]).toContain("ZeroDivisionError");
    expect(answers[3]).toContain("code");
    expect(answers[4]).toContain("are no JSON");
    expect(messages.at(-1)).toMatchObject({ role: "assistant", content: answers.join("\n---\n") });
  });

  test("a call for another function is answered without running anything", async () => {
    const { content } = await runCodeFunction(session).answer({
      id: "1",
      function: { name: "rm", arguments: '{"code": "1"}' },
    });

    expect(content).toContain("There is no function rm");
  });

  test("a signal stops the run", async () => {
    const stop = new AbortController();
    const runCode = runCodeFunction(session);
    const running = runCode.handle('{"code": "tools.forever(name=\'function\')"}', { signal: stop.signal });
    await vi.waitFor(() => expect(started).toContain("function"));

    stop.abort();

    expect(await running).toContain("RunInterruptedError");
  });
});

describe("through WebMCP", () => {
  const modelContext = (): unknown => Reflect.get(document, "modelContext");
  const Result = z.object({
    content: z.tuple([z.object({ type: z.literal("text"), text: z.string() })]),
    isError: z.boolean().optional(),
  });

  test("the browser's debugging protocol finds the eleven tools and calls them, until they are taken back", async () => {
    const offered = await provideWebMcp(session, modelContext(), { prefix: "vitrine_" });

    const found = await commands.webMcpTools();
    expect(found.map(({ name }) => name).sort()).toEqual(ELEVEN.map((name) => `vitrine_${name}`).sort());
    expect(found.find(({ name }) => name === "vitrine_run_code")?.inputSchema).toMatchObject({ required: ["code"] });

    const ran = Result.parse(await commands.callWebMcpTool("vitrine_run_code", { code: "sum(range(5))" }));
    expect(ran.content[0].text).toBe("10");
    const failed = Result.parse(await commands.callWebMcpTool("vitrine_run_code", { code: "1/0" }));
    expect(failed.isError).toBe(true);
    // The browser checks no arguments.
    const wrong = Result.parse(await commands.callWebMcpTool("vitrine_run_code", {}));
    expect(wrong.content[0].text).toContain("do not fit");
    answer = { decision: "deny", reason: "no agents" };
    const refused = Result.parse(await commands.callWebMcpTool("vitrine_delete_skill", { name: "x" }));
    expect(refused.content[0].text).toContain("no agents");
    expect(asked).toMatchObject([{ name: "skills.delete", caller: "client" }]);

    offered.close();
    await vi.waitFor(async () => expect(await commands.webMcpTools()).toEqual([]));
  });

  test("an agent of the page finds their hints, and a call that it gives up stops the run", async () => {
    const offered = await provideWebMcp(session, modelContext());
    const context = modelContext() as PageModelContext;
    const found = await context.getTools();
    const runCode = found.find(({ name }) => name === "run_code");
    expect(runCode?.annotations).toMatchObject({
      readOnlyHint: false,
      consequentialHint: true,
      untrustedContentHint: true,
    });
    expect(found.find(({ name }) => name === "list_tools")?.annotations).toMatchObject({ readOnlyHint: true });

    const stop = new AbortController();
    const call = context.executeTool(runCode, { code: "tools.forever(name='agent')" }, { signal: stop.signal });
    await vi.waitFor(() => expect(started).toContain("agent"));
    stop.abort(new Error("enough"));

    await expect(call).rejects.toThrow("enough");
    await vi.waitFor(() => expect(ended).toContain("agent"));
    offered.close();
  });

  test("names that are taken offer nothing, and a browser without it is told so", async () => {
    const first = await provideWebMcp(session, modelContext());

    await expect(provideWebMcp(session, modelContext())).rejects.toThrow("Duplicate");
    expect(await commands.webMcpTools()).toHaveLength(ELEVEN.length);
    await expect(provideWebMcp(session, undefined)).rejects.toMatchObject({ code: "WEB_MCP_UNAVAILABLE" });
    first.close();
  });

  interface FoundTool {
    readonly name: string;
    readonly annotations: Readonly<Record<string, boolean>>;
  }
  interface PageModelContext {
    getTools(): Promise<FoundTool[]>;
    executeTool(tool: FoundTool | undefined, input: object, options?: { signal: AbortSignal }): Promise<unknown>;
  }
});
