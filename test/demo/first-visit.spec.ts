import { expect, test } from "@playwright/test";

import { ANSWERS } from "../timeouts.mjs";
import { dropFile, openDemo, runTask, waitUntilReady } from "./demo.js";

const SALES = "region;amount\nNorth;20\nSouth;5.5\nNorth;22\nEast;1\n";

test("a visitor without a key is told beforehand what is recorded and what is real, and offered Python, a file, a model", async ({
  page,
}) => {
  await openDemo(page);

  const welcome = page.locator(".welcome");
  await expect(welcome).toContainText("what the model says was recorded. The rest is real");
  await expect(page.getByRole("button", { name: "Model: recorded demo" })).toBeVisible();
  await expect(welcome.getByRole("button", { name: "Try your own file" })).toBeVisible();
  await welcome.getByRole("button", { name: "Bring a model" }).click();
  await expect(page.getByRole("dialog", { name: "Settings" })).toBeVisible();
  await page.keyboard.press("Escape");

  await welcome.getByRole("button", { name: "Try Python" }).click();
  const cells = page.getByRole("region", { name: "Ready to run" });
  await expect(cells).toContainText("mean(temperatures)");
  await cells.getByRole("button", { name: "Run: Compute something" }).click();

  await expect(page.locator(".console-entry .value")).toContainText("(7.08, 0.97)");
  await expect(cells.getByText("Compute something")).toHaveCount(0);
});

test("a dropped CSV is shown as a table with three things to do, which run without a key", async ({ page }) => {
  await openDemo(page);

  await dropFile(page, "sales.csv", SALES);

  const card = page.getByRole("article", { name: "sales.csv" });
  await expect(card.getByRole("cell", { name: "South", exact: true })).toBeVisible();
  await expect(card).toContainText("4 rows, 2 columns · stays on this device");
  await expect(card.getByRole("region", { name: "Try it in Python" }).getByRole("button")).toHaveText([
    "Read the rows",
    "Summarize each column",
    "Add up amount by region",
  ]);
  await expect(card).toContainText("answers are recorded");
  await card.getByRole("button", { name: "Add up amount by region" }).click();

  const entries = page.locator(".console-entry");
  await expect(entries.first().locator(".stdout")).toHaveText("North: 42\nSouth: 5.5\nEast: 1\n");
  const cells = page.getByRole("region", { name: "Ready to run" });
  await cells.getByText("Summarize each column").click();
  await cells.getByRole("button", { name: "Edit: Summarize each column" }).click();
  await expect(page.getByRole("textbox", { name: "Python" })).toContainText("def summary(name)");
  await page.keyboard.press("Control+Enter");
  await expect(entries.nth(1).locator(".stdout")).toContainText("amount: 4 numbers from 1 to 22");
});

test("code that is to be edited waits for an editor that loads slowly", async ({ page }) => {
  let send = (): void => undefined;
  const sent = new Promise<void>((resolve) => (send = resolve));
  await page.route(/python-editor/, async (route) => {
    await sent;
    await route.continue();
  });
  const asked = page.waitForRequest(/python-editor/);
  await openDemo(page);
  await dropFile(page, "sales.csv", SALES);
  await page.getByRole("button", { name: "Add up amount by region" }).click();
  await asked;
  const cells = page.getByRole("region", { name: "Ready to run" });
  await cells.getByText("Summarize each column").click();

  await cells.getByRole("button", { name: "Edit: Summarize each column" }).click();
  send();

  await expect(page.getByRole("textbox", { name: "Python" })).toContainText("def summary(name)");
});

test("a file is shown while Python is still on its way", async ({ page }) => {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/python_stdlib|base-snapshot/, async (route) => {
    await released;
    await route.continue();
  });
  await page.goto("./");
  await expect(page.getByRole("textbox", { name: "Task" })).toBeVisible();

  await dropFile(page, "sales.csv", SALES);

  const card = page.getByRole("article", { name: "sales.csv" });
  await expect(card.getByRole("cell", { name: "South", exact: true })).toBeVisible();
  await expect(card.getByText("Waiting for Python to start.")).toBeVisible();
  await expect(card.getByRole("button", { name: "Read the rows" })).toBeDisabled();

  release();
  await waitUntilReady(page);
  await expect(card.getByRole("button", { name: "Read the rows" })).toBeEnabled();
});

test("a task without a recording leads to Python and the visitor's file, before it is run and after", async ({
  page,
}) => {
  await openDemo(page);
  await dropFile(page, "words.txt", "sun moon sun\n");
  const box = page.getByRole("textbox", { name: "Task" });
  await box.fill("Which word is most frequent in words.txt?");
  await expect(page.locator(".unrecorded")).toContainText("no recorded answer");

  const card = await runTask(page, "Which word is most frequent in words.txt?");
  await expect(page.locator(".unrecorded")).toHaveCount(0);
  await card.getByRole("button", { name: "Try it in Python" }).click();

  const cells = page.getByRole("region", { name: "Ready to run" });
  await cells.getByText("Find the most frequent words").click();
  await cells.getByRole("button", { name: "Run: Find the most frequent words" }).click();
  await expect(page.locator(".console-entry .value")).toContainText("('sun', 2)");
});

for (const width of [360, 1600]) {
  test(`the first screen can be read before scripts have run, and nothing moves when they have, at ${String(width)} px`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 740 });
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/assets/*.js", async (route) => {
      await released;
      await route.continue();
    });
    await page.goto("./", { waitUntil: "commit" });

    const heading = page.getByRole("heading", { name: "An AI writes Python. Your browser runs it." });
    const task = page.locator(".offer", { hasText: "Clean a messy CSV and chart it" });
    await expect(heading).toBeVisible();
    await expect(task).toBeVisible();
    await expect(page.locator(".welcome")).toContainText("what the model says was recorded");
    // A browser shows nothing before, but would already measure it.
    await page.waitForFunction(() => {
      const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')];
      return links.length > 0 && links.every(({ sheet }) => sheet !== null);
    });
    const places = async () => [await heading.boundingBox(), await task.boundingBox()];
    const before = await places();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);

    release();
    await waitUntilReady(page);

    await expect(page.getByRole("button", { name: "Clean a messy CSV and chart it" })).toBeVisible();
    expect(await places()).toEqual(before);
  });
}

test("after a reload in the middle of a recorded task the page says so, and offers to start over", async ({ page }) => {
  await openDemo(page);
  await page.getByRole("button", { name: "Write a skill and use it on other data" }).click();
  await expect(page.getByRole("form", { name: "Approval of skills.create" })).toBeVisible({ timeout: ANSWERS });

  await page.reload();
  await waitUntilReady(page);

  const card = page.getByRole("region", { name: "Your last task was interrupted" });
  await expect(card).toContainText("Write a skill that turns the readings");
  await expect(card).toContainText("cannot continue in the middle, but it can start over");
  await card.getByRole("button", { name: "Start over" }).click();
  await expect(page.getByRole("form", { name: "Approval of skills.create" })).toBeVisible({ timeout: ANSWERS });
  await page.getByRole("button", { name: "Stop" }).first().click();

  // The same among the tasks of before, wherever they are listed.
  await page.getByRole("button", { name: "Earlier tasks" }).click();
  const dialog = page.getByRole("dialog", { name: "Earlier tasks" });
  await dialog
    .getByRole("button", { name: /^Start over: Write a skill/ })
    .last()
    .click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("form", { name: "Approval of skills.create" })).toBeVisible({ timeout: ANSWERS });
  await page.getByRole("button", { name: "Stop" }).first().click();
});
