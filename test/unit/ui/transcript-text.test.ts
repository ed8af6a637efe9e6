import { expect, test } from "vitest";

import { TaskView } from "../../../src/ui/state/task/task-view.js";
import { transcriptMarkdown } from "../../../src/ui/state/task/transcript-text.js";
import { journalEntry, ReportedTask } from "./agent-events.js";

function markdownOf(task: ReportedTask): string {
  const view = new TaskView({ id: "1", task: "Go.", modelLabel: "a model" });
  for (const event of task.events) view.apply(event);
  return transcriptMarkdown([{ kind: "task", id: "1", view }]);
}

test("the Markdown has what the person said, what they were asked and answered, and where the task was taken up", () => {
  const task = new ReportedTask("Go.");
  task.step("name = input('Who?')");
  const place = { id: `${task.taskId}/1/question-1`, parentId: `${task.taskId}/1`, step: 1 };
  task.add({ type: "question", ...place, question: "Who?", answer: null });
  task.add({ type: "question", ...place, question: "Who?", answer: "Ada" });
  task.endStep();
  task.add({ type: "user-message", id: "said", parentId: task.taskId, step: null, text: "Be quick." });
  task.step("order()");
  const lost = journalEntry("call-1", { name: "order", outcome: { kind: "unknown" } });
  task.add({
    type: "task-resumed",
    id: task.taskId,
    parentId: null,
    step: null,
    model: { name: "other", kind: "openai" },
    maxSteps: 8,
    budget: {},
    interrupted: { step: 2, finished: [], unknown: [lost] },
    gone: ["name"],
    unknown: ["half"],
    told: null,
  });

  const text = markdownOf(task);

  const order = [
    "**The code asked:** Who?",
    "**You answered:** Ada",
    "**You said:** Be quick.",
    "## Step 2",
    "**Taken up here**",
  ];
  expect(order.map((part) => text.indexOf(part))).toEqual(
    order.map((part) => text.indexOf(part)).toSorted((a, b) => a - b),
  );
  expect(order.filter((part) => !text.includes(part))).toEqual([]);
  expect(text).toContain("Step 2 did not end. It is not run again.");
  expect(text).toContain("It is not known whether these are still there: `half`");
  expect(text).toContain("May have taken effect:\n- ? `tools.order()` (outcome unknown)");
  expect(text).toContain("Gone: `name`");
});

test("the Markdown has what the card shows of an agent: what it thought, kept in mind and used, and how it made sure", () => {
  const task = new ReportedTask("Go.");
  const { taskId } = task;
  task.step("store('unit', 'm')");
  task.add({ type: "model-reasoning", id: "thought", parentId: `${taskId}/1`, step: 1, text: "It is\nmetres." });
  const answer = { value: "7", text: "7", verifiedBy: "counted twice", source: "normal" } as const;
  task.add({ type: "answer", id: `${taskId}/1/answer`, parentId: `${taskId}/1`, step: 1, answer });
  task.endStep();
  const view = new TaskView({ id: "1", task: "Go.", modelLabel: "a model" });
  for (const event of task.events) view.apply(event);
  view.memory = {
    values: [{ name: "unit", shown: "'m'" }],
    observations: ["The gate\nis shut."],
    failedApproaches: ["Asked twice."],
    variables: [],
  };
  view.notices.push("It was not saved.");

  const text = transcriptMarkdown([{ kind: "task", id: "1", view }]);

  expect(text).toContain("> **What the model thought:**\n>\n> It is\n> metres.");
  expect(text).toContain("## Answer\n\n7\n\nChecked by the agent: counted twice");
  expect(text).toContain("Kept values:\n- `unit` = `'m'`");
  expect(text).toContain("Found out:\n- The gate\n  is shut.\n\nTried without success:\n- Asked twice.");
  expect(text).toContain("*It was not saved.*");
  expect(text).toMatch(/\*Used: 1 of 4 steps · 1 of 6 model calls · 100 tokens.*\*\n$/);
});

test("a step of the agent that calls tools has its reply and what the model was told back", () => {
  const task = new ReportedTask("Go.");
  const { taskId } = task;
  const view = new TaskView({ id: "1", task: "Go.", modelLabel: "a model" });
  task.step("");
  task.endStep("Observation: 7");
  for (const event of task.events) {
    if (event.type === "code") continue;
    view.apply(event.type === "task-started" ? { ...event, agent: "react" } : event);
  }

  expect(view.steps[0]).toMatchObject({ agent: "react", observation: "Observation: 7" });
  expect(taskId).toBe(view.taskId);
  expect(transcriptMarkdown([{ kind: "task", id: "1", view }])).toContain(
    "## Step 1\n\nI go on.\n\nThe model was told:\n\n```\nObservation: 7\n```",
  );
});
