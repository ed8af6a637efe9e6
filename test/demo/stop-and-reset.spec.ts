import { expect, test } from "@playwright/test";

import { dictatedScenario } from "../servers/dictated-replies.js";
import { startModelServer, type ModelServer } from "../servers/model-server.js";
import { openDemo, openRoomyDemo, runInConsole, useModel } from "./demo.js";

let server: ModelServer;
test.beforeAll(async () => {
  server = await startModelServer();
});
test.afterAll(async () => {
  await server.close();
});

const LOOP = "I loop.\n```python\nkept = 1\nprint('at work')\nwhile True:\n    pass\n```";

const RESISTING_LOOP = `I resist.
\`\`\`python
kept = 1
print('at work')
while True:
    try:
        while True:
            pass
    except BaseException:
        pass
\`\`\``;

test("Stop ends a task that loops and keeps its variables", async ({ page }) => {
  await openDemo(page);
  await useModel(page, { baseURL: server.baseURL(dictatedScenario([LOOP])) });
  await page.getByRole("textbox", { name: "Task" }).fill("Loop");
  await page.keyboard.press("Enter");
  // Before that the page may say that it runs while it is still being checked, and Stop costs nothing.
  await expect(page.locator(".out.stdout")).toHaveText("at work");

  await page.getByRole("button", { name: "Stop" }).first().click();

  await expect(page.getByText("Stopped. What was done until then stays.")).toBeVisible();
  await expect(await runInConsole(page, "kept")).toContainText("1");
  await expect(page.getByText("its variables are gone")).toBeHidden();
});

test("code that resists Stop costs the variables, and the page says so", async ({ page }) => {
  await openDemo(page);
  await useModel(page, { baseURL: server.baseURL(dictatedScenario([RESISTING_LOOP])) });
  await page.getByRole("textbox", { name: "Task" }).fill("Resist");
  await page.keyboard.press("Enter");
  // Before that the page may say that it runs while it is still being checked, and Stop costs nothing.
  await expect(page.locator(".out.stdout")).toHaveText("at work");

  await page.getByRole("button", { name: "Stop" }).first().click();

  await expect(page.getByText("its variables are gone").first()).toBeVisible();
  await expect(await runInConsole(page, "kept")).toContainText("NameError");
});

test("Stop ends a model that does not answer", async ({ page }) => {
  await openDemo(page);
  await useModel(page, { baseURL: server.baseURL("silent") });
  await page.getByRole("textbox", { name: "Task" }).fill("Say nothing");
  await page.keyboard.press("Enter");
  await expect(page.getByText(/waiting for the model/)).toBeVisible();

  await page.locator(".box").getByRole("button", { name: "Stop" }).click();

  await expect(page.getByText("Stopped. What was done until then stays.")).toBeVisible();
});

test("Reset gives a clean interpreter, says so, and leaves what is stored", async ({ page }) => {
  await openDemo(page);
  await runInConsole(page, 'x = 1\nartifacts.save("note.txt", "kept")');

  await page.getByRole("button", { name: "Reset" }).click();

  await expect(page.locator(".divider")).toContainText("Python is clean");
  await expect(await runInConsole(page, "x")).toContainText("NameError");
  await page.getByRole("tab", { name: /Artifacts/ }).click();
  await expect(page.getByRole("article", { name: "note.txt" })).toContainText("kept");
});

test("a second interpreter is kept ready for Reset, and the settings say what it costs", async ({ page }) => {
  await openRoomyDemo(page);
  await runInConsole(page, "x = 1");
  const costs = page.getByText(/A second interpreter is kept ready, .* takes \d+ MB/);
  await expect(async () => {
    await page.getByRole("button", { name: "Settings", exact: true }).click();
    const shown = await costs.isVisible();
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    expect(shown).toBe(true);
  }).toPass();

  await page.getByRole("button", { name: "Reset" }).click();

  await expect(page.locator(".divider")).toContainText("Python is clean");
  await expect(await runInConsole(page, "x")).toContainText("NameError");
});

test("Reset ends a task that runs", async ({ page }) => {
  await openDemo(page);
  await useModel(page, { baseURL: server.baseURL(dictatedScenario([LOOP])) });
  await page.getByRole("textbox", { name: "Task" }).fill("Loop");
  await page.keyboard.press("Enter");
  // Before that the page may say that it runs while it is still being checked, and Stop costs nothing.
  await expect(page.locator(".out.stdout")).toHaveText("at work");

  await page.getByRole("button", { name: "Reset" }).click();

  await expect(page.locator(".divider")).toContainText("Python is clean");
  await expect(page.getByText("Stopped. What was done until then stays.")).toBeVisible();
});
