import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

import { memoryStorage, runCodeFunction, serveMcp, Session, type McpService } from "../../../src/index.js";
import { VERSION } from "../../../src/protocol/index.js";
import { untilShown } from "../../timeouts.mjs";
import { ELEVEN, servedPage, textOf } from "./served-page.js";

const page = servedPage();

describe("as an MCP server", () => {
  let client: Client;
  let service: McpService;

  async function connect(): Promise<void> {
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    service = await serveMcp(page.session, ours);
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

  test("the client is told the version, and what the code can reach at the session's trust level", async () => {
    expect(client.getServerVersion()).toMatchObject({ name: "vitrine", version: VERSION });
    expect(client.getInstructions()).toContain("in a sealed interpreter of a web page");
    expect(client.getInstructions()).toContain("There is no network");

    const session = await Session.open({ storage: memoryStorage(), trust: "local" });
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    const own = await serveMcp(session, ours, { version: "7.1" });
    const other = new Client({ name: "test", version: "1" });
    await other.connect(theirs);
    const { description } = runCodeFunction(session).definition.function;
    const { tools: found } = await other.listTools();

    expect(other.getServerVersion()).toMatchObject({ version: "7.1" });
    for (const text of [other.getInstructions(), description, found[0]?.description]) {
      expect(text).toContain("in an interpreter of a web page");
      expect(text).toContain("The code reaches the network as the page does");
      expect(text).not.toContain("sealed");
    }
    await other.close();
    await own.close();
    await session.close();
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

    expect(page.asked).toMatchObject([
      { name: "skills.create", caller: "client", arguments: { name: "twice", source }, inAgentRun: false },
    ]);
    expect(page.asked[0]?.reason).toContain("program from outside");
    expect(JSON.parse(created.text)).toMatchObject({ name: "twice", parameters: [{ name: "n" }] });
    expect((await call("run_code", { code: "skills.twice(n=4)" })).text).toBe("8");
    expect(JSON.parse((await call("search_skills", { query: "doubles" })).text)).toMatchObject([{ name: "twice" }]);
    expect((await page.session.skills.get("twice"))?.trust).toBe("sandboxed");
    expect((await call("delete_skill", { name: "twice" })).text).toBe("true");
    expect((await call("list_skills")).text).toBe("[]");
  });

  test("what the person refuses is an error that says so, and nothing happened", async () => {
    page.answer = { decision: "deny", reason: "not today" };

    const skill = await call("create_skill", { name: "no", source: "def run(): pass" });
    const tool = await call("run_code", { code: "tools.erase()" });
    const inCode = await call("run_code", { code: "skills.create('no', 'def run(): pass')" });

    for (const { text, isError } of [skill, tool, inCode]) {
      expect(isError).toBe(true);
      expect(text).toContain("not today");
    }
    expect(page.asked.map(({ name, caller }) => [name, caller])).toEqual([
      ["skills.create", "client"],
      ["tools.erase", "client"],
      ["skills.create", "client"],
    ]);
    expect(await page.session.skills.get("no")).toBeNull();
  });

  test("its calls and runs stand in the journal as the client's", async () => {
    await call("run_code", { code: "tools.weather(city='Oslo')" });

    const newest = (await page.session.journal.list()).slice(-2);

    expect(newest.map(({ namespace, name, caller }) => [namespace, name, caller])).toEqual([
      ["runs", expect.stringMatching(/^vitrine \d+$/), "client"],
      ["tools", "weather", "client"],
    ]);
  });

  test("a package is added after the person agreed, used, listed and removed", async () => {
    expect(JSON.parse((await call("add_dep", { package: "greeter" })).text)).toMatchObject({ installed: ["greeter"] });
    expect(page.asked).toMatchObject([{ name: "deps.add", caller: "client", arguments: { package: "greeter" } }]);
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
    await vi.waitFor(() => expect(page.started).toContain("cancelled"), untilShown);

    stop.abort();

    await expect(running).rejects.toThrow();
    await vi.waitFor(() => expect(page.ended).toContain("cancelled"), untilShown);
    expect((await call("run_code", { code: "'still here'" })).text).toBe("still here");
  });

  test("a client that goes away leaves no run behind", async () => {
    const running = client.callTool({ name: "run_code", arguments: { code: "tools.forever(name='left')" } });
    running.catch(() => undefined);
    await vi.waitFor(() => expect(page.started).toContain("left"), untilShown);

    await client.close();

    await vi.waitFor(() => expect(page.ended).toContain("left"), untilShown);
    await connect();
  });

  test("over a MessagePort, in the stateless revision, with only the tools in its scope", async () => {
    const { port1, port2 } = new MessageChannel();
    const served = await serveMcp(page.session, port1, { scope: { names: ["weather"] }, canChangeDeps: false });
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
