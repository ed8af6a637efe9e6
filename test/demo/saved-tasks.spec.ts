import { readFile } from "node:fs/promises";

import { expect, test, type Locator, type Page } from "@playwright/test";

import { dictatedScenario } from "../servers/dictated-replies.js";
import { startModelServer, type ModelServer } from "../servers/model-server.js";
import { json, startScriptedServer, type ScriptedServer } from "../servers/scripted-server.js";
import { ANSWERS } from "../timeouts.mjs";
import { addTool, openDemo, reloadOnceStored, runInConsole, runTask, useModel, waitUntilReady } from "./demo.js";

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
  await addTool(
    page,
    `name: shop
type: http
base_url: ${shop.origin}
recipes:
  look: { path: /look, params: { what: {} } }
  order: { path: /order, params: { what: {} } }
`,
  );
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

/** What of an element stands out of it at its right. */
function partsBeyond(element: Locator): Promise<string[]> {
  return element.evaluate((whole) => {
    const { right } = whole.getBoundingClientRect();
    const parts = Array.from(whole.querySelectorAll("*"));
    return parts.filter((part) => part.getBoundingClientRect().right > right + 1).map(({ tagName }) => tagName);
  });
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
  await expect(card.locator(".answer")).toContainText("I looked before I ordered again.", { timeout: ANSWERS });
  const told = card.getByRole("group", { name: "The task was taken up here" });
  await expect(told).toContainText("1 call of it finished");
  await expect(told.getByRole("button", { name: /^done: tools\.shop\.look/ })).toBeVisible();
  await expect(told).toContainText("the outcome is unknown");
  await expect(told.getByRole("button", { name: /^outcome unknown: tools\.shop\.order/ })).toBeVisible();
  const size = page.viewportSize();
  await page.setViewportSize({ width: 360, height: 700 });
  expect(await partsBeyond(told)).toEqual([]);
  if (size !== null) await page.setViewportSize(size);
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
  // A low window, which what is opened does not fit into.
  const size = page.viewportSize();
  await page.setViewportSize({ width: 1000, height: 300 });

  await savedTask(page).getByRole("button", { name: TASK, exact: true }).click();

  const card = page.locator(".task-card");
  await expect(card.locator(".origin")).toHaveText(/Saved task of\s+\d{4}-\d{2}-\d{2} \d{2}:\d{2}\.\s+Nothing runs\./);
  await expect(card.getByRole("heading", { name: TASK })).toBeFocused();
  // Only the transcript's own box scrolls: the bar at the top and the task box stay where they are.
  await expect(page.locator(".origin")).toBeInViewport();
  expect(await page.evaluate(() => document.scrollingElement?.scrollTop)).toBe(0);
  if (size !== null) await page.setViewportSize(size);
  await expect(card.getByRole("button", { name: /^done: .*look/ })).toBeVisible();
  await expect(card.getByRole("button", { name: /^outcome unknown: .*order/ })).toBeVisible();
  await expect(card).toContainText("It was interrupted here: its page went away.");
  await expect(card).toContainText("in stock");
  await waitUntilReady(page);
  expect(models.requests).toHaveLength(1);
  expect(ordered()).toBe(1);

  await card.getByRole("button", { name: "Go on" }).click();

  await expect(page.locator(".answer")).toContainText("I looked before", { timeout: ANSWERS });
  await expect(page.locator(".task-card")).toHaveCount(1);
  expect(ordered()).toBe(1);
});

test("a task that was stopped says that the recorded model cannot go on with it, and goes on once there is a model", async ({
  page,
}) => {
  await openDemo(page);
  await page.getByRole("button", { name: "Clean a messy CSV and chart it" }).click();
  const card = page.locator(".task-card");
  // One that is stopped before it began is not saved: there is nothing to go on with.
  await expect(card.getByRole("article").first()).toBeVisible();
  await page.locator(".composer").getByRole("button", { name: "Stop" }).click();

  await expect(card).toContainText("It cannot go on with the recorded model");
  await expect(card.getByRole("button", { name: "Go on" })).toHaveCount(0);
  await page.getByRole("button", { name: "Earlier tasks" }).click();
  const saved = savedTask(page, "station-readings.csv");
  await expect(saved).toContainText("The recorded model cannot go on with it, only begin again.");
  await expect(saved.getByRole("button", { name: "Start over" })).toBeVisible();
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();

  // Stop came before the first reply or after some of the four, and the server counts replies: it has this one all the same.
  const replies = Array<string>(5).fill(block("final_answer('cleaned')"));
  await useModel(page, { baseURL: models.baseURL(dictatedScenario(replies)) });
  await expect(card).not.toContainText("It cannot go on");
  await card.getByRole("button", { name: "Go on" }).click();

  await expect(page.locator(".answer")).toContainText("cleaned", { timeout: ANSWERS });
});

