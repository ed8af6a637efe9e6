import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";

import {
  functionTool,
  memoryStorage,
  type RunOptions,
  type Session,
  type SessionOptions,
  type ToolHints,
} from "../../../src/index.js";
import type { ApprovalRequest, OnApproval } from "../../../src/dispatch/index.js";
import { RUN } from "../../timeouts.mjs";
import { openSession } from "./hosts.js";

let session: Session | undefined;

afterEach(async () => {
  await session?.close();
});

async function open(options: Partial<SessionOptions> = {}): Promise<Session> {
  session = await openSession({ trust: "local", ...options });
  return session;
}

function tool(name: string, { hints = {}, tags = [] }: { hints?: ToolHints; tags?: string[] } = {}) {
  const input = z.object({ text: z.string().default("") });
  return functionTool({ name, description: `Is ${name}.`, input, hints, tags, run: ({ text }) => `${name} ${text}` });
}

/** Answers every question alike, and keeps them. */
function person(answer: Awaited<ReturnType<OnApproval>>): { asked: ApprovalRequest[]; onApproval: OnApproval } {
  const asked: ApprovalRequest[] = [];
  return {
    asked,
    onApproval: (request) => {
      asked.push(request);
      return answer;
    },
  };
}

const erase = tool("erase", { hints: { destructive: true } });

const upload = functionTool({
  name: "upload",
  description: "Takes much.",
  input: { type: "object", properties: { text: {}, rows: {}, data: {} } },
  hints: { destructive: true },
  run: () => "done",
});

/** As plain JavaScript gives them, which no type holds back. */
function loose(options: object): Promise<Session> {
  return Reflect.apply(open, undefined, [options]) as Promise<Session>;
}

