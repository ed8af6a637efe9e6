import AxeBuilder from "@axe-core/playwright";
import { expect, test, type Locator, type Page } from "@playwright/test";

import { startStatefulServer, type StatefulServer } from "../servers/mcp/stateful-server.js";
import { startModelServer, type ModelServer } from "../servers/model-server.js";
import { ANSWERS } from "../timeouts.mjs";
import { addTool, beginInConsole, openDemo, useModel } from "./demo.js";

const block = (...lines: string[]): string => ["```python", ...lines, "```"].join("\n");

/** Code that has the server ask a model this, and shows what came back. */
const sampled = (params: Readonly<Record<string, unknown>>): string =>
  `tools.shop.request(method="sampling/createMessage", params=${JSON.stringify({ maxTokens: 50, ...params })})`;
const user = (text: string): unknown => ({ role: "user", content: { type: "text", text } });

const ASKED = "What is a lamp?";
/** A model that is asked this does not answer. */
const SILENCE = "What is silence?";
const LAMP = sampled({ systemPrompt: "Be brief.", messages: [user(ASKED)] });

/** What the model says, by the task that it is given; to all else it says the same. */
const replies = new Map<string, string>([
  ["Ask it yourself", block(`final_answer(${LAMP})`)],
  ["Wait for it", block(`final_answer(${sampled({ messages: [user(SILENCE)] })})`)],
  ["Have it asked", block('final_answer(tools.assistant(task="Ask it for me"))')],
  ["Ask it for me", block(`final_answer(${LAMP})`)],
]);

let shop: StatefulServer;
let models: ModelServer;
test.beforeEach(async () => {
  [shop, models] = await Promise.all([
    startStatefulServer(),
    startModelServer(({ body }) => {
      const words = body.messages.map(({ content }) => content).join("\n");
      const last = body.messages.findLast(({ role }) => role === "user")?.content ?? "";
      if (last.includes(SILENCE)) return { kind: "silence" };
      const task = [...replies.keys()].find((one) => last.includes(one) || words.includes(one));
      return { kind: "reply", text: replies.get(task ?? "") ?? "It is a light." };
    }),
  ]);
});
test.afterEach(() => Promise.all([shop.close(), models.close()]));

const question = (page: Page): Locator => page.getByRole("region", { name: "Question of tools.shop" });

async function openShop(page: Page): Promise<void> {
  await openDemo(page);
  await addTool(page, `name: shop\ntype: mcp\nurl: ${shop.origin}/mcp\n`);
  await expect(page.getByRole("heading", { name: "tools.shop" })).toBeVisible({ timeout: ANSWERS });
  await useModel(page, { baseURL: models.baseURL("any") });
}

