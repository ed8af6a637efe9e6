import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { memoryStorage, Session, type RunResult } from "../../../src/index.js";

let session: Session;
let task = 0;

beforeAll(async () => {
  session = await Session.open({ storage: memoryStorage(), trust: "local" });
});
afterAll(() => session.close());
beforeEach(() => {
  task += 1;
});

function runStep(code: string, failures: readonly string[] = []): Promise<RunResult> {
  return session.run(code, { helpers: { kind: "agent", taskId: `task-${String(task)}`, failures } });
}

describe("final_answer", () => {
  test("hands over the value as it is, its text, and how it was verified (T47, T48)", async () => {
    const { finalAnswer } = await runStep(`final_answer({"a": 1}, verified_by="counted twice")`);

    expect(finalAnswer).toEqual({ value: { a: 1 }, text: "{'a': 1}", verifiedBy: "counted twice" });
  });

  test("may be None (T40)", async () => {
    expect((await runStep("final_answer(None)")).finalAnswer).toEqual({ value: null, text: "None", verifiedBy: null });
  });

  test("a second one in a block is an error, and the first is kept (T41)", async () => {
    const result = await runStep("final_answer(1)\nfinal_answer(2)");

    expect(result.error).toMatchObject({
      pythonType: "MultipleFinalAnswers",
      message: "Final answer already set. Each execution can only have one final answer.",
    });
    expect(result.finalAnswer).toMatchObject({ value: 1 });
    const caught = `final_answer(1)
try:
    final_answer(2)
except MultipleFinalAnswers as error:
    print(error.first_answer, error.attempted_answer)`;
    expect(await runStep(caught)).toMatchObject({ stdout: "1 2\n", finalAnswer: { value: 1 }, error: null });
  });

  test("an answer is one of its run (T43)", async () => {
    await runStep("final_answer(1)");

    expect((await runStep("print(2)")).finalAnswer).toBeNull();
  });

  test("comes back before each run, whatever code made of its name (T46)", async () => {
    await runStep("final_answer = store = tools = None");

    expect(await runStep("store('a', 1)\nfinal_answer(2)")).toMatchObject({ error: null, finalAnswer: { value: 2 } });
  });

  test("is no name of a run that is not an agent's", async () => {
    await runStep("pass");

    const { error } = await session.run("uncertain('x')\n");
    expect(error).toMatchObject({ pythonType: "NameError" });
    expect((await session.run("sorted(n for n in dir() if not n.startswith('_'))")).value).not.toContain("memory");
    // A variable of that name is the code's own.
    await session.run("memory = 5");
    expect((await session.run("memory")).value).toBe(5);
  });
});

describe("signals", () => {
  test("reach the page while the code runs, in order (T64)", async () => {
    const heard: string[] = [];
    const result = await session.run("uncertain('a')\nprint('between')\ncommit('b')\nexplore('c')", {
      helpers: { kind: "agent", taskId: "signals", failures: [] },
      onOutput: (chunk) => heard.push(chunk.kind === "signal" ? `${chunk.type} ${chunk.message}` : chunk.kind),
    });

    expect(heard.filter((each) => each !== "stdout")).toEqual(["uncertain a", "commit b", "explore c"]);
    expect(result.signals).toEqual([
      { type: "uncertain", message: "a" },
      { type: "commit", message: "b" },
      { type: "explore", message: "c" },
    ]);
    expect(result.stdout).toBe("between\n");
  });

  test("one that is printed reads as a line; none ends the task (T65, T66)", async () => {
    const result = await runStep("print(explore('x'))\ncommit('done')");

    expect(result.stdout).toBe("[EXPLORE] x\n");
    expect(result.signals).toHaveLength(2);
    expect(result.finalAnswer).toBeNull();
  });
});

describe("memory", () => {
  test("stores values, and shows them cut (T68, T69)", async () => {
    const { memory } = await runStep("store('r', 42)\nstore('long', 'x' * 200)\nobserve('rows are sorted')");

    expect(memory).toEqual({
      values: [
        { name: "r", shown: "42" },
        { name: "long", shown: `'${"x".repeat(99)}...` },
      ],
      observations: ["rows are sorted"],
      failedApproaches: [],
      variables: [],
    });
    expect((await runStep("[recall('r'), recall('no'), recall('no', 7)]")).value).toEqual([42, null, 7]);
  });

  test("stored values are names in the steps of their task, and give way to variables and builtins", async () => {
    await runStep(
      "taken = 'variable'\nstore('kept_value', 1)\nstore('taken', 2)\nstore('len', 3)\nstore('not a name', 4)",
    );

    expect((await runStep("[kept_value, taken, len('ab')]")).value).toEqual([1, "variable", 2]);
    expect(await session.check("kept_value", { helpers: "agent" })).toEqual([]);
    expect((await runStep("kept_value = 5\nrecall('kept_value')")).value).toBe(1);
    expect((await runStep("kept_value")).value).toBe(5);
    await runStep("del kept_value, taken");

    task += 1;
    expect((await runStep("kept_value")).error).toMatchObject({ pythonType: "NameError" });
    expect((await session.run("kept_value")).error).toMatchObject({ pythonType: "NameError" });
  });

  test("is of one task", async () => {
    await runStep("store('r', 42)");
    task += 1;

    expect((await runStep("recall('r')")).value).toBeNull();
  });

  test("notes what failed once, the agent's own findings too (T72)", async () => {
    await runStep("memory.fail('Step 1: too slow')", ["Step 1: too slow", "Step 2: no such file"]);
    const { value, memory } = await runStep("memory.to_context()", ["Step 1: too slow"]);

    expect(memory?.failedApproaches).toEqual(["Step 1: too slow", "Step 2: no such file"]);
    expect(value).toBe(
      "## Working Memory\n\n### Failed Approaches (avoid these)\n- Step 1: too slow\n- Step 2: no such file",
    );
  });

  test("names what code has made in the interpreter, and nothing else", async () => {
    await runStep("import math\nnumber = 1\ndef double(x): return 2 * x\n_, __secret = 1, 2");
    const { memory } = await runStep("del number\nother = 2\nstore('r', 1)");

    expect(memory?.variables.filter((name) => name !== "Bad" && name !== "i")).toEqual([
      "math",
      "double",
      "_",
      "other",
    ]);
  });

  test("an interpreter that knows nothing of the task is told what was noted; one that does is not", async () => {
    const again = async (observations: string[], failedApproaches: string[]) => {
      const taskId = `task-${String(task)}`;
      const { memory } = await session.run("", {
        helpers: { kind: "agent", taskId, failures: ["Step 2: Timeout"], observations, failedApproaches },
      });
      return [memory?.observations, memory?.failedApproaches];
    };
    const noted = [["the total is 42"], ["guessing", "Step 2: Timeout"]];

    expect(await again(["the total is 42"], ["guessing", "Step 2: Timeout"])).toEqual(noted);
    expect(await again(["something else"], ["something else"])).toEqual(noted);
  });

  test("survives hostile values and floods", async () => {
    const { memory, error } = await runStep(
      "class Bad:\n    def __repr__(self): raise ValueError('no')\nstore('bad', Bad())\nfor i in range(5000): observe('x' * 5000)",
    );

    expect(error).toBeNull();
    expect(memory?.values[0]?.shown).toContain("Bad");
    expect(memory?.observations).toHaveLength(100);
    expect(memory?.observations[0]?.length).toBeLessThan(2100);
  });
});
