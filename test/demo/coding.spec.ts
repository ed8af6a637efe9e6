import AxeBuilder from "@axe-core/playwright";
import { expect, test, type Locator, type Page } from "@playwright/test";

import { ANSWERS } from "../timeouts.mjs";
import { dictatedScenario } from "../servers/dictated-replies.js";
import { startModelServer } from "../servers/model-server.js";
import { openDemo, reloadOnceStored, runInConsole, runTask, useModel, waitUntilReady } from "./demo.js";

test.beforeEach(async ({ page }) => {
  await openDemo(page);
});

const TASK = "Find a bug, mend it, and undo it";
const MENDED = "return share(cents, percent)";
const BROKEN = "return int(cents * percent / 100)";

/** Runs the task and allows its patch. @returns what its card says of the changes. */
async function solve(page: Page): Promise<Locator> {
  const cards = page.getByRole("region", { name: "Changes of the task" });
  const before = await cards.count();
  await page.getByRole("button", { name: TASK }).click();
  const question = page.getByRole("form", { name: "Approval of tools.apply_patch" });
  await question.getByRole("button", { name: "Allow once" }).click({ timeout: ANSWERS });
  await expect(cards).toHaveCount(before + 1, { timeout: ANSWERS });
  return cards.last();
}

/** The file that the task mends, as Python sees it. */
function discounts(page: Page): Promise<Locator> {
  return runInConsole(page, "print(open('/workspace/shop/discounts.py').read())");
}

test("a recorded task mends a bug; its diff is shown, undone by keyboard, and made again", async ({ page }) => {
  const changes = await solve(page);

  await expect(page.locator(".answer").last()).toContainText("All 7 tests pass, and a loyal customer pays 24.13.");
  await expect(changes).toContainText("1 file changed.");
  await changes.getByRole("button", { name: "Show the diff" }).press("Enter");
  await expect(changes.locator("vitrine-app-diff")).toContainText(BROKEN);
  await expect(changes.locator("vitrine-app-diff")).toContainText(MENDED);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect((await new AxeBuilder({ page }).include("vitrine-app-task-changes").analyze()).violations).toEqual([]);
  }
  await expect(await discounts(page)).toContainText(MENDED);

  await changes.getByRole("button", { name: "Undo the task" }).press("Enter");
  await expect(changes).toContainText("Undone: the files are as they were before.");
  const redo = changes.getByRole("button", { name: "Make the changes again" });
  await expect(redo).toBeFocused();
  await expect(await discounts(page)).toContainText(BROKEN);

  await redo.press("Enter");
  await expect(changes.getByRole("button", { name: "Undo the task" })).toBeVisible();
  await expect(await discounts(page)).toContainText(MENDED);
});

test("the task runs again after it has mended its files, and is undone after a reload", async ({ page }) => {
  await solve(page);
  await solve(page);
  await expect(page.locator(".answer").last()).toContainText("All 7 tests pass");

  await reloadOnceStored(page);
  await waitUntilReady(page);
  await page.getByRole("button", { name: "Earlier tasks" }).click();
  const dialog = page.getByRole("dialog", { name: "Earlier tasks" });
  await dialog
    .getByRole("button", { name: /^A test of the little shop/ })
    .first()
    .click();
  const changes = page.getByRole("region", { name: "Changes of the task" });
  await changes.getByRole("button", { name: "Undo the task" }).click();
  await expect(changes).toContainText("Undone");
  await expect(await discounts(page)).toContainText(BROKEN);
});

test("a server's model works on code where the settings say so, with steps enough", async ({ page }) => {
  const server = await startModelServer();
  const code = "```python\nopen('/workspace/notes.txt', 'w').write('read')\nfinal_answer('noted')\n```";
  await useModel(page, { baseURL: server.baseURL(dictatedScenario([code])) });
  await page.getByRole("button", { name: "Settings", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Settings" });
  await dialog.getByRole("checkbox", { name: /^Work on code/ }).check();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toBeHidden();

  const card = await runTask(page, "Note that you have read it");
  const changes = card.getByRole("region", { name: "Changes of the task" });
  await expect(changes).toContainText("1 file changed, 1 added.", { timeout: ANSWERS });
  await expect(card).toContainText("1 of 40 steps");
  await server.close();
});

test("what was changed after the task is not undone, and the page says of which file", async ({ page }) => {
  const changes = await solve(page);
  await runInConsole(page, "open('/workspace/shop/discounts.py', 'a').write('# mine')");

  await changes.getByRole("button", { name: "Undo the task" }).click();
  await expect(changes.getByRole("alert")).toContainText("shop/discounts.py has been changed since");
  await expect(await discounts(page)).toContainText("# mine");
});