test("a task that is stopped while its files are fetched never began, which the page says", async ({ page }) => {
  await openDemo(page);
  await page.route("**/station-readings.csv", () => undefined);
  await page.getByRole("button", { name: "Clean a messy CSV and chart it" }).click();
  const card = page.locator(".task-card");
  await expect(card.locator(".waits")).toContainText("Puts the task's files into /workspace.");

  await card.getByRole("button", { name: "Stop" }).click();

  await expect(card.locator(".ending")).toHaveText("Stopped before it began.");
  await expect(card.getByRole("article")).toHaveCount(0);
  await page.getByRole("button", { name: "Earlier tasks" }).click();
  await expect(savedTask(page, "station-readings.csv")).toHaveCount(0);
});

test("a task is replayed, which executes nothing, says so, and can be stopped", async ({ page }) => {
  const replies = [block("print('one')"), block("import time", "time.sleep(1)"), block("final_answer('three')")];
  await openDemo(page);
  await useModel(page, { baseURL: models.baseURL(dictatedScenario(replies)) });
  await runTask(page, "Count to three");
  await reloadOnceStored(page);
  const asked = models.requests.length;

  await savedTask(page, "Count to three").getByRole("button", { name: "Replay" }).click();

  const card = page.locator(".task-card");
  await expect(card.locator(".origin")).toHaveText(/Replay of a task of\s+.*\.\s+Nothing runs\./);
  await expect(card.locator(".answer")).toContainText("three");
  await expect(card.getByRole("article")).toHaveCount(3);

  await page.getByRole("button", { name: "Earlier tasks" }).click();
  const again = page.locator(".task-card").nth(1);
  // On a busy machine a replay may be over before a pointer gets to its button.
  await page.evaluate(() => {
    const stopReplay = new MutationObserver(() => {
      const stop = [...document.querySelectorAll<HTMLButtonElement>(".task-card .foot button")].find(
        (button) => button.textContent === "Stop",
      );
      if (stop === undefined) return;
      stopReplay.disconnect();
      stop.click();
    });
    stopReplay.observe(document.body, { childList: true, subtree: true });
  });
  await page.getByRole("dialog").getByRole("button", { name: "Replay: Count to three" }).click();
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
  await expect(card.locator(".answer")).toContainText("7", { timeout: ANSWERS });
  await expect(card.locator(".meta")).toContainText("what test-model said then, run again");
  expect(models.requests).toHaveLength(asked);
  expect(shop.received.filter(({ url }) => url.searchParams.get("what") === "lamp")).toHaveLength(2);
});

function isArtifact(line: string): boolean {
  return line.startsWith('{"artifact"');
}

