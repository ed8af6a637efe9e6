import { readFile } from "node:fs/promises";

import { expect, test, type Locator, type Page } from "@playwright/test";

import { openDemo, runInConsole, showTab, waitUntilReady } from "./demo.js";

const editor = (page: Page, path: string): Locator => page.getByRole("textbox", { name: `Text of ${path}` });
const row = (page: Page, name: string): Locator => page.getByRole("treeitem", { name });

/** Writes at the end of the text that is shown, as a person does. */
async function typeAtEnd(page: Page, path: string, text: string): Promise<void> {
  await editor(page, path).press("Control+End");
  await page.keyboard.type(text);
}

/** What Python reads in a file, as it writes it down. */
async function expectInPython(page: Page, path: string, text: string): Promise<void> {
  const entry = await runInConsole(page, `open("/workspace/${path}", newline="").read()`);
  await expect(entry).toContainText(text);
  await showTab(page, "Files");
}

test("a file is edited and saved by keys, and its changes outlive other files and tabs", async ({ page }) => {
  await openDemo(page);
  await runInConsole(
    page,
    'open("/workspace/a.py", "w").write("x = 1\\n")\nopen("/workspace/b.txt", "w", newline="").write("one\\r\\ntwo\\r\\n")',
  );
  await showTab(page, "Files");

  await row(page, "a.py").press("Enter");
  await expect(editor(page, "a.py")).toBeFocused();
  await expect(
    page.getByRole("status").filter({ hasText: "Written by code, at trust level sandboxed." }),
  ).toBeVisible();
  await expect(editor(page, "a.py").locator(".tok-num")).toHaveText("1");
  await typeAtEnd(page, "a.py", "y = 2");
  await expect(row(page, "a.py")).toContainText("unsaved");
  await row(page, "b.txt").click();
  await typeAtEnd(page, "b.txt", "three\n");
  await page.getByRole("button", { name: "Show changes" }).click();
  await expect(page.getByRole("row", { name: "3 added three" })).toBeVisible();
  await page.getByRole("button", { name: "Show the text" }).click();
  await showTab(page, "Trace");
  await showTab(page, "Files");
  await expect(editor(page, "b.txt")).toContainText("three");
  await page.keyboard.press("Tab");
  await row(page, "a.py").press("Enter");
  await expect(editor(page, "a.py")).toContainText("y = 2");
  // One for whatever was typed in one go.
  await expect(async () => {
    await editor(page, "a.py").press("Control+z");
    await expect(row(page, "a.py")).not.toContainText("unsaved", { timeout: 500 });
  }).toPass();
  await typeAtEnd(page, "a.py", "y = 2");
  await editor(page, "a.py").press("Control+s");

  await expect(page.getByRole("status").filter({ hasText: /^Saved$/ })).toBeVisible();
  await expect(row(page, "a.py")).not.toContainText("by code");
  await expectInPython(page, "a.py", "'x = 1\\ny = 2'");
  // Renamed with changes that are not saved, which then are, with the line ends of the file.
  await row(page, "b.txt").press("F2");
  await page.getByRole("textbox", { name: "Path in /workspace" }).fill("c/d.txt");
  await page.keyboard.press("Enter");
  await expect(row(page, "d.txt")).toContainText("unsaved");
  await row(page, "d.txt").click();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(row(page, "d.txt")).not.toContainText("unsaved");
  await expectInPython(page, "c/d.txt", "'one\\r\\ntwo\\r\\nthree\\r\\n'");
});

test("what something else has written meanwhile is kept beside what was changed", async ({ page, context }) => {
  await openDemo(page);
  const panel = await showTab(page, "Files");
  await panel.getByRole("button", { name: "New file" }).click();
  await page.getByRole("textbox", { name: "Path in /workspace" }).fill("notes.txt");
  await page.keyboard.press("Enter");
  await typeAtEnd(page, "notes.txt", "mine");
  await editor(page, "notes.txt").press("Control+s");
  await expect(row(page, "notes.txt")).not.toContainText("unsaved");

  // Code writes what is unchanged here: the editor follows.
  await runInConsole(page, 'open("/workspace/notes.txt", "w").write("by code")');
  await showTab(page, "Files");
  await expect(editor(page, "notes.txt")).toHaveText("by code");

  // Code writes what is changed here.
  await typeAtEnd(page, "notes.txt", ", and by me");
  await runInConsole(page, 'open("/workspace/notes.txt", "w").write("by code once more")');
  await showTab(page, "Files");
  await expect(panel.getByRole("alert")).toContainText("This file has changed meanwhile.");
  await panel.getByRole("button", { name: "Compare both" }).click();
  await expect(page.getByRole("row", { name: "1 removed by code once more" })).toBeVisible();
  await expect(page.getByRole("row", { name: "1 added by code, and by me" })).toBeVisible();
  await panel.getByRole("button", { name: "Save mine as a copy" }).click();
  await expect(editor(page, "notes (copy).txt")).toHaveText("by code, and by me");
  await row(page, "notes.txt").click();
  await expect(editor(page, "notes.txt")).toHaveText("by code once more");

  // Another tab writes, which this one learns of when it saves.
  await typeAtEnd(page, "notes.txt", ", mine");
  const other = await context.newPage();
  await other.goto(page.url());
  await waitUntilReady(other);
  await runInConsole(other, 'open("/workspace/notes.txt", "w").write("from the other tab")');
  await other.close();
  await editor(page, "notes.txt").press("Control+s");
  await expect(panel.getByRole("alert")).toContainText("Both versions are kept until you decide.");
  await expectInPython(page, "notes.txt", "'from the other tab'");
  await panel.getByRole("button", { name: "Overwrite with mine" }).click();
  await expect(panel.getByRole("alert")).toHaveCount(0);
  await expectInPython(page, "notes.txt", "'by code once more, mine'");

  // It is deleted while it is changed.
  await typeAtEnd(page, "notes.txt", "!");
  await runInConsole(page, 'import os; os.remove("/workspace/notes.txt")');
  await showTab(page, "Files");
  await expect(panel.getByRole("alert")).toContainText("This file was deleted meanwhile.");
  await panel.getByRole("button", { name: "Save mine again" }).click();
  await expect(row(page, "notes.txt")).not.toContainText("unsaved");
  await expectInPython(page, "notes.txt", "'by code once more, mine!'");
});

test("a file that cannot be edited says why, and can be downloaded", async ({ page }) => {
  await openDemo(page);
  await runInConsole(
    page,
    'open("/workspace/bytes.bin", "wb").write(b"\\x00\\xff")\nopen("/workspace/long.txt", "w").write("x" * 1_000_001)',
  );
  const panel = await showTab(page, "Files");

  await row(page, "bytes.bin").press("Enter");
  await expect(panel.getByText("This file is binary, or text in another encoding than UTF-8.")).toBeVisible();
  const coming = page.waitForEvent("download");
  await expect(panel.getByRole("button", { name: "Download", exact: true })).toBeFocused();
  await page.keyboard.press("Enter");
  expect([...(await readFile(await (await coming).path()))]).toEqual([0, 255]);
  await row(page, "long.txt").click();

  await expect(panel.getByText("This file has 1.0 MB, which is too large to be edited here.")).toBeVisible();
});
