import { describe, expect, test } from "vitest";

import { rerunTask, type AgentEvent, type AgentRun, type RerunParts } from "../../../src/agent/index.js";
import { readEventLine } from "../../../src/agent/saved/read-event-line.js";
import { savedTaskOf } from "../../../src/agent/saved/saved-task.js";
import { writeEventLine } from "../../../src/agent/saved/write-event-line.js";
import type { CodegenEvent, CodegenEventBody, CodegenItem } from "../../../src/codegen/index.js";
import { codegenError } from "../../../src/codegen/errors.js";
import { failedResult } from "../../../src/codegen/outcome/result.js";
import { ProgramReporter } from "../../../src/codegen/program-reporter.js";
import { parseContract } from "../../../src/contract/index.js";
import { recordedModel, transcriptOf } from "../../../src/model/index.js";
import { agentStanding, agentTree, type AgentNode } from "../../../src/ui/state/task/agent-tree.js";
import { TaskView } from "../../../src/ui/state/task/task-view.js";
import { transcriptMarkdown } from "../../../src/ui/state/task/transcript-text.js";
import { journalEntry, ReportedTask } from "./agent-events.js";

function draw(events: readonly AgentEvent[]): TaskView {
  const view = new TaskView({ id: "1", task: "Go.", modelLabel: "a model" });
  for (const event of events) view.apply(event);
  return view;
}

/** The events as they come back from where they were saved. */
const savedAndRead = (events: readonly AgentEvent[]): AgentEvent[] =>
  events.map((event) => readEventLine(writeEventLine(event)));

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

/** Every agent by name and state, those below it in brackets. */
function shape({ name, view, below }: AgentNode): string {
  const steps = `${name} ${view.state} ${String(view.steps.length)}`;
  return below.length === 0 ? steps : `${steps} (${below.map(shape).join(", ")})`;
}

/** A task whose step calls two agents at once, the first of which calls another one. */
function threeBelow(): ReportedTask {
  const root = new ReportedTask("Share it out.");
  root.step("gather(…)");
  root.call(journalEntry("call-1"));
  root.call(journalEntry("call-2"));
  // The second one is quicker to begin; they are drawn in the order of their calls all the same.
  const two = new ReportedTask("The second half.", { of: root, callId: "call-2" });
  const one = new ReportedTask("The first half.", { of: root, callId: "call-1" });
  one.step("ask()");
  two.step("x = 2");
  one.call(journalEntry("call-3", { name: "checker" }));
  const inner = new ReportedTask("Check it.", { of: one, callId: "call-3" });
  inner.step("1 + 1");
  inner.end("right");
  two.endStep();
  one.end("half");
  two.step("y = x");
  two.end("other half");
  root.end("whole");
  return root;
}

