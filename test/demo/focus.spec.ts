import { expect, test } from "@playwright/test";

import { dictatedScenario } from "../servers/dictated-replies.js";
import { startModelServer, type ModelServer } from "../servers/model-server.js";
import { ANSWERS } from "../timeouts.mjs";
import { openDemo, showTab, typeIntoConsole, useModel } from "./demo.js";

const block = (...lines: string[]): string => ["```python", ...lines, "```"].join("\n");
const LONG = block("import time", "time.sleep(60)");

let server: ModelServer;
test.beforeAll(async () => {
  server = await startModelServer();
});
test.afterAll(() => server.close());

test("the keyboard keeps a place when a task begins, is stopped, and goes on", async ({ page }) => {
  await openDemo(page);
  await useModel(page, { baseURL: server.baseURL(dictatedScenario([LONG, LONG, LONG])) });
  await page.getByRole("textbox", { name: "Task" }).fill("Wait");
  const run = page.getByRole("button", { name: "Run", exact: true });
  await expect(run).toBeEnabled();
  await run.focus();
  await page.keyboard.press("Enter");
  const heading = page.locator(".task-card").getByRole("heading", { name: "Wait", exact: true });
  await expect(heading).toBeFocused();

  await expect(page.locator(".step .foot")).toContainText("running");
  await page.locator(".composer").getByRole("button", { name: "Stop" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.locator(".ending")).toContainText("Stopped");
  await expect(page.getByRole("textbox", { name: "Task" })).toBeFocused();

  const goOn = page.locator(".task-card").getByRole("button", { name: "Go on" });
  await expect(goOn).toBeEnabled();
  await goOn.focus();
  await page.keyboard.press("Enter");
  await expect(page.locator(".resumption")).toBeVisible();
  await expect(heading).toBeFocused();

  await expect(page.locator(".step .foot").last()).toContainText("running");
  await page.locator(".step .foot").getByRole("button", { name: "Stop" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.locator(".ending")).toContainText("Stopped");
  await expect(page.getByRole("textbox", { name: "Task" })).toBeFocused();
});

test("a task of the page that is chosen by keyboard has the focus, and a call that was allowed has it next", async ({
  page,
}) => {
  await openDemo(page);
  await page.getByRole("button", { name: "Write a skill and use it on other data" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.locator(".task-card h2.task")).toBeFocused();

  const card = page.getByRole("form", { name: "Approval of skills.create" });
  await expect(card).toBeVisible({ timeout: ANSWERS });
  await card.getByRole("button", { name: "Allow once" }).focus();
  await page.keyboard.press("Enter");

  await expect(card).toHaveCount(0);
  await expect(page.getByRole("button", { name: /skills\.create/ })).toBeFocused();
});

test("code of the console that was stopped leaves the focus in the editor", async ({ page }) => {
  await openDemo(page);
  const panel = await showTab(page, "Console");
  await typeIntoConsole(page, "import time\ntime.sleep(60)");
  await page.keyboard.press("Control+Enter");

  await panel.getByRole("button", { name: "Stop" }).focus();
  await page.keyboard.press("Enter");

  await expect(panel.locator(".console-entry").first()).toHaveClass(/done/);
  await expect(panel.getByRole("textbox", { name: "Python" })).toBeFocused();
});
