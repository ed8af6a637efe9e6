import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";

import { CodeAgent, type AgentResult, type CodeAgentOptions } from "../../../src/agent/index.js";
import { Session } from "../../../src/session/index.js";
import { memoryStorage } from "../../../src/storage/index.js";
import { functionTool } from "../../../src/tools/index.js";
import { dictated } from "../../agents/dictated-model.js";
import { block } from "../../agents/replies.js";
import { AN_HOUR, leapingClock } from "../../leaping-clock.js";

/** Milliseconds for each step of tasks in which one never ends: long beside what the other steps do. */
const STEP = 2000;

const aborted: string[] = [];
const tools = [
  functionTool({
    name: "add",
    description: "Adds.",
    input: z.object({ x: z.number(), y: z.number() }),
    run: ({ x, y }) => x + y,
  }),
  functionTool({
    name: "multiply",
    description: "Multiplies.",
    input: z.object({ x: z.number(), y: z.number() }),
    run: async ({ x, y }) => {
      await Promise.resolve();
      return x * y;
    },
  }),
  functionTool({ name: "weather", description: "Tells it.", input: z.object({}), run: () => ({ celsius: [1, 2] }) }),
  functionTool({
    name: "fails",
    description: "Never works.",
    input: z.object({}),
    run: () => {
      throw new RangeError("there is no such town");
    },
  }),
  functionTool({
    name: "deaf",
    description: "Never answers, whatever it is told.",
    input: z.object({}),
    run: () => new Promise<string>(() => undefined),
  }),
  functionTool({
    name: "never",
    description: "Never answers.",
    input: z.object({}),
    run: (_, { signal }) =>
      new Promise<string>((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          aborted.push("never");
          reject(new Error("aborted"));
        });
      }),
  }),
];

let session: Session;
beforeAll(async () => {
  session = await Session.open({ storage: memoryStorage(), tools });
});
afterAll(() => session.close());

function solve(replies: readonly string[], options: Partial<CodeAgentOptions> = {}): Promise<AgentResult> {
  return new CodeAgent({ session, model: dictated(...replies), retries: 0, ...options }).run("Look.").result;
}

test("calls tools, also one that the page awaits, by position and by name (T4, T8)", async () => {
  const { output, steps } = await solve([block("s = tools.add(10, 20)", "final_answer(tools.multiply(x=s, y=2))")]);

  expect(output).toBe("60");
  expect(steps).toHaveLength(1);
});

test.each([true, false])(
  "an error is told with what the tools say of themselves that the code called by name, checked: %s (T21, T22)",
  async (check) => {
    const { steps } = await solve(
      [
        block("tools.add(1, 2)", "1 / 0"),
        block("address = 'tools.add(1, 2)'", "plus = tools.add", "1 / 0"),
        block("final_answer(1)"),
      ],
      { check },
    );

    expect(steps[0]?.observation).toMatch(/^Execution error: ZeroDivisionError/);
    expect(steps[0]?.observation).toContain("\n\nHint - tools.add() docstring:\nAdds.");
    expect(steps[1]?.observation).toMatch(/^Execution error: ZeroDivisionError/);
    expect(steps[1]?.observation).not.toContain("Hint");
  },
);

test("an answer of one task is not that of the next one, whose first step only prints (T43)", async () => {
  const agent = new CodeAgent({
    session,
    model: dictated(block("final_answer(1)"), block("print('looking')"), block("final_answer(2)")),
    retries: 0,
  });

  const first = agent.run("Look.");

  expect((await first.result).output).toBe("1");
  expect(await agent.run("Look again.", { after: first }).result).toMatchObject({ output: "2", steps: { length: 2 } });
});

test("a second answer in a block is an error, of which the model is told that nothing was handed in (T41)", async () => {
  const { steps, output } = await solve([block("final_answer(1)", "final_answer(2)"), block("final_answer(3)")]);

  expect(steps[0]?.observation).toMatch(/^Execution error: MultipleFinalAnswers: Final answer already set\. /);
  expect(steps[0]?.observation).toMatch(/\n\nNote: nothing was handed in: the block failed after final_answer\(\)\. /);
  expect(output).toBe("3");
});

test("where the block catches that error, its first answer is the task's (T41)", async () => {
  const catches = block("final_answer(1)", "try:", "    final_answer(2)", "except MultipleFinalAnswers: pass");

  expect((await solve([catches])).output).toBe("1");
});

test("what fails in several steps is told of once, with the steps (T71, T72)", async () => {
  const noting = block("print('still')", "memory.fail('guessing')");
  const { steps } = await solve([block("1/0"), block("{}['x']"), block("1/0"), noting, block("final_answer(1)")]);

  expect(steps[3]?.observation).toBe(
    "Observation:\nstill\n\n## Working Memory\n\n### Failed Approaches (avoid these)\n" +
      "- Steps 1, 3: ZeroDivisionError: division by zero\n- Step 2: KeyError: 'x'\n- guessing",
  );
});

test("after a reset the tools and the helpers are there, and nothing else (T103)", async () => {
  await session.run("left = 1");
  await session.reset();

  expect((await solve([block("final_answer([tools.add(1, 2), 'left' in globals()])")])).answer?.value).toEqual([
    3,
    false,
  ]);
});