describe("approval", () => {
  test.each([[true], ["allow"], [undefined], [{}]])(
    "that is answered with %j is an error of the page, and not a person's no",
    async (answer) => {
      const opened = await loose({ tools: [erase], onApproval: () => answer });

      const { error } = await opened.run("tools.erase(text='all')");

      expect(error?.message).toContain('The answer must be { decision: "allow" } or { decision: "deny" }');
      expect(error?.message).not.toContain("said no");
    },
  );

  test("by a rule that is no verdict is refused when the session is opened, or when the function says it", async () => {
    const opening = loose({ approvals: { "tools.erase": "no" } });
    await expect(opening).rejects.toMatchObject({ code: "INVALID_OPTION", option: "approvals.tools.erase" });
    await expect(opening).rejects.toThrow('must be "allow", "ask" or "deny"');

    const opened = await loose({ tools: [erase], approvals: { "tools.erase": () => "no" } });
    expect((await opened.run("tools.erase()")).error?.message).toContain('not "no"');
  });

  test("without anybody to ask denies a destructive tool, and says what to set", async () => {
    const { run } = await open({ tools: [erase] }).then((opened) => ({ run: opened.run.bind(opened) }));

    const { error, calls } = await run("tools.erase(text='all')");

    expect(error).toMatchObject({ code: "CALL_NOT_ALLOWED", pythonType: "ToolNotAllowedError" });
    expect(error?.message).toContain('approvals: { "tools.erase": "allow" }');
    expect(calls[0]).toMatchObject({ name: "erase", approval: "denied" });
  });

  test("shows the person the call as it will be made, and makes it when they allow it", async () => {
    const { asked, onApproval } = person({ decision: "allow" });
    const { run } = await open({ tools: [erase], onApproval }).then((opened) => ({ run: opened.run.bind(opened) }));

    const { value, calls } = await run("tools.erase(text='all')");

    expect(value).toBe("erase all");
    expect(asked).toMatchObject([{ name: "tools.erase", arguments: { text: "all" }, hints: { destructive: true } }]);
    expect(calls[0]?.approval).toBe("allowed");
  });

  test("names the hosts that a tool's calls go to", async () => {
    const { asked, onApproval } = person({ decision: "deny" });
    const text = "name: books\ntype: http\nbase_url: https://books.example/v1\nrecipes: {get: {path: all}}\n";
    const opened = await open({
      seeds: [{ file: "tools/books.yaml", text }],
      approvals: { "tools.*": "ask" },
      onApproval,
    });

    await opened.run("tools.books.get()");

    expect(asked).toMatchObject([{ name: "tools.books.get", hosts: ["books.example"] }]);
  });

  test("gives the person's reason to the code", async () => {
    const { onApproval } = person({ decision: "deny", reason: "not on a Friday" });
    const opened = await open({ tools: [erase], onApproval });

    const { value } = await opened.run(
      "try:\n    tools.erase()\nexcept ToolNotAllowedError as e:\n    why = e.reason\nwhy",
    );

    expect(value).toBe("not on a Friday");
  });

  test.each([
    [undefined, 3],
    ["run", 2],
    ["session", 1],
  ] as const)("remembered for %s asks %i times about three calls in two runs", async (remember, times) => {
    const { asked, onApproval } = person({ decision: "allow", ...(remember === undefined ? {} : { remember }) });
    const opened = await open({ tools: [erase], onApproval });

    await opened.run("tools.erase(); tools.erase()");
    await opened.run("tools.erase()");

    expect(asked).toHaveLength(times);
  });

  test("is asked for once about one call that was refused, as often as code makes it again in the run", async () => {
    const { asked, onApproval } = person({ decision: "deny", reason: "not today" });
    const opened = await open({ tools: [erase], onApproval });
    const again = `
whys = []
for text in ["all"] * 50 + ["some"]:
    try:
        tools.erase(text=text)
    except ToolNotAllowedError as e:
        whys.append(e.reason)
whys`;

    const { value } = await opened.run(again);

    expect(asked.map((request) => request.arguments)).toEqual([{ text: "all" }, { text: "some" }]);
    const repeated = "not today (to this very call, earlier in the run)";
    expect(value).toEqual(["not today", ...Array.from({ length: 49 }, () => repeated), "not today"]);

    await opened.run(again);

    expect(asked).toHaveLength(4);
  });

  test.each([
    ["a long text", "{'text': 'x' * 300_000 + end}"],
    ["a long list", "{'rows': [0] * 20_000 + [end]}"],
    ["bytes", "{'data': bytes(200_000) + end.encode()}"],
  ])("is asked for once about one call that was refused with %s", async (_what, args) => {
    const { asked, onApproval } = person({ decision: "deny", reason: "not today" });
    const opened = await open({ tools: [upload], onApproval });

    const { value } = await opened.run(`
whys = []
for end in ["a", "a", "b", "a", "b"]:
    try:
        tools.upload(**${args})
    except ToolNotAllowedError as e:
        whys.append(e.reason)
whys`);

    expect(asked).toHaveLength(2);
    const repeated = "not today (to this very call, earlier in the run)";
    expect(value).toEqual(["not today", repeated, "not today", repeated, repeated]);

    await opened.run(`end = "a"; tools.upload(**${args})`);

    expect(asked).toHaveLength(3);
  });

  test("is asked for once about large calls that are the same and wait together", async () => {
    const { asked, onApproval } = person({ decision: "deny" });
    const opened = await open({ tools: [upload], onApproval });

    const { value } = await opened.run(`
import asyncio
async def one(text):
    try:
        await tools.upload.call_async(text=text)
    except ToolNotAllowedError as e:
        return e.reason.endswith("earlier in the run)")
await asyncio.gather(*(one(end * 300_000) for end in "aabab"))`);

    expect(asked).toHaveLength(2);
    expect(value).toEqual([false, true, false, true, true]);
  });

  test("that is remembered is about the tool, whatever the arguments are", async () => {
    const { asked, onApproval } = person({ decision: "allow", remember: "session" });
    const opened = await open({ tools: [upload, erase], onApproval });

    const { value } = await opened.run(
      "[tools.upload(text='a'), tools.upload(text='x' * 300_000), tools.upload(rows=[1])]",
    );
    await opened.run("tools.upload(data=b'1' * 200_000); tools.erase()");

    expect(value).toEqual(["done", "done", "done"]);
    expect(asked.map(({ name }) => name)).toEqual(["tools.upload", "tools.erase"]);
  });

  test("is asked for about ten calls at a time, and others are refused meanwhile", async () => {
    const { promise: answered, resolve } = Promise.withResolvers<undefined>();
    const asked: ApprovalRequest[] = [];
    const onApproval: OnApproval = async (request) => {
      asked.push(request);
      await answered;
      return { decision: "allow" };
    };
    const answer = functionTool({
      name: "answer",
      description: "Has the person answer.",
      input: z.object({}),
      run: () => {
        resolve(undefined);
        return null;
      },
    });
    const opened = await open({ tools: [erase, answer], onApproval });

    const { value } = await opened.run(`
import asyncio
async def one(n):
    try:
        return await tools.erase.call_async(text=str(n))
    except ToolNotAllowedError as e:
        await tools.answer.call_async()
        return e.reason
await asyncio.gather(*(one(n) for n in range(12)))`);

    expect(asked).toHaveLength(10);
    const refused = "10 questions wait for a person already; ask again when they are answered";
    expect(value).toEqual([...Array.from({ length: 10 }, (_, n) => `erase ${String(n)}`), refused, refused]);
  });

  test("of a skill is never remembered: what was agreed to is the source that was shown", async () => {
    const { asked, onApproval } = person({ decision: "allow", remember: "session" });
    const opened = await open({ approvals: { "skills.create": "ask" }, onApproval });
    const source = (factor: number) =>
      `def run(x: int) -> int:\\n    """Times."""\\n    return ${String(factor)} * x\\n`;
    const save = (factor: number) => `skills.create("times", '${source(factor)}', "Times.")`;

    const { error } = await opened.run(`${save(2)}; ${save(3)}`);

    expect(error).toBeNull();
    expect(asked.map(({ skill }) => skill?.source.match(/return (.)/)?.[1])).toEqual(["2", "3"]);
  });

  test("that denies a skill can be remembered", async () => {
    const { asked, onApproval } = person({ decision: "deny", remember: "session" });
    const opened = await open({ approvals: { "skills.create": "ask" }, onApproval });
    const save = `skills.create("twice", 'def run(x: int) -> int:\\n    return 2 * x\\n', "Twice.")`;

    await opened.run(save);
    const { error } = await opened.run(save);

    expect(error).toMatchObject({ code: "CALL_NOT_ALLOWED" });
    expect(asked).toHaveLength(1);
  });

  test("goes by the most specific rule, and leaves read-only calls alone", async () => {
    const { asked, onApproval } = person({ decision: "allow" });
    const look = tool("look", { hints: { readOnly: true } });
    const approvals = { tools: "deny", "tools.erase": "allow", "tools.look": "ask" } as const;
    const opened = await open({ tools: [erase, look, tool("other")], onApproval, approvals });

    const { value } = await opened.run(
      "try:\n    tools.other()\nexcept ToolNotAllowedError as e:\n    why = e.reason\n[tools.erase(), tools.look(), why]",
    );

    expect(value).toEqual(["erase ", "look ", `the session's rule for "tools" is to deny it`]);
    expect(asked.map(({ name }) => name)).toEqual(["tools.look"]);
  });

  test("is asked about skills in an agent's run, and in later runs of the interpreter that it ran in", async () => {
    const { asked, onApproval } = person({ decision: "allow" });
    const opened = await open({ onApproval });
    const create = "skills.create('one', 'def run(): return 1')";

    await opened.run(create);
    expect(asked).toEqual([]);
    await opened.run(create, { helpers: { kind: "agent", taskId: "task", failures: [] } });
    await opened.run(create);
    expect(asked.map(({ name, inAgentRun }) => [name, inAgentRun])).toEqual([
      ["skills.create", true],
      ["skills.create", true],
    ]);
    await opened.reset();
    await opened.run(create);
    expect(asked).toHaveLength(2);
  });

  test.each(["local", "sandboxed"] as const)("stops the run's clock on both sides at %s", async (trust) => {
    const opened = await open({
      trust,
      tools: [erase],
      timeout: 2000,
      // Longer than the run may take, and than the page waits until it kills.
      onApproval: () =>
        new Promise((resolve) =>
          setTimeout(() => {
            resolve({ decision: "allow" });
          }, 3400),
        ),
    });

    const { value, error } = await opened.run("kept = 1\ntools.erase(text='late')");
    const after = await opened.run("kept\nwhile True: pass");

    expect(error).toBeNull();
    expect(value).toBe("erase late");
    expect(after.error).toMatchObject({ code: "RUN_TIMEOUT" });
  });

  test("is given up when the run is stopped, and the interpreter lives on", async () => {
    const aborted = Promise.withResolvers<undefined>();
    const opened = await open({
      tools: [erase],
      onApproval: (_request, { signal }) => {
        signal.addEventListener("abort", () => {
          aborted.resolve(undefined);
        });
        queueMicrotask(() => {
          opened.interrupt();
        });
        return new Promise<never>(() => undefined);
      },
    });

    const { error, notices } = await opened.run("kept = 2\ntools.erase()");
    await aborted.promise;

    expect(error).toMatchObject({ code: "RUN_INTERRUPTED" });
    expect(notices).toEqual([]);
    expect((await opened.run("kept")).value).toBe(2);
  });
});

