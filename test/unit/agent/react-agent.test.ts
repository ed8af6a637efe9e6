import { describe, expect, test } from "vitest";
import { z } from "zod";

import { ReactAgent, TaskStore } from "../../../src/agent/index.js";
import { memoryStorage } from "../../../src/storage/index.js";
import { SessionClosedError } from "../../../src/session/errors.js";
import { functionTool } from "../../../src/tools/index.js";
import {
  add,
  added,
  answer42,
  asks,
  calls,
  dictate,
  F,
  fails,
  model,
  ofType,
  returns,
  says,
  sent,
  server,
  solve,
  temperatures,
  text,
  toldBefore,
  useModelServer,
} from "./react-setup.js";
import { toolSession } from "./tool-session.js";

useModelServer();

const named = (name: string) => functionTool({ name, description: "", input: z.strictObject({}), run: () => null });

describe("an answer", () => {
  test("ends the task with one call of the model (T83)", async () => {
    dictate(answer42);

    const result = await solve().result;

    expect(result).toMatchObject({ state: "completed", output: "42", answer: { value: "42", source: "normal" } });
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    [42, "42"],
    [null, "None"],
    [{ a: [1.5, true] }, "{'a': [1.5, True]}"],
  ])("%j is kept as it is, and in words", async (value, words) => {
    dictate(says({ answer: value }));

    expect((await solve().result).answer).toMatchObject({ value, text: words });
  });

  test("that is null beside a note is none yet", async () => {
    dictate(says({ scratchpad: "Not yet.", tool: null, answer: null }), answer42);

    expect(await solve().result).toMatchObject({ output: "42", steps: { length: 2 } });
  });

  test("of another form is sent back once", async () => {
    dictate(says({ answer: "four" }), says({ answer: 4 }));

    const result = await solve([], { answer: z.number() }).result;

    expect(result).toMatchObject({ state: "completed", answer: { value: 4 } });
    expect(toldBefore(2)).toMatch(/^Your final answer does not have the form that was asked for: /);
  });

  test("of another form twice ends the task", async () => {
    dictate(says({ answer: "four" }), says({ answer: "five" }));

    expect(await solve([], { answer: z.number() }).result).toMatchObject({
      state: "error",
      error: { code: "INVALID_FINAL_ANSWER", rawContent: "five" },
    });
  });

  test("beside a call is none: nobody has seen yet what comes of it", async () => {
    dictate(says({ tool: "add", arguments: { a: 1 }, answer: "2" }), answer42);

    await solve([add]).result;

    expect(added).toEqual([]);
    expect(toldBefore(2)).toMatch(/not one valid JSON object/);
  });
});

test("what is sent with a step begins with all that was sent with the one before, for the caches of providers", async () => {
  dictate(asks("add", { a: 1 }), text("no JSON"), says({ scratchpad: "Think." }), answer42);

  await solve([add]).result;

  for (const call of [2, 3, 4]) {
    const before = sent(call - 1).messages;
    expect(sent(call).messages.slice(0, before.length)).toEqual(before);
    expect(sent(call).messages.length).toBeGreaterThan(before.length);
  }
});

