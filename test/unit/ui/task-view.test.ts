import { expect, test } from "vitest";

import { OutputLog } from "../../../src/ui/state/output-log.js";
import { splitReply, TaskView } from "../../../src/ui/state/task-view.js";

test("a reply is thought and code from its first character on", () => {
  expect(splitReply("I look")).toEqual({ thought: "I look", code: null });
  expect(splitReply("I look.\n\n``")).toEqual({ thought: "I look.", code: null });
  expect(splitReply("I look.\n\n```python\nimport")).toEqual({ thought: "I look.", code: "import" });
  expect(splitReply("I look.\n```python\nimport csv\n```\nDone")).toEqual({ thought: "I look.", code: "import csv" });
});

test("a reasoning model's drafts are not shown as its thought", () => {
  expect(splitReply("<think>```python\nno\n```</think>I look.").thought).toBe("I look.");
  expect(splitReply("<think>still going").thought).toBe("");
});

test("output of one stream that comes in pieces is one block, cut at its beginning when it grows too long", () => {
  const log = new OutputLog();

  log.add({ kind: "stdout", text: "a" });
  log.add({ kind: "stdout", text: "b" });
  log.add({ kind: "stderr", text: "!" });
  log.add({ kind: "stdout", text: "x".repeat(50_000) });

  expect(log.blocks.map((block) => (block.kind === "text" ? [block.stream, block.length] : []))).toEqual([
    ["stdout", 2],
    ["stderr", 1],
    ["stdout", 50_000],
  ]);
  const last = log.blocks.at(-1);
  expect(last?.kind === "text" && last.text.length).toBe(40_000);
});

test("a task is drawn by its own events, not by those of agents that work in its course", () => {
  const view = new TaskView({ id: "1", task: "Go.", modelLabel: "a model" });
  const place = { parentId: null, sequence: 0, time: 0 };
  const step = (taskId: string, number: number, reply: string): void => {
    const about = { ...place, taskId, id: `${taskId}/${String(number)}`, step: number };
    view.apply({ type: "step-started", callsRunId: null, ...about });
    view.apply({ type: "model-text", ...about, text: reply });
  };

  step("root", 1, "I ask.");
  step("below", 1, "I am asked.");
  step("below", 2, "I go on.");
  view.apply({ type: "artifact", ...place, taskId: "below", id: "x", step: 2, name: "draft.md" });

  expect(view.steps.map(({ reply }) => reply)).toEqual(["I ask."]);
  expect(view.artifacts).toEqual([]);
});
