import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";

import {
  cacheResults,
  functionTool,
  retryCalls,
  rewriteArguments,
  type ApprovalRequest,
  type JournalEntry,
  type Session,
  type Stage,
  type ToolContext,
} from "../../../src/index.js";
import { RUN, untilShown } from "../../timeouts.mjs";
import { openSession } from "./hosts.js";

let kept: ToolContext["callTool"] | undefined;
let looks = 0;
let failures = 0;
const working: string[] = [];
const ended: string[] = [];
let letGo: (() => void)[] = [];

const text = z.object({ text: z.string().default("") });
const tools = [
  functionTool({
    name: "upper",
    description: "Writes in capitals",
    input: text,
    tags: ["inner"],
    run: ({ text: given }) => given.toUpperCase(),
  }),
  functionTool({
    name: "greet",
    description: "Calls upper",
    input: text,
    run: async ({ text: given }, { callTool }) => `${z.string().parse(await callTool("upper", { text: given }))}!`,
  }),
  functionTool({
    name: "erase",
    description: "Is destructive",
    input: z.object({}),
    hints: { destructive: true },
    run: () => "erased",
  }),
  functionTool({
    name: "clean",
    description: "Calls erase",
    input: z.object({}),
    run: (_, { callTool }) => callTool("erase"),
  }),
  functionTool({
    name: "again",
    description: "Calls itself",
    input: z.object({}),
    run: (_, { callTool }) => callTool("again"),
  }),
  functionTool({
    name: "skilled",
    description: "Runs a skill that calls upper",
    input: text,
    run: ({ text: given }, { runSkill }) => runSkill("louder", { text: given }),
  }),
  functionTool({
    name: "keep",
    description: "Keeps its way to call tools",
    input: z.object({}),
    run: (_, { callTool }) => {
      kept = callTool;
      return null;
    },
  }),
  functionTool({
    name: "nested_wait",
    description: "Calls wait",
    input: z.object({}),
    timeout: RUN,
    run: (_, { callTool }) => callTool("wait", { name: "inner" }),
  }),
  functionTool({
    name: "wait",
    description: "Waits until it is let go or given up",
    input: z.object({ name: z.string() }),
    run: ({ name }, { signal }) => {
      working.push(name);
      return new Promise((resolve, reject) => {
        letGo.push(() => {
          resolve(name);
        });
        signal.addEventListener("abort", () => {
          ended.push(name);
          reject(new Error("given up"));
        });
      });
    },
  }),
  functionTool({
    name: "look",
    description: "Counts",
    input: z.object({ at: z.string() }),
    hints: { readOnly: true },
    run: ({ at }) => {
      looks += 1;
      return `${at} ${String(looks)}`;
    },
  }),
  functionTool({
    name: "flaky",
    description: "Fails as often as it is told",
    input: z.object({}),
    hints: { idempotent: true },
    run: () => {
      failures -= 1;
      if (failures >= 0) throw new Error("not yet");
      return "done";
    },
  }),
  functionTool({
    name: "limited",
    description: "Wants a number up to ten",
    input: z.object({ n: z.int().max(10) }),
    run: ({ n }) => n,
  }),
];

const seen: string[] = [];
/** Writes down what a middleware sees, and refuses by an error of its own. */
const watch: Stage = async (call, next) => {
  seen.push(`${call.name} ${call.caller} ${call.trust}`);
  if (call.name === "upper" && call.arguments.text === "forbidden") throw new Error("the middleware said no");
  return next(call);
};

let session: Session;
let asked: ApprovalRequest[] = [];

beforeAll(async () => {
  session = await openSession({
    tools,
    limits: { concurrentCalls: 2, nestingDepth: 6 },
    middleware: [
      watch,
      cacheResults(),
      retryCalls({ delay: 1 }),
      rewriteArguments("tools.limited", ({ n }) => (n === 1 ? { n: 5 } : n === 2 ? { n: 50 } : undefined)),
    ],
    onApproval: (request) => {
      asked.push(request);
      return { decision: "deny", reason: "not allowed here" };
    },
  });
});

afterEach(() => {
  asked = [];
  for (const release of letGo) release();
  letGo = [];
  working.length = 0;
  ended.length = 0;
  seen.length = 0;
});

afterAll(async () => {
  await session.close();
});

async function run(code: string, signal?: AbortSignal): ReturnType<Session["run"]> {
  return session.run(code, signal === undefined ? {} : { signal });
}

function entryOf(calls: readonly JournalEntry[], name: string): JournalEntry {
  const entry = calls.find((call) => call.name === name);
  if (entry === undefined) throw new Error(`No call of ${name}.`);
  return entry;
}