describe("the temperature", () => {
  test("rises with each reply that is no JSON (T84)", async () => {
    dictate(text("Let me see."), text("{'answer': 42}"), answer42);

    expect(await solve().result).toMatchObject({ state: "completed", output: "42" });
    expect(temperatures()).toEqual([0.7, 0.9, 1.1]);
  });

  test("rises with a reply that only notes something, which is told back (T85)", async () => {
    dictate(says({ scratchpad: "Think of it." }), answer42);

    await solve().result;

    expect(toldBefore(2)).toBe("Scratchpad noted: Think of it.");
    expect(temperatures()).toEqual([0.7, 0.9]);
  });

  test("ends at 2.0 (T95)", async () => {
    dictate(...Array.from({ length: 10 }, () => text("no JSON")));

    await solve([], { maxSteps: 11 }).result;

    expect(temperatures().slice(0, 11)).toEqual([0.7, 0.9, 1.1, 1.3, 1.5, 1.7, 1.9, 2, 2, 2, 2]);
  });

  test("is in a task that goes on what it was when that ended", async () => {
    const tasks = new TaskStore(memoryStorage());
    const replies = [text("no JSON"), says({ scratchpad: "Hm." }), asks("add", { a: 1 }), text('{"ans', "length")];
    dictate(...replies, text("no last word"), answer42);
    const options = { session: toolSession([add]), model: model(), tasks };
    const { taskId } = await new ReactAgent({ ...options, maxSteps: 4 }).run("What is it?").result;

    const result = await new ReactAgent(options).takeUp(await tasks.load(taskId)).result;

    expect(result).toMatchObject({ state: "completed", output: "42" });
    expect(temperatures()).toEqual([0.7, 0.9, 1.1, 1.1, 0, 1.1]);
  });

  test("stays for errors of tools, and begins where the options say", async () => {
    dictate(asks("fail"), asks("nobody"), asks("add", {}), answer42);

    await solve([fails, add], { temperature: 0.2 }).result;

    expect(temperatures()).toEqual([0.2, 0.2, 0.2, 0.2]);
  });

  test("that is none is refused at once", () => {
    expect(() => solve([], { temperature: 3 })).toThrow(expect.objectContaining({ code: "AGENT_OPTIONS" }));
  });
});

