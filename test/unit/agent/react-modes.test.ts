import { describe, expect, test } from "vitest";
import { z } from "zod";

import { ReactAgent } from "../../../src/agent/index.js";
import { recordedModel, recordTranscript } from "../../../src/model/index.js";
import { callLine, chunkLine, END } from "../../servers/model-chunks.js";
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
  refuses,
  returns,
  sent,
  solve,
  temperatures,
  text,
  toldBefore,
  useModelServer,
} from "./react-setup.js";
import { toolSession } from "./tool-session.js";

useModelServer();

describe("native", () => {
  test("all calls of a reply are made, and answered in order by their ids", async () => {
    dictate(
      calls(
        { id: "one", name: "add", arguments: '{"a": 1}' },
        { id: "two", name: "fail", arguments: "{}" },
        { id: "three", name: "nobody", arguments: "{}" },
        { id: "four", name: "add", arguments: "[1]" },
        { id: "five", name: "add", arguments: '{"a": 4' },
        { id: "six", name: "add", arguments: '{"a": 6}' },
      ),
      text("Twelve."),
    );

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
    dictate(text(""), text("The ans", "length"), text("42"));

    const result = await solve([add], { toolCallingMode: "native" }).result;

    expect(result).toMatchObject({ state: "completed", output: "42", steps: { length: 3 } });
    expect(toldBefore(2)).toMatch(/^Your previous reply was empty/);
    expect(toldBefore(3)).toMatch(/cut off at the length limit/);
    expect(temperatures()).toEqual([0.7, 0.9, 0.9]);
  });

  test.each([
    [
      "length",
      "Your reply was cut off at the length limit after these calls. Calls that were to follow were not made; ask for them again.",
    ],
    [
      "content_filter",
      expect.stringMatching(/^The server's content filter withheld the rest of your reply after these calls\. /),
    ],
  ])("calls that a reply had begun when it ended by %s are told of as not made", async (finishReason, told) => {
    dictate(
      {
        kind: "lines",
        lines: [
          callLine({ index: 0, id: "one", name: "add", arguments: '{"a": 1}' }),
          callLine({ index: 1, id: "two", name: "add", arguments: '{"a": 2' }),
          chunkLine({}, finishReason),
          END,
        ],
      },
      text("42"),
    );

    const result = await solve([add], { toolCallingMode: "native" }).result;

    expect(added).toEqual([[1, 1]]);
    expect(sent(2).messages.slice(2)).toMatchObject([
      { role: "assistant", tool_calls: [{ id: "one" }] },
      { role: "tool", tool_call_id: "one", content: "Observation: 2" },
      { role: "user", content: told },
    ]);
    expect(result).toMatchObject({ state: "completed", output: "42" });
    expect(result.steps[0]?.observation).toMatch(/^Observation: 2\n\n.* after these calls\. /);
  });

  test.each([
    ["thoughts", "<think>41?\nNo.</think>\n\n42"],
    ["thoughts whose opening tag stood in the prompt", "41? No.\n</think>\n\n42"],
  ])("%s are no part of the answer (T94)", async (_, reply) => {
    dictate(text(reply));

    expect(await solve([add], { toolCallingMode: "native" }).result).toMatchObject({
      state: "completed",
      output: "42",
      answer: { value: "42" },
      steps: [{ reply }],
    });
  });

  test("thoughts alone are no answer (T94)", async () => {
    dictate(text("<think>Let me see."), text("<think>Hm.</think>\n"), text("42"));

    const result = await solve([add], { toolCallingMode: "native" }).result;

    expect(result).toMatchObject({ state: "completed", output: "42", steps: { length: 3 } });
    expect(toldBefore(2)).toMatch(/^Your previous reply was empty/);
    expect(toldBefore(3)).toMatch(/^Your previous reply was empty/);
  });

  test.each([
    "It is between <think> and </think>.",
    "The tag </think> ends the thoughts; 42 were found.",
    `Cut it:\n${F}python\nsaid = f"</think>{rest}"\n${F}`,
  ])("tags that an answer speaks of are part of it: %j", async (reply) => {
    dictate(text(reply));

    expect(await solve([], { toolCallingMode: "native" }).result).toMatchObject({ output: reply });
  });

  test("an answer of a form is read from the text", async () => {
    dictate(text(`${F}json\n{"sum": 5}\n${F}`));

    const result = await solve([], { toolCallingMode: "native", answer: z.object({ sum: z.number() }) }).result;

    expect(result).toMatchObject({ state: "completed", answer: { value: { sum: 5 } } });
  });

  test("the last attempt makes no calls any more", async () => {
    dictate(
      calls({ id: "a", name: "add", arguments: '{"a":1}' }),
      calls({ id: "b", name: "add", arguments: '{"a":2}' }),
    );

    const result = await solve([add], { toolCallingMode: "native", maxSteps: 1 }).result;

    expect(result).toMatchObject({ state: "step_limit_reached", error: { finalAttemptMade: true } });
    expect(added).toEqual([[1, 1]]);
  });

  test("what is said beside a call is no answer in the last attempt (T93)", async () => {
    const looks = {
      content: "Let me look at one more thing.",
      tool_calls: [{ index: 0, id: "b", function: { name: "add", arguments: '{"a":2}' } }],
    };
    dictate(calls({ id: "a", name: "add", arguments: '{"a":1}' }), {
      kind: "lines",
      lines: [chunkLine(looks), chunkLine({}, "tool_calls"), END],
    });

    const result = await solve([add], { toolCallingMode: "native", maxSteps: 1 }).result;

    expect(result).toMatchObject({
      state: "step_limit_reached",
      output: "",
      answer: null,
      error: { code: "STEP_LIMIT_REACHED", finalAttemptMade: true },
    });
    expect(added).toEqual([[1, 1]]);
  });

  test("a server that knows no tools ends the task where nothing else was allowed", async () => {
    dictate(refuses("test-model does not support tools"));

    expect(await solve([add], { toolCallingMode: "native" }).result).toMatchObject({
      state: "error",
      error: { code: "MODEL_TOOLS_UNSUPPORTED" },
    });
  });

  test("a recording of it answers again", async () => {
    dictate(calls({ id: "a", name: "add", arguments: '{"a":1}' }), text("2"));
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
    dictate(answer42);

    await solve([add], { model: model(name) }).result;

    const { tools, response_format: format } = sent(1);
    expect(tools !== undefined ? "native" : format !== undefined ? "structured" : "json").toBe(way);
  });

  test("goes on in JSON where the model refuses tools, says so, and tells earlier calls in words", async () => {
    dictate(
      calls({ id: "a", name: "add", arguments: '{"a":1}' }),
      text("Two."),
      refuses("llama-tiny does not support tools"),
      asks("add", { a: 5 }),
      answer42,
    );
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
    dictate(answer42);

    await solve([add, returns("")], { systemSuffix: "Be brief." }).result;

    const [system] = sent(1).messages;
    expect(system?.content).toContain("- add: Adds two numbers. | args=(a: float, b: float = 1)");
    expect(system?.content).toContain("- look: <no description> | args=()");
    expect(system?.content?.endsWith("\n\nBe brief.")).toBe(true);
  });

  test("has the rules of a file, and says how to reply all the same", async () => {
    dictate(answer42);

    await solve([add, fails], { promptFile: { file: "rules.md", text: "Use {helpers}." } }).result;

    const content = sent(1).messages[0]?.content ?? "";
    expect(content.startsWith("Use add, fail.\n\n## Your replies\n")).toBe(true);
  });

  test("stays where the file cannot be used, which is told (T80)", async () => {
    dictate(answer42);
    const run = solve([], { promptFile: { file: "rules.exe", text: "Use {helpers}." } });
    await run.result;

    expect(ofType(run, "notice")).toMatchObject([{ step: null, notice: { code: "PROMPT_FILE" } }]);
    expect(sent(1).messages[0]?.content).toMatch(/^You solve tasks step by step/);
  });
});
