import { readFile } from "node:fs/promises";

import { expect, test, type Locator, type Page } from "@playwright/test";

import { dictatedScenario } from "../servers/dictated-replies.js";
import { startModelServer, type ModelServer } from "../servers/model-server.js";
import { json, startScriptedServer, type ScriptedServer } from "../servers/scripted-server.js";
import { openDemo, runTask, showTab, useModel, waitUntilReady } from "./demo.js";

const block = (...lines: string[]): string => ["```python", ...lines, "```"].join("\n");

const TASK = "Order two chairs";
const REPLIES = [
  `I look, then I order.\n${block("stock = tools.shop.look(what='chair')", "print('in stock')", "order = tools.shop.order(what='chair')")}`,
  block("final_answer('I looked before I ordered again.')"),
];

let models: ModelServer;
let shop: ScriptedServer;
test.beforeEach(async () => {
  [models, shop] = await Promise.all([startModelServer(), startScriptedServer()]);
});
test.afterEach(() => Promise.all([models.close(), shop.close()]));

/** Opens the demo with a tool whose `look` answers and whose `order` never does. */
async function openShop(page: Page): Promise<void> {
  shop.answerWith(({ url }, response) => {
    if (url.pathname !== "/order") json(response, { left: 7 }, { "access-control-allow-origin": "*" });
  });
  await openDemo(page);
  const panel = await showTab(page, "Tools");
  await panel.getByRole("button", { name: "Add a tool" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a tool" });
  await dialog.getByRole("radio", { name: "Tool file" }).check();
  await dialog.getByRole("textbox", { name: "YAML" }).fill(
    `name: shop
type: http
base_url: ${shop.origin}
recipes:
  look: { path: /look, params: { what: {} } }
  order: { path: /order, params: { what: {} } }
`,
  );
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await expect(dialog).toBeHidden();
}

/** Reloads the page in the middle of the step whose order was sent and is not answered. */
async function loseThePage(page: Page): Promise<void> {
  await openShop(page);
  await useModel(page, { baseURL: models.baseURL(dictatedScenario(REPLIES)) });
  await page.getByRole("textbox", { name: "Task" }).fill(TASK);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: /running: .*order/ })).toBeVisible();
  await expect.poll(() => ordered()).toBe(1);
  await page.reload();
}

function ordered(): number {
  return shop.received.filter(({ url, method }) => url.pathname === "/order" && method !== "OPTIONS").length;
}

function savedTask(page: Page, text = TASK): Locator {
  return page.locator(".saved li").filter({ hasText: text });
}

test("a task that lost its page in the middle of a call is taken up: the page and the model are told what is known, and nothing is called twice", async ({
  page,
}) => {
  await loseThePage(page);

  await expect(savedTask(page)).toContainText("Interrupted");
  await expect(savedTask(page)).toContainText("test-model");
  await savedTask(page).getByRole("button", { name: "Go on" }).click();

  const card = page.locator(".task-card");
  await expect(card.locator(".answer")).toContainText("I looked before I ordered again.", { timeout: 40_000 });
  const told = card.getByRole("group", { name: "The task was taken up here" });
  await expect(told).toContainText("1 call of it finished");
  await expect(told.getByRole("button", { name: /^done: tools\.shop\.look/ })).toBeVisible();
  await expect(told).toContainText("the outcome is unknown");
  await expect(told.getByRole("button", { name: /^outcome unknown: tools\.shop\.order/ })).toBeVisible();
  await expect(card.getByRole("article")).toHaveCount(2);
  const messages = models.requests.at(-1)?.body.messages ?? [];
  expect(messages.at(-1)?.content).toContain("Calls whose outcome is unknown. They may have taken effect");
  expect(messages.at(-1)?.content).toContain("in stock");
  expect(models.requests).toHaveLength(2);
  expect(ordered()).toBe(1);
  await expect(card.locator(".origin")).toHaveCount(0);
});

test("a saved task is opened as it was left, which executes nothing and says so", async ({ page }) => {
  await loseThePage(page);

  await savedTask(page).getByRole("button", { name: TASK, exact: true }).click();

  const card = page.locator(".task-card");
  await expect(card.locator(".origin")).toHaveText(/Saved task of\s+\d{4}-\d{2}-\d{2} \d{2}:\d{2}\. Nothing runs\./);
  await expect(card.getByRole("heading", { name: TASK })).toBeFocused();
  await expect(card.getByRole("button", { name: /^done: .*look/ })).toBeVisible();
  await expect(card.getByRole("button", { name: /^outcome unknown: .*order/ })).toBeVisible();
  await expect(card).toContainText("It was interrupted here: its page went away.");
  await expect(card).toContainText("in stock");
  await waitUntilReady(page);
  expect(models.requests).toHaveLength(1);
  expect(ordered()).toBe(1);

  await card.getByRole("button", { name: "Go on" }).click();

  await expect(page.locator(".answer")).toContainText("I looked before", { timeout: 40_000 });
  await expect(page.locator(".task-card")).toHaveCount(1);
  expect(ordered()).toBe(1);
});

