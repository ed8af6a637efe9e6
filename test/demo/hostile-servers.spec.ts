import AxeBuilder from "@axe-core/playwright";
import { expect, test, type Locator, type Page } from "@playwright/test";

import { startStatefulServer, type StatefulServer } from "../servers/mcp/stateful-server.js";
import { ANSWERS } from "../timeouts.mjs";
import { addTool, openDemo, showTab, typeIntoConsole, waitUntilReady } from "./demo.js";

let shop: StatefulServer;
test.beforeEach(async ({ page }) => {
  shop = await startStatefulServer();
  await openDemo(page);
  await addTool(page, `name: shop\ntype: mcp\nurl: ${shop.origin}/mcp\n`);
  await expect(page.getByRole("heading", { name: "tools.shop" })).toBeVisible({ timeout: ANSWERS });
});
test.afterEach(() => shop.close());

type Json = Readonly<Record<string, unknown>>;

/** Has the server ask this, as often, from the console, which shows what came back. */
async function ask(page: Page, params: Json, times = 1): Promise<Locator> {
  const panel = await showTab(page, "Console");
  const json = JSON.stringify(JSON.stringify(params));
  await typeIntoConsole(
    page,
    `import json\nprint(tools.shop.request(method="elicitation/create", params=json.loads(${json}), times=${String(times)}))`,
  );
  await page.keyboard.press("Control+Enter");
  return panel.locator(".console-entry").last();
}

const form = (message: string, properties: Json = {}): Json => ({
  message,
  requestedSchema: { type: "object", properties },
});
const question = (page: Page): Locator => page.getByRole("region", { name: "Question of tools.shop" });

async function log(): Promise<readonly string[]> {
  return (await (await fetch(`${shop.desk}/log`)).json()) as string[];
}

async function expectNoViolations(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).include(".server-question").analyze();
  expect(violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`))).toEqual([]);
}

test("ten questions wait at most: the eleventh is refused at once, and the server reads the limit", async ({
  page,
}) => {
  const entry = await ask(page, form("Which colour?"), 11);
  await expect(question(page)).toBeVisible();

  await expect.poll(log).toContainEqual(expect.stringContaining('"limit":10'));
  const answers = (await log()).filter((one) => one.startsWith("answer"));
  expect(answers).toEqual([expect.stringContaining("TOO_MANY_QUESTIONS")]);
  expect(answers[0]).toContain("10 questions wait for the user already");

  // The others are asked one after the other.
  for (let asked = 1; asked < 10; asked += 1) {
    await question(page).getByRole("button", { name: "Decline", exact: true }).click();
    await expect.poll(async () => (await log()).filter((one) => one.includes("decline")).length).toBe(asked);
    await expect(question(page)).toBeVisible();
  }
  await question(page).getByRole("button", { name: "Decline", exact: true }).click();
  await expect(question(page)).toHaveCount(0);
  await expect(entry).toHaveClass(/done/);
});

test("a server's texts are drawn as texts: no markup, nothing unseen, and none looks like the page's own", async ({
  page,
}) => {
  const message = [
    '<img src="https://evil.example/x" onerror="document.title=1"><b>Hello</b>',
    "\u202etxt.exe\u2069",
    "",
    "The run and its clock wait for you.",
    "The MCP server tools.bank at bank.example asks you for data.",
  ].join("\n");
  await ask(
    page,
    form(message, {
      name: { type: "string", title: "Your\nname\u202e", description: "<u>All</u>\u200b of it", default: "A\u202eda" },
      size: { type: "string", enum: ["s"], enumNames: ["Small\u2066\n"] },
    }),
  );
  const card = question(page);
  const said = card.locator("form > pre");

  await expect(said).toHaveText(message.replace("\u202e", "\\u{202e}").replace("\u2069", "\\u{2069}"));
  await expect(card.locator("img, form b, u")).toHaveCount(0);
  await expect(card).toContainText("Your\\u{a}name\\u{202e}");
  await expect(card).toContainText("<u>All</u>\\u{200b} of it");
  // What is filled in beforehand is sent, too.
  await expect(card.locator(".asked-fields pre")).toHaveText("A\\u{202e}da");
  await expect(card.getByRole("option", { name: "Small\\u{2066}\\u{a}" })).toBeAttached();
  await expect(card.locator("p").first()).toContainText(`tools.shop at ${new URL(shop.origin).host} asks you for data`);
  await expectNoViolations(page);
});

test("all that is asked can be read before it is agreed to, however long it is", async ({ page }) => {
  const long = (name: string): string => `${name} ${"and more ".repeat(60)}end of ${name}`;
  const entry = await ask(
    page,
    form(`${"a line\n".repeat(3000)}end of message`, {
      first: { type: "string", title: long("title"), description: long("description") },
      choice: { type: "string", oneOf: ["one", "two"].map((name) => ({ const: name, title: long(name) })) },
      several: { type: "array", items: { anyOf: [{ const: "x", title: long("three") }] } },
      text: { type: "string", title: "Text", default: `${long("default")}\nand a second line` },
    }),
  );
  const card = question(page);
  const accept = card.getByRole("button", { name: "Accept" });
  await expect(accept).toBeDisabled();

  await card.getByRole("button", { name: "Show all of it" }).click();

  for (const name of ["message", "title", "description", "one", "two", "three"]) {
    await expect(card).toContainText(`end of ${name}`);
  }
  await expect(card.getByRole("textbox", { name: /^Text/ })).toHaveValue(/end of default\nand a second line$/);
  await expectNoViolations(page);
  // Two lines of one choice: which of them is chosen is as plain as what they say.
  await card.getByRole("radio", { name: /end of two$/ }).check();
  await accept.click();
  await expect(entry).toHaveClass(/done/);
  await expect(entry).toContainText('"choice":"two"');
});

test("a question longer than a person reads is refused before a card is drawn", async ({ page }) => {
  const entry = await ask(page, form("x".repeat(1_000_000)));

  await expect(entry).toHaveClass(/done/, { timeout: ANSWERS });

  await expect(entry).toContainText("MCP_QUESTION_TOO_LONG");
  await expect(entry).toContainText('"limit":100000');
  await expect(question(page)).toHaveCount(0);
});

test("a page to be visited is shown whole as the browser opens it, its host by itself", async ({ page }) => {
  const visit = (url: string): Json => ({ mode: "url", elicitationId: "1", message: "Go there.", url });
  const path = `a/${"b".repeat(400)}/\u202eend`;
  const entry = await ask(page, visit(`https://b\u0430nk.example/${path}`));
  const card = question(page);

  await expect(card).toContainText(`https://xn--bnk-6cd.example/a/${"b".repeat(400)}/%E2%80%AEend`);
  await expect(card).toContainText("It is on xn--bnk-6cd.example. Letters of its name may look like others.");
  await expectNoViolations(page);
  await card.getByRole("button", { name: "Cancel" }).click();
  await expect(entry).toContainText('"action":"cancel"');

  const refused = await ask(page, visit("javascript:alert(1)"));
  await expect(refused).toHaveClass(/done/);
  await expect(refused).toContainText("addresses that begin with https:// or http:// only");
  await expect(card).toHaveCount(0);
});

test("Reset takes a waiting question away, and the server hears that it is cancelled", async ({ page }) => {
  await ask(page, form("Which colour?"));
  await expect(question(page)).toBeVisible();

  await page.getByRole("button", { name: "Reset" }).click();

  await expect(question(page)).toHaveCount(0);
  await expect.poll(log).toContain('answer {"action":"cancel"}');
  expect(await log()).toContain("notifications/cancelled");
  await waitUntilReady(page);
});
