import AxeBuilder from "@axe-core/playwright";
import { expect, test, type Locator, type Page } from "@playwright/test";

import { startStatefulServer, type StatefulServer } from "../servers/mcp/stateful-server.js";
import { ANSWERS } from "../timeouts.mjs";
import { openDemo, runInConsole, showTab, waitUntilReady } from "./demo.js";

let shop: StatefulServer;
test.beforeEach(async ({ page }) => {
  shop = await startStatefulServer();
  await openDemo(page);
});
test.afterEach(() => shop.close());

/** Adds the server by its address, up to the dialog that asks for the login. */
async function addShop(page: Page): Promise<{ readonly adding: Locator; readonly login: Locator }> {
  const panel = await showTab(page, "Tools");
  await panel.getByRole("button", { name: "Add a tool" }).click();
  const adding = page.getByRole("dialog", { name: "Add a tool" });
  await adding.getByRole("textbox", { name: "Name in Python" }).fill("shop");
  await adding.getByRole("textbox", { name: "Address" }).fill(`${shop.origin}/guarded/mcp`);
  await adding.getByRole("button", { name: "Add", exact: true }).click();
  const login = page.getByRole("dialog", { name: "Log in to tools.shop?" });
  await expect(login).toBeVisible({ timeout: ANSWERS });
  return { adding, login };
}

/** Opens the login page as a user does, and says there how it is to end. @returns the tab, back on the page's own site. */
async function answer(page: Page, login: Locator, choice: string): Promise<Page> {
  const opened = page.context().waitForEvent("page");
  await login.getByRole("button", { name: "Open the login page" }).click();
  const tab = await opened;
  await expect(tab.getByRole("heading", { name: "Log in" })).toBeVisible();
  expect(await tab.evaluate(() => opener === null)).toBe(true);
  await tab.getByRole("link", { name: choice, exact: true }).click();
  await expect(tab.getByRole("heading", { name: "You can close this tab" })).toBeVisible();
  return tab;
}

async function log(): Promise<readonly string[]> {
  return (await (await fetch(`${shop.desk}/log`)).json()) as string[];
}

