import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";

import { functionTool, type Session, type SessionOptions } from "../../../src/index.js";
import type { ApprovalRequest, OnApproval } from "../../../src/dispatch/index.js";
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
