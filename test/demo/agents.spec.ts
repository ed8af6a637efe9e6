import AxeBuilder from "@axe-core/playwright";
import { expect, test, type Locator, type Page } from "@playwright/test";

import { dictatedScenario } from "../servers/dictated-replies.js";
import { startModelServer, type ModelServer } from "../servers/model-server.js";
import { ANSWERS, SHOWS } from "../timeouts.mjs";
import { openDemo, reloadOnceStored, runTask, showTab, unfoldSteps, useModel } from "./demo.js";

const block = (...lines: string[]): string => ["```python", ...lines, "```"].join("\n");

let server: ModelServer;
test.beforeAll(async () => {
  server = await startModelServer();
});
test.afterAll(() => server.close());

async function expectNoViolations(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).include("main").exclude("iframe").analyze();
  expect(violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`))).toEqual([]);
}

/** Opens, or replays, the newest saved task of an earlier visit. */
async function showSaved(page: Page, action: "open" | "Replay"): Promise<Locator> {
  await page.getByRole("button", { name: "Earlier tasks" }).click();
  const saved = page.locator("dialog[open] .saved li").first();
  if (action === "open") await saved.locator(".name").click();
  else await saved.getByRole("button", { name: action }).click();
  return page.locator(".task-card").last();
}

const overviewOf = (card: Locator): Locator => card.getByRole("region", { name: "Agents of this task" });
const agentsIn = (card: Locator): Locator => card.getByRole("group", { name: "Agent assistant" });

test("agents that share a task are drawn as a tree while they work, folded and found by keyboard, and the same when saved and replayed", async ({
  page,
}) => {
  await openDemo(page);
  await page.getByRole("button", { name: "Share the work among agents" }).click();
  const card = page.locator(".task-card");

  await expect(overviewOf(card).getByRole("listitem").filter({ hasText: "Running" })).not.toHaveCount(0, {
    timeout: ANSWERS,
  });
  await expect(card.getByRole("article", { name: "Step 1 of assistant" })).not.toHaveCount(0);
  await expect(card.getByRole("heading", { name: "Answer" })).toBeVisible({ timeout: ANSWERS });

  const tree = [
    /^Code agent Done 2 steps/,
    /^assistant Done 3 steps/,
    /^assistant Done 1 step\b/,
    /^assistant Done 2 steps/,
  ];
  const rows = (of: Locator): Locator => overviewOf(of).locator(".agent-row");
  const expectTree = async (of: Locator): Promise<void> => {
    await expect(rows(of)).toHaveCount(4);
    // The answer is there a moment before the task has ended.
    await expect(async () => {
      const texts = await rows(of).allInnerTexts();
      texts.forEach((text, index) => {
        expect(text.replace(/[✓\s]+/g, " ").trim()).toMatch(tree[index]!);
      });
    }).toPass({ timeout: SHOWS });
    // The third one is in the list of the second.
    await expect(overviewOf(of).locator("ul ul ul .agent-row")).toHaveCount(1);
  };
  await expectTree(card);
  await unfoldSteps(card);
  await expect(agentsIn(card)).toHaveCount(3);
  await expect(agentsIn(card).nth(1)).toContainText("{'old': 'old meter removed', 'new': 'new meter'}");
  await expect(agentsIn(card).last()).toContainText("Used: 2 of 10 steps");
  await expectNoViolations(page);

  // The innermost is found from the overview, also in what is folded, and in what was folded just now.
  await agentsIn(card).first().locator("> summary").press("Enter");
  await expect(agentsIn(card)).toHaveCount(2);
  await agentsIn(card).first().locator("> summary").press("Enter");
  await expect(agentsIn(card)).toHaveCount(3);
  await card.evaluate((element) => {
    element.querySelector<HTMLElement>("details.agent > summary")?.click();
    element
      .querySelector<HTMLElement>('[aria-label^="Show the agent assistant"][aria-label*="the count falls"]')
      ?.click();
  });
  await expect(agentsIn(card).nth(1).locator("> summary")).toBeFocused();
  await agentsIn(card).first().locator("> summary").press("Enter");
  await expect(agentsIn(card)).toHaveCount(2);
  await overviewOf(card)
    .getByRole("button", { name: /Show the agent assistant: .*the count falls/ })
    .press("Enter");
  await expect(agentsIn(card)).toHaveCount(3);
  await expect(agentsIn(card).nth(1).locator("> summary")).toBeFocused();

  await reloadOnceStored(page);
  const opened = await showSaved(page, "open");
  await expectTree(opened);
  await unfoldSteps(opened);
  await expect(agentsIn(opened)).toHaveCount(2);
  await agentsIn(opened).first().locator("> summary").click();
  await expect(agentsIn(opened).first().getByRole("article", { name: "Step 3 of assistant" })).toBeVisible();
  const replayed = await showSaved(page, "Replay");
  await expect(replayed.getByRole("heading", { name: "Answer" })).toBeVisible({ timeout: ANSWERS });
  await expectTree(replayed);
});

test("a contract is drawn with its slots as they fill, what was refused, the mended program and what was made, also when saved", async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await page.emulateMedia({ colorScheme: "dark" });
  await openDemo(page);
  await page.getByRole("button", { name: "Have a report made by contract" }).click();
  const card = page.locator(".task-card");
  const programIn = (of: Locator): Locator =>
    of.getByRole("region", { name: "Program: Stock value of the north gate" });
  const slotsIn = (of: Locator): Locator =>
    programIn(of).getByRole("list", { name: "Slots of the contract, all of them required" }).getByRole("listitem");

  await expect(slotsIn(card)).toHaveText(
    [/summary\s+markdown\s+Waits/, /table\s+csv\s+Waits/, /chart\s+stock-value\.svg\s+Waits/],
    {
      timeout: ANSWERS,
    },
  );
  await expect(programIn(card).locator(".attempt.writing pre.code")).toContainText("set_progress");
  await expect(programIn(card)).toContainText("the model mends the program", { timeout: ANSWERS });
  await expect(card.getByRole("heading", { name: "Answer" })).toBeVisible({ timeout: ANSWERS });

  const expectWhole = async (of: Locator): Promise<void> => {
    await expect(slotsIn(of)).toHaveText([
      /summary\s+markdown\s+Filled/,
      /table\s+csv\s+Filled/,
      /chart\s+stock-value\.svg\s+Filled/,
    ]);
    await expect(programIn(of)).toContainText("3 of 3 slots filled · written by the recorded model");
  };
  await unfoldSteps(card);
  await expectWhole(card);
  const refused = programIn(card).getByRole("list", { name: "What the first program did not fill" });
  await expect(refused.getByRole("listitem")).toHaveText([/chart\s+stock-value\.svg\s+Refused[^]*svg_parse_failed/]);
  await expect(programIn(card).getByRole("button", { name: /done: tools\.catalog\.product/ })).toHaveCount(16);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await expectNoViolations(page);
  await programIn(card).getByRole("button", { name: "stock-value.svg" }).click();
  await expect(page.getByRole("dialog")).toContainText("stock-value.svg");
  await page.keyboard.press("Escape");

  await reloadOnceStored(page);
  const opened = await showSaved(page, "open");
  await unfoldSteps(opened);
  await expectWhole(opened);
  const programs = programIn(opened).locator("summary", { hasText: /^The program/ });
  await expect(programs).toHaveCount(2);
  await programs.last().press("Enter");
  await expect(programIn(opened).locator("pre.code")).toContainText('escape("Stock & value, EUR")');
});

test("a server's model is offered an assistant and programs, unless the settings leave them out", async ({ page }) => {
  const replies = [block("final_answer([tool.name for tool in tools.list()])")];
  await openDemo(page);
  await useModel(page, { baseURL: server.baseURL(dictatedScenario([...replies, ...replies])) });

  const offered = await runTask(page, "What is there?");

  await expect(offered.locator(".answer")).toContainText("assistant");
  await expect(offered.locator(".answer")).toContainText("codegen_python");
  const panel = await showTab(page, "Tools");
  await expect(panel.getByRole("article").filter({ hasText: "tools.assistant" })).toBeVisible();
  await expect(panel.getByRole("button", { name: "Remove the tool assistant" })).toHaveCount(0);

  await page.getByRole("button", { name: "Settings", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Settings" });
  await dialog.getByRole("checkbox", { name: /Offer it an assistant/ }).uncheck();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toBeHidden();
  const alone = await runTask(page, "And now?");

  await expect(alone.locator(".answer")).not.toContainText("assistant");
  await expect(panel.getByRole("article").filter({ hasText: "tools.assistant" })).toHaveCount(0);
});