describe("limits", () => {
  test("end the calls of a run, reads included, and the next run has its own", async () => {
    const opened = await open({ tools: [tool("echo")], limits: { callsPerRun: 5 } });

    const { value, error } = await opened.run("n = 0\nwhile True:\n    tools.echo()\n    n += 1");
    const next = await opened.run("n");

    expect(value).toBeNull();
    expect(error).toMatchObject({ code: "CALL_BUDGET", pythonType: "CallBudgetError" });
    expect(error?.message).toContain("limits.callsPerRun");
    expect(next.value).toBe(4);
  });

  test("let so many calls of a gather over 100,000 wait, so many queue, and no more reach the page", async () => {
    let [made, open_, most] = [0, 0, 0];
    const slow = functionTool({
      name: "slow",
      description: "Counts.",
      input: z.object({}),
      run: async () => {
        made += 1;
        open_ += 1;
        most = Math.max(most, open_);
        await new Promise((resolve) => setTimeout(resolve));
        open_ -= 1;
        return made;
      },
    });
    const opened = await open({ tools: [slow], limits: { openCalls: 20 } });

    const { value, error } = await opened.run(
      "import asyncio\nall_ = await asyncio.gather(*[tools.slow.call_async() for _ in range(100_000)], return_exceptions=True)\n" +
        "sorted({type(x).__name__ for x in all_}), sum(isinstance(x, int) for x in all_)",
      { timeout: RUN },
    );

    expect(error).toBeNull();
    expect(value).toEqual([["OpenCallsError", "int"], 1020]);
    expect(made).toBe(1020);
    expect(most).toBeLessThanOrEqual(20);
  });

  test("queue calls of a gather, and those that a stopped one leaves hold up no later run", async () => {
    const opened = await open({ tools: [tool("echo")], limits: { openCalls: 5 } });
    const gather =
      "import asyncio\nlen(await asyncio.gather(*[tools.echo.call_async(text=str(n)) for n in range(251)]))";

    expect((await opened.run(gather)).value).toBe(251);
    const half =
      "try:\n    async with asyncio.timeout(0):\n        await asyncio.gather(*[tools.echo.call_async(text='x') for n in range(50)])\nexcept TimeoutError:\n    pass";
    expect((await opened.run(half)).error).toBeNull();
    expect((await opened.run(gather)).value).toBe(251);
  });

  test("refuse on the page what goes around Python's side, and end a flood with its interpreter", async () => {
    const opened = await open({ tools: [tool("echo")], limits: { callsPerRun: 50, openCalls: 10 } });

    const { error } = await opened.run(
      "import _vitrine_host as h, time\nfrom pyodide.ffi import to_js\nfor n in range(5000):\n" +
        "    h.post(n + 10_000, 'tools.list', None, '{}', to_js([]))\ntime.sleep(60)",
    );

    expect(error?.message).toContain("far more than the session's limits allow");
    expect((await opened.run("tools.echo(text='again')")).value).toBe("echo again");
  });

  test("bound how deep calls are inside one another", async () => {
    const opened = await open({ limits: { nestingDepth: 4 } });

    const { error, calls } = await opened.run(
      "skills.create('deep', 'def run(n): return skills.deep(n=n + 1)')\nskills.deep(n=1)",
    );

    expect(error).toMatchObject({ code: "NESTING_DEPTH", pythonType: "NestingDepthError" });
    expect(calls.filter(({ outcome }) => outcome.kind === "error")).toHaveLength(5);
  });
});

