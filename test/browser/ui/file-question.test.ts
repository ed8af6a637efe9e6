import "../../../src/ui/styles/index.css";

import { afterEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";

import type { ApprovalAnswer } from "../../../src/dispatch/index.js";
import type { FileProposal } from "../../../src/tools/index.js";
import { ApprovalCard } from "../../../src/ui/components/questions/approval-card.js";
import { Approvals } from "../../../src/ui/state/questions/approvals.js";
import { untilShown } from "../../timeouts.mjs";
import { approvalRequest } from "../../unit/ui/agent-events.js";
import { ONE_PIXEL, proposal } from "../../unit/ui/write-code-events.js";

afterEach(() => {
  document.body.replaceChildren();
});

interface Asked {
  readonly card: ApprovalCard;
  readonly answer: Promise<ApprovalAnswer>;
}

/** A card that asks about files, and what is answered. */
async function ask(files: readonly FileProposal[]): Promise<Asked> {
  const approvals = new Approvals(() => "task-1");
  const request = approvalRequest({ name: "tools.write_codebase_tool", reason: "It would write files.", files });
  const answer = approvals.ask(request, { signal: new AbortController().signal });
  const card = new ApprovalCard();
  card.pending = approvals.pending ?? undefined;
  approvals.onChange(() => {
    card.pending = approvals.pending ?? undefined;
  });
  document.body.append(card);
  await expect.element(page.getByRole("button", { name: "Accept all" })).toBeEnabled();
  return { card, answer };
}

const CHANGED = proposal("src/units.py", {
  before: "FOOT = 0.3\n",
  after: "FOOT = 0.3048\n",
  notes: ["It was checked."],
});
const NEW = proposal("src/main.py", { after: "print('<b>hello</b>')\n" });
const CONTESTED = proposal("notes.md", {
  before: "one\n",
  after: "one\ntwo\n",
  conflict: { theirs: "one\nthree\n" },
});

const group = (path: string): ReturnType<typeof page.getByRole> =>
  page.getByRole("radiogroup", { name: `What becomes of ${path}?` });

test("all names come first, then each file with what is different in it, and what is to be known of it", async () => {
  const { card } = await ask([CHANGED, NEW]);

  const names = page.getByRole("list", { name: "The files" }).getByRole("listitem");
  await expect.element(names.nth(0)).toHaveTextContent("src/units.py changed");
  await expect.element(names.nth(1)).toHaveTextContent("src/main.py new");
  const table = page.getByRole("table", { name: "What is different in src/units.py" });
  await expect.element(table.getByRole("row", { name: "removed FOOT = 0.3", exact: false }).first()).toBeVisible();
  await expect.element(page.getByRole("list", { name: "Notes on src/units.py" })).toHaveTextContent("It was checked.");
  await expect.element(page.getByText("print('<b>hello</b>')")).toBeVisible();
  expect(card.querySelector("vitrine-app-file-question b")).toBeNull();
});

test("each file has its choice, by keyboard, and the answer says what was chosen", async () => {
  const { answer } = await ask([CHANGED, NEW]);

  const accept = group("src/main.py").getByRole("radio", { name: "Accept" });
  await expect.element(accept).toBeChecked();
  (accept.element() as HTMLElement).focus();
  await userEvent.keyboard("{ArrowDown}");
  await expect.element(group("src/main.py").getByRole("radio", { name: "Refuse" })).toBeChecked();
  await page.getByRole("textbox", { name: /Reason/ }).fill("No script, please.");
  await page.getByRole("button", { name: "Accept chosen" }).click();

  expect(await answer).toEqual({
    decision: "allow",
    files: { "src/units.py": "accept", "src/main.py": "refuse" },
    reason: "No script, please.",
  });
});

test("all can be accepted, whatever was chosen, and all refused, with a reason", async () => {
  const accepted = await ask([CHANGED, NEW]);
  await group("src/main.py").getByRole("radio", { name: "Refuse" }).click();
  await page.getByRole("button", { name: "Accept all" }).click();
  expect(await accepted.answer).toEqual({
    decision: "allow",
    files: { "src/units.py": "accept", "src/main.py": "accept" },
  });
  document.body.replaceChildren();

  const refused = await ask([NEW]);
  await page.getByRole("textbox", { name: /Reason/ }).fill("Not now.");
  await page.getByRole("button", { name: "Refuse all" }).click();
  expect(await refused.answer).toEqual({ decision: "deny", reason: "Not now." });
});

test("a file in conflict shows both differences and stays theirs unless the user says otherwise", async () => {
  const kept = await ask([CONTESTED, NEW]);

  await expect.element(page.getByText("three")).toBeVisible();
  await expect.element(page.getByText("two", { exact: true })).toBeVisible();
  await expect.element(group("notes.md").getByRole("radio", { name: "Keep theirs" })).toBeChecked();
  await page.getByRole("button", { name: "Accept all" }).click();
  expect((await kept.answer).files).toEqual({ "notes.md": "keep", "src/main.py": "accept" });
  document.body.replaceChildren();

  const merged = await ask([CONTESTED]);
  await group("notes.md").getByRole("radio", { name: "Have the model merge both" }).click();
  await page.getByRole("button", { name: "Accept chosen" }).click();
  expect((await merged.answer).files).toEqual({ "notes.md": "merge" });
  document.body.replaceChildren();

  await ask([{ ...CONTESTED, conflict: { theirs: null } }]);
  await expect.element(page.getByText(/somebody else deleted it/)).toBeVisible();
  expect(group("notes.md").getByRole("radio").elements()).toHaveLength(2);
});

test("an image is drawn from its bytes where they are a picture, and never fetched", async () => {
  const image = { mime: "image/png", bytes: ONE_PIXEL };
  const { card } = await ask([
    proposal("logo.png", { after: null, image }),
    proposal("trap.png", {
      after: null,
      image: { mime: "image/svg+xml", bytes: new TextEncoder().encode("<svg onload='x'>") },
    }),
  ]);

  await expect.element(page.getByRole("img", { name: "logo.png" })).toBeVisible();
  expect(page.getByRole("img", { name: "logo.png" }).element().getAttribute("src")).toMatch(/^data:image\/png;base64,/);
  await expect.element(page.getByText("It is no picture that can be shown here.")).toBeVisible();
  expect(card.querySelectorAll("img")).toHaveLength(1);
});

test("files are asked about each time, though calls of that name were allowed for the task", async () => {
  const approvals = new Approvals(() => "task-1");
  const name = "tools.write_codebase_tool";
  const { signal } = new AbortController();
  const first = approvals.ask(approvalRequest({ name }), { signal });
  approvals.pending?.allowAll();
  await first;

  void approvals.ask(approvalRequest({ name, files: [NEW] }), { signal });

  expect(approvals.pending?.files?.files).toEqual([NEW]);
});

test("of many files the buttons wait until all have been seen", async () => {
  const many = Array.from({ length: 25 }, (_, index) => proposal(`f${String(index)}.txt`, { after: "x\n" }));
  const approvals = new Approvals(() => "task-1");
  const request = approvalRequest({ files: many });
  void approvals.ask(request, { signal: new AbortController().signal });
  const card = new ApprovalCard();
  card.pending = approvals.pending ?? undefined;
  document.body.append(card);

  await expect.poll(() => card.querySelectorAll("vitrine-app-proposed-file").length, untilShown).toBe(20);
  await expect.element(page.getByRole("button", { name: "Accept all" })).toBeDisabled();
  await page.getByRole("button", { name: "Show 5 more" }).click();
  await expect.element(page.getByRole("button", { name: "Accept all" })).toBeEnabled();
});
