import { afterEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";

import { DiffView } from "../../../src/ui/components/content/diff-view.js";
import type { DiffFile } from "../../../src/ui/state/text/file-difference.js";
import "../../../src/ui/styles/tokens.css";
import "../../../src/ui/styles/basics.css";
import "../../../src/ui/styles/controls.css";
import "../../../src/ui/styles/page.css";
import "../../../src/ui/styles/diff.css";
import { untilShown } from "../../timeouts.mjs";

let view: DiffView;

async function show(files: readonly DiffFile[]): Promise<void> {
  view = new DiffView();
  view.files = files;
  document.body.append(view);
  await view.updateComplete;
}

afterEach(() => {
  view.remove();
});

const count = (selector: string): number => view.querySelectorAll(selector).length;
const rows = (): string[] =>
  Array.from(view.querySelectorAll(".diff-line"), (line) =>
    Array.from(line.children, (cell) => cell.ariaLabel ?? cell.textContent).join("|"),
  );

test("lines that differ have their numbers, a sign, and a word for those who do not see it", async () => {
  await show([{ path: "a.py", before: "one\ntwo\n", after: "one\n2\nthree\n" }]);

  await expect.poll(rows, untilShown).toEqual(["1|1||one", "2||removed|two", "|2|added|2", "|3|added|three"]);
  const table = page.getByRole("table", { name: "What is different in a.py" });
  await expect.element(table.getByRole("row", { name: "2 added 2" })).toBeVisible();
  await expect.element(page.getByText("@@ -1,2 +1,3 @@")).toBeVisible();
  expect(view.querySelector("summary")?.textContent.replace(/\s+/g, " ").trim()).toBe(
    "a.py +2 lines added, −1 lines removed",
  );
});

test("what was made, deleted, is binary or differs in its line ends says so", async () => {
  await show([
    { path: "new.txt", before: null, after: "x" },
    { path: "old.txt", before: "x", after: null },
    { path: "photo.png", before: "", after: "", isBinary: true },
    { path: "ends.txt", before: "a\r\n", after: "a\n" },
    { path: "empty.txt", before: null, after: "" },
  ]);

  await expect.element(page.getByText("5 files: 2 added, 2 changed, 1 deleted.")).toBeVisible();
  await expect.poll(() => count("vitrine-app-file-diff"), untilShown).toBe(5);
  const texts = Array.from(view.querySelectorAll("vitrine-app-file-diff"), (file) =>
    file.textContent.replace(/\s+/g, " "),
  );
  expect(texts[0]).toContain("new.txt added");
  expect(texts[1]).toContain("old.txt deleted");
  expect(texts[2]).toContain("Binary: not shown as text.");
  expect(texts[3]).toContain("Only ends of lines are different.");
  expect(texts[4]).toContain("An empty file.");
});

test("what code wrote is text, with what cannot be seen written out", async () => {
  await show([{ path: "<b>\u202e.txt", before: null, after: "<img src=x onerror=alert(1)>\na\u202eb\u200b\n" }]);

  await expect
    .poll(rows, untilShown)
    .toEqual(["|1|added|<img src=x onerror=alert(1)>", "|2|added|a\\u{202e}b\\u{200b}"]);
  expect(view.querySelector("summary")?.textContent).toContain("<b>\\u{202e}.txt");
  expect(count("img, b")).toBe(0);
});

test("of a long file the first lines are drawn and more on a click; a file is closed by a key", async () => {
  const lines = Array.from({ length: 1500 }, (_, index) => `line ${String(index)}`);
  await show([
    { path: "long.txt", before: null, after: lines.join("\n") },
    { path: "wide.txt", before: null, after: "x".repeat(5000) },
  ]);
  await expect.poll(() => count(".diff-line"), untilShown).toBe(1001);
  await expect.element(page.getByText("3,000 more characters")).toBeVisible();

  await page.getByRole("button", { name: "Show 500 more" }).click();

  await expect.poll(() => count(".diff-line"), untilShown).toBe(1501);
  expect(rows()[1499]).toBe("|1500|added|line 1499");
  view.querySelector<HTMLElement>("summary")?.focus();
  await userEvent.keyboard("{Enter}");
  await expect.poll(() => count(".diff-line"), untilShown).toBe(1);
  await userEvent.keyboard("{Enter}");
  await expect.poll(() => count(".diff-line"), untilShown).toBe(1501);
});

test("of many files the first are drawn, those far down closed, and others when they are asked for", async () => {
  await show(Array.from({ length: 60 }, (_, index) => ({ path: `${String(index)}.txt`, before: "a", after: "b" })));

  await expect.poll(() => count("vitrine-app-file-diff"), untilShown).toBe(50);
  expect(count("details[open]")).toBe(20);
  await page.getByRole("button", { name: "Show 10 more" }).click();
  await expect.poll(() => count("vitrine-app-file-diff"), untilShown).toBe(60);
  await expect.poll(() => document.activeElement?.textContent.trim().startsWith("50.txt"), untilShown).toBe(true);
});
