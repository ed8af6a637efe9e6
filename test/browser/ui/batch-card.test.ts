import "../../../src/ui/styles/index.css";

import { afterEach, beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";

import { BatchCard } from "../../../src/ui/components/task/batch-card.js";
import { CallListView } from "../../../src/ui/components/task/call-list.js";
import { Batches } from "../../../src/ui/state/task/batches.js";
import { BatchView } from "../../../src/ui/state/task/batch-view.js";
import { CallList } from "../../../src/ui/state/task/call-list.js";
import { untilShown } from "../../timeouts.mjs";
import { journalEntry } from "../../unit/ui/agent-events.js";
import { ReportedBatch, written } from "../../unit/ui/write-code-events.js";

const PATH = "src/units.py";

let view: BatchView;
let batch: ReportedBatch;
let card: BatchCard;

beforeEach(() => {
  view = new BatchView(null);
  batch = new ReportedBatch("call-1", (event) => {
    view.apply(event);
  });
  card = new BatchCard();
  card.batch = view;
  document.body.append(card);
});

afterEach(() => {
  document.body.replaceChildren();
});

const file = (): ReturnType<typeof page.getByRole> => page.getByRole("region", { name: PATH });
const writers = (): ReturnType<typeof page.getByRole> =>
  page.getByRole("list", { name: `Who writes ${PATH}` }).getByRole("listitem");

test("candidates stand side by side as they come, and what was chosen says by whom and why", async () => {
  batch.start(PATH);
  batch.ask(PATH, 0, "plain-writer");
  batch.ask(PATH, 1, "wordy-writer");
  batch.write(PATH, 0, "FOOT = 0.3048\n");

  await expect.element(writers().nth(0)).toHaveTextContent(/plain-writer.*writes, \d lines?.*FOOT = 0.3048/);
  await expect.element(writers().nth(1)).toHaveTextContent(/wordy-writer.*is asked/);
  await expect.element(file()).toHaveTextContent("2 models write");

  batch.written(PATH, 0, "FOOT = 0.3048\n");
  batch.written(PATH, 1, "FOOT = 0.3048  # metres\n");
  batch.add({
    type: "chosen",
    path: PATH,
    candidate: 1,
    model: "wordy-writer",
    arbiter: "judge",
    reason: "It <b>says</b> why.",
  });
  batch.add({ type: "checked", path: PATH, problems: ["Line 1: odd."], isAskedAgain: true });
  batch.end([written(PATH, { model: "wordy-writer", operation: "modify" })]);

  await expect.element(writers().nth(1)).toHaveTextContent(/wordy-writer.*chosen.*1 line in 1.2 s/);
  await expect
    .element(file())
    .toHaveTextContent("The text of wordy-writer was taken, chosen by judge: It <b>says</b> why.");
  await expect.element(file()).toHaveTextContent(/the model was asked to mend what was found:.*Line 1: odd\./);
  await expect.element(file()).toHaveTextContent("written, changed");
  await expect.element(page.getByText("1 of 1 file written")).toBeVisible();
});

test("what models write is text, and the end of it alone while it comes", async () => {
  batch.start(PATH);
  for (const candidate of [0, 1, 2]) batch.ask(PATH, candidate, `writer-${String(candidate)}`);
  for (let line = 1; line <= 2000; line++) {
    for (const candidate of [0, 1, 2]) batch.write(PATH, candidate, `<img src=x onerror=alert(1)> ${String(line)}\n`);
  }

  await expect.element(writers().nth(2)).toHaveTextContent("2000");
  expect(card.querySelectorAll("img")).toHaveLength(0);
  for (const { textContent } of card.querySelectorAll(".tail")) expect(textContent.length).toBeLessThan(4000);
});

test("all of a long text is drawn when it is asked for", async () => {
  const lines = Array.from({ length: 2000 }, (_, index) => `line_${String(index + 1)} = 1`);
  batch.start(PATH);
  batch.ask(PATH, 0, "plain-writer");
  batch.written(PATH, 0, `${lines.join("\n")}\n`);
  await expect.element(page.getByText("line_14")).toBeVisible();
  expect(card.textContent).not.toContain("line_15");

  await page.getByRole("button", { name: "Show all 2,000 lines" }).click();
  await expect.poll(() => card.textContent.includes("line_2000"), untilShown).toBe(true);
  await page.getByRole("button", { name: "Show the beginning" }).click();
  await expect.poll(() => card.textContent.includes("line_2000"), untilShown).toBe(false);
});

test("a model that fails says why, and a file that was not written says so", async () => {
  batch.start(PATH);
  batch.ask(PATH, 0, "plain-writer");
  batch.add({
    type: "candidate-ended",
    path: PATH,
    candidate: 0,
    end: { kind: "failed", code: "MODEL_TIMEOUT", message: "It took longer than 2 minutes." },
    elapsed: 120_000,
  });
  batch.add({ type: "failed", path: PATH, fault: { code: "GENERATION_FAILED", message: "No model came to a text." } });

  await expect.element(writers().nth(0)).toHaveTextContent("It took longer than 2 minutes.");
  await expect.element(file()).toHaveTextContent("failed, not written: No model came to a text.");
});

test("a file that was written opens in the editor, where it is the reader's own", async () => {
  const opened: string[] = [];
  document.body.addEventListener("vitrine-edit-file", (event) => {
    opened.push((event as CustomEvent<string>).detail);
  });
  card.batch = new BatchView({
    session: { current: undefined, onChange: () => () => undefined } as never,
    announce: () => undefined,
  });
  const own = card.batch;
  const told = new ReportedBatch("call-1", (event) => {
    own.apply(event);
  });
  told.start(PATH);
  told.end([written(PATH)], { changes: null });
  await page.getByRole("button", { name: "Open in the editor" }).click();
  expect(opened).toEqual([PATH]);

  card.batch = view;
  batch.start(PATH);
  batch.end([written(PATH)]);
  await expect.element(page.getByRole("button", { name: "Open in the editor" })).not.toBeInTheDocument();
  expect(card.querySelector("vitrine-app-task-changes")).toBeNull();
});

test("a batch stands below the call that asked for it; one whose events are gone says so", async () => {
  document.body.replaceChildren();
  const batches = new Batches({ session: {} as never, announce: () => undefined });
  const calls = new CallList<never, never>();
  calls.entries.set("call-1", journalEntry("call-1", { name: "write_codebase_tool" }));
  calls.contentsOf("call-1").batches.push(batches.of("call-1"));
  const list = new CallListView();
  list.calls = calls;
  document.body.append(list);
  await list.updateComplete;
  expect(list.textContent).not.toContain("Writes");

  batches.of("call-1").take(
    journalEntry("call-1", {
      outcome: {
        kind: "ok",
        elapsed: 1,
        summary: { output: { results: [{ filename: PATH, status: "refused", message: "Not this one." }] } },
      },
    }),
  );
  await expect.element(page.getByText("What each model wrote is not kept, but what became of it.")).toBeVisible();
  await expect.element(file()).toHaveTextContent("refused: Not this one.");
});
