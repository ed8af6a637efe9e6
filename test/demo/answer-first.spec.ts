import { expect, test, type Locator, type Page } from "@playwright/test";

import { dictatedScenario } from "../servers/dictated-replies.js";
import { startModelServer, type ModelServer } from "../servers/model-server.js";
import { ANSWERS } from "../timeouts.mjs";
import { addGate, openDemo, useModel } from "./demo.js";

const block = (...lines: string[]): string => ["```python", ...lines, "```"].join("\n");

let server: ModelServer;
test.beforeAll(async () => {
  server = await startModelServer();
});
test.afterAll(() => server.close());

const transcript = (page: Page): Locator => page.getByRole("region", { name: "Transcript" });
const stepLines = (card: Locator): Locator => card.getByRole("button", { name: /^Step \d/ });

test("once a task has ended its answer and artifacts come first, and its steps are a line each that unfold", async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await openDemo(page);
  await page.getByRole("button", { name: "Clean a messy CSV and chart it" }).click();
  const card = page.locator(".task-card");
  await expect(card.getByRole("heading", { name: "4 steps" })).toBeVisible({ timeout: ANSWERS });

  await expect(card.getByRole("heading", { name: "Answer" })).toBeInViewport();
  await expect(card.getByRole("button", { name: "daily-means.svg" })).toBeInViewport();
  await expect(stepLines(card)).toHaveText([/First I look [^]*1 call/, /×failed[^]*1 call/, /1 call/, /4 calls/]);
  const top = async (part: Locator): Promise<number> => (await part.boundingBox())?.y ?? NaN;
  expect(await top(card.locator(".answer"))).toBeLessThan(await top(stepLines(card).first()));
  await expect(card.locator(".code")).toHaveCount(0);
  // Less than two screens, where all of the code is eight.
  expect(await transcript(page).evaluate(({ scrollHeight }) => scrollHeight)).toBeLessThan(1500);
  // "0 tokens", and not the time: "4.0 s", "1 min 0 s".
  await expect(card.locator(".usage")).not.toContainText(/\b0 (?!s\b)/);

  await stepLines(card).nth(1).press("Enter");
  await expect(stepLines(card).nth(1)).toHaveAttribute("aria-expanded", "true");
  await expect(stepLines(card).nth(1)).toBeFocused();
  await expect(card.locator(".code")).toHaveCount(1);
  await card.getByRole("button", { name: "Unfold all" }).click();
  await expect(card.locator(".code")).toHaveCount(4);
  await card.getByRole("button", { name: "Fold all" }).click();
  await expect(card.locator(".code")).toHaveCount(0);
});

test("who reads elsewhere when a task ends keeps what they read", async ({ page }) => {
  await page.setViewportSize({ width: 1000, height: 500 });
  await openDemo(page);
  const gate = await addGate(page);
  const replies = [
    block("for i in range(12):", "    print(i)"),
    block("artifacts.save('a.txt', 'a')", "for i in range(12):", "    print(i)", "tools.gate.wait()"),
    block("final_answer('There it is.')"),
  ];
  await useModel(page, { baseURL: server.baseURL(dictatedScenario([...replies, ...replies])) });
  await page.getByRole("textbox", { name: "Task" }).fill("Count");
  await page.keyboard.press("Enter");
  const waiting = page.getByRole("button", { name: /running: .*gate\.wait/ });
  await expect(waiting).toBeVisible();
  await transcript(page).hover();
  const read = page.getByRole("article", { name: "Step 1" }).locator(".out");
  // How far up it is depends on how much of the second step's output is drawn by now.
  await expect(async () => {
    await page.mouse.wheel(0, -200);
    await expect(read).toBeInViewport({ timeout: 1000 });
  }).toPass({ timeout: ANSWERS });
  await expect(page.getByRole("button", { name: "To the newest step" })).toBeVisible();

  gate.open();

  const card = page.locator(".task-card");
  await expect(card.getByRole("heading", { name: "3 steps" })).toBeVisible({ timeout: ANSWERS });
  await expect(card.locator(".code")).toHaveCount(3);
  await expect(read).toBeInViewport();
  await gate.close();
});

test("a step that the reader has looked into stays unfolded, the others fold", async ({ page }) => {
  await openDemo(page);
  const gate = await addGate(page);
  const replies = [block("artifacts.save('a.txt', 'a')", "tools.gate.wait()"), block("final_answer('There it is.')")];
  await useModel(page, { baseURL: server.baseURL(dictatedScenario(replies)) });
  await page.getByRole("textbox", { name: "Task" }).fill("Save");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: /done: .*artifacts\.save/ }).click();
  gate.open();

  const card = page.locator(".task-card");
  await expect(card.getByRole("heading", { name: "2 steps" })).toBeVisible({ timeout: ANSWERS });
  await expect(card.getByText("Arguments", { exact: true })).toBeVisible();
  await expect(stepLines(card).nth(1)).toHaveAttribute("aria-expanded", "false");
  await gate.close();
});

test("a task without an answer keeps its steps open, and says at its end why", async ({ page }) => {
  await openDemo(page);
  await useModel(page, { baseURL: server.baseURL(dictatedScenario([block("import time", "time.sleep(60)")])) });
  await page.getByRole("textbox", { name: "Task" }).fill("Wait");
  await page.keyboard.press("Enter");
  await expect(page.locator(".step .foot")).toContainText("running");

  await page.locator(".composer").getByRole("button", { name: "Stop" }).click();

  const card = page.locator(".task-card");
  await expect(card.locator(".ending")).toContainText("Stopped");
  await expect(card.locator(".code")).toBeVisible();
  await expect(stepLines(card)).toHaveCount(0);
});