describe("agents in the course of a task", () => {
  test("are drawn below the calls that they are, each with its steps, answer and budget", () => {
    const view = draw(threeBelow().events);

    expect(view.steps.map(({ code }) => code)).toEqual(["gather(…)"]);
    const [step] = view.steps;
    const [one] = step!.calls.contents.get("call-1")!.tasks;
    const [two] = step!.calls.contents.get("call-2")!.tasks;
    expect([one!.task, two!.task]).toEqual(["The first half.", "The second half."]);
    expect(two!.steps.map(({ code }) => code)).toEqual(["x = 2", "y = x"]);
    expect(one!.steps[0]!.calls.contents.get("call-3")!.tasks[0]!.answer?.text).toBe("right");
    expect(one).toMatchObject({ state: "completed", modelLabel: "small", maxSteps: 4, budget: { modelCalls: 6 } });
    expect(shape(agentTree(view))).toBe(
      "Code agent completed 1 (assistant completed 1 (checker completed 1), assistant completed 2)",
    );
  });

  test("are drawn anew with everything around them whenever something is told of them", () => {
    const { events } = threeBelow();
    const view = new TaskView({ id: "1", task: "Go.", modelLabel: "a model" });
    const versions: number[] = [];
    for (const event of events) {
      view.apply(event);
      versions.push(view.version);
    }

    expect(versions).toEqual([...new Set(versions)].sort((one, other) => one - other));
    expect(view.steps[0]!.version).toBeGreaterThan(events.length / 2);
  });

  test("look the same when a saved task is read back", () => {
    const { events } = threeBelow();

    const view = draw(savedAndRead(events));

    expect(shape(agentTree(view))).toBe(shape(agentTree(draw(events))));
    expect(transcriptMarkdown([{ kind: "task", id: "1", view }])).toBe(
      transcriptMarkdown([{ kind: "task", id: "1", view: draw(events) }]),
    );
  });

  test("end with a task that lost its page, and with one that is stopped", () => {
    const { events } = threeBelow();
    const half = events.slice(
      0,
      events.findIndex(({ type }) => type === "answer"),
    );

    const interrupted = draw(half);
    interrupted.settle("interrupted");
    const stopped = draw(half);
    stopped.end("cancelled");

    expect(shape(agentTree(interrupted))).toBe(
      "Code agent interrupted 1 (assistant interrupted 1 (checker interrupted 1), assistant interrupted 1)",
    );
    expect(shape(agentTree(stopped))).toBe(
      "Code agent cancelled 1 (assistant cancelled 1 (checker cancelled 1), assistant cancelled 1)",
    );
  });

  test("and their calls end where a replay is stopped, and none of these calls is said to have been lost", () => {
    const root = new ReportedTask("Share it out.");
    root.step("assistant(…)");
    root.call(journalEntry("call-1"));
    const below = new ReportedTask("A part of it.", { of: root, callId: "call-1" });
    below.step("check()");
    below.call(journalEntry("call-2", { name: "check" }));
    const view = new TaskView({ id: "1", task: "Go.", modelLabel: "a model", origin: "replay" });
    for (const event of root.events) view.apply(event);

    view.end("cancelled");

    const [step] = view.steps;
    const inner = step!.calls.contents.get("call-1")!.tasks[0]!.steps[0]!;
    expect([step!.state, inner.state]).toEqual(["ended", "ended"]);
    expect([...step!.calls.notReplayed, ...inner.calls.notReplayed]).toEqual(["call-1", "call-2"]);
    const text = transcriptMarkdown([{ kind: "task", id: "1", view }]);
    expect(text).toContain("- ? `tools.assistant()` (not replayed)");
    expect(text).toContain("> - ? `tools.check()` (not replayed)");
    expect(text).not.toMatch(/running|unknown/);
  });

  test("are told in a rerun what was said to them then; of what nobody was asked then another model is asked", async () => {
    const root = threeBelow();
    const given: RerunParts[] = [];
    const saved = savedTaskOf(savedAndRead(root.events), { taskId: root.taskId });
    rerunTask(saved, (parts) => {
      given.push(parts);
      return { run: () => nothing };
    });
    const { modelBelow } = given[0]!;
    const other = recordedModel({
      transcripts: [transcriptOf({ task: "Something new", by: "another", steps: [{ reply: "New." }] })],
    });

    const says = async (task: string): Promise<string> => {
      let said = "";
      for await (const chunk of modelBelow(other).complete({ messages: [{ role: "user", content: task }] })) {
        if (chunk.type === "text") said += chunk.text;
      }
      return said;
    };

    expect(await says("Check it.")).toBe("I go on.");
    expect(await says("Something new")).toBe("New.");
    await expect(says("Never asked")).rejects.toMatchObject({ code: "UNKNOWN_TASK" });
  });

  test("say that they wait for a person, and for what, where that is so", () => {
    const root = new ReportedTask("Share it out.");
    root.step("gather(…)");
    root.call(journalEntry("call-1"));
    root.call(journalEntry("call-2"));
    const asking = new ReportedTask("Ask.", { of: root, callId: "call-1" });
    asking.step("input('Which town?')");
    const place = { id: `${asking.taskId}/1/question-1`, parentId: `${asking.taskId}/1`, step: 1 };
    asking.add({ type: "question", ...place, question: "Which town?", answer: null });
    const sending = new ReportedTask("Send.", { of: root, callId: "call-2" });
    sending.step("tools.send_mail()");
    const waiting = { callId: null, path: sending.work.path, deed: "allow tools.send_mail" };
    const standings = (view: TaskView): string[] =>
      [view, ...view.below].map((each) => agentStanding(each, waiting).text);

    const view = draw(root.events);

    expect(standings(view)).toEqual([
      "Running",
      "Waits for your answer: Which town?",
      "Waits for you to allow tools.send_mail",
    ]);
    const replayed = new TaskView({ id: "1", task: "Go.", modelLabel: "a model", origin: "replay" });
    for (const event of root.events) replayed.apply(event);
    expect(standings(replayed)).toEqual(["Running", "Running", "Running"]);
    asking.add({ type: "question", ...place, question: "Which town?", answer: "Oslo" });
    expect(standings(draw(root.events))[1]).toBe("Running");
  });

  test("are quoted in the Markdown of the transcript below their calls, as deep as they are", () => {
    const text = transcriptMarkdown([{ kind: "task", id: "1", view: draw(threeBelow().events) }]);

    expect(text).toMatch(/- · `tools\.assistant\(\)` \(running\)\n\n> \*\*Agent assistant:\*\* The first half\./);
    expect(text).toContain("\n> > **Agent checker:** Check it.");
    expect(text).toContain("\n> > ## Step 1 of checker");
    expect(text).toContain("\n> > right");
  });
});

