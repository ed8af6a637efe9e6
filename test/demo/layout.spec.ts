import { expect, test, type Page } from "@playwright/test";

import { ANSWERS } from "../timeouts.mjs";
import { openDemo, runInConsole } from "./demo.js";

test.describe("at 360 px", () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test("nothing scrolls sideways, from the start to the artifacts", async ({ page }) => {
    await openDemo(page);
    await expectNoSidewaysScroll(page);
    // Its boxes scroll downwards, and it does not itself.
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(740);

    await page.getByRole("button", { name: "Clean a messy CSV and chart it" }).click();
    await expect(page.getByRole("heading", { name: "Answer" })).toBeVisible({ timeout: ANSWERS });
    await expectNoSidewaysScroll(page);

    await page.getByRole("button", { name: "Earlier tasks" }).click();
    await expect(page.getByRole("dialog", { name: "Earlier tasks" })).toBeVisible();
    await expectNoSidewaysScroll(page);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden();

    await page.getByRole("button", { name: /^Shelf/ }).click();
    for (const tab of ["Artifacts", "Files", "Tools", "Skills", "Console", "Trace"]) {
      await page.getByRole("tab", { name: tab }).click();
      await expectNoSidewaysScroll(page);
    }
  });

  test("every tab of the shelf can be seen whole and pressed at both ends, beside the way to close it", async ({
    page,
  }) => {
    await openDemo(page);
    await page.getByRole("button", { name: /^Shelf/ }).click();
    // With counts in the labels.
    await runInConsole(
      page,
      "for i in range(12): artifacts.save(f'kept{i}', 1)\nopen('/workspace/a.txt', 'w').close()",
    );
    await expect(page.getByRole("tab", { name: "Files 1" })).toBeVisible();

    const covered = await page.locator(".shelf-head button").evaluateAll((buttons) =>
      buttons
        .filter((button) => {
          const { left, right, top, height } = button.getBoundingClientRect();
          return [left + 2, right - 2].some(
            (x) => document.elementFromPoint(x, top + height / 2)?.closest("button") !== button,
          );
        })
        .map((button) => button.textContent.trim()),
    );

    expect(covered).toEqual([]);
  });

  test("the shelf is a sheet that opens from a button and closes with Escape", async ({ page }) => {
    await openDemo(page);
    await expect(page.getByRole("tab", { name: "Artifacts" })).toBeHidden();

    await page.getByRole("button", { name: /^Shelf/ }).click();
    await expect(page.getByRole("tab", { name: "Artifacts" })).toBeFocused();

    await page.keyboard.press("Escape");
    await expect(page.getByRole("tab", { name: "Artifacts" })).toBeHidden();
    await expect(page.getByRole("button", { name: /^Shelf/ })).toBeFocused();
  });
});

test("the newest step stays in view, unless the reader scrolled away", async ({ page }) => {
  await page.setViewportSize({ width: 1000, height: 600 });
  await openDemo(page);
  await page.getByRole("button", { name: "Clean a messy CSV and chart it" }).click();
  await expect(page.getByRole("heading", { name: "Answer" })).toBeInViewport({ timeout: ANSWERS });

  const transcript = page.getByRole("region", { name: "Transcript" });
  await transcript.hover();
  await page.mouse.wheel(0, -2000);
  const button = page.getByRole("button", { name: "To the end" });
  await expect(button).toBeVisible();
  await button.click();
  await expect(page.getByRole("button", { name: "Copy the transcript" })).toBeInViewport();
});

test("the download is told in words and numbers", async ({ page }) => {
  const held = Promise.withResolvers<undefined>();
  const missing = Promise.withResolvers<number>();
  await page.route("**/*.zip", async (route) => {
    const response = await route.fetch();
    missing.resolve((await response.body()).length);
    await held.promise;
    await route.fulfill({ response });
  });
  await page.goto("./");

  const bar = page.getByRole("progressbar", { name: "Loading Python" });
  const shown = (): Promise<{ loaded: number; total: number }> =>
    bar.evaluate((element: HTMLProgressElement) => ({ loaded: element.value, total: element.max }));
  await expect
    .poll(async () => {
      const { loaded, total } = await shown();
      return total - loaded;
    })
    .toBe(await missing.promise);
  const { loaded, total } = await shown();
  const text = await page.getByText(/^Loading Python/).textContent();
  const [, loadedInWords, totalInWords] = /^Loading Python, ([\d.]+) of ([\d.]+) MB$/.exec(text ?? "") ?? [];
  expect(Number(loadedInWords)).toBeCloseTo(loaded / 1e6, 1);
  expect(Number(totalInWords)).toBeCloseTo(total / 1e6, 0);
  expect(loaded).toBeGreaterThan(0);
  held.resolve(undefined);
  await expect(page.getByText(/^Ready in [\d.]+ s/)).toBeVisible({ timeout: ANSWERS });
});

async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const widths = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.body.scrollWidth,
    innerWidth,
  ]);
  expect(Math.max(...widths)).toBe(360);
}