/** In light and in dark. */
async function expectNoViolations(page: Page, part: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const { violations } = await new AxeBuilder({ page }).include(part).analyze();
    expect(violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`))).toEqual([]);
  }
}

test("a server with a login is added once the user has logged in, and is asked for none again in this visit", async ({
  page,
}) => {
  const { adding, login } = await addShop(page);

  await expect(login).toContainText(`tools.shop at ${new URL(shop.origin).host}`);
  await expect(login.locator("pre")).toContainText(`${shop.origin}/authorize?response_type=code`);
  await expect(login).toContainText(`It is on ${new URL(shop.origin).host}. The connection to it is not encrypted.`);
  await expect(login).toContainText("until you reload or close it, or remove the tool");
  await expect(login.getByRole("button", { name: "Cancel" })).toBeFocused();
  await expectNoViolations(page, "vitrine-app-login-dialog");
  // Nothing was opened by itself.
  expect(await log()).not.toContain("authorize");

  const tab = await answer(page, login, "Agree");
  await expect(tab.getByRole("status")).toContainText("Vitrine has the answer of the login page");
  // The code stays neither in the address nor in the history.
  expect(new URL(tab.url()).search).toBe("");
  await expectNoViolations(tab, "html");
  await tab.close();

  await expect(adding).toBeHidden();
  await expect(page.getByRole("tabpanel").getByText("hello()")).toBeVisible();
  await expect(await runInConsole(page, "tools.shop.hello()")).toContainText("hello from");

  await page.getByRole("button", { name: "Reset" }).click();
  await waitUntilReady(page);
  await expect(await runInConsole(page, "tools.shop.hello()")).toContainText("hello from");
  expect((await log()).filter((one) => one === "authorize")).toHaveLength(1);
});

test("a refused login, and an answer that belongs to another, are said where the tool was to be added", async ({
  page,
}) => {
  const { adding, login } = await addShop(page);

  const refused = await answer(page, login, "Refuse");
  await expect(refused.getByRole("status")).toContainText("You were not logged in");
  await expect(login).toHaveCount(0);
  await expect(adding.getByRole("alert")).toContainText(
    "the authorization server refused (access_denied): Not today.\\u{202e}",
  );
  await expect(adding.getByRole("button", { name: "Add", exact: true })).toBeFocused();

  await page.keyboard.press("Enter");
  await expect(login).toBeVisible();
  // The tab of the last time, reloaded, has nothing for this one.
  await refused.reload();
  await expect(refused.getByRole("status")).toContainText("There is no answer of a login page here any more");
  await refused.close();
  const foreign = await answer(page, login, "Answer another login");
  await expect(foreign.getByRole("status")).toContainText("No tab of Vitrine waits for this login");
  await foreign.close();
  await expect(adding.getByRole("alert")).toContainText("has another `state`: it belongs to another login");

  expect(await log()).not.toContain("token authorization_code");
  await adding.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("heading", { name: "tools.shop" })).toHaveCount(0);
});

test("a login that is cancelled, by button or key, or that nobody comes back from ends with a message", async ({
  page,
}) => {
  const { adding, login } = await addShop(page);
  const addAgain = async (): Promise<void> => {
    // The one before may still be closing, and would be taken for the next.
    await expect(login).toHaveCount(0);
    await adding.getByRole("button", { name: "Add", exact: true }).click();
    await expect(login).toBeVisible();
  };

  await login.getByRole("button", { name: "Cancel" }).click();
  await expect(adding.getByRole("alert")).toContainText("the login was cancelled");

  await addAgain();
  await page.keyboard.press("Escape");
  await expect(login).toHaveCount(0);
  await expect(adding.getByRole("alert")).toContainText("the login was cancelled");

  await page.clock.install();
  await addAgain();
  const opened = page.context().waitForEvent("page");
  await login.getByRole("button", { name: "Open the login page" }).click();
  await (await opened).close();
  await expect(login.getByRole("status")).toContainText("If you closed its tab, open the page again, or cancel.");
  await page.clock.fastForward(10 * 60_000);
  await expect(login).toHaveCount(0);
  await expect(adding.getByRole("alert")).toContainText("the login took longer than 10 minutes");
});

test("after a reload code is told that a login is wanted, no dialog opens by itself, and a button beside the tool leads to it", async ({
  page,
}) => {
  const { adding, login } = await addShop(page);
  await (await answer(page, login, "Agree")).close();
  await expect(adding).toBeHidden();

  await page.reload();
  await waitUntilReady(page);
  await expect(await runInConsole(page, "tools.shop.hello()")).toContainText("its server wants the user to log in");
  await expect(page.getByRole("dialog")).toHaveCount(0);

  const panel = await showTab(page, "Tools");
  await panel.getByRole("button", { name: "Log in to shop" }).click();
  await expect(login).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(panel.getByRole("alert")).toContainText("the login was cancelled");
  await panel.getByRole("button", { name: "Log in to shop" }).click();
  await (await answer(page, login, "Agree")).close();

  await expect(panel.getByText("hello()")).toBeVisible();
  await expect(panel.getByRole("button", { name: "Log in to shop" })).toHaveCount(0);
  await expect(await runInConsole(page, "tools.shop.hello()")).toContainText("hello from");
});

test("of two tabs that wait each takes its own answer", async ({ page }) => {
  const other = await page.context().newPage();
  await openDemo(other);
  const first = await addShop(page);
  const second = await addShop(other);

  await (await answer(page, first.login, "Agree")).close();
  await expect(first.adding).toBeHidden();
  await expect(second.login).toBeVisible();
  await (await answer(other, second.login, "Agree")).close();
  await expect(second.adding).toBeHidden();
  await other.close();
});
