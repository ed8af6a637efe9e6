import { expect, test, type Locator, type Page } from "@playwright/test";

import { ANSWERS } from "../timeouts.mjs";
import { openDemo } from "./demo.js";

/** Starts the task that writes a skill, and waits for its question. */
async function waitForQuestion(page: Page): Promise<Locator> {
  await openDemo(page);
  await page.getByRole("button", { name: "Write a skill and use it on other data" }).click();
  const card = page.getByRole("form", { name: "Approval of skills.create" });
  await expect(card).toBeVisible({ timeout: ANSWERS });
  return card;
}

test("a call that waits for approval shows its whole arguments, and that waiting ends with the tab", async ({
  page,
}) => {
  const card = await waitForQuestion(page);

  await expect(card).toContainText("def run(");
  await expect(card).toContainText("Waiting ends when this tab is closed.");
  await expect(page.getByText("waiting for you")).toBeVisible();
  await expect(page.getByRole("button", { name: /waits: skills\.create/ })).toBeVisible();
  await expect(page.locator("#announcements")).toHaveText("skills.create waits for your approval.");
});

test("allowed by keyboard, the call is made and the question goes", async ({ page }) => {
  const card = await waitForQuestion(page);

  await card.getByRole("button", { name: "Allow once" }).focus();
  await page.keyboard.press("Enter");

  await expect(card).toHaveCount(0);
  // The corrected skill is another source: it is shown and asked about as well.
  await card.getByRole("button", { name: "Allow once" }).click({ timeout: ANSWERS });
  await expect(page.getByRole("heading", { name: "Answer" })).toBeVisible({ timeout: ANSWERS });
});

test("Stop works while a question waits, and takes it away", async ({ page }) => {
  const card = await waitForQuestion(page);

  await page.locator(".step .foot").getByRole("button", { name: "Stop" }).click();

  await expect(card).toHaveCount(0);
  await expect(page.locator(".ending")).toContainText("Stopped");
});
