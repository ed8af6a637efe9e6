import { expect, test, type Page } from "@playwright/test";

import { dictatedScenario } from "../servers/dictated-replies.js";
import { startModelServer, type ModelServer } from "../servers/model-server.js";
import { ANSWERS } from "../timeouts.mjs";
import { openDemo, showTab, useModel } from "./demo.js";

const F = "```";
const block = (...lines: string[]): string => [`${F}python`, ...lines, F].join("\n");

let server: ModelServer;
test.beforeAll(async () => {
  server = await startModelServer();
});
test.afterAll(() => server.close());

/** A skill that ships with the page, written anew. */
const clean = ["def run(text: str) -> str:", '    """Make one line of a text."""', '    return " ".join(text.split())'];
const proposal = `${block(...clean)}\n${F}json\n${JSON.stringify({
  name: "one_line",
  arguments: { text: "a\n b" },
  reason: "When a text has to fit in one line.",
})}\n${F}`;

/** What is said to those who hear the page, from now on. */
async function listenToAnnouncements(page: Page): Promise<() => Promise<string[]>> {
  const heard = await page.locator("#announcements").evaluateHandle((region) => {
    const texts: string[] = [];
    const listen = new MutationObserver(() => texts.push(region.textContent));
    listen.observe(region, { childList: true, characterData: true, subtree: true });
    return texts;
  });
  return () => heard.jsonValue();
}

test("a proposed skill is shown as a difference with its trial, saved when it is allowed, and drawn again with the saved task", async ({
  page,
}) => {
  const replies = [block('final_answer(" ".join("a  b".split()))'), proposal];
  await openDemo(page);
  await useModel(page, { baseURL: server.baseURL(dictatedScenario(replies)) });
  await page.getByRole("button", { name: "Settings", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Settings" });
  await dialog.getByRole("checkbox", { name: /Propose skills/ }).check();
  await dialog.getByRole("button", { name: "Save" }).click();
  const announced = await listenToAnnouncements(page);
  await page.getByRole("textbox", { name: "Task" }).fill("Put it on one line");
  await page.keyboard.press("Enter");

  const part = page.getByRole("region", { name: "A skill of this task" });
  const question = part.getByRole("form", { name: "Approval of skills.create" });
  await expect(question).toBeVisible({ timeout: ANSWERS });
  await expect(page.locator(".answer")).toContainText("a b");
  // Those who hear the page do not wait for the trial either.
  expect(await announced()).toEqual(["The task has started.", "Answer: a b", "skills.create waits for your approval."]);
  await expect(question.locator("ins")).toHaveText([/^\+ def run\(text: str\)/, /^\+ {5}"""Make/, /^\+ {5}return/]);
  await expect(question).toContainText("A new skill of 3 lines.");
  await expect(question).toContainText("It returned 'a b'.");

  await question.getByRole("button", { name: "Allow once" }).click();

  await expect(part).toContainText("The skill one_line is saved: version 1.");
  await expect(question).toHaveCount(0);
  const shelf = await showTab(page, "Skills");
  await expect(shelf).toContainText("one_line");
  await page.getByRole("button", { name: "Earlier tasks" }).click();
  await page
    .getByRole("dialog", { name: "Earlier tasks" })
    .getByRole("button", { name: "Put it on one line", exact: true })
    .click();
  await expect(page.locator(".task-card .origin")).toBeVisible();
  await expect(part.last()).toContainText("The skill one_line is saved: version 1.");
});
