import { McpServer } from "@modelcontextprotocol/server";
import { afterEach, expect, inject, test } from "vitest";
import { z } from "zod";

import { openWithCommands } from "../../../docs/samples/commands.js";
import { weatherTool } from "../../../docs/samples/function-tool.js";
import codexScript from "../../../docs/samples/codex-script.py?raw";
import greetingPatch from "../../../docs/samples/greeting.patch?raw";
import grepFile from "../../../docs/samples/grep.yaml?raw";
import { addServers } from "../../../docs/samples/mcp.js";
import { openWithMiddleware } from "../../../docs/samples/middleware.js";
import { addLibrary } from "../../../docs/samples/openapi.js";
import sessionTool from "../../../docs/samples/session-tool.py?raw";
import shellFile from "../../../docs/samples/shell.yaml?raw";
import { functionTool, memoryStorage, messagePortTransport, Session } from "../../../src/index.js";
import { RUN } from "../../timeouts.mjs";

afterEach(() => {
  // Samples share its name, and files a page.
  indexedDB.deleteDatabase("demo");
});

test("a function of the page is a tool", async () => {
  const session = await Session.open({ storage: memoryStorage(), tools: [weatherTool(() => Promise.resolve(7))] });

  expect((await session.run('tools.weather(city="Oslo")')).value).toEqual({ celsius: 7 });
  await session.close();
});

test("a patch changes, adds and deletes files", async () => {
  const session = await Session.open({
    storage: memoryStorage(),
    fileTools: true,
    approvals: { "tools.apply_patch": "allow" },
  });
  await session.workspace.write("src/greet.py", 'def greet(name):\n    return "Hello " + name\n');
  await session.workspace.write("notes.txt", "to be done\n");

  await session.client().callTool("apply_patch", { input: greetingPatch });

  expect(new TextDecoder().decode(await session.workspace.read("src/greet.py"))).toBe(
    'def greet(name):\n    return f"Hello, {name}!"\n',
  );
  expect((await session.workspace.list()).map(({ path }) => path)).toEqual(["docs/greeting.md", "src/greet.py"]);
  await session.close();
});

test("a coding model's script reads files by codex_tools", async () => {
  const session = await Session.open({ storage: memoryStorage(), approvals: { "tools.shell": "allow" } });
  await session.workspace.write("src/main.rs", "// TODO\n");
  await session.workspace.write("src/lib.rs", "// done\n");

  expect((await session.run(codexScript)).stdout).toBe("Found 2 files. Analyzing...\nFound TODO in src/main.rs\n");
  await session.close();
});

test("a function of session code is a tool, and one of the page is a command", async () => {
  const session = await openWithCommands();
  await session.tools.addFile({
    file: "tools/wc.yaml",
    text: "name: wc\nschema: { stdin: text }\nrecipes: { count: {} }",
  });

  expect((await session.run(sessionTool)).value).toBe(2.33);
  expect((await session.run('tools.wc.count(text="a\\nb\\n")')).value).toBe("2\n");
  await session.close();
});

test("command files of the shell work on /workspace", async () => {
  const session = await Session.open({
    storage: memoryStorage(),
    timeout: RUN,
    seeds: [
      { file: "tools/grep.yaml", text: grepFile },
      { file: "tools/shell.yaml", text: shellFile },
    ],
  });
  await session.workspace.write("b.txt", "A1\nb\na2\n");

  // First, since the shell is loaded then: that takes longer on a busy machine than the ten seconds of the other file.
  expect((await session.run('tools.shell.run(script="sort b.txt | head -n 1")')).value).toBe("A1\n");
  const counted = await session.run('tools.grep.count(pattern=["a"], file="b.txt")');
  expect([counted.error, counted.value]).toEqual([null, "1\n"]);
  await session.close();
});

test("an OpenAPI document becomes a tool of the operations that are included", async () => {
  const operation = (operationId: string, tag: string) => ({ operationId, tags: [tag], responses: {} });
  const document = JSON.stringify({
    openapi: "3.1.0",
    servers: [{ url: "https://library.example/v1" }],
    paths: { "/books": { get: operation("find", "books"), post: operation("lend", "loans") } },
  });
  const session = await Session.open({ storage: memoryStorage() });

  expect(await addLibrary(session, document)).toBe("library");
  expect(session.tools.get("library")?.callables.map(({ name }) => name)).toEqual(["find"]);
  await session.close();
});

test("servers of every kind are tools", async () => {
  const server = (): McpServer => {
    const made = new McpServer({ name: "page", version: "1" });
    made.registerTool("greet", { inputSchema: z.object({ name: z.string() }) }, ({ name }) => ({
      content: [{ type: "text", text: `Hello, ${name}` }],
    }));
    return made;
  };
  const framed = new MessageChannel();
  const other = new MessageChannel();
  await server().connect(messagePortTransport(framed.port2));
  await server().connect(messagePortTransport(other.port2));
  const session = await Session.open({ storage: memoryStorage(), timeout: RUN });

  addServers(session, {
    url: inject("mcpServers").stateless ?? "",
    token: () => Promise.resolve("secret-token"),
    server: server(),
    port: framed.port1,
    transport: () => messagePortTransport(other.port1),
  });
  for (const name of ["web", "here", "framed", "other"]) await session.tools.whenKnown(name);

  expect(session.tools.get("web")?.callables.length).toBeGreaterThan(0);
  const greetings = `[each.greet(name="Ada") for each in (tools.here, tools.framed, tools.other)]`;
  expect((await session.run(greetings)).value).toEqual(["Hello, Ada", "Hello, Ada", "Hello, Ada"]);
  await session.close();
});

test("middleware audits, denies, caches and rewrites", async () => {
  const searched: unknown[] = [];
  const searching = functionTool({
    name: "web_search",
    description: "Searches.",
    input: z.object({ query: z.string(), safe: z.boolean().default(false) }),
    hints: { readOnly: true },
    run: (args) => {
      searched.push(args);
      return [args.query];
    },
  });
  const mail = functionTool({
    name: "mail",
    description: "Mails.",
    input: z.object({ to: z.string() }),
    run: () => "sent",
  });
  const session = await openWithMiddleware([searching, mail], (address) => String(address).endsWith("@example.org"));

  expect((await session.run('tools.web_search(query="a") + tools.web_search(query="a")')).value).toEqual(["a", "a"]);
  expect(searched).toEqual([{ query: "a", safe: true }]);
  expect((await session.run('tools.mail(to="ada@example.org")')).value).toBe("sent");
  expect((await session.run('tools.mail(to="eve@example.com")')).error?.message).toContain(
    "mail stays inside the house",
  );
  await session.close();
});
