import { afterEach, beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";

import type { ProgramNews } from "../../../src/agent/index.js";
import { CallListView } from "../../../src/ui/components/task/call-list.js";
import { ProgramCard } from "../../../src/ui/components/task/program-card.js";
import "../../../src/ui/components/task/step-card.js";
import { CallList } from "../../../src/ui/state/task/call-list.js";
import { ProgramView } from "../../../src/ui/state/task/program-view.js";
import { TaskView, type TaskCalls } from "../../../src/ui/state/task/task-view.js";
import { journalEntry, ReportedTask } from "../../unit/ui/agent-events.js";

let list: CallListView;
let calls: TaskCalls;

beforeEach(() => {
  calls = new CallList();
  list = new CallListView();
  list.calls = calls;
  document.body.append(list);
});

afterEach(() => {
  document.body.replaceChildren();
});

async function draw(): Promise<void> {
  list.version += 1;
  await list.updateComplete;
}

const call = (index: number): ReturnType<typeof journalEntry> =>
  journalEntry(`call-${String(index)}`, { name: `t${String(index)}` });
const line = (name: string): ReturnType<typeof page.getByRole> => page.getByRole("button", { name: `tools.${name}()` });

/** The view of an agent in the course of `call-15`. */
function agentBelow(tell: (below: ReportedTask) => void): TaskView {
  const root = new ReportedTask("Share it out.");
  root.step("assistant(…)");
  root.call(call(15));
  const below = new ReportedTask("A part of it.", { of: root, callId: "call-15" });
  tell(below);
  const view = new TaskView({ id: "1", task: "Go.", modelLabel: "a model" });
  for (const event of root.events) view.apply(event);
  const [task] = view.below;
  if (task === undefined) throw new Error("no agent is below");
  return task;
}

test("a call that fails late comes in between, and what was unfolded and focused stays where it was", async () => {
  for (let index = 1; index <= 15; index++) calls.entries.set(`call-${String(index)}`, call(index));
  calls.contentsOf("call-15").tasks.push(
    agentBelow((below) => {
      below.step("1 + 1");
    }),
  );
  await draw();
  await line("t15").click();
  const card = page.getByRole("group", { name: "Agent t15" });
  await expect.element(card).toBeVisible();
  const before = card.element();
  const summary = before.querySelector("summary");
  summary?.focus();
  await expect.element(line("t13")).not.toBeInTheDocument();

  const outcome = { kind: "error", name: "Error", code: "", message: "no", elapsed: 1 } as const;
  calls.entries.set("call-13", { ...call(13), outcome });
  await draw();

  await expect.element(line("t13")).toHaveAttribute("aria-expanded", "false");
  await expect.element(line("t15")).toHaveAttribute("aria-expanded", "true");
  expect(card.element()).toBe(before);
  expect(document.activeElement).toBe(summary);
});

function addCalls(count: number): void {
  for (let index = 1; index <= count; index++) calls.entries.set(`call-${String(index)}`, call(index));
}

/** The tools whose calls are drawn. */
const lines = (): string[] => [...list.textContent.matchAll(/tools\.(\w+)\(/g)].map(([, name = ""]) => name);

/** What the button says below the list; null where there is none. */
const more = (): string | null => list.querySelector(".more-calls")?.textContent.trim() ?? null;

test.each([
  [13, null],
  [14, "1 more call"],
  [15, "2 more calls"],
  [1_213, "1,200 more calls"],
])("of %i calls the button below offers the rest, and counts it: %s", async (count, said) => {
  addCalls(count);
  await draw();

  expect(more()).toBe(said);
});

test("the button brings the calls between, in order, and is gone once all are there", async () => {
  addCalls(30);
  await draw();
  expect(lines()).toEqual([...Array.from({ length: 12 }, (_, index) => `t${String(index + 1)}`), "t30"]);

  await page.getByRole("button", { name: "17 more calls" }).click();

  await expect.poll(lines).toEqual(Array.from({ length: 30 }, (_, index) => `t${String(index + 1)}`));
  expect(more()).toBeNull();
});

test("the button brings a hundred calls at a time, and goes on from there", async () => {
  addCalls(213);
  await draw();

  await page.getByRole("button", { name: "200 more calls" }).click();
  await expect.poll(more).toBe("112 more calls");
  expect(lines().slice(-3)).toEqual(["t99", "t100", "t213"]);

  addCalls(214);
  await draw();
  expect(lines()).toHaveLength(101);
  await page.getByRole("button", { name: "113 more calls" }).click();
  await expect.poll(more).toBe("13 more calls");
  await page.getByRole("button", { name: "13 more calls" }).click();
  await expect.poll(more).toBeNull();
  expect(lines()).toHaveLength(214);
});

test("a call whose replay was stopped says that nothing was called", async () => {
  calls.entries.set("call-1", call(1));
  calls.settle("replay");
  await draw();

  await page.getByRole("button", { name: "not replayed: tools.t1()" }).click();

  await expect
    .element(page.getByText("The replay was stopped before this call ended. Nothing was called."))
    .toBeVisible();
});

test("what an agent below learned is drawn after its answer", async () => {
  const view = agentBelow((below) => {
    below.step("1 + 1");
    const about = { id: "learn", parentId: null, step: null };
    const answer = { value: "2", text: "2", verifiedBy: null, source: "normal" } as const;
    below.add({ type: "answer", ...about, answer });
    below.add({ type: "skill-asked", ...about, attempt: 1, told: "Is it worth a skill?" });
    below.add({
      type: "skill-ended",
      ...about,
      learned: { proposal: null, trial: null, outcome: { kind: "none", reason: "It is arithmetic." } },
    });
  });
  calls.entries.set("call-15", call(15));
  calls.contentsOf("call-15").tasks.push(view);
  await draw();

  const learned = page.getByRole("region", { name: "A skill of this task" });
  await expect.element(learned).toHaveTextContent(/The model proposes no skill\.\s+It is arithmetic\./);
  await expect.element(learned.getByRole("button")).not.toBeInTheDocument();
});

test("what an agent below keeps in mind and has saved is drawn with it", async () => {
  const view = agentBelow((below) => {
    below.step("artifacts.save('draft.md', '…')");
    below.add({ type: "artifact", id: "saved", parentId: null, step: 1, name: "draft.md" });
    below.end("done");
  });
  view.memory = { values: [], observations: ["The gate is shut."], failedApproaches: [], variables: [] };
  const opened: unknown[] = [];
  document.body.addEventListener("vitrine-open-artifact", (event) => opened.push(event), { once: true });
  calls.entries.set("call-15", call(15));
  calls.contentsOf("call-15").tasks.push(view);
  await draw();

  await page.getByText("The agent's notes: 1 observation").click();
  await expect.element(page.getByText("The gate is shut.")).toBeVisible();
  await page.getByRole("button", { name: "draft.md", exact: true }).click();

  expect(opened).toMatchObject([{ detail: "draft.md" }]);
});

async function drawProgram(...told: readonly ProgramNews[]): Promise<void> {
  const card = new ProgramCard();
  card.program = new ProgramView("cg-1");
  for (const news of told) card.program.apply(news);
  document.body.append(card);
  await card.updateComplete;
}

const fault = { where: "codegen", error: "empty_contract", description: "It has no slots.", details: "" } as const;
const ended: ProgramNews = {
  kind: "ended",
  status: "error",
  fault,
  summary: "",
  warnings: [],
  leftOut: { calls: 0, sentences: 0 },
};

test("a contract that is refused says so, and why, and counts no slots", async () => {
  await drawProgram(ended);

  const program = page.getByRole("region", { name: "Program" });
  await expect.element(program).toHaveTextContent(/The contract was refused\s+empty_contract: It has no slots\./);
  await expect.element(program).not.toHaveTextContent("slots filled");
});

test("each program that is mended is named by what it did not fill", async () => {
  const slot = { id: "chart", kind: "inline", form: "svg", filename: null, description: "" } as const;
  const mending = (attempt: number): ProgramNews => ({ kind: "mending", attempt, fault });
  await drawProgram(
    { kind: "begun", name: "Report", instruction: "", model: "large", slots: [slot] },
    { kind: "writing", attempt: 1 },
    mending(1),
    { kind: "writing", attempt: 2 },
    mending(2),
    { kind: "writing", attempt: 3 },
    mending(3),
  );

  for (const which of ["first program", "mended program", "mended program (3)"]) {
    const unfilled = page.getByRole("list", { name: `What the ${which} did not fill`, exact: true });
    await expect.element(unfilled).toBeVisible();
  }
});