test("an interpreter that is ended in the middle of a step costs that step, and the next one works (T104)", async () => {
  await session.run("left = 1");
  const run = new CodeAgent({
    session,
    model: dictated(
      block("print('on')", "while True: pass"),
      block("final_answer([tools.add(1, 2), 'left' in dir()])"),
    ),
    retries: 0,
  }).run("Look.");
  for await (const { type } of run) if (type === "output") void session.reset();

  const { answer, steps } = await run.result;
  expect(steps[0]?.run).toMatchObject({ lost: true, error: { code: "RUN_INTERRUPTED" } });
  expect(steps[0]?.observation).toMatch(/\n\nNote: .*variables are gone/);
  expect(answer?.value).toEqual([3, false]);
});

test("keeps the variables of a step for the next one (T44)", async () => {
  expect((await solve([block("a = 20"), block("final_answer(a + 1)")])).output).toBe("21");
});

test("what a task leaves is there for the next one in a session that was handed in, and gone in one of its own (T45)", async () => {
  const looks = block("seen = 'left' in globals()", "left = 1", "final_answer(seen)");
  const opened: Session[] = [];
  const own = new CodeAgent({
    session: async () => {
      const each = await Session.open({ storage: memoryStorage(), trust: "local" });
      opened.push(each);
      return each;
    },
    model: dictated(looks),
    retries: 0,
  });
  const handedIn = new CodeAgent({ session, model: dictated(looks), retries: 0 });

  const seen = async (agent: CodeAgent): Promise<unknown> => (await agent.run("Look.").result).answer?.value;
  expect([await seen(own), await seen(own)]).toEqual([false, false]);
  expect([await seen(handedIn), await seen(handedIn)]).toEqual([false, true]);
  expect(opened.map(({ state }) => state)).toEqual(["closed", "closed"]);
});

test.each([true, false])(
  "code that is no Python is told as such, and none of it is run, checked: %s (T33)",
  async (check) => {
    const { steps, output } = await solve([block("print('before')", "1 /"), block("final_answer(1)")], { check });

    expect(steps[0]?.observation).toMatch(/^Syntax error in code: .*invalid syntax/);
    expect(steps[0]?.observation).toContain("line 2");
    expect(steps[0]?.run?.stdout).toBe("");
    expect(output).toBe("1");
  },
);

test("the answer says how the code made sure of it (T47)", async () => {
  const { answer } = await solve([block("final_answer(42, verified_by='counted twice')")]);

  expect(answer).toMatchObject({ value: 42, verifiedBy: "counted twice", source: "normal" });
});

test("a step that does not end is stopped at its limit, the model is told, and the next one works (T52, T106)", async () => {
  const replies = [block("kept = 5", "while True: pass"), block("print(kept)"), block("final_answer(kept)")];
  const { steps, output } = await solve(replies, { limits: { timeout: STEP } });

  expect(steps[0]?.observation).toBe("Execution timed out after 2s");
  // Stopped by its deadline: what comes to its help much later ends the interpreter.
  expect(steps[0]?.run).toMatchObject({ lost: false, error: { code: "RUN_TIMEOUT" } });
  expect(steps[1]?.observation).toMatch(/Failed Approaches \(avoid these\)\n- Step 1: Timeout$/);
  expect(output).toBe("5");
});

test("one that swallows its interrupt costs its variables, and the model is told (T54)", async () => {
  const swallows = block("kept = 5", "while True:", "    try:", "        while True: pass", "    except: pass");
  const { steps, output } = await solve([swallows, block("final_answer('kept' in globals())")], {
    limits: { timeout: STEP },
  });

  expect(steps[0]?.run?.lost).toBe(true);
  expect(steps[0]?.observation).toMatch(/^Execution timed out after 2s\n\nNote: .*variables are gone/);
  expect(output).toBe("False");
});

test("a tool that never answers is told to stop, and the step ends as one that took too long (T57)", async () => {
  const { steps } = await solve([block("tools.never()"), block("final_answer(1)")], { limits: { timeout: STEP } });

  expect(steps[0]?.observation).toBe("Execution timed out after 2s");
  expect(aborted).toEqual(["never"]);
});

test("one that does not stop when it is told to holds nothing up either, and costs no variables (T57)", async () => {
  const waits = block("kept = 5", "tools.deaf()");
  const { steps, output } = await solve([waits, block("final_answer(kept)")], { limits: { timeout: STEP } });

  expect(steps[0]?.observation).toBe("Execution timed out after 2s");
  expect(steps[0]?.run).toMatchObject({ lost: false, error: { code: "RUN_TIMEOUT" } });
  expect(output).toBe("5");
});

