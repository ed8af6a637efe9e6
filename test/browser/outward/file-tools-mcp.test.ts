import { Client } from "@modelcontextprotocol/client";
import { beforeAll, describe, expect, test, vi } from "vitest";

import { messagePortTransport, serveMcp, type McpServiceOptions } from "../../../src/index.js";
import { untilShown } from "../../timeouts.mjs";
import { call, codingClients, namesOf, NINE } from "./coding-clients.js";
import { codingPage, EIGHT, fileText, PATCH, PNG_TEXT } from "./coding-page.js";

const connect = codingClients();

describe("the tools on files as an MCP server's", () => {
  const page = codingPage();
  let client: Client;

  beforeAll(async () => {
    client = await connect(page.session, { fileTools: "only", name: "coder" });
  });

  test("the official client finds the eight alone, or beside those for code, or none of them", async () => {
    const found = (await client.listTools()).tools;

    expect(found.map(({ name }) => name)).toEqual(EIGHT);
    expect(found.find(({ name }) => name === "read_file")?.annotations).toMatchObject({
      readOnlyHint: true,
      openWorldHint: false,
    });
    expect(found.find(({ name }) => name === "shell")?.annotations).toMatchObject({
      readOnlyHint: false,
      destructiveHint: true,
    });
    expect(client.getInstructions()).toContain("/workspace");
    expect(client.getInstructions()).not.toContain("tools.search");
    const both = await connect(page.session, { fileTools: true });
    expect(await namesOf(both)).toEqual([...NINE, ...EIGHT]);
    expect(both.getInstructions()).toContain("tools.search");
    expect(both.getInstructions()).toContain("/workspace");
    expect(await namesOf(await connect(page.session, {}))).toEqual(NINE);
    const wrong = { fileTools: "all" } as unknown as McpServiceOptions;
    await expect(connect(page.session, wrong)).rejects.toMatchObject({ code: "INVALID_OPTION", option: "fileTools" });
  });

  test("a coding client looks around, reads, patches and runs a command", async () => {
    expect(await call(client, "list_dir", { dir_path: "/workspace" })).toEqual([
      "Absolute path: /workspace\nREADME.md\ndot.png\nsrc/\n  greet.py\n  main.py",
      false,
    ]);
    expect(await call(client, "grep_files", { pattern: "def greet", include: "*.py" })).toEqual([
      "/workspace/src/greet.py",
      false,
    ]);
    expect(await call(client, "read_file", { file_path: "/workspace/src/greet.py" })).toEqual([
      'L1: def greet(name):\nL2:     return "Hello " + name',
      false,
    ]);

    const [patched, failed] = await call(client, "apply_patch", { input: PATCH });

    expect(failed).toBe(false);
    expect(JSON.parse(patched)).toEqual({
      output: "Success. Updated the following files:\nM src/greet.py\n",
      metadata: { exit_code: 0, duration_seconds: expect.any(Number) as unknown },
    });
    expect(await fileText(page.session, "src/greet.py")).toBe('def greet(name):\n    return f"Hello, {name}!"\n');
    const [ran] = await call(client, "shell_command", { command: "cat src/greet.py | tail -n 1" });
    expect(ran).toMatch(/^Exit code: 0\nWall time: [\d.]+ seconds\nOutput:\n {4}return f"Hello, \{name\}!"\n$/);
    const [echoed] = await call(client, "shell", { command: ["bash", "-lc", "echo $((6 * 7))"], workdir: "src" });
    expect(JSON.parse(echoed)).toMatchObject({ output: "42\n", metadata: { exit_code: 0 } });
    expect(page.asked.map(({ name, caller }) => [name, caller])).toEqual([
      ["tools.apply_patch", "client"],
      ["tools.shell_command", "client"],
      ["tools.shell", "client"],
    ]);
  });

  test("its calls stand in the journal as the client's, each a run of its own", async () => {
    await call(client, "list_dir", { dir_path: "/workspace/src" });
    await call(client, "list_dir", { dir_path: "/workspace/none" });

    const [first, second] = (await page.session.journal.list()).slice(-2);

    expect([first, second]).toMatchObject([
      { namespace: "tools", name: "list_dir", caller: "client", outcome: { kind: "ok" } },
      { namespace: "tools", name: "list_dir", caller: "client", outcome: { kind: "error" } },
    ]);
    expect(first?.runId).not.toBe(second?.runId);
  });

  test("what fails says so in the tool's own words and no others", async () => {
    const failing: [name: string, args: Record<string, unknown>, text: unknown][] = [
      ["read_file", { file_path: "src/greet.py" }, "file_path must be an absolute path"],
      ["read_file", { file_path: "/workspace/src/greet.py", offset: 0 }, "offset must be a 1-indexed line number"],
      ["read_file", { file_path: "/workspace/src/greet.py", offset: 9 }, "offset exceeds file length"],
      ["list_dir", { dir_path: "/workspace", depth: 0 }, "depth must be greater than zero"],
      ["grep_files", { pattern: " " }, "pattern must not be empty"],
      ["grep_files", { pattern: "nowhere to be found" }, "No matches found."],
      ["view_image", { path: "src" }, "image path `src` is not a file"],
      ["apply_patch", { input: "*** Begin Patch\n*** End Patch" }, "patch rejected: empty patch"],
      [
        "apply_patch",
        { input: PATCH.replace("Hello ", "Bye ") },
        expect.stringMatching(/^apply_patch verification failed: Failed to find expected lines in src\/greet\.py:/),
      ],
      ["shell", { command: [PATCH] }, expect.stringMatching(/^patch detected without explicit call/)],
      [
        "update_plan",
        {
          plan: [
            { step: "a", status: "in_progress" },
            { step: "b", status: "in_progress" },
          ],
        },
        expect.stringMatching(/^one step at most/),
      ],
    ];
    for (const [name, args, text] of failing) expect(await call(client, name, args)).toEqual([text, true]);
    expect(await fileText(page.session, "src/greet.py")).toContain('"Hello "');
  });

  test("a command that ends with another code than 0 has its output, and is no success (X57)", async () => {
    const [text, isError] = await call(client, "shell", { command: ["bash", "-lc", "echo no; exit 3"] });
    expect(JSON.parse(text)).toMatchObject({ output: "no\n", metadata: { exit_code: 3 } });
    expect(isError).toBe(true);
    const [line, lineIsError] = await call(client, "shell_command", { command: "exit 3" });
    expect(line).toMatch(/^Exit code: 3\n/);
    expect(lineIsError).toBe(true);
  });

  test("arguments that do not fit are answered with what is wrong, journalled and not used", async () => {
    const wrong: [name: string, args: Record<string, unknown>, what: string][] = [
      ["read_file", {}, "file_path"],
      ["read_file", { file_path: "/workspace/README.md", limit: "ten" }, "limit"],
      ["read_file", { file_path: "/workspace/README.md", lines: 3 }, "lines"],
      ["shell", { command: "ls" }, "command"],
      ["update_plan", { plan: [{ step: "a", status: "soon" }] }, "status"],
    ];
    for (const [name, args, what] of wrong) {
      const [text, isError] = await call(client, name, args);
      expect(isError).toBe(true);
      expect(text).toMatch(/^failed to parse function arguments: /);
      expect(text).toContain(what);
    }
    expect((await page.session.journal.list()).at(-1)).toMatchObject({
      name: "update_plan",
      outcome: { kind: "error" },
    });
    expect(page.asked).toEqual([]);
  });

  test("paths out of the workspace are refused, and nothing is written", async () => {
    for (const [name, args] of [
      ["read_file", { file_path: "/etc/passwd" }],
      ["list_dir", { dir_path: "/workspace/../etc" }],
      ["grep_files", { pattern: "root", path: "../etc" }],
      ["view_image", { path: "/etc/dot.png" }],
      ["shell", { command: ["ls"], workdir: "/etc" }],
    ] as const) {
      const [text, isError] = await call(client, name, args);
      expect(isError).toBe(true);
      expect(text).toContain("leads out of /workspace");
    }
    const input = "*** Begin Patch\n*** Add File: ../out.txt\n+x\n*** End Patch";
    expect(await call(client, "apply_patch", { input })).toEqual([
      "patch rejected: writing outside of the project; rejected by user approval settings",
      true,
    ]);
    expect((await page.session.workspace.list()).map(({ path }) => path)).not.toContain("out.txt");
  });

  test("what the person refuses is not done, and is said in the words of the tool", async () => {
    page.answer = { decision: "deny", reason: "not today" };

    expect(await call(client, "apply_patch", { input: PATCH })).toEqual(["patch rejected by user: not today", true]);
    for (const [name, command] of [
      ["shell", ["rm", "README.md"]],
      ["shell_command", "rm README.md"],
    ] as const) {
      expect(await call(client, name, { command })).toEqual(["exec command rejected by user: not today", true]);
    }
    expect(page.asked).toHaveLength(3);
    expect(await fileText(page.session, "src/greet.py")).toContain('"Hello "');
    expect(await fileText(page.session, "README.md")).toBe("# Greeting\n");
  });

  test("a picture comes as an image with its text", async () => {
    const { content, isError } = await client.callTool({ name: "view_image", arguments: { path: "dot.png" } });

    expect(content).toEqual([
      { type: "text", text: "attached local image path" },
      { type: "image", mimeType: "image/png", data: PNG_TEXT },
    ]);
    expect(isError).toBeUndefined();
  });

  test("a picture larger than is sent along is no picture with a text that says it is", async () => {
    const large = new Uint8Array(4_000_001);
    large.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    await page.session.workspace.write("large.png", large);

    const [text, isError] = await call(client, "view_image", { path: "large.png" });

    expect(text).toBe("unable to attach image: it has 4,000,001 bytes, and 4,000,000 are sent at most");
    expect(isError).toBe(true);
  });

  test("a plan reaches the page", async () => {
    const plan = [
      { step: "look", status: "completed" },
      { step: "mend", status: "in_progress" },
    ];

    expect(await call(client, "update_plan", { plan, explanation: "found it" })).toEqual(["Plan updated", false]);

    expect(page.heard).toMatchObject([
      { progress: 1, total: 2, message: "mend", piece: { plan, explanation: "found it" } },
    ]);
  });

  test("a request that the client cancels stops its command, and the next one is answered", async () => {
    const stop = new AbortController();
    const request = { name: "shell", arguments: { command: ["sleep", "600"], timeout_ms: 600_000 } };
    const running = client.callTool(request, { signal: stop.signal });
    running.catch(() => undefined);
    await vi.waitFor(() => expect(page.asked).toHaveLength(1), untilShown);

    stop.abort();

    await expect(running).rejects.toThrow();
    const cancelled = async (): Promise<void> => {
      expect((await page.session.journal.list()).at(-1)).toMatchObject({ name: "shell", outcome: { kind: "error" } });
    };
    await vi.waitFor(cancelled, untilShown);
    expect(JSON.parse((await call(client, "shell", { command: ["echo", "here"] }))[0])).toMatchObject({
      output: "here\n",
    });
  });

  test("a long text has its middle left out, and what is JSON stays JSON", async () => {
    const brief = await connect(page.session, { fileTools: "only", maxLength: 100 });
    await page.session.workspace.write("long.txt", "a line of text\n".repeat(100));

    const [read] = await call(brief, "read_file", { file_path: "/workspace/long.txt" });
    const [ran] = await call(brief, "shell", { command: ["cat", "long.txt"] });

    expect(read).toMatch(/^L1: a line of text\n[^]+…\d+ chars truncated…[^]+L100: a line of text$/);
    expect(JSON.parse(ran)).toMatchObject({ output: expect.stringContaining("chars truncated…") as unknown });
  });

  test("over a MessagePort, and while code of the session runs, with the files as they are then", async () => {
    const { port1, port2 } = new MessageChannel();
    const service = await serveMcp(page.session, port1, { fileTools: "only" });
    const other = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
    await other.connect(messagePortTransport(port2));

    const { error } = await page.session.run("open('made.txt', 'w').write('by code')");

    expect(error).toBeNull();
    expect(other.getNegotiatedProtocolVersion()).toBe("2026-07-28");
    expect(await namesOf(other)).toEqual(EIGHT);
    expect(await call(other, "read_file", { file_path: "/workspace/made.txt" })).toEqual(["L1: by code", false]);
    await call(other, "apply_patch", { input: "*** Begin Patch\n*** Add File: by-client.txt\n+text\n*** End Patch" });
    expect((await page.session.run("open('by-client.txt').read()")).value).toBe("text\n");
    await other.close();
    await service.close();
  });
});
