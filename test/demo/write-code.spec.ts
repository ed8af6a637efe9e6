import AxeBuilder from "@axe-core/playwright";
import { expect, test, type Locator, type Page } from "@playwright/test";

import { chunkLine, END } from "../servers/model-chunks.js";
import { startModelServer } from "../servers/model-server.js";
import { ANSWERS } from "../timeouts.mjs";
import { openDemo, reloadOnceStored, runInConsole, unfoldSteps, useModel } from "./demo.js";

const TASK = "Have files written by several models";
const [UNITS, TESTS] = ["converter/units.py", "converter/test_units.py"];

test.beforeEach(async ({ page }) => {
  await openDemo(page);
});

/** Starts the task, and waits for the question about its files. */
async function waitForQuestion(page: Page): Promise<Locator> {
  const more = page.getByRole("button", { name: "More tasks" });
  if (await more.isVisible()) await more.click();
  await page.getByRole("button", { name: TASK }).click();
  const question = page.getByRole("form", { name: "Approval of tools.write_codebase_tool" });
  await expect(question.getByRole("button", { name: "Accept all" })).toBeEnabled({ timeout: ANSWERS });
  return question;
}

/** What is in `/workspace/converter`, as Python sees it. */
function written(page: Page): Promise<Locator> {
  return runInConsole(page, "import glob\nprint(sorted(glob.glob('/workspace/converter/*.py')))");
}

const candidates = (page: Page, path: string): Locator =>
  page.getByRole("list", { name: `Who writes ${path}` }).getByRole("listitem");

