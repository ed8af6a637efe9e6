import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";

import { callRecordFiles, codegenTool, executeCodeTool } from "../../../src/codegen/index.js";
import type { ApprovalRequest } from "../../../src/dispatch/index.js";
import { Session, type SessionOptions } from "../../../src/session/index.js";
import { memoryStorage } from "../../../src/storage/index.js";
import { functionTool } from "../../../src/tools/index.js";
import { dictated, files, generate } from "./programs.js";

const found = [
  { title: "One", url: "https://one.example/?utm_source=x", text: "short" },
  { title: "Two", url: "https://two.example/#top", text: "two" },
];
const webSearch = functionTool({
  name: "web_search",
  description: "Searches the web.",
  input: z.object({ query: z.string() }),
  hints: { readOnly: true },
  run: ({ query }) => (query === "fail" ? Promise.reject(new RangeError("Nothing there.")) : found),
});
const mailed: string[] = [];
const sendMail = functionTool({
  name: "send_mail",
  description: "Sends a text.",
  input: z.object({ text: z.string() }),
  run: ({ text }) => mailed.push(text),
});

const opened: Session[] = [];
async function open(options: Partial<SessionOptions> = {}): Promise<Session> {
  const session = await Session.open({ storage: memoryStorage(), tools: [webSearch, sendMail], ...options });
  opened.push(session);
  return session;
}
afterEach(async () => {
  await Promise.all(opened.splice(0).map((session) => session.close()));
  mailed.length = 0;
});

const TEXT = { text: { type: "inline", format: "text", description: "" } };
const lines = (...code: string[]): string => code.join("\n");
const ends = ['set_progress(artifact={"name": "text", "type": "inline", "value": str(said)})', "done()"];

describe("calls of a program", () => {
  test("G51, G54, G55, G56: are indexed in order on the page, failures once, with class and message", async () => {
    const session = await open();
    const code = lines(
      "said = []",
      'await agent_io_tools.tool_call(fn=web_search, params={"query": "a"}, call_reason="To find the first", tool_id="web_search")',
      "await asyncio.gather(*[agent_io_tools.tool_call(fn=web_search, params={'query': q}) for q in ('b', 'c')])",
      "try:",
      '    web_search(query="fail")',
      "except Exception as error:",
      '    said.append(f"{type(error).__name__}: {error}")',
      "try:",
      '    agent_io_tools.tool_call(fn=None, tool_id="nowhere.find", params={})',
      "except Exception as error:",
      "    said.append(str(error))",
      ...ends,
    );

    const { result } = await generate(code, { session, contract: TEXT });

    expect(result.error).toBeNull();
    expect(result.toolCallsIndex.web_search).toEqual([0, 1, 2, 3].map((number) => `web_search-${String(number)}.json`));
    const records = callRecordFiles(result);
    expect(records["web_search-0.json"]).toMatchObject({
      description: "To find the first",
      in: { tool_id: "web_search", params: { query: "a" } },
      ret: found,
    });
    expect(records["web_search-3.json"]).toMatchObject({
      ret: {
        ok: false,
        error: { message: "Tool 'web_search' failed: Nothing there.", where: "web_search", managed: true },
      },
    });
    const said = result.items[0]?.output?.text ?? "";
    expect(said).toContain("ToolCallError: Tool 'web_search' failed: Nothing there.");
    expect(said).toContain("Could not resolve tool callable for nowhere.find. Available: send_mail, web_search");
  });

  test("G45, G46: citations and the pool of sources come from what the page saw", async () => {
    const session = await open();
    const code = lines(
      'rows = web_search(query="a")',
      'merged = ctx_tools.merge_sources([rows, [{"url": "https://one.example/"}, {"url": "https://made.up/"}]])',
      'said = "x [[S:1,3]] y [[S:2-4]] " + str([row["sid"] for row in merged])',
      ...ends,
    );

    const { result } = await generate(code, { session, contract: TEXT });

    expect(result.items[0]).toMatchObject({ sourcesUsed: [1, 2, 3, 4], unresolvedSources: [3, 4] });
    expect(result.items[0]?.output?.text).toContain("[1, 2, 3]");
    expect(result.sourcesPool.map(({ sid, url }) => [sid, url])).toEqual([
      [1, "https://one.example/?utm_source=x"],
      [2, "https://two.example/#top"],
    ]);
  });

  test("G58: a program is not offered what runs programs, and cannot call it", async () => {
    const session = await open();
    const model = dictated(
      files(
        lines(
          "said = []",
          "for name in ('codegen_python', 'execute_code_python'):",
          "    try:",
          "        tools[name](code='x')",
          "    except KeyError:",
          "        said.append('no ' + name)",
          "    try:",
          "        agent_io_tools.tool_call(tool_id=name, params={'code': 'x'})",
          "    except Exception as error:",
          "        said.append(type(error).__name__)",
          ...ends,
        ),
      ),
    );
    session.tools.register(codegenTool({ session, model }));
    session.tools.register(executeCodeTool({ session }));

    const { result } = await generate(model, { session, contract: TEXT });

    expect(result.items[0]?.output?.text).toBe(
      "['no codegen_python', 'ToolNotFoundError', 'no execute_code_python', 'ToolNotFoundError']",
    );
    const system = JSON.stringify(model.requests[0]?.messages);
    expect(system).toContain("web_search(");
    expect(system).not.toContain("execute_code_python(");
  });

  test("G59: the session's rules, its person and its middleware decide, and the journal has every call", async () => {
    const asked: ApprovalRequest[] = [];
    const passed: string[] = [];
    const session = await open({
      approvals: { "tools.web_search": "deny", "tools.send_mail": "ask" },
      onApproval: (request) => {
        asked.push(request);
        return { decision: "allow" };
      },
      middleware: [
        (call, next) => {
          passed.push(call.name);
          return next(call);
        },
      ],
    });
    const code = lines(
      "said = []",
      "try:",
      "    web_search(query='a')",
      "except Exception as error:",
      "    said.append(type(error).__name__)",
      "send_mail(text='hello')",
      ...ends,
    );

    const { result } = await generate(code, { session, contract: TEXT });

    expect(result.items[0]?.output?.text).toBe("['ToolNotAllowedError']");
    expect(mailed).toEqual(["hello"]);
    expect(asked).toMatchObject([{ name: "tools.send_mail", caller: "agent", inAgentRun: true, trust: "sandboxed" }]);
    expect(passed).toEqual(["send_mail"]);
    const entries = (await session.journal.list()).filter(({ namespace }) => namespace === "tools");
    expect(entries.map(({ name, outcome }) => [name, outcome.kind])).toEqual([
      ["web_search", "error"],
      ["send_mail", "ok"],
    ]);
  });

  test("G59: they count in the budget of the run that asked for the program", async () => {
    const session = await open({ limits: { callsPerRun: 30 }, timeout: 60_000 });
    const code = lines("said = []", "for i in range(100):", "    web_search(query=str(i))", ...ends);
    session.tools.register(codegenTool({ session, model: dictated(files(code)), repairs: 0 }));

    const { value } = await session.run(
      lines(
        "for i in range(10):",
        "    tools.web_search(query='before')",
        `result = tools.codegen_python(instruction="x", output_contract=${JSON.stringify(TEXT)})`,
        "[result['error']['error'], len(result['tool_calls_index']['web_search'])]",
      ),
    );

    const [error, calls] = z.tuple([z.string(), z.number()]).parse(value);
    expect(error).toContain("CallBudgetError");
    // Thirty, less those made before; what the program tells of itself counts as well.
    expect(calls).toBeLessThanOrEqual(20);
  });

  test("calls stand below the call that asked for the program, and see what its run sees", async () => {
    const session = await open({ timeout: 60_000 });
    const code = lines("said = [tool.name for tool in tools.list()]", "web_search(query='a')", ...ends);
    session.tools.register(codegenTool({ session, model: dictated(files(code)), repairs: 0 }));

    const { value, error } = await session.run(
      `tools.codegen_python(instruction="x", output_contract=${JSON.stringify(TEXT)})["items"][0]["output"]["text"]`,
      { scope: { names: ["codegen_python", "web_search"] } },
    );

    expect(error).toBeNull();
    expect(value).toBe("['web_search']");
    const entries = await session.journal.list();
    const asked = entries.find(({ name }) => name === "codegen_python");
    const called = entries.find(({ name }) => name === "web_search");
    expect(called).toMatchObject({ parent: asked?.id, caller: "agent" });
  });
});