describe("scopes", () => {
  const tools = [tool("mail", { tags: ["net"] }), tool("sum", { tags: ["math"] }), tool("note")];
  const look = "[sorted(t.name for t in tools.list()), [t.name for t in tools.search('mail')], hasattr(tools, 'mail')]";

  test("of a session hide tools from code and page, and calls of them are not found", async () => {
    const opened = await open({ tools, scope: { tags: ["math"], names: ["note"] } });

    const { value } = await opened.run(look);
    const raw = await opened.run(
      "tools._bridge.request('tools.call', {'tool': 'mail', 'callable': None, 'arguments': {}})",
    );

    expect(value).toEqual([["note", "sum"], [], false]);
    expect(opened.tools.list().map(({ name }) => name)).toEqual(["sum", "note"]);
    expect(raw.error).toMatchObject({ code: "TOOL_NOT_FOUND", pythonType: "ToolNotFoundError" });
    expect(raw.calls).toMatchObject([{ name: "mail", outcome: { kind: "error", code: "TOOL_NOT_FOUND" } }]);
  });

  test("of a run narrow what the session shows, for that run", async () => {
    const opened = await open({ tools, scope: { tags: ["math", "net"] } });

    const narrow = await opened.run(look, { scope: { tags: ["net"], names: ["note"] } });
    const kept = await opened.run("echo = tools.sum\nlen(tools.list())");
    const used = await opened.run("echo()", { scope: { tags: ["net"] } });

    expect(narrow.value).toEqual([["mail"], ["mail"], true]);
    expect(kept.value).toBe(2);
    expect(used.error).toMatchObject({ code: "TOOL_NOT_FOUND" });
  });
});