test("a step that takes too much memory fails with what bounds it, and tells what it took (T58)", async () => {
  const replies = [block("x = bytearray(300 * 2**20)"), block("y = bytearray(8 * 2**20)", "final_answer(len(y))")];
  const { steps, output } = await solve(replies, { limits: { heapGrowth: 64 * 2 ** 20 } });

  expect(steps[0]?.run?.error).toMatchObject({ code: "HEAP_LIMIT", pythonType: "MemoryError" });
  expect(steps[0]?.observation).toMatch(/^Execution error: MemoryError: Python's memory is limited to/);
  expect(output).toBe(String(8 * 2 ** 20));
  const { steps: free } = await solve([block("z = bytearray(100 * 2**20)", "final_answer(1)")]);
  expect(free[0]?.run?.heapGrowth).toBeGreaterThan(64 * 2 ** 20);
});

test("a tool that fails is an error with its message, which code can catch by its class (T102)", async () => {
  const catches = block("try:", "    tools.fails()", "except ToolCallError as error:", "    final_answer(str(error))");
  const { steps, output } = await solve([block("tools.fails()"), catches]);

  expect(steps[0]?.observation).toMatch(/^Execution error: ToolCallError: .*there is no such town/);
  expect(output).toContain("there is no such town");
});

test("what a tool returns is plain Python data (T105)", async () => {
  const { answer } = await solve([block("w = tools.weather()", "final_answer([type(w).__name__, w['celsius'][1]])")]);

  expect(answer?.value).toEqual(["dict", 2]);
});

test("a budget of tool calls refuses the call that is too many, and ends the task", async () => {
  const tries = block(
    "for i in range(5):",
    "    try: print(tools.add(i, 1))",
    "    except ToolNotAllowedError as e: print('no')",
  );
  const { state, error, steps, usage } = await solve([tries, block("final_answer(1)")], { budget: { toolCalls: 2 } });

  expect(steps[0]?.run?.stdout).toBe("1\n2\nno\nno\nno\n");
  expect(state).toBe("budget_reached");
  expect(error).toMatchObject({ code: "BUDGET_REACHED", kind: "toolCalls", limit: 2 });
  expect(usage.toolCalls).toBe(2);
});

test("the time budget stands still while a person is asked, by the session's own input and about calls", async () => {
  const leap = leapingClock();
  const own = await Session.open({
    storage: memoryStorage(),
    trust: "local",
    tools,
    approvals: { "tools.add": "ask" },
    onInput: () => {
      leap(AN_HOUR);
      return Promise.resolve("3");
    },
    onApproval: () => {
      leap(AN_HOUR);
      return { decision: "allow" };
    },
  });
  const replies = [block("n = int(input('How many?'))", "final_answer(tools.add(n, 1))")];
  const { state, output, usage, elapsed } = await solve(replies, { session: own, budget: { time: AN_HOUR } });
  await own.close();

  expect([state, output]).toEqual(["completed", "4"]);
  expect(elapsed).toBeGreaterThanOrEqual(2 * AN_HOUR);
  expect(usage.time).toBeLessThan(AN_HOUR);
});

test("to define a tool is no call of one (T98)", async () => {
  const own = await Session.open({
    storage: memoryStorage(),
    trust: "local",
    onApproval: () => ({ decision: "allow" }),
  });
  const defines = block(
    "from vitrine import tool",
    "@tool",
    "def twice(n: int) -> int:",
    '    """Doubles."""',
    "    return 2 * n",
    "final_answer(1)",
  );
  const { state, usage } = await solve([defines], { session: own, budget: { toolCalls: 0 } });
  await own.close();

  expect(state).toBe("completed");
  expect(usage.toolCalls).toBe(0);
});

test("code asks the person a question, and its clock stands still meanwhile", async () => {
  const { output } = await solve([block("final_answer(input('Which town?'))")], {
    limits: { timeout: 2000 },
    onQuestion: async (question) => {
      // The worker's clock is a real one.
      await new Promise((resolve) => setTimeout(resolve, 3000));
      return `${question} Oslo`;
    },
  });

  expect(output).toBe("Which town? Oslo");
});

test("a question that is dismissed fails in the code, and the task goes on (T102)", async () => {
  const { state, output, steps } = await solve([block("town = input('Which town?')"), block("final_answer(1)")], {
    onQuestion: () => Promise.reject(new Error("dismissed")),
  });

  expect(steps[0]?.observation).toMatch(/^Execution error: /);
  expect(steps[0]?.observation).toContain("dismissed");
  expect([state, output]).toEqual(["completed", "1"]);
});

test("a tool whose own session is closed fails as any tool does (T90, T102)", async () => {
  const other = await Session.open({ storage: memoryStorage() });
  await other.close();
  const elsewhere = functionTool({
    name: "elsewhere",
    description: "Asks another session.",
    input: z.object({}),
    run: async () => {
      await other.reset();
      return 1;
    },
  });
  const own = await Session.open({ storage: memoryStorage(), tools: [elsewhere] });
  const { state, output, steps } = await solve([block("tools.elsewhere()"), block("final_answer(2)")], {
    session: own,
  });
  const closed = await own.close().then(() => solve([block("final_answer(3)")], { session: own }));

  expect(steps[0]?.observation).toMatch(/^Execution error: /);
  expect([state, output]).toEqual(["completed", "2"]);
  expect(closed).toMatchObject({ state: "error", error: { code: "TASK_SESSION" } });
});
