import { expect, test } from "@playwright/test";

import { ANSWERS } from "../timeouts.mjs";
import { expectDrawn, openDemo, runInConsole, showTab } from "./demo.js";

test("what is typed first is a task", async ({ page }) => {
  await openDemo(page);

  await expect(page.getByRole("textbox", { name: "Task" })).toBeFocused();
});

test("the bar says what code can reach, not how its calls travel", async ({ page }) => {
  await openDemo(page);

  const bar = page.getByRole("banner");
  await expect(bar).toContainText(/Python \d\.\d+ · no network access/);
  await expect(bar).not.toContainText(/JSPI|shared memory|blob channel|sandboxed/);
});

test("no chip of a task is cut, and all of them come with a click", async ({ page }) => {
  await page.setViewportSize({ width: 1200, height: 800 });
  await openDemo(page);
  await page.getByRole("button", { name: "Walk a paged API" }).click();
  await expect(page.getByRole("heading", { name: "Answer" })).toBeVisible({ timeout: ANSWERS });
  const row = page.locator(".under .tasks");
  const seen = () =>
    row.evaluate((element) => {
      const room = element.getBoundingClientRect();
      const chips = [...element.querySelectorAll("button")].map((chip) => chip.getBoundingClientRect());
      const inside = chips.filter(({ top }) => top < room.bottom);
      return {
        inside: inside.length,
        cut: inside.filter(({ right, bottom }) => right > room.right || bottom > room.bottom + 1).length,
      };
    });

  expect((await seen()).inside).toBeLessThan(11);
  expect((await seen()).cut).toBe(0);
  await page.getByRole("button", { name: "More tasks" }).click();

  await expect(page.getByRole("button", { name: "Fewer tasks" })).toHaveAttribute("aria-expanded", "true");
  expect(await seen()).toEqual({ inside: 11, cut: 0 });
});

test("a drawing is no white box in the dark, and what is pressed is 24 px high", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await openDemo(page);
  await runInConsole(
    page,
    `artifacts.save("box.svg", '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="50"><rect width="100" height="50" fill="#fff"/></svg>')`,
  );
  await showTab(page, "Artifacts");
  const card = page.getByRole("article", { name: "box.svg" });
  await expectDrawn(card.frameLocator("iframe").frameLocator("iframe").locator("img"));

  const data = await card.locator("iframe").screenshot();
  const brightness = await page.evaluate(
    async (bytes) => {
      const bitmap = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      const context = canvas.getContext("2d");
      context?.drawImage(bitmap, 0, 0);
      return context?.getImageData(bitmap.width / 2, bitmap.height / 2, 1, 1).data[0];
    },
    [...data],
  );
  expect(brightness).toBeLessThan(60);

  const heights = await card.getByRole("button").evaluateAll((buttons) => buttons.map((each) => each.clientHeight));
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(24);
});

test("at 360 px the page has its name, and Results opens what the task made", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await openDemo(page);

  const name = page.getByRole("heading", { name: "Vitrine" });
  expect((await name.boundingBox())?.width).toBeGreaterThan(60);
  await page.getByRole("button", { name: "Results" }).click();
  await expect(page.getByRole("tab", { name: "Artifacts" })).toBeFocused();
});
