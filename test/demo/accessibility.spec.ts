import AxeBuilder from "@axe-core/playwright";
import { expect, test, type Page } from "@playwright/test";
import { strToU8, zipSync } from "fflate";

import { ANSWERS } from "../timeouts.mjs";
import { openDemo, runInConsole, showTab, unfoldSteps } from "./demo.js";

/**
 * In light by all rules, in dark by those that look at colours: the others see the same page.
 *
 * @param part - selects what is new since the page was last looked at.
 */
async function expectNoViolations(page: Page, part = "html"): Promise<void> {
  await expect(page.locator(part)).toBeVisible();
  expect(await found(builder(page, part))).toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await found(builder(page, part).withRules(["color-contrast", "link-in-text-block"]))).toEqual([]);
  await page.emulateMedia({ colorScheme: "light" });
}

function builder(page: Page, part: string): AxeBuilder {
  // The frames of foreign content have neither scripts nor an origin, so axe cannot look into them.
  const all = new AxeBuilder({ page }).include(part).exclude("iframe");
  return all.options({ rules: { "target-size": { enabled: true } } });
}

async function found(axe: AxeBuilder): Promise<string[]> {
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}\n${failureSummary ?? ""}`),
  );
}

test("axe finds nothing in light and dark: at the start, after a task, in every tab and dialog", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await openDemo(page);
  await expectNoViolations(page);

  await page.getByRole("button", { name: "Clean a messy CSV and chart it" }).click();
  await expect(page.getByRole("heading", { name: "Answer" })).toBeVisible({ timeout: ANSWERS });
  await expectNoViolations(page);

  await page.getByRole("button", { name: "Walk a paged API" }).click();
  await expect(page.getByRole("heading", { name: "Answer" })).toHaveCount(2, { timeout: ANSWERS });
  await unfoldSteps(page.locator(".task-card").first());
  await page
    .getByRole("button", { name: /done: / })
    .first()
    .click();
  await runInConsole(page, "1 / 0");
  await expectNoViolations(page);
  for (const tab of ["Console", "Artifacts", "Files", "Tools", "Skills", "Trace"]) {
    await showTab(page, tab);
    await expectNoViolations(page, "vitrine-app-shelf");
  }

  await page.getByRole("button", { name: "Settings", exact: true }).click();
  await page.getByRole("radio", { name: /OpenAI-compatible/ }).check();
  await expectNoViolations(page, "dialog[open]");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Earlier tasks" }).click();
  await expect(page.locator("dialog[open] .saved li")).toHaveCount(2);
  await expectNoViolations(page, "dialog[open]");
  await page.locator("dialog[open] .saved .name").first().click();
  await expectNoViolations(page, "main");
  const tools = await showTab(page, "Tools");
  await tools.getByRole("button", { name: "Add a tool" }).click();
  await expectNoViolations(page, "dialog[open]");
  await page.keyboard.press("Escape");
  await showTab(page, "Artifacts");
  await page.getByRole("button", { name: "Open clean-readings.csv" }).click();
  await expectNoViolations(page, "dialog[open]");
});

test("axe finds nothing in the tree of files, the editor and what is compared", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await openDemo(page);
  const write =
    'import os\nos.makedirs("/workspace/src/app")\nopen("/workspace/src/app/main.py", "w").write("x = 1\\ny = 2")';
  await runInConsole(page, write);
  const panel = await showTab(page, "Files");
  await panel.getByRole("treeitem", { name: "src" }).press("*");
  await panel.getByRole("treeitem", { name: "app" }).press("*");
  await panel.getByRole("treeitem", { name: "main.py" }).press("Enter");
  await page.getByRole("textbox", { name: "Text of src/app/main.py" }).pressSequentially("z = 3");
  await expectNoViolations(page, "vitrine-app-shelf");
  await runInConsole(page, 'open("/workspace/src/app/main.py", "w").write("x = 4")');
  await showTab(page, "Files");
  await panel.getByRole("button", { name: "Compare both" }).click();
  await expect(panel.getByRole("table")).toBeVisible();
  await expectNoViolations(page, "vitrine-app-shelf");
  await panel.getByRole("treeitem", { name: "main.py" }).press("F2");
  await expectNoViolations(page, "dialog[open]");
  await page.keyboard.press("Escape");
  const buffer = Buffer.from(zipSync({ "src/app/main.py": strToU8("x"), "../out": strToU8("x") }));
  await panel.locator("#zip-input").setInputFiles({ name: "a.zip", mimeType: "application/zip", buffer });
  await expect(page.getByRole("button", { name: "Unpack" })).toBeVisible();
  await expectNoViolations(page, "dialog[open]");
});

test("a task can be run and its artifact opened by keyboard alone", async ({ page }) => {
  await openDemo(page);

  await tabTo(page, /Walk a paged API/);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Answer" })).toBeVisible({ timeout: ANSWERS });
  await tabTo(page, /^Artifacts/);
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("tab", { name: /Files/ })).toBeFocused();
  await page.keyboard.press("ArrowLeft");
  await tabTo(page, /^Open /);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
});

test("what happens is announced politely", async ({ page }) => {
  await openDemo(page);
  const region = page.locator("[aria-live=polite]");
  await expect(region).toHaveText("Python is ready.");

  await page.getByRole("button", { name: "Walk a paged API" }).click();

  await expect(region).toContainText("Answer:", { timeout: ANSWERS });
});

async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let presses = 0; presses < 120; presses++) {
    await page.keyboard.press("Tab");
    const text = await page.evaluate(() => {
      const { activeElement } = document;
      // Between the last place and the first the body has the focus, whose text is the whole page.
      if (activeElement === document.body) return "";
      return (activeElement?.getAttribute("aria-label") ?? activeElement?.textContent ?? "").trim();
    });
    if (name.test(text)) return;
  }
  throw new Error(`Nothing called ${String(name)} can be reached with Tab.`);
}
