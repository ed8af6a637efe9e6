import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";

import { functionTool, memoryStorage, Session, type RunOptions, type RunResult } from "../../../src/index.js";

let session: Session;
let tasks = 0;

beforeAll(async () => {
  const look = functionTool({ name: "look", description: "Looks.", input: z.object({}), run: () => 1 });
  session = await Session.open({ storage: memoryStorage(), trust: "local", tools: [look] });
});
afterAll(() => session.close());

interface Step extends RunOptions {
  readonly failures?: readonly string[];
  readonly observations?: readonly string[];
}

/** Makes the runs of one task. */
function newTask(): (code: string, step?: Step) => Promise<RunResult> {
  tasks += 1;
  const taskId = `task-${String(tasks)}`;
  return (code, { failures = [], observations = [], ...options } = {}) =>
    session.run(code, { ...options, helpers: { kind: "agent", taskId, failures, observations } });
}

const endless = "class Endless:\n    def __repr__(self):\n        while True: pass\n";

describe("signals", () => {
  test("are heard in order, of very many the first, which the result keeps; it says how many it left out (T64)", async () => {
    const step = newTask();
    const heard: string[] = [];
    const result = await step("for i in range(20_000): uncertain(f'row {i}')\nkept = i", {
      onOutput: (chunk) => heard.push(chunk.kind === "signal" ? chunk.message : chunk.kind),
    });

    expect(result.error).toBeNull();
    expect(heard).toEqual(Array.from({ length: 1000 }, (_, row) => `row ${String(row)}`));
    expect(result.signals).toHaveLength(1000);
    expect(result.notices).toEqual(["19,000 signals were not kept: a run may give 1,000."]);
    expect((await step("kept")).value).toBe(19_999);
  });

  test("are heard before the call that follows them (T64)", async () => {
    const step = newTask();
    // From then on Python knows the tool, and asks the page for nothing before it calls.
    await step("tools.look()");
    const heard: string[] = [];
    await step("print('a')\nuncertain('b')\nprint('c')\ntools.look()", {
      onOutput: (chunk) => heard.push(chunk.kind),
      onCall: ({ outcome }) => heard.push(outcome.kind),
    });

    expect(heard.filter((each) => each !== "stdout")).toEqual(["signal", "pending", "ok"]);
    expect(heard.lastIndexOf("stdout")).toBeLessThan(heard.indexOf("pending"));
  });
});

describe("the memories of tasks in turn", () => {
  test("are each task's own", async () => {
    const [one, other] = [newTask(), newTask()];
    await one("store('r', 42)\nobserve('sorted')\nkept = memory");
    expect((await other("store('r', 7)\nrecall('r')")).value).toBe(7);

    const { value, memory } = await one("[recall('r'), memory is kept]");
    expect(value).toEqual([42, true]);
    expect(memory).toMatchObject({ values: [{ name: "r", shown: "42" }], observations: ["sorted"] });
  });

  test("are eight at most, and a task whose values went is told their names", async () => {
    const first = newTask();
    await first("store('rows', [1, 2])\nobserve('sorted')");
    for (let others = 0; others < 8; others += 1) await newTask()("store('x', 1)");

    const { value, memory } = await first("recall('rows')");
    expect(value).toBeNull();
    expect(memory).toMatchObject({ values: [], observations: [expect.stringMatching(/no longer stored: rows\./)] });
    // It is told once, and is at home again.
    expect((await first("store('rows', 3)\nmemory.observations")).value).toHaveLength(1);
  });
});

describe("a memory that code treats roughly", () => {
  const bad = "class Bad:\n    def __str__(self): raise ValueError\n    __repr__ = __str__\n";
  const unequal = "class Unequal:\n    def __eq__(self, other): raise ValueError\n    __hash__ = None\n";

  test.each([
    "memory.variables = None",
    "memory.variables = [1]",
    "memory.observations = {'a': 1}",
    "memory.failed_approaches = None",
    "memory.fail = memory.report = None",
    `${bad}memory.variables[Bad()] = 1`,
    `${bad}memory.observations.append(Bad())`,
    `${unequal}memory.failed_approaches.append(Unequal())`,
    "class Stops:\n    def __repr__(self): raise KeyboardInterrupt\nstore('s', Stops())",
    "class Exits:\n    def __repr__(self): raise SystemExit\nstore('e', Exits())",
    "class Meta(type):\n    __name__ = property(lambda cls: 1 / 0)\nclass A(metaclass=Meta): pass\nstore('a', A())",
    "class Key:\n    hashed = 0\n    def __hash__(self):\n        Key.hashed += 1\n        return 1 // (2 - Key.hashed)\nglobals()[Key()] = 1",
    "memory._failed_approaches = None",
    "del memory._failed_approaches",
  ])("breaks no later step: %s", async (code) => {
    const step = newTask();
    await step(`store('r', 42)\nobserve('sorted')\n${code}`);

    const { error, finalAnswer, memory } = await step("final_answer(recall('r'))", { failures: ["Step 1: no"] });
    expect(error).toBeNull();
    expect(finalAnswer).toMatchObject({ value: 42 });
    expect(memory?.values[0]).toEqual({ name: "r", shown: "42" });
    expect(memory?.observations[0]).toBe("sorted");
    expect(memory?.failedApproaches.at(-1)).toBe("Step 1: no");
  });

  test("is a new one, with what was found out, where its parts are gone", async () => {
    const step = newTask();
    await step("observe('sorted')\nobject.__setattr__(memory, '_failed_approaches', None)");

    const again = await step("memory.fail('guessing')", { failures: ["Step 1: no"], observations: ["sorted"] });
    expect(again.error).toBeNull();
    expect(again.memory).toMatchObject({ observations: ["sorted"], failedApproaches: ["Step 1: no", "guessing"] });
  });

  test("keeps what code hands to final_answer as text, whatever it makes of text", async () => {
    const odd = "class Odd(str):\n    def __str__(self): return self\n    def __getitem__(self, key): return 5\n";
    const { error, finalAnswer, signals } = await newTask()(
      `${odd}uncertain(Odd('a'))\nfinal_answer(Odd('b'), verified_by=Odd('c'))`,
    );

    expect(error).toBeNull();
    expect(finalAnswer).toMatchObject({ text: "b", verifiedBy: "c" });
    expect(signals).toEqual([{ type: "uncertain", message: "a" }]);
  });

  test("says which attribute cannot be replaced", async () => {
    const { error } = await newTask()("memory.variables = {}");

    expect(error).toMatchObject({ pythonType: "AttributeError", message: expect.stringContaining("variables") });
  });
});