describe("a call", () => {
  test("is made, and its result is the next observation", async () => {
    dictate(asks("add", { a: 2, b: 3 }), answer42);
    const run = solve([add]);

    const result = await run.result;

    expect(added).toEqual([[2, 3]]);
    expect(toldBefore(2)).toBe("Observation: 5");
    expect(result).toMatchObject({ usage: { toolCalls: 1 }, steps: [{ observation: "Observation: 5" }, {}] });
    const [begun, ended] = ofType(run, "call");
    expect(begun).toMatchObject({
      step: 1,
      parentId: `${run.taskId}/1/reply`,
      entry: { name: "add", caller: "agent", outcome: { kind: "pending" } },
    });
    expect(ended).toMatchObject({ id: begun?.id, entry: { outcome: { kind: "ok", summary: 5 } } });
  });

  test("with a note beside it is told of in one message, the reply once (T86)", async () => {
    dictate(says({ scratchpad: "I add.", tool: "add", arguments: { a: 2 } }), answer42);

    await solve([add]).result;

    expect(sent(2).messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
    expect(toldBefore(2)).toBe("Scratchpad noted: I add.\n\nObservation: 3");
    expect(temperatures()).toEqual([0.7, 0.7]);
  });

  test("of a tool that there is not is told of with those that there are (T88)", async () => {
    dictate(asks("subtract", { a: 1 }), answer42);

    const result = await solve([add, fails]).result;

    expect(toldBefore(2)).toBe("Error: Unknown tool 'subtract'. Tools: add, fail.");
    expect(result).toMatchObject({ state: "completed", output: "42" });
  });

  test.each(["native", "parsed"] as const)(
    "lists many tools too, what was probably meant first, when %s (T88)",
    async (toolCallingMode) => {
      const tools = Array.from({ length: 60 }, (_, index) => named(`archive_row_${String(index).padStart(2, "0")}`));
      const asked =
        toolCallingMode === "native"
          ? calls({ id: "a", name: "archive_rov_41", arguments: "{}" })
          : asks("archive_rov_41");
      dictate(asked, answer42);

      await solve(tools, { toolCallingMode, observationLength: 50 }).result;

      const told = toldBefore(2) ?? "";
      expect(told).toMatch(/^Error: Unknown tool 'archive_rov_41'\. Tools: archive_row_41, archive_row_00, /);
      expect(told).toMatch(/, archive_row_59\.$/);
      expect(told.match(/archive_row_/g)).toHaveLength(60);
    },
  );

  test("of more tools than a model should read at once says how many more there are (T88)", async () => {
    const tools = Array.from({ length: 200 }, (_, index) => named(`archive_row_${String(index).padStart(3, "0")}`));
    dictate(asks("nobody"), answer42);

    await solve(tools).result;

    expect(toldBefore(2)).toMatch(/^Error: Unknown tool 'nobody'\. Tools: archive_row_000, .*, and 83 more\.$/);
    expect(toldBefore(2)?.length).toBeLessThan(2100);
  });

  test("without an argument, or with one too many, fails and says which (T89)", async () => {
    dictate(asks("add"), asks("add", { a: 1, c: 2 }), asks("add", { a: "one" }), answer42);

    const { steps, state } = await solve([add], { toolCallingMode: "parsed" }).result;

    expect(steps.map(({ observation }) => observation)).toEqual([
      "Error: ArgError: Required parameter 'a' is missing",
      "Error: ArgError: Unknown parameter 'c'. It takes: a, b",
      expect.stringMatching(/^Error: ArgError: Parameter 'a': /),
      null,
    ]);
    expect(state).toBe("completed");
    expect(added).toEqual([]);
  });

  test("that raises is told of with what it raised (T90)", async () => {
    dictate(asks("fail"), answer42);

    expect(await solve([fails]).result).toMatchObject({ state: "completed" });
    expect(toldBefore(2)).toBe("Error: ToolError: no luck");
  });

  test("of which much comes is cut at 500 characters (T91)", async () => {
    dictate(asks("look"), answer42);

    await solve([returns("x".repeat(1000))]).result;

    expect(toldBefore(2)).toBe(`Observation: ${"x".repeat(500)}…`);
  });

  test("is cut where the options say, and no character in two", async () => {
    dictate(asks("look"), answer42);

    await solve([returns(`xxx😀${"y".repeat(10)}`)], { observationLength: 4 }).result;

    expect(toldBefore(2)).toBe("Observation: xxx…");
  });

  test("of which nothing comes is told of as None (T92)", async () => {
    dictate(asks("look"), answer42);

    await solve([returns(null)]).result;

    expect(toldBefore(2)).toBe("Observation: None");
  });

  test("of which data comes is told of as Python writes it (T105)", async () => {
    dictate(asks("look"), answer42);

    await solve([returns([1, 2])]).result;

    expect(toldBefore(2)).toBe("Observation: [1, 2]");
  });

  test("in a list with others is made after those before it", async () => {
    const list = [
      { scratchpad: "Both.", tool: "add", arguments: { a: 1 } },
      { tool: "fail" },
      { tool: "add", arguments: { a: 5 } },
    ];
    dictate(says(list), answer42);

    await solve([add, fails]).result;

    expect(added).toEqual([
      [1, 1],
      [5, 1],
    ]);
    expect(toldBefore(2)).toBe(
      "Scratchpad noted: Both.\n\nObservation: 2\n\nError: ToolError: no luck\n\nObservation: 6",
    );
  });

  test("beyond the budget is refused, and the task ends", async () => {
    dictate(says([1, 2, 3].map((a) => ({ tool: "add", arguments: { a } }))));

    const result = await solve([add], { budget: { toolCalls: 2 } }).result;

    expect(added).toHaveLength(2);
    expect(result).toMatchObject({ state: "budget_reached", error: { kind: "toolCalls", limit: 2 } });
    expect(result.steps[0]?.observation).toMatch(
      /^Observation: 2\n\nObservation: 3\n\nError: ToolError: .* budget of tool calls is used up/,
    );
  });

  test("under way is given up with the task, those after it are not made, and both are told", async () => {
    const stop = new AbortController();
    let stopped = false;
    const waits = functionTool({
      name: "wait",
      description: "Waits.",
      input: z.strictObject({}),
      run: (_, { signal }) =>
        new Promise<string>((resolve) => {
          signal.addEventListener("abort", () => {
            stopped = true;
            resolve("late");
          });
          stop.abort();
        }),
    });
    dictate(says([{ tool: "add", arguments: { a: 1 } }, { tool: "wait" }, { tool: "add", arguments: { a: 2 } }]));
    const agent = new ReactAgent({ session: toolSession([add, waits]), model: model() });

    const result = await agent.run("Wait.", { signal: stop.signal }).result;

    expect(stopped).toBe(true);
    expect(added).toEqual([[1, 1]]);
    expect(result).toMatchObject({ state: "cancelled", answer: null });
    expect(result.steps[0]?.observation?.split("\n\n")).toEqual([
      "Observation: 2",
      expect.stringMatching(/^Error: ToolError: tools\.wait was given up because its run was stopped/),
      "Error: ToolError: it was not called, because the task was stopped",
      expect.stringMatching(/^Calls whose outcome is unknown\. [^]*\n- tools\.wait\(\)$/),
    ]);
  });

  test("that was given up has an outcome that is not known: so it is told when the task is taken up", async () => {
    const stop = new AbortController();
    const waits = functionTool({
      name: "wait",
      description: "Waits for nothing.",
      input: z.strictObject({}),
      run: () => {
        stop.abort();
        return new Promise<string>(() => undefined);
      },
    });
    const tasks = new TaskStore(memoryStorage());
    const options = { session: toolSession([waits]), model: model(), tasks };
    const agent = new ReactAgent({ ...options, toolCallingMode: "native", observationLength: 60 });
    dictate(calls({ id: "1", name: "wait", arguments: "{}" }), text("done"));
    const { taskId } = await agent.run("Wait.", { signal: stop.signal }).result;

    const resumed = agent.takeUp(await tasks.load(taskId));

    await expect(resumed.result).resolves.toMatchObject({ state: "completed" });
    const interrupted = { step: 1, finished: [], unknown: [{ name: "wait", outcome: { kind: "unknown" } }] };
    expect(ofType(resumed, "task-resumed")).toMatchObject([{ interrupted }]);
    expect(toldBefore(2)).toMatch(/^Calls whose outcome is unknown\. [^]*- tools\.wait\(\)$/);
  });

  test("in a session that was closed ends the task", async () => {
    dictate(asks("add", { a: 1 }), answer42);
    const session = toolSession([add]);
    session.close();

    expect(await new ReactAgent({ session, model: model() }).run("Add.").result).toMatchObject({
      state: "error",
      error: { code: "SESSION_CLOSED" },
    });
    expect(server.requests).toHaveLength(1);
  });
});

test("a tool that fails because another session is closed does not end the task", async () => {
  const elsewhere = functionTool({
    name: "elsewhere",
    description: "Asks another session.",
    input: z.object({}),
    run: () => {
      throw new SessionClosedError();
    },
  });
  dictate(asks("elsewhere", {}), answer42);

  const result = await solve([elsewhere]).result;

  expect(result).toMatchObject({ state: "completed", output: "42" });
  expect(result.steps[0]?.observation).toMatch(/^Error: /);
});

describe("the limit of steps", () => {
  test("brings one more request, at temperature 0, whose answer counts (T93)", async () => {
    dictate(text("no"), asks("add", { a: 1 }), says({ answer: 2 }));

    const result = await solve([add], { maxSteps: 2 }).result;

    expect(result).toMatchObject({
      state: "step_limit_reached",
      output: "2",
      answer: { value: 2, source: "final_attempt" },
      error: null,
    });
    expect(temperatures()).toEqual([0.7, 0.9, 0]);
    expect(toldBefore(3)).toBe("Observation: 2\n\nReturn your best final answer now.");
  });

  test("without an answer even then ends in an error that says so", async () => {
    dictate(text("no"), asks("add", { a: 1 }));

    const result = await solve([add], { maxSteps: 1 }).result;

    expect(result).toMatchObject({
      state: "step_limit_reached",
      answer: null,
      error: { code: "STEP_LIMIT_REACHED", finalAttemptMade: true },
    });
    expect(added).toEqual([]);
  });
});

describe("a reply", () => {
  const plain = '{"answer": "42"}';
  test.each([
    ["in a fence", `${F}json\n${plain}\n${F}`],
    ["in a fence without a tag", `${F}\n${plain}\n${F}`],
    ["in a fence that closes on its line", `${F}json\n${plain}${F}`],
    ["in a fence with words around it", `Here it is:\n${F}json\n${plain}\n${F}\nThat is all.`],
    ["after thinking", `<think>\n{"answer": "41"}? No.\n</think>\n\n${plain}`],
    ["after thinking, in a fence", `<think>Hm.</think>${F}json\n${plain}\n${F}`],
    ["after thinking whose opening tag stood in the prompt", `{"answer": "41"}? No.</think>${plain}`],
    ["inside the key that a schema puts around it", `{"reply": ${plain}}`],
    ["with keys that nobody asked for", '{"thought": "so be it", "answer": "42"}'],
  ])("%s is understood (T94)", async (_, reply) => {
    dictate(text(reply));

    expect(await solve().result).toMatchObject({ state: "completed", output: "42", steps: { length: 1 } });
  });

  test.each(["</think> ends it", "from <think> to </think>", '"a</think>b"'])(
    "may speak of thoughts in its answer: %s (T94)",
    async (answer) => {
      dictate(says({ answer }));

      expect(await solve().result).toMatchObject({ state: "completed", output: answer, steps: { length: 1 } });
    },
  );

  test.each([
    ["nothing", ""],
    ["a number", "42"],
    ["a string", '"answer"'],
    ["an empty object", "{}"],
    ["an empty list", "[]"],
    ["a list of no calls", '[1, {"answer": 2}]'],
    ["a tool that is no name", '{"tool": 5}'],
    ["thoughts without an end", `<think>${plain}`],
    ["two objects", `${plain}\n${plain}`],
    ["an object that is not whole", '{"answer": "4'],
    ["keys of the prototype", '{"__proto__": {"answer": "42"}, "constructor": {"tool": "add"}}'],
    ["something nested without end", `{"answer": ${"[".repeat(20_000)}${"]".repeat(20_000)}}`],
    ["something nested too deep", `{"answer": ${"[".repeat(500)}${"]".repeat(500)}}`],
    ["nothing but fences", `${F}\n`.repeat(20_000)],
    ["fences that never end", `${F}a b\n${F}x\n`.repeat(10_000)],
  ])("that is %s is answered with what is asked for, in single braces (T96)", async (_, reply) => {
    dictate(text(reply), answer42);

    expect(await solve([add]).result).toMatchObject({ state: "completed", output: "42" });
    expect(toldBefore(2)).toContain('{"answer": "the answer to the task"}');
    expect(toldBefore(2)).not.toMatch(/\{\{|\}\}\}/);
    expect(temperatures()).toEqual([0.7, 0.9]);
  });

  test("of arguments with a key of the prototype reaches the tool as what it is, or not at all", async () => {
    dictate(text('{"tool": "add", "arguments": {"__proto__": {"a": 1}, "a": 2}}'), answer42);

    await solve([add]).result;

    expect(added.every(([a]) => a === 2)).toBe(true);
    expect(Object.hasOwn(Object.prototype, "a")).toBe(false);
  });

  test("that the server cut is asked for again, no warmer", async () => {
    dictate(text('{"answer": "forty-', "length"), answer42);

    await solve().result;

    expect(toldBefore(2)).toMatch(/cut off at the length limit/);
    expect(temperatures()).toEqual([0.7, 0.7]);
  });
});

describe("arguments that are no object", () => {
  test.each([
    ["validated", "Error: Tool arguments must be a JSON object."],
    ["parsed", "Error: ArgError: Tool arguments must be a JSON object."],
  ] as const)("are told of as such when %s", async (toolCallingMode, expected) => {
    dictate(asks("add", [1, 2]), answer42);

    await solve([add], { toolCallingMode }).result;

    expect(toldBefore(2)).toBe(expected);
  });

  test("validated: those that do not fit are told of under that name, and none are no arguments", async () => {
    dictate(asks("add", { a: 1, c: 2 }), asks("look", null), answer42);

    const { steps } = await solve([add, returns("here")], { toolCallingMode: "validated" }).result;

    expect(steps[0]?.observation).toBe("Error: ArgValidationError: Unknown parameter 'c'. It takes: a, b");
    expect(steps[1]?.observation).toBe("Observation: here");
  });
});
