import AxeBuilder from "@axe-core/playwright";
import { expect, test, type Locator, type Page } from "@playwright/test";

import { dictatedScenario } from "../servers/dictated-replies.js";
import { startEverythingServer, type EverythingServer } from "../servers/mcp/everything-server.js";
import { startStatefulServer } from "../servers/mcp/stateful-server.js";
import { startModelServer, type ModelServer } from "../servers/model-server.js";
import { ANSWERS } from "../timeouts.mjs";
import { addTool, beginInConsole, openDemo, useModel } from "./demo.js";

let everything: EverythingServer;
let models: ModelServer;
test.beforeAll(async () => {
  [everything, models] = await Promise.all([startEverythingServer(), startModelServer()]);
});
test.afterAll(async () => {
  await Promise.all([everything.close(), models.close()]);
});

const python = (...lines: string[]): string => ["```python", ...lines, "```"].join("\n");
const question = (page: Page): Locator => page.getByRole("region", { name: "Question of tools.shop" });

/** Plugs a server in as `tools.shop`. */
async function addShop(page: Page, url: string): Promise<void> {
  await addTool(page, `name: shop\ntype: mcp\nurl: ${url}\n`);
  await expect(page.getByRole("heading", { name: "tools.shop" })).toBeVisible({ timeout: ANSWERS });
}

async function expectNoViolations(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).include(".server-question").analyze();
  expect(violations).toEqual([]);
}

test("a server's form is filled in, checked, and handed to it; its code has the answer", async ({ page }) => {
  await openDemo(page);
  await addShop(page, everything.streamableHttp);
  const entry = await beginInConsole(page, "print(tools.shop.trigger_elicitation_request())");
  const card = question(page);
  await expect(card).toContainText(`The MCP server tools.shop at ${new URL(everything.streamableHttp).host}`);
  await expect(card).toContainText("Please provide inputs for the following fields:");
  await expect(card.getByRole("textbox", { name: /^Integer/ })).toHaveValue("42");
  await expectNoViolations(page);

  await card.getByRole("textbox", { name: "String with email format" }).fill("ada");
  await card.getByRole("button", { name: "Accept" }).click();
  await expect(card).toContainText("Fill this in.");
  await expect(card).toContainText("Enter an e-mail address");
  await expect(card.getByRole("textbox", { name: "String", exact: true })).toBeFocused();

  await page.keyboard.type("Ada");
  await card.getByRole("textbox", { name: "String with email format" }).fill("ada@example.org");
  await card.getByRole("checkbox", { name: "Boolean" }).check();
  await page.keyboard.press("Enter");

  await expect(card).toHaveCount(0);
  await expect(entry).toHaveClass(/done/);
  await expect(entry).toContainText("ada@example.org");
});

test("a server that is declined in a task hears so, and asks no more in it", async ({ page }) => {
  await openDemo(page);
  await addShop(page, everything.streamableHttp);
  const asks = "tools.shop.trigger_elicitation_request()";
  const reply = python(`print(${asks})`, `print(${asks})`, "final_answer('Done.')");
  await useModel(page, { baseURL: models.baseURL(dictatedScenario([reply])) });
  await page.getByRole("textbox", { name: "Task" }).fill("Ask");
  await page.keyboard.press("Enter");
  const step = page.getByRole("article", { name: "Step 1" });
  await expect(step.getByRole("region", { name: "Question of tools.shop" })).toBeVisible({ timeout: ANSWERS });
  await expect(step.locator(".foot")).toContainText("waiting for you");

  await question(page).getByRole("button", { name: "Decline for this task" }).click();

  await expect(page.locator(".task-card .answer")).toContainText("Done.", { timeout: ANSWERS });
  await expect(question(page)).toHaveCount(0);
  await page.getByRole("button", { name: "Unfold all" }).click();
  await expect(step.locator(".out")).toContainText(/declined[^]*declined/);
});

test("Stop takes a server's question back", async ({ page }) => {
  await openDemo(page);
  await addShop(page, everything.streamableHttp);
  const entry = await beginInConsole(page, "tools.shop.trigger_elicitation_request()");
  await expect(question(page)).toBeVisible();

  await entry.getByRole("button", { name: "Stop" }).click();

  await expect(question(page)).toHaveCount(0);
  await expect(entry).toHaveClass(/done/);
});

test("a model of the user's own answers a server once both ways are agreed to", async ({ page }) => {
  await openDemo(page);
  await addShop(page, everything.streamableHttp);
  await useModel(page, { baseURL: models.baseURL(dictatedScenario(["It is a lamp."])) });
  const entry = await beginInConsole(
    page,
    'print(tools.shop.trigger_sampling_request(prompt="What is it?", maxTokens=10))',
  );
  const card = question(page);
  await expect(card).toContainText("You are a helpful test server.");
  await expect(card).toContainText("What is it?");
  await expectNoViolations(page);

  await card.getByRole("button", { name: "Allow once" }).click();
  await expect(card.getByLabel("What the model said")).toHaveText("It is a lamp.");
  await expect(entry).not.toHaveClass(/done/);
  await card.getByRole("button", { name: "Send to the server" }).click();

  await expect(entry).toHaveClass(/done/);
  await expect(entry).toContainText("It is a lamp.");
});

test("without a model of the user's own nothing answers a server, and its code hears why", async ({ page }) => {
  await openDemo(page);
  await addShop(page, everything.streamableHttp);
  const entry = await beginInConsole(page, 'tools.shop.trigger_sampling_request(prompt="What is it?")');
  const card = question(page);
  await expect(card).toContainText("You have set up no model of your own");
  await expect(card.getByRole("button", { name: "Allow once" })).toHaveCount(0);
  await expect(card.getByRole("button", { name: "Set up a model" })).toBeVisible();

  await card.getByRole("button", { name: "Deny", exact: true }).click();

  await expect(entry).toHaveClass(/done/);
  await expect(entry).toContainText("The user has set up no model of their own");
});

test("a page that a server wants visited is named whole, and opens in a window that knows nothing of this one", async ({
  page,
  context,
}) => {
  const server = await startStatefulServer();
  await context.route("https://bank.example/**", (route) => route.fulfill({ body: "The bank" }));
  await openDemo(page);
  await addShop(page, `${server.origin}/mcp`);
  const entry = await beginInConsole(page, "print(tools.shop.visit())");
  const card = question(page);
  await expect(card).toContainText("https://bank.example/agree?id=1");
  await expect(card).toContainText("It is on bank.example.");
  await expectNoViolations(page);

  const opening = context.waitForEvent("page");
  await card.getByRole("button", { name: "Open the page" }).click();
  const opened = await opening;

  await expect(entry).toContainText("the person chose accept");
  expect(await opened.evaluate(() => opener === null)).toBe(true);
  expect(await opened.evaluate(() => document.referrer)).toBe("");
  await server.close();
});