describe("what a step that forges its report says", () => {
  test("is kept by the page as far as a true one may go", async () => {
    const forged = `from vitrine._agent._memory import AgentMemory
report, big = AgentMemory.report, "x" * 1_000_000
AgentMemory.report = lambda self: {
    "values": [{"name": big, "shown": big}], "observations": [big] * 100, "failedApproaches": [big]
}`;
    const step = newTask();
    const { error, memory } = await step(forged);
    await step("AgentMemory.report = report");

    expect(error).toBeNull();
    expect(memory?.observations).toHaveLength(100);
    expect(JSON.stringify(memory).length).toBeLessThan(500_000);
    expect((await step("observe('sorted')")).memory).toMatchObject({ observations: ["sorted"] });
  });

  test("holds no error and no question of any length", async () => {
    const asked: string[] = [];
    const { error } = await newTask()("input('q' * 1_000_000)\nraise ValueError('e' * 1_000_000)", {
      onInput: (prompt) => {
        asked.push(prompt);
        return Promise.resolve("");
      },
    });

    expect(error).toMatchObject({ code: "PYTHON_ERROR", pythonType: "ValueError" });
    expect(error?.message.length).toBeLessThan(300_000);
    expect(error?.traceback.length).toBeLessThan(600_000);
    expect(asked[0]?.length).toBeLessThan(30_000);
  });
});

describe("what a step leaves", () => {
  test("a value whose text has no end costs that text, and neither variables nor answer (T52)", async () => {
    const step = newTask();
    const code = `${endless}kept = 5\nstore('e', Endless())\nstore('list', [Endless()])\nstore('r', 42)\nfinal_answer(kept)`;

    const { error, lost, finalAnswer, memory } = await step(code, { timeout: 5000 });
    expect([error, lost, finalAnswer?.value]).toEqual([null, false, 5]);
    expect(memory?.values).toEqual([
      { name: "e", shown: "<Endless whose repr() took too long>" },
      { name: "list", shown: "<list>" },
      { name: "r", shown: "42" },
    ]);
    expect((await step("kept")).value).toBe(5);
  });

  test("an answer whose text has no end is refused, with what to hand in instead (T52)", async () => {
    const step = newTask();

    const { error, lost, finalAnswer, memory } = await step(
      `${endless}kept = 5\nstore('r', 42)\nfinal_answer(Endless())\npass`,
      { timeout: 5000 },
    );
    expect([lost, finalAnswer]).toEqual([false, null]);
    expect(error).toMatchObject({ code: "PYTHON_ERROR", pythonType: "TimeoutError" });
    expect(error?.message).toContain("Hand in plain data");
    expect(memory?.values).toEqual([{ name: "r", shown: "42" }]);
    expect((await step("final_answer(kept)")).finalAnswer).toMatchObject({ value: 5 });
  });

  test("of a long list no more is written out than is shown (T69)", async () => {
    const step = newTask();
    const code = `written = 0
class Counted:
    def __repr__(self):
        global written
        written += 1
        return "c"
store('many', [[Counted()] * 1000] * 1000)
store('by name', {name: Counted() for name in range(1000)})
store('mixed', [(1,), {2}, {'a': "it's"}, set(), [], {}, (), frozenset({3}), b'x', None, 1.5])`;

    const { memory } = await step(code);
    expect(memory?.values).toEqual([
      { name: "many", shown: `[[${"c, ".repeat(32)}c,...` },
      { name: "by name", shown: expect.stringMatching(/^\{0: c, 1: c, .{82,88}\.\.\.$/) },
      { name: "mixed", shown: `[(1,), {2}, {'a': "it's"}, set(), [], {}, (), frozenset({3}), b'x', None, 1.5]` },
    ]);
    expect((await step("written < 100")).value).toBe(true);
  });
});