describe("an allow-list of imports", () => {
  test("lets through what it names, at any level, and what that imports itself", async () => {
    const opened = await open({ imports: ["json", "datetime"] });

    const allowed = await opened.run(
      "import json.decoder\nfrom datetime import datetime\ndatetime.strptime('2026', '%Y').year",
    );
    const refused = await opened.run("x = 1\nimport os.path");
    const relative = await opened.run("from . import x");

    expect(allowed.value).toBe(2026);
    expect(refused.error?.message).toMatch(/^Import 'os\.path' not allowed \(line 2 .*\)\. Allowed: datetime, json\.$/);
    expect(relative.error?.pythonType).toBe("ImportError");
  });

  test("may be empty, and may be another for one run", async () => {
    const opened = await open({ imports: [] });

    const none = await opened.run("try:\n    __import__('os')\nexcept RuntimeError as e:\n    text = str(e)\ntext");
    const other = await opened.run("import math\nmath.floor(2.5)", { imports: ["math"] });

    expect(none.error?.message).toContain("Import 'os' not allowed");
    expect(other.value).toBe(2);
  });
});

describe("what a session of a stronger seal left behind", () => {
  const source = "def run():\n    return 'from the sealed one'";

  async function leave() {
    const storage = memoryStorage();
    const sealed = await openSession({ storage, trust: "sandboxed" });
    await sealed.run(`skills.create('left', ${JSON.stringify(source)})\nopen('left.txt', 'w').write('text')`);
    await sealed.close();
    return storage;
  }

  test("is used by a weaker session only after a person has seen it, once per content", async () => {
    const { asked, onApproval } = person({ decision: "allow" });
    const opened = await open({ storage: await leave(), onApproval });

    const first = await opened.run("[open('left.txt').read(), skills.left()]");
    const second = await opened.run("skills.left()");

    expect(first.value).toEqual(["text", "from the sealed one"]);
    expect(second.value).toBe("from the sealed one");
    expect(asked.map(({ foreign }) => [foreign?.kind, foreign?.trust, foreign?.items.map(({ name }) => name)])).toEqual(
      [
        ["file", "sandboxed", ["left.txt"]],
        ["skill", "sandboxed", ["left"]],
      ],
    );
    expect(asked[1]?.foreign?.items[0]?.content).toBe(source);
  });

  test("is withheld where nobody agrees, and the result says so", async () => {
    const opened = await open({ storage: await leave() });

    const file = await opened.run("import os\nos.path.exists('left.txt')");
    const skill = await opened.run("skills.left()");

    expect(file.value).toBe(false);
    expect(file.notices[0]).toContain(
      "left.txt was written by a sandboxed session and is withheld from this local one",
    );
    expect(skill.error).toMatchObject({ code: "CALL_NOT_ALLOWED" });
  });

  test("is used by a session of the same level without a question", async () => {
    const { asked, onApproval } = person({ decision: "deny" });
    const opened = await open({ storage: await leave(), trust: "sandboxed", onApproval });

    expect((await opened.run("[open('left.txt').read(), skills.left()]")).value).toEqual([
      "text",
      "from the sealed one",
    ]);
    expect(asked).toEqual([]);
  });
});

