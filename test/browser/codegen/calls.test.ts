import { afterEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";

import { codegenTool, executeCodeTool } from "../../../src/codegen/index.js";
import type { ApprovalRequest } from "../../../src/dispatch/index.js";
import { Session, type SessionOptions } from "../../../src/session/index.js";
import { memoryStorage } from "../../../src/storage/index.js";
import { functionTool } from "../../../src/tools/index.js";
import { RUN, untilAnswered } from "../../timeouts.mjs";
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

test("a program is run in the spare, where one is ready", async () => {
  const states = new Set<string>();
  let isCalled = false;
  const search = functionTool({
    name: "web_search",
    description: "Finds nothing.",
    input: z.object({ query: z.string() }),
    run: () => {
      isCalled = true;
      return "nothing";
    },
  });
  const session = await open({ tools: [search], spare: "one" });
  await vi.waitFor(() => expect(session.spare.state).toBe("ready"), untilAnswered);
  const look = setInterval(() => {
    if (!isCalled) states.add(session.spare.state);
  }, 5);

  const { result } = await generate(lines('said = web_search(query="a")', ...ends), { session, contract: TEXT });
  clearInterval(look);

  expect(result.error).toBeNull();
  // It was handed out before the first call of the program.
  expect([...states].some((state) => state !== "ready")).toBe(true);
});

describe("calls of a program", () => {
  test("are indexed in order on the page, failures once, with class and message (G51, G52, G54, G55, G56)", async () => {
    const slow = functionTool({
      name: "slow",
      description: "Never ends.",
      input: z.object({}),
      timeout: 50,
      run: (_, { signal }) => new Promise((_resolve, reject) => signal.addEventListener("abort", reject)),
    });
    const session = await open({ tools: [webSearch, sendMail, slow] });
    const code = lines(
      "from vitrine import ToolTimeoutError",
      "said = []",
      'await agent_io_tools.tool_call(fn=web_search, params="{\\"query\\": \\"a\\"}", call_reason="To find the first", tool_id="web_search")',
      "await asyncio.gather(*[agent_io_tools.tool_call(fn=web_search, params={'query': q}) for q in ('b', 'c')])",
      "try:",
      '    web_search(query="fail")',
      "except Exception as error:",
      '    said.append(f"{type(error).__name__}: {error}")',
      "try:",
      "    agent_io_tools.tool_call(fn=slow, params={})",
      "except ToolTimeoutError as error:",
      "    said.append(type(error).__name__)",
      "try:",
      '    agent_io_tools.tool_call(fn=None, tool_id="nowhere.find", params={})',
      "except Exception as error:",
      "    said.append(str(error))",
      "for wrong in (dict(fn=web_search, params='abc'), dict(fn=web_search, params=[1]), dict(params={}), dict(fn=print)):",
      "    try:",
      "        agent_io_tools.tool_call(**wrong)",
      "    except Exception as error:",
      '        said.append(f"{type(error).__name__}: {error}")',
      "agent_io_tools.tool_call(fn=None, tool_id='mcp.web_search', params={'query': 'd'})",
      ...ends,
    );

    const { result } = await generate(code, { session, contract: TEXT });

    expect(result.error).toBeNull();
    // What is no call is none, and has no record.
    expect(result.toolCallsIndex.web_search).toEqual(
      [0, 1, 2, 3, 4].map((number) => `web_search-${String(number)}.json`),
    );
    const record = async (file: string): Promise<unknown> => {
      const bytes = await session.workspace.read(`codegen/${result.runId}/tool_calls/${file}`);
      return JSON.parse(new TextDecoder().decode(bytes));
    };
    expect(await record("tool_calls_index.json")).toEqual(result.toolCallsIndex);
    expect(await record("web_search-0.json")).toEqual({
      description: "To find the first",
      in: { tool_id: "web_search", params: { query: "a" } },
      ret: found,
    });
    expect(await record("web_search-4.json")).toMatchObject({ in: { params: { query: "d" } }, ret: found });
    expect(await record("web_search-3.json")).toMatchObject({
      ret: {
        ok: false,
        error: {
          code: "ToolCallError",
          message: "Tool 'web_search' failed: Nothing there.",
          where: "web_search",
          managed: true,
        },
      },
    });
    // An error with a class of its own keeps it, for the program and in its record.
    expect(await record("slow-0.json")).toMatchObject({ ret: { ok: false, error: { code: "ToolTimeoutError" } } });
    const said = result.items[0]?.output?.text ?? "";
    expect(said).toContain("ToolCallError: Tool 'web_search' failed: Nothing there.");
    expect(said).toContain("TypeError: tool_call: params is a dict, or JSON of one'");
    expect(said).toContain("TypeError: tool_call: params is a dict, or JSON of one, not list");
    expect(said).toContain("ValueError: tool_call: tool_id is required when fn is None");
    expect(said).toContain("TypeError: tool_call: fn is a tool of the session");
    expect(said).toContain("Could not resolve tool callable for nowhere.find. Available: send_mail, slow, web_search");
    expect(said).toContain("'ToolTimeoutError'");
  });

  test("citations and the pool of sources come from what the page saw (G45, G46)", async () => {
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

  test("a program is not offered what runs programs, and cannot call it (G58)", async () => {
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

  test("a tool called like a builtin is called by the name that the model is told, and the builtin stays", async () => {
    const add = functionTool({
      name: "sum",
      description: "Says what it was given.",
      input: z.object({ of: z.string() }),
      hints: { readOnly: true },
      run: ({ of }) => `sum of ${of}`,
    });
    const session = await open({ tools: [add] });
    const called = [
      'tools.sum(of="a")',
      'agent_io_tools.tool_call(fn=tools.sum, params={"of": "b"}, tool_id="sum")',
      'agent_io_tools.tool_call(tool_id="sum", params={"of": "c"})',
    ];
    const model = dictated(files(lines(`said = [sum([1, 2]), ${called.join(", ")}]`, ...ends)));

    const { result } = await generate(model, { session, contract: TEXT });

    expect(result.items[0]?.output?.text).toBe("[3, 'sum of a', 'sum of b', 'sum of c']");
    expect(JSON.stringify(model.requests[0]?.messages)).toMatch(/[^.]tools\.sum\(\*, of: str\)/);
  });

  test("the session's rules, its person and its middleware decide, and the journal has every call (G59)", async () => {
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

  test("they count in the budget of the run that asked for the program (G59)", async () => {
    const session = await open({ limits: { callsPerRun: 30 }, timeout: RUN });
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
    const session = await open({ timeout: RUN });
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
    const session = await open({ timeout: RUN });
    session.tools.register(executeCodeTool({ session }));

    const value = await run(session, {
      code: "OUTPUT.joinpath('report.csv').write_text('a,b\\n1,2\\n')\nawait asyncio.sleep(0)\nreturn",
      out_artifacts_spec: spec,
    });

    expect(value).toMatchObject({ ok: true, error: null, items: [{ artifact_id: "report", output: { size: 8 } }] });
  });

  test("files that are missing or empty are named (G91)", async () => {
    const session = await open({ timeout: RUN });
    session.tools.register(executeCodeTool({ session }));
    const two = [...spec, { name: "other", filename: "other.txt", mime: "text/plain", description: "x" }];

    const value = await run(session, {
      code: "OUTPUT.joinpath('other.txt').write_text('')",
      out_artifacts_spec: JSON.stringify(two),
    });

    expect(value).toMatchObject({ ok: false, error: { error: "missing_output_files" } });
    expect(JSON.stringify(value)).toMatch(/report \(file_not_found[^]*other \(empty_file/);
  });

  test("a file that was written and is no such file is not said to be missing (G91)", async () => {
    const session = await open({ timeout: RUN });
    session.tools.register(executeCodeTool({ session }));
    const mime = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

    const value = await run(session, {
      code: "OUTPUT.joinpath('book.xlsx').write_text('item,price')",
      out_artifacts_spec: [{ name: "book", filename: "book.xlsx", mime, description: "x" }],
    });

    expect(value).toMatchObject({
      ok: false,
      error: { error: "artifact_invalid", description: expect.stringMatching(/^Written and not usable: book \(xlsx_/) },
    });
  });

  test("what promises no files is refused, and code that fails has failed (G92)", async () => {
    const session = await open({ timeout: RUN });
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
