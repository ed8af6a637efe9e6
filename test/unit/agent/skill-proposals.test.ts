import { describe, expect, test } from "vitest";

import { parseProposal } from "../../../src/agent/learning/parse-proposal.js";
import { ToolRecord, UnrecordedCallError } from "../../../src/agent/learning/tool-record.js";
import type { Value } from "../../../src/protocol/index.js";
import type { Tool } from "../../../src/tools/index.js";

const F = "```";
const python = `${F}python\ndef run(n: int) -> int:\n    """Twice."""\n    return 2 * n\n${F}`;
const json = (about: unknown): string => `${F}json\n${JSON.stringify(about)}\n${F}`;
const read = (text: string, finishReason: "stop" | "length" = "stop") => parseProposal({ text, finishReason });

describe("what the model says to the question for a skill", () => {
  test("is a proposal of two blocks, whatever stands around them", () => {
    const reply = `Gladly.\n${python}\nand\n${json({ name: "twice", arguments: { n: 2 }, reason: "To double.", more: 1 })}\nDone.`;

    expect(read(reply)).toEqual({
      kind: "proposal",
      proposal: {
        name: "twice",
        source: 'def run(n: int) -> int:\n    """Twice."""\n    return 2 * n\n',
        arguments: { n: 2 },
        reason: "To double.",
      },
    });
    expect(read(`${python}\n${json({ name: "twice" })}`)).toMatchObject({
      kind: "proposal",
      proposal: { arguments: {}, reason: "" },
    });
  });

  test("takes what is about the skill from the last block: its docstring may show one", () => {
    const docstring = `${F}python\ndef run() -> str:\n    """Write JSON.\n\n    ${F}json\n    {"name": "other"}\n    ${F}\n    """\n    return "{}"\n${F}`;

    const parsed = read(`${docstring}\n${json({ name: "write_json" })}`);

    expect(parsed).toMatchObject({ kind: "proposal", proposal: { name: "write_json" } });
    expect(parsed.kind === "proposal" && parsed.proposal.source).toContain('return "{}"');
  });

  test.each([
    ["no skill", "No skill: it was one call."],
    ["a block that shows what it would not be", `no skill, since\n${F}\ntools.rates()\n${F}\nis all there is`],
  ])("may be that there is none: %s", (_, text) => {
    expect(read(text)).toMatchObject({ kind: "none" });
  });

  test.each([
    ["words alone", "It is a fine task.", "no ```python block"],
    ["a skill without what is about it", python, "no ```json block"],
    ["another form", `${python}\n${json({ title: "twice" })}`, "not as asked for"],
    ["arguments that are none", `${python}\n${json({ name: "twice", arguments: [1] })}`, "not as asked for"],
    ["no JSON", `${python}\n${F}json\n{name: twice}\n${F}`, "cannot be read"],
    ["JSON without an end", `${python}\n${F}json\n${"[".repeat(9000)}\n${F}`, "cannot be read"],
    ["a block without an end", `${F}python\ndef run(): ...`, "does not end"],
    ["a long one", `${F}python\nx = "${"a".repeat(20_001)}"\n${F}\n${json({ name: "x" })}`, "longer than 20,000"],
  ])("is sent back where it is %s", (_, text, problem) => {
    expect(read(text)).toMatchObject({ kind: "bad", problem: expect.stringContaining(problem) });
  });

  test("is sent back where it was cut off", () => {
    expect(read(`${python}\n${json({ name: "twice" })}`, "length")).toMatchObject({ kind: "bad" });
  });
});

const shop: Tool = {
  name: "shop",
  description: "A shop.",
  tags: [],
  hints: {},
  timeout: 1000,
  callables: [
    {
      name: "find",
      description: "",
      parameters: [
        { name: "word", type: "string", required: true, description: "" },
        { name: "limit", type: "integer", required: false, default: 10, description: "" },
      ],
    },
  ],
};

function record(...calls: readonly (readonly [name: string, args: Record<string, Value>, answer: Value | Error])[]) {
  const kept = new ToolRecord();
  for (const [name, args, answer] of calls) {
    const heard = kept.observe({ name, arguments: args });
    if (answer instanceof Error) heard.failed(answer);
    else heard.returned(answer);
  }
  return kept;
}

describe("the calls of a trial", () => {
  test("are answered as the same calls of the task were, one after the other", () => {
    const failure = new Error("sold out");
    const answers = record(
      ["shop.find", { word: "lamp", limit: 10 }, ["lamp 1"]],
      ["shop.find", { word: "chair" }, ["chair"]],
      ["shop.find", { limit: 10, word: "lamp" }, failure],
    ).answers([shop]);

    expect(answers.take("shop.find", { word: "chair", limit: 10 })).toEqual(["chair"]);
    expect(answers.take("shop.find", { word: "lamp" })).toEqual(["lamp 1"]);
    expect(() => answers.take("shop.find", { word: "lamp" })).toThrow(failure);
    expect(() => answers.take("shop.find", { word: "lamp" })).toThrow(/the task made this call less often/);
  });

  test("are told apart by value: kind, nesting, bytes", () => {
    const bytes = new Uint8Array([1, 2]);
    const answers = record(
      ["put", { rows: [{ a: 1, b: null }], body: bytes }, 1],
      ["put", { rows: [{ a: "1", b: null }], body: bytes }, 2],
    ).answers([]);

    expect(answers.take("put", { body: new Uint8Array([1, 2]), rows: [{ b: null, a: "1" }] })).toBe(2);
    expect(() => answers.take("put", { rows: [{ a: 1, b: null }], body: new Uint8Array([1, 3]) })).toThrow(
      UnrecordedCallError,
    );
  });

  test("are refused with what the task did instead", () => {
    const answers = record(["shop.find", { word: "lamp" }, []]).answers([shop]);

    expect(() => answers.take("shop.order", { word: "lamp" })).toThrow(
      "tools.shop.order is refused in this trial: the task did not call this tool.",
    );
    expect(() => answers.take("shop.find", { word: "sofa" })).toThrow('with other arguments: {"word":"lamp"}.');
  });

  test("are refused where their answer is not known whole", () => {
    const small = new ToolRecord({ isPartial: true, room: 1000 });
    small.observe({ name: "read", arguments: { path: "a" } }).returned("x".repeat(2000));
    small.observe({ name: "read", arguments: { path: "b" } });
    const answers = small.answers([]);

    expect(() => answers.take("read", { path: "a" })).toThrow(/too large to be kept/);
    expect(() => answers.take("read", { path: "b" })).toThrow(/had not ended/);
    expect(() => answers.take("read", { path: "c" })).toThrow(/before the task was taken up only summaries are kept/);
  });
});
