import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";

import { ReactAgent, type AgentEvent, type AgentRun, type ReactAgentOptions } from "../../../src/agent/index.js";
import { openaiModel, recordedModel, recordTranscript, type Model } from "../../../src/model/index.js";
import { functionTool, type ToolAdapter } from "../../../src/tools/index.js";
import { callLine, chunkLine, END } from "../../servers/model-chunks.js";
import { errorBody, startModelServer, type ModelAnswer, type ModelServer } from "../../servers/model-server.js";
import { toolSession } from "./tool-session.js";

const F = "```";

let server: ModelServer;
let answers: ModelAnswer[];
let added: [number, number][];

beforeEach(async () => {
  answers = [];
  added = [];
  server = await startModelServer(
    () => answers[server.requests.length - 1] ?? { kind: "reply", text: '{"scratchpad": "Nothing more."}' },
  );
});
afterEach(() => server.close());

const add = functionTool({
  name: "add",
  description: "Adds two numbers.",
  input: z.strictObject({ a: z.number(), b: z.number().default(1) }),
  run: ({ a, b }) => {
    added.push([a, b]);
    return a + b;
  },
});
const returns = (value: string | null | readonly number[]): ToolAdapter =>
  functionTool({ name: "look", description: "", input: z.strictObject({}), run: () => value });
const fails = functionTool({
  name: "fail",
  description: "Fails.",
  input: z.strictObject({}),
  run: () => {
    throw new Error("no luck");
  },
});

const says = (value: unknown): ModelAnswer => ({ kind: "reply", text: JSON.stringify(value) });
const text = (reply: string, finishReason = "stop"): ModelAnswer => ({ kind: "reply", text: reply, finishReason });
const asks = (tool: string, given: unknown = {}): ModelAnswer => says({ tool, arguments: given });
const calls = (
  ...pieces: { readonly id: string; readonly name: string; readonly arguments: string }[]
): ModelAnswer => ({
  kind: "lines",
  lines: [...pieces.map((piece, index) => callLine({ index, ...piece })), chunkLine({}, "tool_calls"), END],
});
const refuses = (message: string): ModelAnswer => ({ kind: "status", status: 400, body: errorBody(message) });
const answer42 = says({ answer: "42" });

function model(name = "test-model"): Model {
  return openaiModel({ baseURL: server.baseURL(), apiKey: "sk-test-0123456789", model: name });
}

function solve(tools: readonly ToolAdapter[] = [], options: Partial<ReactAgentOptions> = {}): AgentRun {
  const agent = new ReactAgent({ session: toolSession(tools), model: model(), retries: 0, ...options });
  return agent.run("What is it?");
}

const Sent = z.looseObject({
  temperature: z.number().optional(),
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })).optional(),
  response_format: z.looseObject({ type: z.string(), json_schema: z.unknown().optional() }).optional(),
  messages: z.array(z.looseObject({ role: z.string(), content: z.string().nullable() })),
});

/** The body of the request of that number, counted from 1. */
const sent = (number: number) => Sent.parse(server.requests[number - 1]?.json);
const toldBefore = (number: number) => sent(number).messages.at(-1)?.content;
const temperatures = () => server.requests.map(({ body }) => body.temperature);
const ofType = <T extends AgentEvent["type"]>(run: AgentRun, type: T) =>
  run.events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);

describe("an answer", () => {
  test("T83: ends the task with one call of the model", async () => {
    answers = [answer42];

    const result = await solve().result;

    expect(result).toMatchObject({ state: "completed", output: "42", answer: { value: "42", source: "normal" } });
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    [42, "42"],
    [null, "None"],
    [{ a: [1.5, true] }, "{'a': [1.5, True]}"],
  ])("%j is kept as it is, and in words", async (value, words) => {
    answers = [says({ answer: value })];

    expect((await solve().result).answer).toMatchObject({ value, text: words });
  });

  test("that is null beside a note is none yet", async () => {
    answers = [says({ scratchpad: "Not yet.", tool: null, answer: null }), answer42];

    expect(await solve().result).toMatchObject({ output: "42", steps: { length: 2 } });
  });

  test("of another form is sent back once", async () => {
    answers = [says({ answer: "four" }), says({ answer: 4 })];

    const result = await solve([], { answer: z.number() }).result;

    expect(result).toMatchObject({ state: "completed", answer: { value: 4 } });
    expect(toldBefore(2)).toMatch(/^Your final answer does not have the form that was asked for: /);
  });

  test("of another form twice ends the task", async () => {
    answers = [says({ answer: "four" }), says({ answer: "five" })];

    expect(await solve([], { answer: z.number() }).result).toMatchObject({
      state: "error",
      error: { code: "INVALID_FINAL_ANSWER", rawContent: "five" },
    });
  });

  test("beside a call is none: nobody has seen yet what comes of it", async () => {
    answers = [says({ tool: "add", arguments: { a: 1 }, answer: "2" }), answer42];

    await solve([add]).result;

    expect(added).toEqual([]);
    expect(toldBefore(2)).toMatch(/not one valid JSON object/);
  });
});