describe("execute_code_python", () => {
  const spec = [{ name: "report", filename: "report.csv", mime: "text/csv", description: "Rows." }];
  const run = async (session: Session, args: Record<string, unknown>) => {
    const { value, error } = await session.run(
      `import json\ntools.execute_code_python(**json.loads(${JSON.stringify(JSON.stringify(args))}))`,
    );
    expect(error).toBeNull();
    return value;
  };

  test("runs code that is there, whose files are its result", async () => {
    const session = await open({ timeout: 60_000 });
    session.tools.register(executeCodeTool({ session }));

    const value = await run(session, {
      code: "OUTPUT.joinpath('report.csv').write_text('a,b\\n1,2\\n')\nawait asyncio.sleep(0)\nreturn",
      out_artifacts_spec: spec,
    });

    expect(value).toMatchObject({ ok: true, error: null, items: [{ artifact_id: "report", output: { size: 8 } }] });
  });

  test("G91: files that are missing or empty are named", async () => {
    const session = await open({ timeout: 60_000 });
    session.tools.register(executeCodeTool({ session }));
    const two = [...spec, { name: "other", filename: "other.txt", mime: "text/plain", description: "x" }];

    const value = await run(session, {
      code: "OUTPUT.joinpath('other.txt').write_text('')",
      out_artifacts_spec: JSON.stringify(two),
    });

    expect(value).toMatchObject({ ok: false, error: { error: "missing_output_files" } });
    expect(JSON.stringify(value)).toMatch(/report \(file_not_found[^]*other \(empty_file/);
  });

  test("G92: what promises no files is refused, and code that fails has failed", async () => {
    const session = await open({ timeout: 60_000 });
    session.tools.register(executeCodeTool({ session }));
    const code = "1 / 0";
    const [row] = spec;
    const cases: [string, Record<string, unknown>][] = [
      ["missing_artifacts", { code, out_artifacts_spec: [] }],
      ["invalid_artifacts_json", { code, out_artifacts_spec: "[" }],
      ["invalid_artifacts", { code, out_artifacts_spec: { name: "x" } }],
      ["invalid_artifact_spec", { code, out_artifacts_spec: [{ ...row, mime: "" }] }],
      ["invalid_filename", { code, out_artifacts_spec: [{ ...row, filename: "../x" }] }],
      ["execution_failed", { code, out_artifacts_spec: spec }],
    ];
    for (const [code_, args] of cases) expect(await run(session, args)).toMatchObject({ error: { error: code_ } });
  });
});
