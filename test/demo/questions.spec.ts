import AxeBuilder from "@axe-core/playwright";
import { expect, test, type Locator, type Page } from "@playwright/test";

import { dictatedScenario, type DictatedReply } from "../servers/dictated-replies.js";
import { startModelServer, type ModelServer } from "../servers/model-server.js";
import { ANSWERS } from "../timeouts.mjs";
import { openDemo, showTab, typeIntoConsole, unfoldSteps, useModel } from "./demo.js";

const block = (...lines: string[]): string => ["```python", ...lines, "```"].join("\n");

let server: ModelServer;
test.beforeAll(async () => {
  server = await startModelServer();
});
test.afterAll(() => server.close());

/** Starts a task whose model says these things in turn. */
async function begin(page: Page, replies: readonly DictatedReply[]): Promise<Locator> {
  await openDemo(page);
  await useModel(page, { baseURL: server.baseURL(dictatedScenario(replies)) });
  await page.getByRole("textbox", { name: "Task" }).fill("Ask me");
  await page.keyboard.press("Enter");
  return page.locator(".task-card");
}

const questionIn = (part: Locator): Locator => part.getByRole("group", { name: "Question of the code" });

/** Said to the task and to the agents that it calls, which know from an artifact who they are. */
const BOTH = [
  block(
    "import asyncio",
    "if artifacts.exists('begun'):",
    "    final_answer(input('Which town?'))",
    "else:",
    "    artifacts.save('begun', 'yes')",
    "    both = await asyncio.gather(",
    "        tools.assistant.call_async(task='Ask for the north'),",
    "        tools.assistant.call_async(task='Ask for the south'),",
    "    )",
    "    final_answer(' and '.join(sorted(both)))",
  ),
];

test("two agents that ask at once are both answered, each in its own card", async ({ page }) => {
  const card = await begin(page, BOTH);
  const agents = card.getByRole("group", { name: "Agent assistant" });
  await expect(questionIn(card)).toHaveCount(2, { timeout: ANSWERS });
  await expect(agents.getByText("Waits for you")).toHaveCount(2);
  expect((await new AxeBuilder({ page }).include("main").exclude("iframe").analyze()).violations).toEqual([]);

  for (const [part, town] of [
    ["south", "Rome"],
    ["north", "Oslo"],
  ] as const) {
    const agent = agents.filter({ hasText: `Its task: Ask for the ${part}` });
    await questionIn(agent).getByRole("textbox", { name: "Which town?" }).fill(town);
    await page.keyboard.press("Enter");
    await expect(agent.locator(".asked-person")).toHaveText(
      new RegExp(`The code asked:\\s+Which town\\?\\s+You answered:\\s+${town}`),
    );
  }

  await expect(card.locator(".answer")).toContainText("Oslo and Rome", { timeout: ANSWERS });
});

test("Stop ends the questions of agents below a task", async ({ page }) => {
  const card = await begin(page, BOTH);
  await expect(questionIn(card)).toHaveCount(2, { timeout: ANSWERS });

  await page.locator(".composer").getByRole("button", { name: "Stop" }).click();

  await expect(questionIn(card)).toHaveCount(0);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(card.getByText("Stopped. What was done until then stays.")).toBeVisible();
  await expect(card.locator(".asked-person").first()).toContainText("It was not answered.");
});

test("a question covers nothing: the model can be told something meanwhile, and Stop is there", async ({ page }) => {
  const card = await begin(page, [block("input('Which unit?')")]);
  await expect(questionIn(card)).toBeVisible();
  await expect(card.locator(".step .foot")).toContainText("waiting for you");
  await expect(page.locator("#announcements")).toHaveText("The code asks: Which unit?");

  await page.getByRole("textbox", { name: "Tell the model" }).fill("Be quick");
  await page.keyboard.press("Enter");
  await expect(card.locator(".said")).toContainText("Be quick");
  await card.locator(".step .foot").getByRole("button", { name: "Stop" }).click();

  await expect(questionIn(card)).toHaveCount(0);
  await expect(card.locator(".asked-person")).toContainText("It was not answered.");
});

test("who does not answer lets the code go on without", async ({ page }) => {
  const asks = ["try:", "    input('Which unit?')", "except EOFError:", "    final_answer('nobody knows')"];
  const card = await begin(page, [block(...asks)]);

  await questionIn(card).getByRole("button", { name: "No answer" }).focus();
  await page.keyboard.press("Enter");

  // The step may have become a line meanwhile.
  await expect(card.locator(".asked-person, .step-line").and(page.locator(":focus"))).toHaveCount(1);
  await expect(card.locator(".answer")).toContainText("nobody knows", { timeout: ANSWERS });
  await unfoldSteps(card);
  await expect(card.locator(".asked-person")).toContainText("It was not answered.");
});

test("what the code of the console asks is asked for in a dialog, which Escape leaves without an answer", async ({
  page,
}) => {
  await openDemo(page);
  const panel = await showTab(page, "Console");
  await typeIntoConsole(page, "input('Which unit?')");
  await page.keyboard.press("Control+Enter");
  const dialog = page.getByRole("dialog", { name: "The code asks for a line" });
  await expect(dialog.getByRole("textbox", { name: "Which unit?" })).toBeFocused();

  await page.keyboard.press("Escape");

  await expect(dialog).toHaveCount(0);
  await expect(panel.locator(".console-entry").first()).toContainText("EOFError");

  // What is written next is for the console again.
  await typeIntoConsole(page, "input('Which unit?')");
  await page.keyboard.press("Control+Enter");
  await expect(dialog.getByRole("textbox", { name: "Which unit?" })).toBeFocused();
  await page.keyboard.type("grams");
  await page.keyboard.press("Enter");
  await expect(panel.locator(".console-entry").nth(1)).toContainText("grams");
  await expect(panel.getByRole("textbox", { name: "Python" })).toBeFocused();
});

test("what the code of an agent asks that the console called is asked for in the dialog, which says who asks", async ({
  page,
}) => {
  await openDemo(page);
  await useModel(page, { baseURL: server.baseURL(dictatedScenario([block("final_answer(input('Which town?'))")])) });
  const panel = await showTab(page, "Console");
  await typeIntoConsole(page, "tools.assistant(task='Ask me which town')");
  await page.keyboard.press("Control+Enter");

  const dialog = page.getByRole("dialog", { name: "The code of assistant asks for a line" });
  await expect(dialog.getByRole("textbox", { name: "Which town?" })).toBeFocused({ timeout: ANSWERS });
  await expect(page.locator("#announcements")).toHaveText("The code of assistant asks: Which town?");
  await page.keyboard.type("Oslo");
  await page.keyboard.press("Enter");

  await expect(dialog).toHaveCount(0);
  await expect(panel.locator(".console-entry").first()).toContainText("Oslo", { timeout: ANSWERS });
});
