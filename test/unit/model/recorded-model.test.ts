import { describe, expect, test } from "vitest";

import {
  formatTranscript,
  parseTranscript,
  recordedModel,
  recordTranscript,
  type Model,
  type ModelChunk,
  type ModelMessage,
  type Transcript,
} from "../../../src/model/index.js";

const TASK = "Sum the column.";
const transcript: Transcript = {
  format: "vitrine-transcript",
  version: 1,
  task: TASK,
  by: "test-model",
  steps: [
    { reply: "First I look.\n```python\nprint(rows)\n```", observed: "Observation:\n[1, 2, 3]" },
    { reply: "```python\nfinal_answer(sum(rows))\n```" },
  ],
  answer: "6",
};
const [first, second] = transcript.steps;

function messages(...turns: string[]): ModelMessage[] {
  return [
    { role: "system", content: "You write Python." },
    { role: "user", content: TASK },
    ...turns.map((content, index): ModelMessage => ({ role: index % 2 === 0 ? "assistant" : "user", content })),
  ];
}

async function collect(chunks: AsyncIterable<ModelChunk>): Promise<ModelChunk[]> {
  const all: ModelChunk[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return all;
}

async function replyOf(model: Model, ...turns: string[]): Promise<string> {
  const chunks = await collect(model.complete({ messages: messages(...turns) }));
  return chunks.map((chunk) => (chunk.type === "text" ? chunk.text : "")).join("");
}

const replay = () => recordedModel({ transcripts: [transcript], pace: 0 });

describe("a recorded model", () => {
  test("gives the replies in turn while what happens is what was recorded", async () => {
    const model = replay();

    expect(await replyOf(model)).toBe(first?.reply);
    expect(await replyOf(model, first?.reply ?? "", "Observation:\n[1, 2, 3]")).toBe(second?.reply);
  });

  test("streams a reply in pieces and ends it", async () => {
    const chunks = await collect(
      recordedModel({ transcripts: [transcript], pace: 1 }).complete({ messages: messages() }),
    );

    expect(chunks.filter(({ type }) => type === "text").length).toBeGreaterThan(2);
    expect(chunks.at(-1)).toEqual({ type: "done", finishReason: "stop", usage: null });
  });

  test("knows a task whatever the white space in it", async () => {
    const spaced: ModelMessage[] = [{ role: "user", content: " Sum  the\ncolumn. " }];

    expect(await collect(replay().complete({ messages: spaced }))).not.toEqual([]);
    expect(replay().transcriptFor("Sum the column. ")?.by).toBe("test-model");
  });

  test("stops where something else was observed, and shows both", async () => {
    const outcome = replyOf(replay(), first?.reply ?? "", "Observation:\n[1, 2, 4]");

    await expect(outcome).rejects.toMatchObject({
      name: "RecordingMismatchError",
      code: "RECORDING_MISMATCH",
      task: TASK,
      step: 1,
      expected: "Observation:\n[1, 2, 3]",
      actual: "Observation:\n[1, 2, 4]",
      message: expect.stringMatching(/no longer fits: at step 1 .* Record the task anew/),
    });
  });

  test("minds no line ends and no blanks at line ends", async () => {
    expect(await replyOf(replay(), first?.reply ?? "", "Observation: \r\n[1, 2, 3]\n")).toBe(second?.reply);
  });

  test("stops where the conversation goes on after the recorded end", async () => {
    const { steps } = transcript;

    const outcome = replyOf(
      replay(),
      steps[0]?.reply ?? "",
      steps[0]?.observed ?? "",
      steps[1]?.reply ?? "",
      "Execution error",
    );

    await expect(outcome).rejects.toMatchObject({
      code: "RECORDING_MISMATCH",
      step: 2,
      expected: "The task ended here with the answer: 6",
      actual: "Execution error",
    });
  });

  test("stops where the conversation is another model's", async () => {
    await expect(replyOf(replay(), "I say something else.", "Observation:\n[1, 2, 3]")).rejects.toMatchObject({
      code: "RECORDING_MISMATCH",
      actual: "I say something else.",
    });
  });

  test("does not know a task that was not recorded, and says which it knows and what to do", async () => {
    const unknown: ModelMessage[] = [{ role: "user", content: "Write a poem." }];

    await expect(collect(replay().complete({ messages: unknown }))).rejects.toMatchObject({
      name: "UnknownTaskError",
      code: "UNKNOWN_TASK",
      task: "Write a poem.",
      known: [TASK],
      message: expect.stringMatching(/"Write a poem\." was not\. It knows: "Sum the column\."\. .*settings/),
    });
  });

  test("says when the prompt is not the recorded one, once", async () => {
    const model = recordedModel({ transcripts: [{ ...transcript, prompt: "fnv1a:00000000" }], pace: 0 });

    const start = await collect(model.complete({ messages: messages() }));
    const next = await collect(model.complete({ messages: messages(first?.reply ?? "", first?.observed ?? "") }));

    expect(start[0]).toMatchObject({ type: "notice", notice: { code: "PROMPT_CHANGED" } });
    expect(next.some(({ type }) => type === "notice")).toBe(false);
  });

  test("replays the later of two recordings of a task", async () => {
    const later: Transcript = { ...transcript, by: "hand", steps: [{ reply: "Newer." }] };
    const model = recordedModel({ transcripts: [transcript, later], pace: 0 });

    expect(await replyOf(model)).toBe("Newer.");
    expect(model.transcripts).toEqual([later]);
  });

  test("stops in the middle of a reply when its signal is aborted", async () => {
    const stop = new AbortController();
    const reason = new Error("enough");
    const chunks: ModelChunk[] = [];

    const ended = (async () => {
      const model = recordedModel({ transcripts: [transcript], pace: 60_000 });
      for await (const chunk of model.complete({ messages: messages() }, { signal: stop.signal })) {
        chunks.push(chunk);
        queueMicrotask(() => {
          stop.abort(reason);
        });
      }
    })();

    await expect(ended).rejects.toBe(reason);
    expect(chunks).toHaveLength(1);
  });
});

describe("a recorder", () => {
  test("passes a model's replies on and yields a transcript that replays them", async () => {
    const recorder = recordTranscript(replay());
    await replyOf(recorder);
    await replyOf(recorder, first?.reply ?? "", first?.observed ?? "");

    const recorded = recorder.transcript({ answer: "6" });

    expect(recorded).toMatchObject({ task: TASK, by: "recorded", steps: transcript.steps, answer: "6" });
    const again = recordedModel({ transcripts: recorded === undefined ? [] : [recorded], pace: 0 });
    expect(await collect(again.complete({ messages: messages() }))).not.toContainEqual(
      expect.objectContaining({ type: "notice" }),
    );
    expect(await replyOf(again, first?.reply ?? "", first?.observed ?? "")).toBe(second?.reply);
  });

  test("keeps what was recorded before a reply that failed", async () => {
    const recorder = recordTranscript(replay());
    await replyOf(recorder);
    await replyOf(recorder, first?.reply ?? "", "Something else.").catch(() => "");

    expect(recorder.transcript()?.steps).toEqual([{ reply: first?.reply }]);
  });

  test("has no transcript before the first reply", () => {
    expect(recordTranscript(replay()).transcript()).toBeUndefined();
  });

  test("has every task that it was asked, each with its latest replies, each to be had by its text, and ends with the one that ended", async () => {
    const other = { ...transcript, task: "Another one" };
    const model = recordTranscript(recordedModel({ transcripts: [transcript, other], pace: 0 }));
    await replyOf(model);
    await collect(model.complete({ messages: [{ role: "user", content: "Another one" }] }));
    await replyOf(model, first?.reply ?? "", first?.observed ?? "");

    expect(model.transcripts().map(({ task, steps }) => [task, steps.length])).toEqual([
      [TASK, 2],
      ["Another one", 1],
    ]);
    expect(model.transcript()?.task).toBe(TASK);
    expect(model.transcript({ task: " Another  one ", answer: "7" })).toMatchObject({
      task: "Another one",
      answer: "7",
    });
    expect(model.transcript({ task: "Never asked" })).toBeUndefined();
  });

  test("starts over with the next task", async () => {
    const recorder = recordTranscript(replay());
    await replyOf(recorder, first?.reply ?? "", first?.observed ?? "");
    await replyOf(recorder);

    expect(recorder.transcript()?.steps).toHaveLength(1);
  });

  test("writes a file that reads back the same, code and all", async () => {
    const recorder = recordTranscript(replay());
    await replyOf(recorder, first?.reply ?? "", first?.observed ?? "");
    const recorded = recorder.transcript({ answer: "6" });
    if (recorded === undefined) throw new Error("nothing was recorded");

    const text = formatTranscript(recorded);

    expect(text).toContain("reply: |-\n      First I look.\n      ```python\n      print(rows)\n");
    expect(parseTranscript({ file: "sum.yaml", text })).toEqual(recorded);
  });
});

describe("tool calls", () => {
  const call = { id: "a", name: "weather", arguments: '{"city":"Oslo"}' };
  const asked: ModelMessage[] = [{ role: "user", content: "How warm is it in Oslo and Bergen?" }];
  const calls = [call, { ...call, id: "b", arguments: '{"city":"Bergen"}' }];
  const answered: ModelMessage[] = [
    ...asked,
    { role: "assistant", content: "Let me look.", toolCalls: calls },
    { role: "tool", content: "7", toolCallId: "a" },
    { role: "tool", content: "9", toolCallId: "b" },
  ];
  const recording: Transcript = {
    format: "vitrine-transcript",
    version: 2,
    task: "How warm is it in Oslo and Bergen?",
    by: "test-model",
    steps: [{ reply: "Let me look.", toolCalls: calls, observed: "7\n\n9" }, { reply: "7 and 9." }],
  };
  const model = () => recordedModel({ transcripts: [recording], pace: 0 });

  test("are replayed, and what the tools answered is what was observed", async () => {
    const first = await collect(model().complete({ messages: asked }));
    const second = await collect(model().complete({ messages: answered }));

    expect(first.slice(-3)).toEqual([
      { type: "tool-call", call: calls[0] },
      { type: "tool-call", call: calls[1] },
      { type: "done", finishReason: "tool-calls", usage: null },
    ]);
    expect(second.at(-1)).toEqual({ type: "done", finishReason: "stop", usage: null });
  });

  test("that a tool answers otherwise end the replay", async () => {
    const other: ModelMessage[] = [...answered.slice(0, -1), { role: "tool", content: "11", toolCallId: "b" }];

    await expect(collect(model().complete({ messages: other }))).rejects.toMatchObject({
      code: "RECORDING_MISMATCH",
      step: 1,
      expected: "7\n\n9",
      actual: "7\n\n11",
      isRetryable: false,
    });
  });

  test("that are not the recorded ones end the replay, and both are shown", async () => {
    const [question, , ...results] = answered;
    const other: ModelMessage[] = [
      ...(question === undefined ? [] : [question]),
      { role: "assistant", content: "Let me look.", toolCalls: [call] },
      ...results,
    ];

    await expect(collect(model().complete({ messages: other }))).rejects.toMatchObject({
      code: "RECORDING_MISMATCH",
      expected: 'weather({"city":"Oslo"})\nweather({"city":"Bergen"})',
      actual: 'weather({"city":"Oslo"})',
    });
  });

  test("are recorded, in a file that reads back the same and replays", async () => {
    const recorder = recordTranscript(model());
    await collect(recorder.complete({ messages: asked }));
    await collect(recorder.complete({ messages: answered }));

    const recorded = recorder.transcript();
    if (recorded === undefined) throw new Error("nothing was recorded");

    expect(recorded).toMatchObject({ version: 2, steps: recording.steps });
    expect(parseTranscript({ file: "weather.yaml", text: formatTranscript(recorded) })).toEqual(recorded);
  });

  test("are what version 2 is for: a recording without any has version 1", async () => {
    const recorder = recordTranscript(replay());
    await replyOf(recorder);

    expect(recorder.transcript()?.version).toBe(1);
  });

  test("do not end with the first turn: what the user says next is part of what was observed", async () => {
    const goOn: Transcript = {
      ...transcript,
      steps: [{ reply: "6", observed: "And their mean?" }, { reply: "2" }],
    };

    expect(await replyOf(recordedModel({ transcripts: [goOn], pace: 0 }), "6", "And their mean?")).toBe("2");
  });
});

test("a recorder sees what its model sees", () => {
  const seeing: Model = {
    ...replay(),
    name: "m",
    kind: "openai",
    sees: true,
    complete: () => replay().complete({ messages: [] }),
  };

  expect(recordTranscript(seeing).sees).toBe(true);
  expect(recordTranscript(replay()).sees).toBe(false);
});