describe("a tool that calls a tool", () => {
  test("gets its result, and the journal has both, one inside the other", async () => {
    const { value, calls } = await run("tools.greet(text='hi')");

    expect(value).toBe("HI!");
    const outer = entryOf(calls, "greet");
    expect(outer).toMatchObject({ caller: "code", parent: null });
    expect(entryOf(calls, "upper")).toMatchObject({ caller: "tool", parent: outer.id, arguments: { text: "hi" } });
  });

  test("sees no more than its caller", async () => {
    const { error } = await session.run("tools.greet(text='hi')", { scope: { names: ["greet"] } });

    expect(error).toMatchObject({ code: "TOOL_NOT_FOUND" });
  });

  test("is asked about like its caller, and a no reaches both", async () => {
    const { error, calls } = await run("tools.clean()");

    expect(error).toMatchObject({ code: "CALL_NOT_ALLOWED" });
    expect(error?.message).toContain("not allowed here");
    expect(asked).toMatchObject([{ name: "tools.erase", caller: "tool" }]);
    expect(entryOf(calls, "erase")).toMatchObject({ approval: "denied", outcome: { kind: "error" } });
  });

  test("goes no deeper than calls may", async () => {
    const { error, calls } = await run("tools.again()");

    expect(error).toMatchObject({ code: "NESTING_DEPTH" });
    expect(calls).toHaveLength(7);
  });

  test("is stopped with its caller", async () => {
    const stop = new AbortController();
    const running = run("tools.nested_wait()", stop.signal);
    await vi.waitFor(() => expect(working).toEqual(["inner"]), untilShown);

    stop.abort();

    const { error, calls } = await running;
    expect(error).toMatchObject({ code: "RUN_INTERRUPTED" });
    expect(ended).toEqual(["inner"]);
    expect(calls.map(({ name, outcome }) => [name, outcome.kind])).toEqual([
      ["nested_wait", "error"],
      ["wait", "error"],
    ]);
  });

  test("calls nothing once its own call has ended", async () => {
    await run("tools.keep()");

    await expect(kept?.("upper", { text: "late" })).rejects.toMatchObject({ code: "CALL_ENDED" });
  });
});

describe("calls at once", () => {
  test("wait for a place when there is none, in the order they came, and are then made", async () => {
    const waiting: string[] = [];
    const stop = session.onCall(({ arguments: args, course }) => {
      if (course?.queue?.kind === "waiting") waiting.push(z.string().parse(args.name));
    });
    const running = run(
      "import asyncio\nawait asyncio.gather(*(tools.wait.call_async(name=n) for n in ['a', 'b', 'c', 'd']))",
    );
    await vi.waitFor(() => expect(waiting).toEqual(["c", "d"]), untilShown);
    expect(working).toEqual(["a", "b"]);
    letGo[0]?.();
    await vi.waitFor(() => expect(working).toEqual(["a", "b", "c"]), untilShown);
    letGo[1]?.();
    await vi.waitFor(() => expect(working).toEqual(["a", "b", "c", "d"]), untilShown);
    for (const release of letGo) release();

    const { value, calls } = await running;
    stop();
    expect(value).toEqual(["a", "b", "c", "d"]);
    expect(calls.map(({ course }) => course?.queue?.kind)).toEqual([undefined, undefined, "admitted", "admitted"]);
  });

  test("inside one another have the places of those that wait for them, also through skills", async () => {
    await session.skills.create({ name: "louder", source: "def run(text):\n    return tools.greet(text=text) + '!'" });

    const { value, error } = await run(
      "import asyncio\nawait asyncio.gather(*(tools.skilled.call_async(text=t) for t in ['a', 'b', 'c']))",
    );

    expect(error).toBeNull();
    expect(value).toEqual(["A!!", "B!!", "C!!"]);
  });

  test("that wait are given up with their run, and never made", async () => {
    const stop = new AbortController();
    let queued = false;
    const stopListening = session.onCall(({ course }) => {
      queued ||= course?.queue?.kind === "waiting";
    });
    const running = run(
      "import asyncio\nawait asyncio.gather(*(tools.wait.call_async(name=n) for n in ['a', 'b', 'c']))",
      stop.signal,
    );
    await vi.waitFor(() => expect(queued).toBe(true), untilShown);

    stop.abort();

    const { calls } = await running;
    stopListening();
    expect(working).toEqual(["a", "b"]);
    expect(calls[2]).toMatchObject({
      outcome: { code: "CALL_CANCELLED", message: expect.stringContaining("not begun") },
    });
  });
});

describe("middleware of the page", () => {
  test("sees every call with who made it, and its own error is a ToolCallError in Python (B31)", async () => {
    const { value } = await run(
      [
        "tools.greet(text='hi')",
        "try:",
        "    tools.upper(text='forbidden')",
        "except ToolCallError as e:",
        "    said = str(e)",
        "said",
      ].join("\n"),
    );

    expect(value).toBe("Tool 'upper' failed: the middleware said no");
    expect(seen).toEqual(["greet code sandboxed", "upper tool sandboxed", "upper code sandboxed"]);
  });

  test("answers from its cache across runs, and the result's calls say so", async () => {
    const first = await run("tools.look(at='x')");
    const second = await run("tools.look(at='x')");

    expect(second.value).toBe(first.value);
    expect(second.calls[0]?.course).toEqual({ cached: expect.any(Number) });
  });

  test("tries again what may be tried again", async () => {
    failures = 2;

    const { value, calls } = await run("tools.flaky()");

    expect(value).toBe("done");
    expect(calls[0]?.course).toMatchObject({ attempts: 3 });
  });

  test("may change arguments to what the tool accepts, and to nothing else", async () => {
    const { value, calls } = await run("tools.limited(n=1)");
    const refused = await run("tools.limited(n=2)");

    expect(value).toBe(5);
    expect(calls[0]).toMatchObject({ arguments: { n: 1 }, course: { arguments: { n: 5 } } });
    expect(refused.error).toMatchObject({ pythonType: "ToolArgumentError" });
  });
});
