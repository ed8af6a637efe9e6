import { describe, expect, test, vi } from "vitest";
import { commands } from "vitest/browser";
import { z } from "zod";

import { provideWebMcp } from "../../../src/index.js";
import { untilShown } from "../../timeouts.mjs";
import { EIGHT } from "./coding-page.js";
import { ELEVEN, servedPage } from "./served-page.js";

const page = servedPage();

describe("through WebMCP", () => {
  const modelContext = (): unknown => Reflect.get(document, "modelContext");
  const Result = z.object({
    content: z.tuple([z.object({ type: z.literal("text"), text: z.string() })]),
    isError: z.boolean().optional(),
  });

  test("the browser's debugging protocol finds the eleven tools and calls them, until they are taken back", async () => {
    const offered = await provideWebMcp(page.session, modelContext(), { prefix: "vitrine_" });

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
    page.answer = { decision: "deny", reason: "no agents" };
    const refused = Result.parse(await commands.callWebMcpTool("vitrine_delete_skill", { name: "x" }));
    expect(refused.content[0].text).toContain("no agents");
    expect(page.asked).toMatchObject([{ name: "skills.delete", caller: "client" }]);

    offered.close();
    await vi.waitFor(async () => expect(await commands.webMcpTools()).toEqual([]), untilShown);
  });

  test("an agent of the page finds their hints, and a call that it gives up stops the run", async () => {
    const offered = await provideWebMcp(page.session, modelContext());
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
    await vi.waitFor(() => expect(page.started).toContain("agent"), untilShown);
    stop.abort(new Error("enough"));

    await expect(call).rejects.toThrow("enough");
    await vi.waitFor(() => expect(page.ended).toContain("agent"), untilShown);
    offered.close();
  });

  test("the tools on files are offered alone or beside the others, and answer in their own words", async () => {
    await page.session.workspace.write("a.txt", "text");
    const alone = await provideWebMcp(page.session, modelContext(), {
      fileTools: "only",
      scope: { names: ["read_file"] },
    });
    const ask = async (args: Record<string, unknown>): Promise<z.infer<typeof Result>> =>
      Result.parse(await commands.callWebMcpTool("read_file", args));

    expect(alone.names).toEqual(["read_file"]);
    expect((await commands.webMcpTools())[0]?.inputSchema).toMatchObject({
      required: ["file_path"],
      additionalProperties: false,
    });
    expect((await ask({ file_path: "/workspace/a.txt" })).content[0].text).toBe("L1: text");
    expect(await ask({ file_path: "a.txt" })).toMatchObject({
      content: [{ text: "file_path must be an absolute path" }],
      isError: true,
    });
    alone.close();
    await vi.waitFor(async () => expect(await commands.webMcpTools()).toEqual([]), untilShown);
    const both = await provideWebMcp(page.session, modelContext(), { fileTools: true });
    expect(both.names).toEqual([...ELEVEN, ...EIGHT]);
    both.close();
  });

  test("names that are taken offer nothing, and a browser without it is told so", async () => {
    const first = await provideWebMcp(page.session, modelContext());

    await expect(provideWebMcp(page.session, modelContext())).rejects.toThrow("Duplicate");
    expect(await commands.webMcpTools()).toHaveLength(ELEVEN.length);
    await expect(provideWebMcp(page.session, undefined)).rejects.toMatchObject({ code: "WEB_MCP_UNAVAILABLE" });
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