async function expectNoViolations(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).include(".server-question").analyze();
  expect(violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`))).toEqual([]);
}

/** What the model was told by the request that came last. */
function told(): readonly unknown[] {
  return models.requests.at(-1)?.body.messages ?? [];
}

test("what a model said to a server is read first, and where it is not sent the server hears no", async ({ page }) => {
  await openShop(page);
  const entry = await beginInConsole(page, `print(${LAMP})`);
  const card = question(page);
  await card.getByRole("button", { name: "Allow once" }).click();
  await expect(card.getByLabel("What the model said")).toHaveText("It is a light.");
  await expect(card).toContainText("nothing has gone to the server yet");

  await card.getByRole("button", { name: "Do not send" }).click();

  await expect(card).toHaveCount(0);
  await expect(entry).toHaveClass(/done/);
  await expect(entry).toContainText("The user does not let a model answer this.");
  await expect(entry).not.toContainText("It is a light.");
  const log = await (await fetch(`${shop.desk}/log`)).text();
  expect(log).not.toContain("It is a light.");
});

test("what a server asks a model is changed by keyboard before it is asked, and the model is told just that", async ({
  page,
}) => {
  await openShop(page);
  const params = { systemPrompt: "Say what is in the task.", messages: [user(ASKED), user("And\u202e its price?")] };
  const entry = await beginInConsole(page, `print(${sampled(params)})`);
  const card = question(page);
  await expect(card).toContainText("And\\u{202e} its price?");

  await card.getByRole("button", { name: "Edit" }).press("Enter");

  const instructions = card.getByRole("textbox", { name: "Instructions for the model, message 1 of 3" });
  await expect(instructions).toBeFocused();
  await expectNoViolations(page);
  await expect(card.getByRole("button", { name: "Allow once" })).toHaveCount(0);
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  await page.keyboard.press("Tab");
  await expect(card.getByRole("textbox", { name: "The server says, message 2 of 3" })).toBeFocused();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("What is a candle?");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Control+End");
  await page.keyboard.type(" In euros.");
  await card.getByRole("button", { name: "Done" }).press("Enter");

  await expect(card.locator(".sampling-state")).toBeFocused();
  await expect(card).toContainText("The server says, changed by you");
  await expect(card).toContainText("And\\u{202e} its price? In euros.");
  await expect(card.locator(".sampling-state")).toContainText("as you changed it");
  await expectNoViolations(page);
  await card.getByRole("button", { name: "Allow once" }).press("Enter");
  await card.getByRole("button", { name: "Send to the server" }).press("Enter");

  await expect(entry).toHaveClass(/done/);
  await expect(entry).toContainText("It is a light.");
  expect(told()).toEqual([
    { role: "user", content: "What is a candle?" },
    { role: "user", content: "And\u202e its price? In euros." },
  ]);
});

test("a change is put back, and where nothing is left no model is asked", async ({ page }) => {
  await openShop(page);
  await beginInConsole(page, `print(${sampled({ messages: [user(ASKED)] })})`);
  const card = question(page);
  await card.getByRole("button", { name: "Edit" }).click();
  const text = card.getByRole("textbox", { name: "The server says" });
  await expect(card.getByRole("button", { name: "Put it back" })).toBeDisabled();

  await text.fill("");
  await card.getByRole("button", { name: "Done" }).click();
  await expect(card).toContainText("Nothing is left to ask a model.");
  await expect(card.getByRole("button", { name: "Allow once" })).toBeDisabled();

  await card.getByRole("button", { name: "Edit" }).click();
  await card.getByRole("button", { name: "Put it back" }).click();
  await expect(text).toHaveValue(ASKED);
  await card.getByRole("button", { name: "Done" }).click();
  await expect(card).not.toContainText("changed");
  await card.getByRole("button", { name: "Allow once" }).click();

  await expect(card.getByLabel("What the model said")).toBeVisible();
  expect(told()).toEqual([{ role: "user", content: ASKED }]);
});

for (const { task, asker } of [
  { task: "Ask it yourself", asker: "A call of this task waits" },
  { task: "Have it asked", asker: "A call of the agent assistant waits" },
]) {
  test(`a server asks for a model's answer in the course of a task, which does not count it: ${task}`, async ({
    page,
  }) => {
    await openShop(page);
    await page.getByRole("textbox", { name: "Task" }).fill(task);
    await page.keyboard.press("Enter");
    const step = page.getByRole("article", { name: "Step 1", exact: true });
    const card = step.getByRole("region", { name: "Question of tools.shop" });
    await expect(card).toContainText(asker, { timeout: ANSWERS });
    await expect(card).toContainText("The task's limits do not count it.");
    const before = models.requests.length;

    await card.getByRole("button", { name: "Allow once" }).click();
    await card.getByRole("button", { name: "Send to the server" }).click();

    const answer = page.locator(".task-card .answer");
    await expect(answer).toContainText("It is a light.", { timeout: ANSWERS });
    expect(models.requests).toHaveLength(before + 1);
    expect(told()).toEqual([
      { role: "system", content: "Be brief." },
      { role: "user", content: ASKED },
    ]);
    // The replies with code, of which the answer of the model is none.
    await expect(page.locator(".task-card")).toContainText(`${String(before)} model call`);
  });
}

test("a task that is stopped while the model answers a server takes the question away, and the server hears so", async ({
  page,
}) => {
  await openShop(page);
  await page.getByRole("textbox", { name: "Task" }).fill("Wait for it");
  await page.keyboard.press("Enter");
  const card = question(page);
  await card.getByRole("button", { name: "Allow once" }).click();
  await expect(card).toContainText("test-model answers");

  await page.locator(".composer").getByRole("button", { name: "Stop" }).click();

  await expect(card).toHaveCount(0);
  await expect(page.locator(".task-card")).toContainText("Stopped. What was done until then stays.");
  const log = async (): Promise<unknown> => (await fetch(`${shop.desk}/log`)).json();
  await expect.poll(log).toContainEqual(expect.stringMatching(/^answer .*are over/));
  expect(await log()).toContain("notifications/cancelled");
});
