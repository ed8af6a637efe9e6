import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";

import { functionTool, memoryStorage, type RunOptions, type Session, type SessionOptions } from "../../../src/index.js";
import { RUN } from "../../timeouts.mjs";
import { person, tool } from "./approvals.js";
import { openSession } from "./hosts.js";

let session: Session | undefined;

afterEach(async () => {
  await session?.close();
});

async function open(options: Partial<SessionOptions> = {}): Promise<Session> {
  session = await openSession({ trust: "local", ...options });
  return session;
}

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

  test("an answer to input() that fails is an error of the page, named as one", async () => {
    const opened = await open({ onInput: () => Promise.reject(new Error("The form is gone.")) });

    const { error } = await opened.run("input('Who?')");

    expect(error?.message).toBe("input(): [Error] The form is gone.");
    expect((await opened.run("1 + 1")).value).toBe(2);
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