test("a task is shared as one file, deleted after a question, and opened from its file; a damaged one is refused with the reason", async ({
  page,
}) => {
  await openDemo(page);
  await useModel(page, {
    baseURL: models.baseURL(
      dictatedScenario([block("artifacts.save('sums.csv', 'a,b\\n6,7\\n')", "final_answer(6 * 7)")]),
    ),
  });
  await runTask(page, "Six by seven");
  await reloadOnceStored(page);
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
  // Of that name its reader has another one.
  await runInConsole(page, "artifacts.save('sums.csv', 'mine\\nmy own\\n')");

  const input = page.getByLabel("Open a task file…");
  await input.setInputFiles({
    name: "a.task.jsonl",
    mimeType: "",
    buffer: Buffer.from(text.slice(0, text.length / 2)),
  });
  await expect(page.getByRole("alert")).toContainText("The saved task cannot be read");
  await input.setInputFiles({ name: "a.task.jsonl", mimeType: "", buffer: Buffer.from(text) });

  await expect(page.locator(".task-card .answer")).toContainText("42");
  await expect(page.locator(".origin")).toContainText(/, from a file\.\s+Nothing runs\./);
  const attached = page.locator("vitrine-app-task-attachments").getByRole("article", { name: "sums.csv" });
  await expect(attached.getByRole("cell", { name: "7", exact: true })).toBeVisible();
  await expect(page.locator("#shelf").getByRole("tab", { name: "Artifacts 1" })).toBeVisible();
  // Its words are somebody else's: they are told to no model before its reader agrees.
  const followUp = page.locator(".task-card").getByRole("button", { name: "Follow up" });
  page.once("dialog", (question) => void question.dismiss());
  await followUp.click();
  await expect(page.locator(".following")).toHaveCount(0);
  page.once("dialog", (question) => void question.accept());
  await followUp.click();
  await expect(page.locator(".following")).toContainText("Follows up on “Six by seven”");
  await page.getByRole("button", { name: "Start fresh instead" }).click();
  await page.getByRole("button", { name: "Earlier tasks" }).click();
  await expect(savedTask(page, "Six by seven")).toContainText("Done");
  expect(models.requests).toHaveLength(1);

  const lines = text.split("\n");
  // One that did not come to its answer shows what it saved all the same.
  const saved = lines.findIndex((line) => line.includes('\\"type\\":\\"artifact\\"'));
  const cut = lines.slice(0, saved + 1).join("\n");
  await input.setInputFiles({ name: "a.task.jsonl", mimeType: "", buffer: Buffer.from(cut) });
  await expect(page.locator(".task-card .ending")).toContainText("interrupted");
  await expect(attached.getByRole("cell", { name: "7", exact: true })).toBeVisible();
  // Without artifacts in the file its names lead to none of the reader's.
  const turn = { kind: "turn", message: { role: "user", content: "Earlier words." } };
  const bare = [(lines[0] ?? "").replace("2", "1"), ...lines.filter((line, index) => index > 0 && !isArtifact(line))];
  const before = JSON.stringify(`"before":[${JSON.stringify(turn)}]`).slice(1, -1);
  const continued = bare.join("\n").replace('\\"before\\":[]', before);
  await page.getByRole("button", { name: "Earlier tasks" }).click();
  await input.setInputFiles({ name: "a.task.jsonl", mimeType: "", buffer: Buffer.from(continued) });
  await expect(page.locator(".task-card .answer")).toContainText("It saved sums.csv.");
  await page.getByText("What was said before this task: 1 message").click();
  await expect(page.locator(".task-card").getByText("Earlier words.")).toBeVisible();
  await expect(page.locator(".task-card .answer").getByRole("button", { name: "sums.csv" })).toHaveCount(0);
  // One that shows other code than it would run again is not kept.
  const forged = text.replace(/(\\"type\\":\\"code\\".*?\\"code\\":\\")/, "$1harmless() # ");
  expect(forged).not.toBe(text);
  await page.getByRole("button", { name: "Earlier tasks" }).click();
  await input.setInputFiles({ name: "a.task.jsonl", mimeType: "", buffer: Buffer.from(forged) });
  await expect(page.getByRole("alert")).toContainText("shows other code than its reply holds");
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

  await expect(page.locator(".answer")).toContainText("There are lamps.", { timeout: ANSWERS });
  await expect(page.locator(".resumption")).toContainText("the outcome is unknown");
  expect(ordered()).toBe(1);
});

test("a task that runs in another tab is shown as far as it has come, and does not go on here", async ({
  page,
  context,
}) => {
  // It waits for a person, however long that takes.
  const replies = [block("explore('Waits.')", "skills.create('one', 'def run():\\n    return 1', 'Is one.')")];
  await openDemo(page);
  await useModel(page, { baseURL: models.baseURL(dictatedScenario(replies)) });
  await page.getByRole("textbox", { name: "Task" }).fill("Wait a minute");
  await page.keyboard.press("Enter");
  await expect(page.locator(".out.signal")).toBeVisible();
  const other = await context.newPage();
  await openDemo(other);

  await expect(savedTask(other, "Wait a minute")).toContainText("Running");
  await savedTask(other, "Wait a minute").getByRole("button", { name: "Wait a minute", exact: true }).click();

  const card = other.locator(".task-card");
  await expect(card.locator(".ending")).toHaveText("It still runs. This is what it has done so far.");
  await expect(card.getByRole("button", { name: "Go on" })).toHaveCount(0);
});

test("a task at its limit goes on once the settings allow it more, and says so", async ({ page }) => {
  const replies = [block("commit('Take four.')"), block("final_answer(4)")];
  await openDemo(page);
  await useModel(page, { baseURL: models.baseURL(dictatedScenario(replies)) });
  await allowSteps(page, "1");

  const card = await runTask(page, "Two by two");

  await expect(card.locator(".failure")).toContainText("Steps taken: 1.");
  await expect(card.locator(".out")).toHaveText(["Decided: Take four."]);
  await card.getByText("1 signal on the way").click();
  await expect(card.locator(".signals li")).toHaveText(["Step 1, Decided: Take four."]);
  await expect(card.getByRole("button", { name: "Go on" })).toHaveCount(0);
  await card.getByText("It can go on once the settings allow it more.").waitFor();
  await card.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("dialog", { name: "Settings" }).press("Escape");
  // Nor from the list, which asks nobody and shows the task.
  await page.getByRole("button", { name: "Earlier tasks" }).click();
  await page.getByRole("dialog", { name: "Earlier tasks" }).getByRole("button", { name: "Go on: Two by two" }).click();
  await expect(page.locator(".task-card")).toHaveCount(2);
  expect(models.requests).toHaveLength(1);

  await allowSteps(page, "3");
  await page.locator(".task-card").last().getByRole("button", { name: "Go on" }).click();

  await expect(page.locator(".answer")).toContainText("4", { timeout: ANSWERS });
});

async function allowSteps(page: Page, steps: string): Promise<void> {
  await page.getByRole("banner").getByRole("button", { name: "Settings" }).click();
  const dialog = page.getByRole("dialog", { name: "Settings" });
  await dialog.getByRole("textbox", { name: "Steps" }).fill(steps);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toBeHidden();
}