describe("the options of a run", () => {
  test("a policy of its own makes the session's stricter, for its calls alone", async () => {
    const opened = await open({ tools: [tool("look")] });
    const refuse: RunOptions = { policy: () => ({ kind: "deny", reason: "The budget is used up." }) };

    expect((await opened.run("tools.look()", refuse)).error).toMatchObject({
      code: "CALL_NOT_ALLOWED",
      message: expect.stringContaining("The budget is used up."),
    });
    expect((await opened.run("tools.look()")).value).toBe("look ");
  });

  test("what the rules deny is denied, though a policy would ask about it", async () => {
    const { asked, onApproval } = person({ decision: "allow" });
    const ask = (): { kind: "ask"; reason: string } => ({ kind: "ask", reason: "Sure?" });
    const options = { tools: [tool("wipe")], approvals: { "tools.wipe": "deny" }, policy: ask, onApproval } as const;
    const opened = await open(options);

    expect((await opened.run("tools.wipe()", { policy: ask })).error).toMatchObject({ code: "CALL_NOT_ALLOWED" });
    expect(asked).toEqual([]);
  });

  test("a policy of its own allows nothing that the session's denies", async () => {
    const opened = await open({ tools: [tool("look")], policy: () => ({ kind: "deny", reason: "Not here." }) });

    const { error } = await opened.run("tools.look()", { policy: () => ({ kind: "allow" }) });
    expect(error?.message).toContain("Not here.");
  });

  test("input() reads what the code puts in the place of sys.stdin, as test programs do", async () => {
    const opened = await open({ onInput: () => Promise.resolve("page") });

    const { value, stdout, error } = await opened.run(`
import io, sys, unittest.mock
with unittest.mock.patch("sys.stdin", io.StringIO("42\\n43")):
    read = [input("n: "), input()]
    try:
        input()
    except EOFError:
        read.append("end")
[*read, input()]`);

    expect(error).toBeNull();
    expect(value).toEqual(["42", "43", "end", "page"]);
    expect(stdout).toBe("n: ");

    await opened.run("import io, sys; sys.stdin = io.StringIO('')");
    expect((await opened.run("input()")).value).toBe("page");
  });

  test("input() is answered by whom the run names, else by the session's", async () => {
    const opened = await open({ onInput: () => Promise.resolve("page") });
    const onInput = (prompt: string): Promise<string> => Promise.resolve(`${prompt} run`);

    expect((await opened.run("input('Who?')", { onInput })).value).toBe("Who? run");
    expect((await opened.run("input('Who?')")).value).toBe("page");
  });

  test("who is asked by input() hears that the run was stopped", async () => {
    const opened = await open();
    const stop = new AbortController();
    let hasHeard = false;

    const { ok } = await opened.run("input('Who?')", {
      signal: stop.signal,
      onInput: (_prompt, { signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener("abort", () => {
            hasHeard = true;
            reject(new Error("Nobody waits any more."));
          });
          stop.abort();
        }),
    });

    expect([ok, hasHeard]).toEqual([false, true]);
  });

  test("a check tells which tools the code calls, not which it mentions (T22)", async () => {
    const opened = await open({ tools: [tool("look"), tool("see")] });

    const code = "if False: tools.look(text='a')\nlooks, see, look_up = 'tools.see', tools.see, 1";
    const { namedTools } = await opened.run(code, { check: true });
    expect(namedTools).toEqual([{ tool: "look", callable: null }]);
  });
});
