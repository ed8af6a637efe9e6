import AxeBuilder from "@axe-core/playwright";
import { expect, test, type Page } from "@playwright/test";

import { dictatedScenario } from "../servers/dictated-replies.js";
import { startModelServer, type ModelServer } from "../servers/model-server.js";
import { ANSWERS } from "../timeouts.mjs";
import { openDemo, reloadOnceStored, runTask, useModel } from "./demo.js";

const block = (...lines: string[]): string => ["```python", ...lines, "```"].join("\n");

let models: ModelServer;
test.beforeEach(async () => {
  models = await startModelServer();
});
test.afterEach(() => models.close());

/** What the model was told last, the prompt left out. */
function lastTold(): string {
  return (models.requests.at(-1)?.body.messages ?? [])
    .slice(1)
    .map(({ content }) => content)
    .join("\n");
}

async function openWith(page: Page, ...replies: string[]): Promise<void> {
  await openDemo(page);
  await useModel(page, { baseURL: models.baseURL(dictatedScenario(replies)) });
}

test("a task that follows up on another one is told what was said in it, and the next one follows up on that", async ({
  page,
}) => {
  await openWith(
    page,
    block("sold = 40", "final_answer(sold)"),
    block("final_answer(sold + 2)"),
    block("final_answer(1)"),
  );
  const may = await runTask(page, "What did we sell in May?");

  await may.getByRole("button", { name: "Follow up" }).click();
  await expect(page.getByRole("textbox", { name: "Task" })).toBeFocused();
  await expect(page.locator(".following")).toContainText("Follows up on “What did we sell in May?”");
  expect((await new AxeBuilder({ page }).include(".composer").analyze()).violations).toEqual([]);
  const june = await runTask(page, "And in June?");

  await expect(june.locator(".answer")).toContainText("42");
  expect(lastTold()).toMatch(/What did we sell in May\?[^]*sold = 40[^]*handed in:\n40\n\nAnd in June\?/);
  await june.getByText(/^What was said before this task: \d+ messages$/).click();
  await expect(june.getByText("What did we sell in May?")).toBeVisible();
  await expect(page.locator(".following")).toContainText("Follows up on “And in June?”");

  await page.getByRole("button", { name: "Start fresh instead" }).click();
  await expect(page.locator(".following")).toHaveCount(0);
  await expect(page.getByRole("textbox", { name: "Task" })).toBeFocused();
  await runTask(page, "What is one?");
  expect(lastTold()).not.toContain("June");
});

test("a saved task is followed up on after a reload; where it was deleted meanwhile, the page says so and keeps the words", async ({
  page,
}) => {
  await openWith(page, block("final_answer('forty')"), block("final_answer('two')"));
  await runTask(page, "What did we sell in May?");
  await reloadOnceStored(page);
  await page.getByRole("button", { name: "What did we sell in May?", exact: true }).click();
  const saved = page.locator(".task-card");
  await saved.getByRole("button", { name: "Follow up" }).click();

  await runTask(page, "And in June?");
  expect(lastTold()).toMatch(/May\?[^]*forty[^]*June\?/);

  await saved.first().getByRole("button", { name: "Follow up" }).click();
  await page.getByRole("button", { name: "Earlier tasks" }).click();
  page.once("dialog", (question) => void question.accept());
  const earlier = page.getByRole("dialog");
  const remove = earlier.getByRole("button", { name: /^Delete: What did we sell in May/ });
  await remove.click();
  await expect(remove).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(earlier).toHaveCount(0);
  await page.getByRole("textbox", { name: "Task" }).fill("And in July?");
  await page.keyboard.press("Enter");

  await expect(page.getByText("It cannot follow up on that task:")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Task" })).toHaveValue("And in July?");
  expect(models.requests).toHaveLength(2);
});

test("the recorded model follows up on nothing", async ({ page }) => {
  await openDemo(page);
  await page.getByRole("button", { name: "Walk a paged API and add it up" }).click();
  const card = page.locator(".task-card");
  await expect(card.locator(".answer")).toBeVisible({ timeout: ANSWERS });
  await expect(card.getByRole("button", { name: "Follow up" })).toHaveCount(0);
});
