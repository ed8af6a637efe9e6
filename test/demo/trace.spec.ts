import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "@playwright/test";

import { openDemo, runInConsole, showTab, typeIntoConsole } from "./demo.js";

test("the trace is filtered by text, status and kind, nested, and gone through by keyboard", async ({ page }) => {
  await openDemo(page);
  await runInConsole(page, "artifacts.save('kept', 1); artifacts.load('kept'); artifacts.load('kept')");
  await runInConsole(
    page,
    "skills.create('outer', 'def run():\\n    artifacts.save(\"inside\", 1)')\nskills.outer()\nartifacts.load('missing')",
  );
  const panel = await showTab(page, "Trace");
  const calls = panel.locator(".call");
  const texts = async (): Promise<string[]> =>
    (await calls.locator("code").allTextContents()).map((text) => text.replace(/\(.*/, ""));
  await expect(calls).toHaveCount(9);

  await test.step("a call inside another stands below it, a level deeper", async () => {
    await expect(panel.locator(".trace-row", { hasText: 'save(name="inside"' })).toContainText("Level 2");
    await expect(panel.locator(".bar")).toHaveCount(9);
  });

  await test.step("by status, said once", async () => {
    await panel.getByRole("combobox", { name: "Status" }).selectOption("Failed");
    await expect.poll(texts).toEqual([expect.stringContaining("console 2"), "artifacts.load"]);
    await expect(panel.getByRole("status")).toHaveText("2 calls of 9");
    await panel.getByRole("combobox", { name: "Status" }).selectOption("Any status");
  });

  await test.step("by kind", async () => {
    await panel.getByRole("combobox", { name: "Kind" }).selectOption("Skills");
    await expect.poll(texts).toEqual(["skills.create", "skills.outer"]);
    await panel.getByRole("combobox", { name: "Kind" }).selectOption("All kinds");
  });

  await test.step("by text, with the call in whose course it was made", async () => {
    await panel.getByRole("searchbox", { name: "Text of the call" }).fill("INSIDE");
    await expect
      .poll(texts)
      .toEqual([expect.stringContaining("console 2"), "skills.create", "skills.outer", "artifacts.save"]);
    await expect(panel.locator(".trace-row.beside")).toHaveCount(1);
  });

  await test.step("by keyboard", async () => {
    await calls.first().focus();
    await page.keyboard.press("End");
    await expect(calls.last()).toBeFocused();
    await page.keyboard.press("ArrowUp");
    await expect(calls.nth(2)).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(calls.nth(2)).toHaveAttribute("aria-expanded", "true");
  });
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`a run under way shows in the trace, and axe finds nothing, in ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await openDemo(page);
    await showTab(page, "Console");
    await typeIntoConsole(page, "import time\ntime.sleep(600)");
    await page.keyboard.press("Control+Enter");
    const panel = await showTab(page, "Trace");

    await expect(panel.getByRole("button", { name: /^running: console 1/ })).toBeVisible();
    await panel.getByRole("combobox", { name: "Status" }).selectOption("Done");
    await expect(panel.locator(".call")).toHaveCount(0);
    await panel.getByRole("combobox", { name: "Status" }).selectOption("Running");
    await expect(panel.locator(".call")).toHaveCount(1);

    const { violations } = await new AxeBuilder({ page }).include("vitrine-app-shelf").analyze();
    expect(violations).toEqual([]);
  });
}
