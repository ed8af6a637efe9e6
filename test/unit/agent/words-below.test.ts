import { expect, test } from "vitest";

import { rerunTask, type AgentEvent, type AgentRun } from "../../../src/agent/index.js";
import { savedTaskOf } from "../../../src/agent/saved/saved-task.js";
import { recordedModel, type Model, type ModelMessage } from "../../../src/model/index.js";
import { journalEntry, ReportedTask } from "../ui/agent-events.js";

/** A task that comes to nothing. */
const nothing: AgentRun = {
  taskId: "task-none",
  events: [],
  conversation: [],
  result: new Promise(() => undefined),
  say: () => undefined,
  async *[Symbol.asyncIterator]() {
    // It tells nothing.
  },
};

/** The events with the code of each step as the reply that it came from. */
function withReplies(events: readonly AgentEvent[]): AgentEvent[] {
  const codes = new Map(events.flatMap((event) => (event.type === "code" ? [[event.parentId, event.code]] : [])));
  return events.map((event) => {
    if (event.type !== "step-ended" || event.remembered === null) return event;
    const content = codes.get(event.id) ?? "";
    return { ...event, remembered: { ...event.remembered, reply: { role: "assistant", content } } };
  });
}

interface Below {
  /** Code, what was seen, code, what was seen, code. Empty for one whose model came to no reply. */
  readonly said: readonly string[];
}

/** What agents are told in a rerun of a task that has called one after the other, all with the text "Look.". */
function modelBelow(...tasks: readonly Below[]): Model {
  const root = new ReportedTask("Ask twice.");
  root.step("ask()");
  tasks.forEach(({ said }, index) => {
    const callId = `call-${String(index)}`;
    root.call(journalEntry(callId, { name: "assistant" }));
    const below = new ReportedTask("Look.", { of: root, callId });
    for (let step = 0; step < said.length; step += 2) {
      below.step(said[step] ?? "");
      below.endStep(said[step + 1] ?? null);
    }
  });
  root.end("done");
  let model: Model | undefined;
  rerunTask(savedTaskOf(withReplies(root.events), { taskId: root.taskId }), (parts) => {
    model = parts.modelBelow(recordedModel({ transcripts: [] }));
    return { run: () => nothing };
  });
  return model!;
}

/** What the model says next where it has been told the task and these things. */
async function next(model: Model, ...course: readonly string[]): Promise<string> {
  const rest = course.map((content, index): ModelMessage => ({
    role: index % 2 === 0 ? "assistant" : "user",
    content,
  }));
  let said = "";
  for await (const chunk of model.complete({ messages: [{ role: "user", content: "Look." }, ...rest] })) {
    if (chunk.type === "text") said += chunk.text;
  }
  return said;
}

const first: Below = { said: ["a()", "one", "b()"] };
const second: Below = { said: ["c()", "two", "d()"] };

test("agents that were given the same text are told their own words again, in the order in which they began", async () => {
  const model = modelBelow(first, second);

  expect(await next(model)).toBe("a()");
  expect(await next(model, "a()", "one")).toBe("b()");
  expect(await next(model)).toBe("c()");
  expect(await next(model, "c()", "two")).toBe("d()");
});

test("agents that work on the same text at once are told apart by what they were told before", async () => {
  const model = modelBelow(first, second, { said: ["a()", "three", "e()"] });

  const begun = await Promise.all([next(model), next(model), next(model)]);
  const told = [next(model, "c()", "two"), next(model, "a()", "three"), next(model, "a()", "one")];

  expect(begun).toEqual(["a()", "c()", "a()"]);
  expect(await Promise.all(told)).toEqual(["d()", "e()", "b()"]);
});

test("agents whose older steps are pruned are told apart by the last one, and refused words where that differs", async () => {
  const long: Below = { said: ["a()", "one", "b()", "two", "c()", "three", "d()"] };
  const other: Below = { said: ["a()", "one", "b()", "other", "e()", "three", "f()"] };
  const model = modelBelow(long, other);
  for (const course of [[], ["a()", "one"]]) await Promise.all([next(model, ...course), next(model, ...course)]);

  expect(await next(model, "b()", "other")).toBe("e()");
  expect(await next(model, "b()", "two")).toBe("c()");
  expect(await next(model, "a()", "o...", "b()", "two", "c()", "three")).toBe("d()");
  await expect(next(model, "e()", "else")).rejects.toMatchObject({ code: "RECORDING_MISMATCH" });
});

test("one to whom something else happens is refused its words; one that nobody asked then hears the last ones", async () => {
  const model = modelBelow(first, second);
  await next(model);
  await next(model);

  await expect(next(model, "c()", "else")).rejects.toMatchObject({ code: "RECORDING_MISMATCH", actual: "else" });
  await expect(next(model, "c()", "one")).rejects.toMatchObject({ code: "RECORDING_MISMATCH" });
  expect(await next(model)).toBe("c()");
  expect(await next(model, "c()", "two")).toBe("d()");
});

test("one whose model came to no reply takes no words of another, and asks the other model", async () => {
  const model = modelBelow({ said: [] }, second);

  await expect(next(model)).rejects.toMatchObject({ code: "UNKNOWN_TASK" });
  expect(await next(model)).toBe("c()");
});
