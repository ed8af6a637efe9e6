import { describe, expect, test } from "vitest";

import { functionTool, memoryStorage } from "../../../src/index.js";
import { openSession } from "../session/hosts.js";
import { call, codingClients, namesOf, NINE } from "./coding-clients.js";
import { codingPage, EIGHT, PNG } from "./coding-page.js";

const connect = codingClients();

describe("which of the tools on files a client is offered", () => {
  const page = codingPage({
    tools: [
      functionTool({
        name: "update_plan",
        description: "The page's own",
        input: { type: "object", properties: {} },
        run: () => "own",
      }),
    ],
    scope: { without: ["shell"] },
  });

  test("none that the session's scope leaves out, and none whose name a tool of the session's own has", async () => {
    const client = await connect(page.session, { fileTools: "only" });

    expect(await namesOf(client)).toEqual(EIGHT.filter((name) => name !== "shell" && name !== "update_plan"));
    await expect(client.callTool({ name: "shell", arguments: { command: ["ls"] } })).rejects.toThrow("shell");
    await expect(page.session.client().callFileTool("shell", { command: ["ls"] })).rejects.toMatchObject({
      code: "TOOL_NOT_FOUND",
    });
    await expect(page.session.client().callFileTool("update_plan", { plan: [] })).rejects.toMatchObject({
      code: "TOOL_NOT_FOUND",
    });
    expect(page.asked).toEqual([]);
  });

  test("those that its own scope has, which may name them or leave them out", async () => {
    const { session } = page;

    expect(
      await namesOf(
        await connect(session, { fileTools: "only", scope: { names: ["read_file", "list_dir", "shell"] } }),
      ),
    ).toEqual(["read_file", "list_dir"]);
    expect(await namesOf(await connect(session, { fileTools: "only", scope: { without: ["apply_patch"] } }))).toEqual([
      ...["read_file", "list_dir", "grep_files", "view_image", "shell_command"],
    ]);
    expect(await namesOf(await connect(session, { fileTools: "only", scope: { tags: ["public"] } }))).toEqual([]);
  });

  test("in a session that has them among its tools they are the same, and asked about by the same rules", async () => {
    const session = await openSession({ fileTools: true, approvals: { "tools.shell": "deny", tools: "allow" } });
    const client = await connect(session, { fileTools: true });

    expect(await namesOf(client)).toEqual([...NINE, ...EIGHT]);
    const [text, isError] = await call(client, "shell", { command: ["ls"] });
    expect(isError).toBe(true);
    expect(text).not.toContain("tools.shell was not allowed");
    expect(await call(client, "apply_patch", { input: "*** Begin Patch\n*** Add File: a\n+b\n*** End Patch" })).toEqual(
      [expect.stringContaining("A a") as unknown, false],
    );
    await session.close();
  });

  test("those of a session inside another one work on its own files and show its own pictures", async () => {
    const child = await page.session.openChild({ storage: memoryStorage() });
    await child.workspace.write("inner.png", PNG);
    const shown: string[] = [];
    const inner = child.client();

    await inner.callFileTool(
      "view_image",
      { path: "inner.png" },
      { onPicture: ({ mimeType }) => shown.push(mimeType) },
    );

    expect(shown).toEqual(["image/png"]);
    expect(await inner.callFileTool("list_dir", { dir_path: "/workspace" })).toBe(
      "Absolute path: /workspace\ninner.png",
    );
    await expect(inner.callFileTool("view_image", { path: "inner.png" })).rejects.toMatchObject({
      reason: "unable to attach image (no active task)",
    });
    await child.close();
  });

  test("no more at once than a run may make", async () => {
    const session = await openSession({ limits: { openCalls: 3 } });
    const client = session.client();

    const calls = Array.from({ length: 5 }, () => client.callFileTool("list_dir", { dir_path: "/workspace" }));
    const results = await Promise.allSettled(calls);

    expect(results.map(({ status }) => status)).toEqual([
      ...["fulfilled", "fulfilled", "fulfilled", "rejected", "rejected"],
    ]);
    expect(results[4]).toMatchObject({ reason: { code: "OPEN_CALLS" } });
    expect(await client.callFileTool("list_dir", { dir_path: "/workspace" })).toBe("Absolute path: /workspace");
    await session.close();
  });
});