test("a task is replayed, which executes nothing, says so, and can be stopped", async ({ page }) => {
  const replies = [block("print('one')"), block("import time", "time.sleep(3)"), block("final_answer('three')")];
  await openDemo(page);
  await useModel(page, { baseURL: models.baseURL(dictatedScenario(replies)) });
  await runTask(page, "Count to three");
  await page.reload();
  await waitUntilReady(page);
  const asked = models.requests.length;

  await savedTask(page, "Count to three").getByRole("button", { name: "Replay" }).click();

  const card = page.locator(".task-card");
  await expect(card.locator(".origin")).toHaveText(/Replay of a task of\s+.*\. Nothing runs\./);
  await expect(card.locator(".answer")).toContainText("three");
  await expect(card.getByRole("article")).toHaveCount(3);

  await page.getByRole("button", { name: "Earlier tasks" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Replay: Count to three" }).click();
  const again = page.locator(".task-card").nth(1);
  await again.locator(".foot").filter({ hasText: "replayed" }).getByRole("button", { name: "Stop" }).click();
  await expect(again).toContainText("The replay was stopped here.");
  await expect(again.locator(".answer")).toHaveCount(0);
  expect(models.requests).toHaveLength(asked);
});

test("a task is run again with the words of then, and real code and tools", async ({ page }) => {
  await openShop(page);
  const look = block("found = tools.shop.look(what='lamp')", "print(found['left'])");
  const replies = [look, block("final_answer(found['left'])")];
  await useModel(page, { baseURL: models.baseURL(dictatedScenario(replies)) });
  await runTask(page, "How many lamps are left?");
  const asked = models.requests.length;
  await page.getByRole("button", { name: "Earlier tasks" }).click();
  const dialog = page.getByRole("dialog", { name: "Earlier tasks" });

  await dialog.getByRole("button", { name: "Run again: How many lamps are left?" }).click();

  await expect(dialog).toBeHidden();
  const card = page.locator(".task-card").nth(1);
  await expect(card.locator(".answer")).toContainText("7", { timeout: 40_000 });
  await expect(card.locator(".meta")).toContainText("what test-model said then, run again");
  expect(models.requests).toHaveLength(asked);
  expect(shop.received.filter(({ url }) => url.searchParams.get("what") === "lamp")).toHaveLength(2);
});

test("a task is shared as one file, deleted after a question, and opened from its file; a damaged one is refused with the reason", async ({
  page,
}) => {
  await openDemo(page);
  await useModel(page, { baseURL: models.baseURL(dictatedScenario([block("final_answer(6 * 7)")])) });
  await runTask(page, "Six by seven");
  await page.reload();
  await waitUntilReady(page);
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    savedTask(page, "Six by seven").getByRole("button", { name: "Share" }).click(),
  ]);
  expect(file.suggestedFilename()).toBe("six-by-seven.task.jsonl");
  const text = await readFile(await file.path(), "utf8");

  page.once("dialog", (question) => void question.dismiss());
  await savedTask(page, "Six by seven").getByRole("button", { name: "Delete" }).click();
  await expect(savedTask(page, "Six by seven")).toHaveCount(1);
  page.once("dialog", (question) => void question.accept());
  await savedTask(page, "Six by seven").getByRole("button", { name: "Delete" }).click();
  await expect(page.locator(".saved li")).toHaveCount(0);

  const input = page.getByLabel("Open a task file…");
  await input.setInputFiles({
    name: "a.task.jsonl",
    mimeType: "",
    buffer: Buffer.from(text.slice(0, text.length / 2)),
  });
  await expect(page.getByRole("alert")).toContainText("The saved task cannot be read");
  await input.setInputFiles({ name: "a.task.jsonl", mimeType: "", buffer: Buffer.from(text) });

  await expect(page.locator(".task-card .answer")).toContainText("42");
  await expect(page.locator(".origin")).toContainText("Nothing runs.");
  await page.getByRole("button", { name: "Earlier tasks" }).click();
  await expect(savedTask(page, "Six by seven")).toContainText("Done");
  expect(models.requests).toHaveLength(1);
});

test("the agent that calls tools is chosen in the settings; its steps are calls under what the model wrote, and its task goes on after a reload", async ({
  page,
}) => {
  await openShop(page);
  const replies = [
    `{"tool": "shop.look", "arguments": {"what": "lamp"}}`,
    `{"tool": "shop.order", "arguments": {"what": "lamp"}}`,
    `{"answer": "There are lamps."}`,
  ];
  await useModel(page, { baseURL: models.baseURL(dictatedScenario(replies)) });
  await page.getByRole("button", { name: "Settings", exact: true }).click();
  await page.getByRole("radio", { name: /Calls tools/ }).check();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("textbox", { name: "Task" }).fill("Are there lamps?");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: /running: .*order/ })).toBeVisible();
  const first = page.getByRole("article", { name: "Step 1" });
  await expect(first.getByRole("button", { name: /^done: tools\.shop\.look/ })).toBeVisible();
  await first.getByText("What the model wrote").click();
  await expect(first.locator(".code")).toContainText(`"tool": "shop.look"`);
  await expect(first).not.toContainText("holds no code");
  await page.reload();

  await expect(savedTask(page, "Are there lamps?")).toContainText("JSON agent");
  await savedTask(page, "Are there lamps?").getByRole("button", { name: "Go on" }).click();

  await expect(page.locator(".answer")).toContainText("There are lamps.", { timeout: 40_000 });
  await expect(page.locator(".resumption")).toContainText("the outcome is unknown");
  expect(ordered()).toBe(1);
});
