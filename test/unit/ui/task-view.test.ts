import { expect, test } from "vitest";

import { OutputLog } from "../../../src/ui/state/text/output-log.js";
import { splitReply } from "../../../src/ui/state/text/split-reply.js";
import { TaskView } from "../../../src/ui/state/task/task-view.js";
import { ReportedTask } from "./agent-events.js";

test("a reply is thought and code from its first character on", () => {
  expect(splitReply("I look")).toEqual({ thought: "I look", code: null });
  expect(splitReply("I look.\n\n``")).toEqual({ thought: "I look.", code: null });
  expect(splitReply("I look.\n\n```python\nimport")).toEqual({ thought: "I look.", code: "import" });
  expect(splitReply("I look.\n```python\nimport csv\n```\nDone")).toEqual({ thought: "I look.", code: "import csv" });
});

test("a reasoning model's drafts are not shown as its thought", () => {
  expect(splitReply("<think>```python\nno\n```</think>I look.").thought).toBe("I look.");
  expect(splitReply("<think>still going").thought).toBe("");
  expect(splitReply("```python\nno\n```\n</think>I look.")).toEqual({ thought: "I look.", code: null });
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

test("of very many outputs the newest are kept, and it is counted how many are not", () => {
  const log = new OutputLog();

  for (let index = 0; index < 5000; index++) {
    log.add({ kind: index % 2 === 0 ? "stdout" : "stderr", text: `${String(index)}\n` });
    log.add({ kind: "signal", type: "explore", message: "" });
  }

  expect(log.blocks).toHaveLength(300);
  expect(log.leftOut).toBe(9700);
  expect(log.blocks.at(-2)).toMatchObject({ kind: "text", stream: "stderr", text: "4999\n" });
});

test("what is told of an agent whose beginning is not known is drawn nowhere", () => {
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

test("what is said after the model's last step is unread, once the task is over", () => {
  const told = new ReportedTask("Go.");
  const view = new TaskView({ id: "1", task: "Go.", modelLabel: "a model" });
  told.step("1");
  told.say("Mind the gap.");
  told.step("2");
  told.say("And the doors.");
  const unread = (): string[] =>
    view.parts.flatMap((part) => (part.kind === "said" && view.isUnread(part) ? [part.text] : []));

  for (const event of told.events) view.apply(event);
  expect(unread()).toEqual([]);

  view.end("cancelled");
  expect(unread()).toEqual(["And the doors."]);
});