describe("the temperature", () => {
  test("T84: rises with each reply that is no JSON", async () => {
    answers = [text("Let me see."), text("{'answer': 42}"), answer42];

    expect(await solve().result).toMatchObject({ state: "completed", output: "42" });
    expect(temperatures()).toEqual([0.7, 0.9, 1.1]);
  });

  test("T85: rises with a reply that only notes something, which is told back", async () => {
    answers = [says({ scratchpad: "Think of it." }), answer42];

    await solve().result;

    expect(toldBefore(2)).toBe("Scratchpad noted: Think of it.");
    expect(temperatures()).toEqual([0.7, 0.9]);
  });

  test("T95: ends at 2.0", async () => {
    answers = Array.from({ length: 10 }, () => text("no JSON"));

    await solve([], { maxSteps: 11 }).result;

    expect(temperatures().slice(0, 11)).toEqual([0.7, 0.9, 1.1, 1.3, 1.5, 1.7, 1.9, 2, 2, 2, 2]);
  });

  test("stays for errors of tools, and begins where the options say", async () => {
    answers = [asks("fail"), asks("nobody"), asks("add", {}), answer42];

    await solve([fails, add], { temperature: 0.2 }).result;

    expect(temperatures()).toEqual([0.2, 0.2, 0.2, 0.2]);
  });

  test("that is none is refused at once", () => {
    expect(() => solve([], { temperature: 3 })).toThrow(expect.objectContaining({ code: "AGENT_OPTIONS" }));
  });
});

