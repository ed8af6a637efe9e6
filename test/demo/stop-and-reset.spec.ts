import { expect, test } from "@playwright/test";

import { dictatedScenario } from "../servers/dictated-replies.js";
import { startModelServer, type ModelServer } from "../servers/model-server.js";
import { openDemo, runInConsole, useModel } from "./demo.js";

let server: ModelServer;
test.beforeAll(async () => {
  server = await startModelServer();
});
test.afterAll(async () => {
  await server.close();
});

const LOOP = "I loop.\n```python\nkept = 1\nwhile True:\n    pass\n```";

test("Stop ends a task that loops; where that costs the variables the page says so", async ({ page }) => {
  await openDemo(page);
  await useModel(page, { baseURL: server.baseURL(dictatedScenario([LOOP])) });
  await page.getByRole("textbox", { name: "Task" }).fill("Loop");
  await page.keyboard.press("Enter");
  await expect(page.getByText(/^running/)).toBeVisible();

  await page.getByRole("button", { name: "Stop" }).first().click();

  await expect(page.getByText("Stopped. What was done until then stays.")).toBeVisible();
  const kept = await runInConsole(page, "'kept' in globals()");
  const gone = (await kept.innerText()).includes("False");
  await expect(page.getByText("its variables are gone").first()).toBeVisible({ visible: gone });
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

test("Reset ends a task that runs", async ({ page }) => {
  await openDemo(page);
  await useModel(page, { baseURL: server.baseURL(dictatedScenario([LOOP])) });
  await page.getByRole("textbox", { name: "Task" }).fill("Loop");
  await page.keyboard.press("Enter");
  await expect(page.getByText(/^running/)).toBeVisible();

  await page.getByRole("button", { name: "Reset" }).click();

  await expect(page.locator(".divider")).toContainText("Python is clean");
  await expect(page.getByText("Stopped. What was done until then stays.")).toBeVisible();
});
