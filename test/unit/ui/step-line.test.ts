import { expect, test } from "vitest";

import { stepLine } from "../../../src/ui/state/task/step-line.js";
import { StepView } from "../../../src/ui/state/task/step-view.js";
import type { TaskStep } from "../../../src/ui/state/task/task-view.js";
import { journalEntry } from "./agent-events.js";

function step(part: Partial<TaskStep> = {}, agent: TaskStep["agent"] = "code"): TaskStep {
  return Object.assign(new StepView(1, 0, { agent, isImported: false }), part);
}

test.each<[string, TaskStep]>([
  [
    "I look at the file first.",
    step({ reply: "\n**I look** at the `file` first.\nThen I sum up.\n```python\n1\n```" }),
  ],
  ["Look", step({ reply: "## Look\n```python\n1\n```" })],
  ["import csv", step({ reply: "```python\n\nimport csv\n1\n```", code: "\nimport csv\n1" })],
  ["import csv", step({ reply: "<think>Hm.</think>```python\nimport csv" })],
  ["look, order", step({ toolCalls: ["look", "order"].map((name) => ({ id: name, name, arguments: "{}" })) }, "react")],
  [`{"answer": 42}`, step({ reply: `{"answer": 42}` }, "react")],
  ["", step()],
])("a step in one line is called %o", (title, view) => {
  expect(stepLine(view).title).toBe(title);
});

test("a line counts the calls that the step itself made, and tells that one of them failed", () => {
  const view = step();
  view.calls.entries.set("1", journalEntry("1"));
  view.calls.entries.set("2", journalEntry("2", { parent: "1" }));
  expect(stepLine(view)).toMatchObject({ facts: "1 call", hasFailed: false });

  view.calls.entries.set(
    "3",
    journalEntry("3", { outcome: { kind: "error", code: "TOOL", name: "ToolError", message: "no", elapsed: 1 } }),
  );

  expect(stepLine(view)).toMatchObject({ facts: "2 calls", hasFailed: true });
});