describe("a call", () => {
  test("is made, and its result is the next observation", async () => {
    answers = [asks("add", { a: 2, b: 3 }), answer42];
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

  test("T86: with a note beside it is told of in one message, the reply once", async () => {
    answers = [says({ scratchpad: "I add.", tool: "add", arguments: { a: 2 } }), answer42];

    await solve([add]).result;

    expect(sent(2).messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
    expect(toldBefore(2)).toBe("Scratchpad noted: I add.\n\nObservation: 3");
    expect(temperatures()).toEqual([0.7, 0.7]);
  });

  test("T88: of a tool that there is not is told of with those that there are", async () => {
    answers = [asks("subtract", { a: 1 }), answer42];

    const result = await solve([add, fails]).result;

    expect(toldBefore(2)).toBe("Error: Unknown tool 'subtract'. Tools: add, fail.");
    expect(result).toMatchObject({ state: "completed", output: "42" });
  });

  test("T89: without an argument, or with one too many, fails and says which", async () => {
    answers = [asks("add"), asks("add", { a: 1, c: 2 }), asks("add", { a: "one" }), answer42];

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

  test("T90: that raises is told of with what it raised", async () => {
    answers = [asks("fail"), answer42];

    expect(await solve([fails]).result).toMatchObject({ state: "completed" });
    expect(toldBefore(2)).toBe("Error: ToolError: no luck");
  });

  test("T91: of which much comes is cut at 500 characters", async () => {
    answers = [asks("look"), answer42];

    await solve([returns("x".repeat(1000))]).result;

    expect(toldBefore(2)).toBe(`Observation: ${"x".repeat(500)}…`);
  });

  test("is cut where the options say, and no character in two", async () => {
    answers = [asks("look"), answer42];

    await solve([returns(`xxx😀${"y".repeat(10)}`)], { observationLength: 4 }).result;

    expect(toldBefore(2)).toBe("Observation: xxx…");
  });

  test("T92: of which nothing comes is told of as None", async () => {
    answers = [asks("look"), answer42];

    await solve([returns(null)]).result;

    expect(toldBefore(2)).toBe("Observation: None");
  });

  test("T105: of which data comes is told of as Python writes it", async () => {
    answers = [asks("look"), answer42];

    await solve([returns([1, 2])]).result;

    expect(toldBefore(2)).toBe("Observation: [1, 2]");
  });

  test("in a list with others is made after those before it", async () => {
    const list = [
      { scratchpad: "Both.", tool: "add", arguments: { a: 1 } },
      { tool: "fail" },
      { tool: "add", arguments: { a: 5 } },
    ];
    answers = [says(list), answer42];

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
    answers = [says([1, 2, 3].map((a) => ({ tool: "add", arguments: { a } })))];

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
    answers = [says([{ tool: "add", arguments: { a: 1 } }, { tool: "wait" }, { tool: "add", arguments: { a: 2 } }])];
    const agent = new ReactAgent({ session: toolSession([add, waits]), model: model() });

    const result = await agent.run("Wait.", { signal: stop.signal }).result;

    expect(stopped).toBe(true);
    expect(added).toEqual([[1, 1]]);
    expect(result).toMatchObject({ state: "cancelled", answer: null });
    expect(result.steps[0]?.observation?.split("\n\n")).toEqual([
      "Observation: 2",
      expect.stringMatching(/^Error: ToolError: tools\.wait was given up because its run was stopped/),
      "Error: ToolError: it was not called, because the task was stopped",
    ]);
  });

  test("in a session that was closed ends the task", async () => {
    answers = [asks("add", { a: 1 }), answer42];
    const session = toolSession([add]);
    session.close();

    expect(await new ReactAgent({ session, model: model() }).run("Add.").result).toMatchObject({
      state: "error",
      error: { code: "SESSION_CLOSED" },
    });
    expect(server.requests).toHaveLength(1);
  });
});

describe("the limit of steps", () => {
  test("T93: brings one more request, at temperature 0, whose answer counts", async () => {
    answers = [text("no"), asks("add", { a: 1 }), says({ answer: 2 })];

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
    answers = [text("no"), asks("add", { a: 1 })];

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
    ["inside the key that a schema puts around it", `{"reply": ${plain}}`],
    ["with keys that nobody asked for", '{"thought": "so be it", "answer": "42"}'],
  ])("T94: %s is understood", async (_, reply) => {
    answers = [text(reply)];

    expect(await solve().result).toMatchObject({ state: "completed", output: "42", steps: { length: 1 } });
  });

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
  ])("T96: that is %s is answered with what is asked for, in single braces", async (_, reply) => {
    answers = [text(reply), answer42];

    expect(await solve([add]).result).toMatchObject({ state: "completed", output: "42" });
    expect(toldBefore(2)).toContain('{"answer": "the answer to the task"}');
    expect(toldBefore(2)).not.toMatch(/\{\{|\}\}\}/);
    expect(temperatures()).toEqual([0.7, 0.9]);
  });

  test("of arguments with a key of the prototype reaches the tool as what it is, or not at all", async () => {
    answers = [text('{"tool": "add", "arguments": {"__proto__": {"a": 1}, "a": 2}}'), answer42];

    await solve([add]).result;

    expect(added.every(([a]) => a === 2)).toBe(true);
    expect(Object.hasOwn(Object.prototype, "a")).toBe(false);
  });

  test("that the server cut is asked for again, no warmer", async () => {
    answers = [text('{"answer": "forty-', "length"), answer42];

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
    answers = [asks("add", [1, 2]), answer42];

    await solve([add], { toolCallingMode }).result;

    expect(toldBefore(2)).toBe(expected);
  });

  test("validated: those that do not fit are told of under that name, and none are no arguments", async () => {
    answers = [asks("add", { a: 1, c: 2 }), asks("look", null), answer42];

    const { steps } = await solve([add, returns("here")], { toolCallingMode: "validated" }).result;

    expect(steps[0]?.observation).toBe("Error: ArgValidationError: Unknown parameter 'c'. It takes: a, b");
    expect(steps[1]?.observation).toBe("Observation: here");
  });
});

describe("native", () => {
  test("all calls of a reply are made, and answered in order by their ids", async () => {
    answers = [
      calls(
        { id: "one", name: "add", arguments: '{"a": 1}' },
        { id: "two", name: "fail", arguments: "{}" },
        { id: "three", name: "nobody", arguments: "{}" },
        { id: "four", name: "add", arguments: "[1]" },
        { id: "five", name: "add", arguments: '{"a": 4' },
        { id: "six", name: "add", arguments: '{"a": 6}' },
      ),
      text("Twelve."),
    ];

    const run = solve([add, fails], { toolCallingMode: "native" });
    const result = await run.result;

    expect(added).toEqual([
      [1, 1],
      [6, 1],
    ]);
    expect(sent(1).tools?.map((tool) => tool.function.name)).toEqual(["add", "fail"]);
    expect(sent(2).messages.slice(2)).toMatchObject([
      { role: "assistant", tool_calls: [{ id: "one" }, { id: "two" }, { id: "three" }, {}, {}, { id: "six" }] },
      { role: "tool", tool_call_id: "one", content: "Observation: 2" },
      { role: "tool", tool_call_id: "two", content: "Error: ToolError: no luck" },
      { role: "tool", tool_call_id: "three", content: "Error: Unknown tool 'nobody'. Tools: add, fail." },
      { role: "tool", tool_call_id: "four", content: "Error: ArgError: Tool arguments must be a JSON object." },
      { role: "tool", tool_call_id: "five", content: "Error: ArgError: Tool arguments must be a JSON object." },
      { role: "tool", tool_call_id: "six", content: "Observation: 7" },
    ]);
    expect(result).toMatchObject({ state: "completed", output: "Twelve.", usage: { toolCalls: 3 } });
    expect(result.steps[0]?.toolCalls.map(({ id }) => id)).toHaveLength(6);
    expect(ofType(run, "model-ended")[0]?.toolCalls[0]).toMatchObject({ name: "add", arguments: '{"a": 1}' });
  });

  test("an empty reply and one that was cut are no answers", async () => {
    answers = [text(""), text("The ans", "length"), text("42")];

    const result = await solve([add], { toolCallingMode: "native" }).result;

    expect(result).toMatchObject({ state: "completed", output: "42", steps: { length: 3 } });
    expect(toldBefore(2)).toMatch(/^Your previous reply was empty/);
    expect(toldBefore(3)).toMatch(/cut off at the length limit/);
    expect(temperatures()).toEqual([0.7, 0.9, 0.9]);
  });

  test("an answer of a form is read from the text", async () => {
    answers = [text(`${F}json\n{"sum": 5}\n${F}`)];

    const result = await solve([], { toolCallingMode: "native", answer: z.object({ sum: z.number() }) }).result;

    expect(result).toMatchObject({ state: "completed", answer: { value: { sum: 5 } } });
  });

  test("the last attempt makes no calls any more", async () => {
    answers = [
      calls({ id: "a", name: "add", arguments: '{"a":1}' }),
      calls({ id: "b", name: "add", arguments: '{"a":2}' }),
    ];

    const result = await solve([add], { toolCallingMode: "native", maxSteps: 1 }).result;

    expect(result).toMatchObject({ state: "step_limit_reached", error: { finalAttemptMade: true } });
    expect(added).toEqual([[1, 1]]);
  });

  test("a server that knows no tools ends the task where nothing else was allowed", async () => {
    answers = [refuses("test-model does not support tools")];

    expect(await solve([add], { toolCallingMode: "native" }).result).toMatchObject({
      state: "error",
      error: { code: "MODEL_TOOLS_UNSUPPORTED" },
    });
  });

  test("a recording of it answers again", async () => {
    answers = [calls({ id: "a", name: "add", arguments: '{"a":1}' }), text("2")];
    const recorder = recordTranscript(model());
    await solve([add], { model: recorder, toolCallingMode: "native" }).result;
    const transcript = recorder.transcript();
    if (transcript === undefined) throw new Error("Nothing was recorded.");

    const replayed = recordedModel({ transcripts: [transcript], pace: 0 });
    const result = await solve([add], { model: replayed, toolCallingMode: "native" }).result;

    expect(result).toMatchObject({ state: "completed", output: "2" });
    expect(added).toHaveLength(2);
  });
});

describe("structured", () => {
  test("the server is told the schema of the replies, in the strict form", async () => {
    answers = [says({ reply: { scratchpad: null, tool: "add", arguments: { a: 2, b: null } } }), answer42];

    await solve([add, returns("")], { toolCallingMode: "structured" }).result;

    expect(added).toEqual([[2, 1]]);
    expect(sent(1).response_format).toEqual({
      type: "json_schema",
      json_schema: {
        name: "agent_response",
        strict: true,
        schema: {
          type: "object",
          properties: {
            reply: {
              anyOf: [
                {
                  type: "object",
                  properties: {
                    scratchpad: { type: ["string", "null"] },
                    tool: { type: "string", enum: ["add"] },
                    arguments: {
                      type: "object",
                      properties: { a: { type: "number" }, b: { anyOf: [{ type: "number" }, { type: "null" }] } },
                      required: ["a", "b"],
                      additionalProperties: false,
                    },
                  },
                  required: ["scratchpad", "tool", "arguments"],
                  additionalProperties: false,
                },
                expect.objectContaining({ required: ["scratchpad", "tool", "arguments"] }),
                {
                  type: "object",
                  properties: { scratchpad: { type: ["string", "null"] }, answer: { type: "string" } },
                  required: ["scratchpad", "answer"],
                  additionalProperties: false,
                },
                {
                  type: "object",
                  properties: { scratchpad: { type: "string" } },
                  required: ["scratchpad"],
                  additionalProperties: false,
                },
              ],
            },
          },
          required: ["reply"],
          additionalProperties: false,
        },
      },
    });
  });

  test("a server that takes no schema is asked without, and the reply is read all the same", async () => {
    answers = [
      refuses("response_format json_schema is not supported"),
      refuses("response_format json_object is not supported"),
      answer42,
    ];
    const run = solve([add], { toolCallingMode: "structured" });

    expect(await run.result).toMatchObject({ state: "completed", output: "42" });
    expect(ofType(run, "notice").map(({ notice }) => notice)).toMatchObject([
      { code: "PARAMETER_REFUSED", parameter: "responseSchema" },
    ]);
    expect(sent(3).response_format).toBeUndefined();
  });
});

describe("auto", () => {
  test.each([
    ["gpt-4o-mini", "structured"],
    ["gpt-4.1", "structured"],
    ["o3", "structured"],
    ["openai/gpt-oss-20b", "structured"],
    ["anthropic/claude-sonnet-4", "native"],
    ["qwen3:8b", "native"],
    ["gpt-5.2", "native"],
    ["my-own-model", "json"],
  ])("asks %s in the %s way", async (name, way) => {
    answers = [answer42];

    await solve([add], { model: model(name) }).result;

    const { tools, response_format: format } = sent(1);
    expect(tools !== undefined ? "native" : format !== undefined ? "structured" : "json").toBe(way);
  });

  test("goes on in JSON where the model refuses tools, says so, and tells earlier calls in words", async () => {
    answers = [
      calls({ id: "a", name: "add", arguments: '{"a":1}' }),
      text("Two."),
      refuses("llama-tiny does not support tools"),
      asks("add", { a: 5 }),
      answer42,
    ];
    const session = toolSession([add]);
    const first = new ReactAgent({ session, model: model("llama-3.3") }).run("Add one.");
    await first.result;
    const run = new ReactAgent({ session, model: model("llama-tiny") }).run("And five?", { after: first });

    const result = await run.result;

    expect(result).toMatchObject({ state: "completed", output: "42", steps: { length: 2 } });
    expect(ofType(run, "notice")).toMatchObject([
      { step: 1, notice: { code: "TOOL_CALLING_MODE", message: expect.stringContaining("llama-tiny") } },
    ]);
    expect(sent(4).tools).toBeUndefined();
    expect(sent(4).messages.map(({ role, content }) => [role, content])).toEqual([
      ["system", expect.stringContaining("- add: Adds two numbers. | args=(a: float, b: float = 1)")],
      ["user", "Add one."],
      ["assistant", '{"tool": "add", "arguments": {"a":1}}'],
      ["user", "Observation: 2"],
      ["assistant", "Two."],
      ["user", "And five?"],
    ]);
  });
});

describe("the prompt", () => {
  test("lists the tools with what they do and take", async () => {
    answers = [answer42];

    await solve([add, returns("")], { systemSuffix: "Be brief." }).result;

    const [system] = sent(1).messages;
    expect(system?.content).toContain("- add: Adds two numbers. | args=(a: float, b: float = 1)");
    expect(system?.content).toContain("- look: <no description> | args=()");
    expect(system?.content?.endsWith("\n\nBe brief.")).toBe(true);
  });

  test("has the rules of a file, and says how to reply all the same", async () => {
    answers = [answer42];

    await solve([add, fails], { promptFile: { file: "rules.md", text: "Use {helpers}." } }).result;

    const content = sent(1).messages[0]?.content ?? "";
    expect(content.startsWith("Use add, fail.\n\n## Your replies\n")).toBe(true);
  });

  test("T80: stays where the file cannot be used, which is told", async () => {
    answers = [answer42];
    const run = solve([], { promptFile: { file: "rules.exe", text: "Use {helpers}." } });
    await run.result;

    expect(ofType(run, "notice")).toMatchObject([{ step: null, notice: { code: "PROMPT_FILE" } }]);
    expect(sent(1).messages[0]?.content).toMatch(/^You solve tasks step by step/);
  });
});