test("two recorded models write each file, an arbiter chooses, and a person accepts; then the tests are run", async ({
  page,
}) => {
  const question = await waitForQuestion(page);

  await expect(candidates(page, UNITS)).toHaveCount(2);
  await expect(candidates(page, UNITS).nth(1)).toContainText("thorough writer, recorded");
  await expect(candidates(page, UNITS).nth(1)).toContainText("chosen");
  await expect(candidates(page, TESTS).nth(0)).toContainText("chosen");
  const file = page.getByRole("region", { name: UNITS, exact: true }).first();
  await expect(file).toContainText("chosen by arbiter, recorded: It converts a temperature to its own unit");
  await expect(question.getByRole("table", { name: `What is different in ${UNITS}` })).toContainText("class Unit:");
  await expect(page.locator("#announcements")).toContainText("tools.write_codebase_tool waits for your approval.");
  await expect(await written(page)).toContainText("[]");

  await question.getByRole("button", { name: "Accept all" }).press("Enter");
  // From the question that is answered to the call that waited for it.
  await expect(page.getByRole("button", { name: /tools\.write_codebase_tool\(/ })).toBeFocused();
  await expect(page.locator(".answer")).toContainText("all 5 of its tests pass", { timeout: ANSWERS });
  await expect(page.locator(".answer")).toContainText("1.80 m, and 98.6 °F are 37.0 °C");
  await expect(await written(page)).toContainText("units.py");
});

test("what was written opens in the editor, and the batch is undone and made again", async ({ page }) => {
  const question = await waitForQuestion(page);
  await question.getByRole("button", { name: "Accept all" }).click();
  await expect(page.locator(".answer")).toBeVisible({ timeout: ANSWERS });
  await unfoldSteps(page.locator(".task-card"));

  const batch = page.getByRole("region", { name: "Files that are written" });
  await expect(batch).toContainText("2 of 2 files written");
  await batch.getByRole("button", { name: "Open in the editor" }).first().press("Enter");
  const editor = page.getByRole("region", { name: `File ${UNITS}` });
  await expect(editor).toContainText("class Unit:");
  await expect(editor.getByRole("textbox")).toBeFocused();

  const changes = batch.getByRole("region", { name: "Changes of the batch" });
  await changes.getByRole("button", { name: "Undo the batch" }).click();
  await expect(changes).toContainText("Undone");
  await expect(await written(page)).toContainText("[]");
  await changes.getByRole("button", { name: "Make the changes again" }).click();
  await expect(await written(page)).toContainText("test_units.py");
});

test("a file that is refused by keyboard is not written, and the others are", async ({ page }) => {
  const question = await waitForQuestion(page);

  const choice = question.getByRole("radiogroup", { name: `What becomes of ${TESTS}?` });
  await choice.getByRole("radio", { name: "Accept" }).focus();
  await page.keyboard.press("ArrowDown");
  await question.getByRole("button", { name: "Accept chosen" }).press("Enter");

  const batch = page.getByRole("region", { name: "Files that are written" });
  await expect(batch).toContainText("1 of 2 files written", { timeout: ANSWERS });
  await expect(batch.getByRole("region", { name: TESTS })).toContainText("refused");
  await expect(await written(page)).toContainText("units.py");
  await expect(await written(page)).not.toContainText("test_units.py");
});

test("after a reload the batch says what became of it, and can be undone", async ({ page }) => {
  const question = await waitForQuestion(page);
  await question.getByRole("button", { name: "Accept all" }).click();
  await expect(page.locator(".answer")).toBeVisible({ timeout: ANSWERS });

  await reloadOnceStored(page);
  await page.getByRole("button", { name: "Earlier tasks" }).click();
  const dialog = page.getByRole("dialog", { name: "Earlier tasks" });
  await dialog
    .getByRole("button", { name: /^Have a small unit converter written/ })
    .first()
    .click();
  await unfoldSteps(page.locator(".task-card"));
  const batch = page.getByRole("region", { name: "Files that are written" });
  await expect(batch).toContainText("What each model wrote is not kept, but what became of it.");
  await expect(batch.getByRole("region", { name: UNITS })).toContainText(
    "The text of thorough writer, recorded was taken",
  );
  await batch.getByRole("button", { name: "Undo the batch" }).click();
  await expect(batch.getByRole("region", { name: "Changes of the batch" })).toContainText("Undone");
});

test("a file that somebody else wrote while the person was asked stays theirs, and the batch says so", async ({
  page,
}) => {
  const question = await waitForQuestion(page);
  const file = JSON.stringify(`/workspace/${UNITS}`);
  await runInConsole(
    page,
    `import os\nos.makedirs("/workspace/converter", exist_ok=True)\nopen(${file}, "w").write("# mine")`,
  );
  await question.getByRole("button", { name: "Accept all" }).click();

  const batch = page.getByRole("region", { name: "Files that are written" });
  await expect(batch.getByRole("region", { name: UNITS })).toContainText("in conflict, not written", {
    timeout: ANSWERS,
  });
  await expect(batch).toContainText("1 of 2 files written");
  await expect(await runInConsole(page, `print(open(${file}).read())`)).toContainText("# mine");
});

test("models of a server that the settings name write a file, and another one chooses", async ({ page }) => {
  const call = [
    "made = tools.write_codebase_tool(command='write_codebase', files=[",
    "    {'filename': 'hello.py', 'code_description': 'Says hello.'}])",
    "final_answer(made['output']['results'][0]['model'])",
  ].join("\n");
  const replies: Readonly<Record<string, string>> = {
    "test-model": `\`\`\`python\n${call}\n\`\`\``,
    small: "```python\nprint('hi')\n```",
    large: "```python\nprint('Hello, world')\n```",
    judge: "2: It is <b>friendlier</b>.",
  };
  const server = await startModelServer(({ body }) => ({
    kind: "lines",
    lines: [chunkLine({ content: replies[body.model] ?? "" }), chunkLine(null, "stop"), END],
  }));
  await useModel(page, { baseURL: server.baseURL() });
  await page.getByRole("button", { name: "Settings", exact: true }).click();
  await page.getByRole("checkbox", { name: /Offer the tool/ }).check();
  await page.getByRole("textbox", { name: "Models that write, one in each line" }).fill("small\nlarge");
  await page.getByRole("textbox", { name: /^Arbiter/ }).fill("judge");
  await page.getByRole("button", { name: "Save", exact: true }).click();

  await page.getByRole("textbox", { name: "Task" }).fill("Say hello");
  await page.keyboard.press("Enter");
  const question = page.getByRole("form", { name: "Approval of tools.write_codebase_tool" });
  await question.getByRole("button", { name: "Accept all" }).click({ timeout: ANSWERS });
  await expect(page.locator(".answer")).toContainText("large", { timeout: ANSWERS });
  await unfoldSteps(page.locator(".task-card"));
  await expect(page.getByRole("region", { name: "hello.py" })).toContainText(
    "chosen by judge: It is <b>friendlier</b>.",
  );
  await server.close();
});

test("axe finds nothing in the question and the batch, and nothing is wider than a phone", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  const question = await waitForQuestion(page);
  const clean = async (part: string): Promise<void> => {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      const axe = new AxeBuilder({ page }).include(part).options({ rules: { "target-size": { enabled: true } } });
      expect((await axe.analyze()).violations).toEqual([]);
    }
  };
  await clean("vitrine-app-approval");
  await page.setViewportSize({ width: 360, height: 800 });
  const overflow = (): Promise<number> =>
    page.locator(".transcript").evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
  expect(await overflow()).toBeLessThanOrEqual(0);
  await question.getByRole("button", { name: "Accept all" }).click();
  await expect(page.locator(".answer")).toBeVisible({ timeout: ANSWERS });
  await unfoldSteps(page.locator(".task-card"));
  await expect(page.getByRole("button", { name: "Undo the batch" })).toBeVisible();
  expect(await overflow()).toBeLessThanOrEqual(0);
  await clean("vitrine-app-batch");
});

test("the models that write are named in the settings, and kept", async ({ page }) => {
  await useModel(page, { baseURL: "http://127.0.0.1:9/v1" });
  await page.getByRole("button", { name: "Settings", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Settings" });
  const group = dialog.getByRole("group", { name: "Write files with several models" });
  await group.getByRole("checkbox", { name: /Offer the tool/ }).check();
  await dialog.getByRole("button", { name: "Save" }).click();
  const writers = group.getByRole("textbox", { name: "Models that write, one in each line" });
  await expect(writers).toBeFocused();
  await expect(dialog.getByRole("alert")).toContainText("Name at least one model that writes files");
  await writers.fill("small\nlarge");
  await group.getByRole("textbox", { name: /^Arbiter/ }).fill("judge");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("tabpanel")).toBeVisible();

  await page.reload();
  await page.getByRole("button", { name: "Settings", exact: true }).click();
  await expect(writers).toHaveValue("small\nlarge");
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect((await new AxeBuilder({ page }).include("dialog[open]").analyze()).violations).toEqual([]);
  }
});