const CONTRACT = parseContract({
  summary: { type: "inline", format: "markdown", description: "A sentence." },
  chart: { type: "file", filename: "chart.svg", mime: "image/svg+xml", description: "Bars." },
});

function item(artifactId: string, part: Partial<CodegenItem> = {}): CodegenItem {
  return {
    artifactId,
    kind: "inline",
    format: "markdown",
    mime: null,
    description: "",
    status: "success",
    output: { kind: "inline", value: "Done.", text: "Done." },
    summary: "Made it",
    error: null,
    draft: false,
    gaps: null,
    sourcesUsed: [],
    unresolvedSources: [],
    warnings: [],
    ...part,
  };
}

const INVALID = codegenError({ where: "execution", error: "artifact_invalid", description: "svg_parse_failed" });

/** Reports a program to a task, whose call is `call-1`. */
class ReportedProgram {
  readonly #reporter: ProgramReporter;
  #sequence = 0;

  constructor(task: ReportedTask) {
    this.#reporter = new ProgramReporter(task.caller, "call-1");
  }

  tell(body: CodegenEventBody, id: string, parentId: string | null = "cg-1"): void {
    const event: CodegenEvent = { ...body, id, parentId, runId: "cg-1", sequence: this.#sequence, time: 0 };
    this.#sequence += 1;
    this.#reporter.report(event);
  }

  begin(): void {
    this.tell(
      { type: "codegen-started", progName: "Report", instruction: "Do it.", contract: CONTRACT, model: "large" },
      "cg-1",
      null,
    );
  }

  write(attempt: number, pieces: readonly string[]): void {
    const id = `cg-1/${String(attempt)}/generation`;
    this.tell({ type: "generation-started", attempt }, id);
    for (const text of pieces) this.tell({ type: "program-text", attempt, text }, `${id}/text`, id);
    const usage = { inputTokens: 30, outputTokens: 4 };
    this.tell({ type: "generation-ended", attempt, code: pieces.join(""), error: null, usage, elapsed: 9 }, id);
  }

  run(attempt: number, code: string): void {
    this.tell({ type: "run-started", attempt, code }, `cg-1/${String(attempt)}/run`);
  }

  endRun(attempt: number): void {
    const id = `cg-1/${String(attempt)}/run`;
    this.tell({ type: "run-ended", attempt, runError: null, error: null, elapsed: 3 }, id);
  }
}

/** A program whose chart is refused, and that is mended. Ends before the second one runs. */
function mendedProgram(): { readonly task: ReportedTask; readonly program: ReportedProgram } {
  const task = new ReportedTask("Report.");
  task.step("tools.codegen_python(…)");
  task.call(journalEntry("call-1", { name: "codegen_python" }));
  const program = new ReportedProgram(task);
  program.begin();
  program.write(1, ["look()\n", "done()"]);
  program.run(1, "look()\ndone()");
  const entry = journalEntry("call-2", { name: "stock", outcome: { kind: "ok", summary: 7, elapsed: 1 } });
  program.tell({ type: "call", attempt: 1, entry }, "cg-1/1/run/call-2", "cg-1/1/run");
  program.tell({ type: "artifact", attempt: 1, artifactId: "summary", draft: false }, "a", "cg-1/1/run");
  program.tell(
    { type: "progress", attempt: 1, objective: null, status: "Draws", story: ["Looked."] },
    "p",
    "cg-1/1/run",
  );
  return { task, program };
}

function mend({ program }: ReturnType<typeof mendedProgram>): void {
  program.endRun(1);
  const items = [item("summary"), item("chart", { status: "error", output: null, error: INVALID })];
  program.tell({ type: "repair", attempt: 1, error: INVALID, items }, "cg-1/1/repair");
  program.write(2, ["done()"]);
}

describe("a program by contract in the course of a task", () => {
  test("is drawn below its call: its slots wait, are handed in, refused, wait again and are filled", () => {
    const told = mendedProgram();
    const { task, program } = told;
    const slots = (): string[] => {
      const [drawn] = draw(task.events).steps[0]!.calls.contents.get("call-1")!.programs;
      return drawn!.slots.map(({ slot, state }) => `${slot.id} ${state}`);
    };
    expect(slots()).toEqual(["summary handed-in", "chart waiting"]);

    mend(told);
    expect(slots()).toEqual(["summary waiting", "chart waiting"]);

    program.run(2, "done()");
    program.endRun(2);
    const chart = {
      kind: "file",
      path: "chart.svg",
      workspacePath: "codegen/cg-1/chart.svg",
      size: 9,
      text: "",
    } as const;
    program.tell({ type: "item", item: item("summary") }, "cg-1/item/summary");
    program.tell({ type: "item", item: item("chart", { output: chart }) }, "cg-1/item/chart");
    const result = {
      ...failedResult("cg-1", INVALID),
      ok: true,
      error: null,
      status: "success",
      summary: "Made 2",
    } as const;
    program.tell({ type: "codegen-ended", result }, "cg-1/end");
    expect(slots()).toEqual(["summary filled", "chart filled"]);

    const [drawn] = draw(task.events).steps[0]!.calls.contents.get("call-1")!.programs;
    expect(drawn).toMatchObject({ name: "Report", model: "large", state: "success", fault: null });
    expect(drawn!.attempts.map(({ code, story, runningTime }) => [code, story, runningTime])).toEqual([
      ["look()\ndone()", ["Looked."], 3],
      ["done()", [], 3],
    ]);
    const [first] = drawn!.attempts;
    expect([...first!.calls.entries.keys()]).toEqual(["call-2"]);
    expect(first!.mended?.slots.map(({ state, fault }) => [state, fault?.description])).toEqual([
      ["filled", undefined],
      ["refused", "svg_parse_failed"],
    ]);
    expect(drawn!.slots[1]!.output).toEqual({ kind: "file", path: "codegen/cg-1/chart.svg", size: 9 });
  });

  test("that is refused for its contract says so, and counts no slots", () => {
    const task = new ReportedTask("Report.");
    task.step("tools.codegen_python(…)");
    task.call(journalEntry("call-1", { name: "codegen_python" }));
    const error = codegenError({ where: "codegen", error: "empty_contract", description: "It has no slots." });
    new ReportedProgram(task).tell({ type: "codegen-ended", result: failedResult("cg-1", error) }, "cg-1/end");

    const view = draw(task.events);

    const [drawn] = view.steps[0]!.calls.contents.get("call-1")!.programs;
    expect(drawn).toMatchObject({ isRefused: true, fault: { error: "empty_contract" } });
    expect(transcriptMarkdown([{ kind: "task", id: "1", view }])).toContain(
      "> *The contract was refused.*\n>\n> empty_contract: It has no slots.",
    );
  });

  test("tells its events with ids of its own, below the call and in the step that made it", () => {
    const { events } = mendedProgram().task;

    const told = events.filter(({ type }) => type === "program" || type === "call").slice(1);

    expect(new Set(told.map(({ step }) => step))).toEqual(new Set([1]));
    expect(told[0]).toMatchObject({ type: "program", id: "cg-1", parentId: "call-1", runId: "cg-1" });
    expect(told.find(({ type }) => type === "call")).toMatchObject({ id: "call-2", parentId: "cg-1/1/run" });
    const ids = new Set(events.map(({ id }) => id));
    expect(told.filter(({ parentId }) => parentId === null || !ids.has(parentId))).toEqual([]);
  });

  test("looks the same when a saved task is read back, and counts in what an interrupted step used", () => {
    const told = mendedProgram();
    mend(told);
    const { events, taskId } = told.task;

    const read = savedAndRead(events);

    const markdown = (given: readonly AgentEvent[]): string =>
      transcriptMarkdown([{ kind: "task", id: "1", view: draw(given) }]);
    expect(markdown(read)).toBe(markdown(events));
    expect(markdown(read)).toContain("> - `chart` (chart.svg): waiting");
    expect(savedTaskOf(read, { taskId }).usage).toMatchObject({ modelCalls: 3, inputTokens: 60, outputTokens: 8 });
  });

  test("that its model did not end is written anew, which is said, also once the task was saved", () => {
    const { task, program } = mendedProgram();
    const id = "cg-1/2/generation";
    program.endRun(1);
    program.tell({ type: "generation-started", attempt: 2 }, id);
    program.tell({ type: "program-text", attempt: 2, text: "lost(" }, `${id}/text`, id);
    const failure = { code: "MODEL_UNREACHABLE", message: "The connection broke." };
    program.tell({ type: "generation-retry", attempt: 2, failures: 1, delay: 500, ...failure }, `${id}/retry`, id);
    program.tell({ type: "program-text", attempt: 2, text: "kept(" }, `${id}/text-2`, id);

    for (const events of [task.events, savedAndRead(task.events)]) {
      const view = draw(events);
      const [drawn] = view.steps[0]!.calls.contents.get("call-1")!.programs;
      const notices = ["The connection broke. It is asked again in 0.50 s."];
      expect(drawn!.attempts[1]).toMatchObject({ code: "kept(", notices });
      expect(transcriptMarkdown([{ kind: "task", id: "1", view }])).toContain(`*${notices[0]!}*`);
    }
  });

  test("whose page was lost is drawn as interrupted, with what it had begun", () => {
    const view = draw(mendedProgram().task.events);

    view.settle("interrupted");

    const [drawn] = view.steps[0]!.calls.contents.get("call-1")!.programs;
    expect(drawn!.state).toBe("interrupted");
    expect(drawn!.attempts.map(({ state }) => state)).toEqual(["ended"]);
  });

  test("that says and calls very much is told in part, and how much is left out", () => {
    const { task, program } = mendedProgram();
    const story = Array.from({ length: 300 }, (_, index) => `Sentence ${String(index)}.`);
    program.tell({ type: "progress", attempt: 1, objective: null, status: null, story }, "p", "cg-1/1/run");
    for (let index = 0; index < 250; index++) {
      const id = `many-${String(index)}`;
      program.tell({ type: "call", attempt: 1, entry: journalEntry(id) }, `cg-1/1/run/${id}`, "cg-1/1/run");
    }
    const text = "x".repeat(100_000);
    program.tell({ type: "item", item: item("summary", { output: { kind: "inline", value: text, text } }) }, "i");
    program.tell({ type: "codegen-ended", result: failedResult("cg-1", INVALID) }, "cg-1/end");

    const [drawn] = draw(task.events).steps[0]!.calls.contents.get("call-1")!.programs;

    expect(drawn!.attempts[0]!.story).toHaveLength(200);
    expect(drawn!.attempts[0]!.calls.entries.size).toBe(200);
    expect(drawn!.leftOut).toEqual({ calls: 51, sentences: 101 });
    const { output } = drawn!.slots[0]!;
    expect(output?.kind === "inline" && output.text.length).toBe(4_000);
    const markdown = transcriptMarkdown([{ kind: "task", id: "1", view: draw(task.events) }]);
    expect(markdown).toContain("> What was made for `summary`:\n>\n> ```\n> xxx");
    expect(markdown).toContain("> *51 more calls not shown*\n>\n> *101 more sentences not shown*");
  });

  test("that hands in the same again and again is told once, as a draft and as whole, in each attempt", () => {
    const { task, program } = mendedProgram();
    const handIn = (attempt: number): void => {
      for (let index = 0; index < 1000; index++) {
        const ids = ["chart", `unasked_${String(index)}`];
        for (const artifactId of ids) {
          program.tell({ type: "artifact", attempt, artifactId, draft: index % 3 > 0 }, "a", "cg-1/1/run");
        }
      }
    };
    handIn(1);
    program.endRun(1);
    handIn(2);

    const told = task.events.flatMap((event) =>
      event.type === "program" && event.news.kind === "handed-in" ? [event.news] : [],
    );
    expect(told.map(({ attempt, slot, draft }) => `${String(attempt)} ${slot} ${draft ? "draft" : "whole"}`)).toEqual([
      "1 summary whole",
      "1 chart whole",
      "1 chart draft",
      "2 chart whole",
      "2 chart draft",
    ]);
  });

  test("calls an agent: that is drawn below the program's call", () => {
    const { task, program } = mendedProgram();
    program.tell({ type: "call", attempt: 1, entry: journalEntry("call-9") }, "cg-1/1/run/call-9", "cg-1/1/run");
    const below = new ReportedTask("From a program.", { of: task, callId: "call-9" });
    below.step("1");
    below.end("yes");

    const view = draw(task.events);

    const [drawn] = view.steps[0]!.calls.contents.get("call-1")!.programs;
    expect(drawn!.attempts[0]!.calls.contents.get("call-9")!.tasks[0]!.answer?.text).toBe("yes");
    expect(shape(agentTree(view))).toBe("Code agent running 1 (assistant completed 1)");
  });
});
