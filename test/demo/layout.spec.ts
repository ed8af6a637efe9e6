import type { ServerResponse } from "node:http";

import { expect, test, type Page } from "@playwright/test";

import { startLocalServer } from "../servers/local-server.js";
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

    await page.getByRole("button", { name: /^Results/ }).click();
    for (const tab of ["Artifacts", "Files", "Tools", "Skills", "Console", "Trace"]) {
      await page.getByRole("tab", { name: tab }).click();
      await expectNoSidewaysScroll(page);
    }
  });

  test("the text of a task that has ended is a message in the size of what is read, and no heading", async ({
    page,
  }) => {
    await openDemo(page);
    await page.getByRole("button", { name: "Clean a messy CSV and chart it" }).click();
    const answer = page.locator(".task-card .answer");
    await expect(answer).toBeVisible({ timeout: ANSWERS });

    const task = page.getByRole("heading", { name: /^Clean station-readings\.csv/ });
    const { size, weight, lines, height, line, border } = await task.evaluate((element) => {
      const { fontSize, fontWeight, lineHeight, borderTopWidth, paddingTop } = getComputedStyle(element);
      const text = document.createRange();
      text.selectNodeContents(element);
      const line = parseFloat(lineHeight);
      const lines = Math.round(text.getBoundingClientRect().height / line);
      const around = 2 * (parseFloat(borderTopWidth) + parseFloat(paddingTop));
      const { height } = element.getBoundingClientRect();
      return { size: fontSize, weight: fontWeight, lines, height: height - around, line, border: borderTopWidth };
    });

    expect({ size, weight, border }).toEqual({
      size: await page.locator("body").evaluate((body) => getComputedStyle(body).fontSize),
      weight: "400",
      border: "1px",
    });
    expect(lines).toBeLessThanOrEqual(8);
    // All of it is there: none of its lines is cut.
    expect(height).toBeCloseTo(lines * line, 0);
  });

  test("every tab of the shelf can be seen whole and pressed at both ends, beside the way to close it", async ({
    page,
  }) => {
    await openDemo(page);
    await page.getByRole("button", { name: /^Results/ }).click();
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

    await page.getByRole("button", { name: /^Results/ }).click();
    await expect(page.getByRole("tab", { name: "Artifacts" })).toBeFocused();

    await page.keyboard.press("Escape");
    await expect(page.getByRole("tab", { name: "Artifacts" })).toBeHidden();
    await expect(page.getByRole("button", { name: /^Results/ })).toBeFocused();
  });
});

test("a shelf without artifacts says what comes there and leads to its tabs, and what comes moves nothing beside it", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1600, height: 900 });
  await openDemo(page);
  const shelf = page.getByRole("complementary", { name: "Results and tools" });
  const artifacts = shelf.getByRole("tab", { name: "Artifacts" });
  const rows = shelf.getByRole("listitem");

  await expect(rows).toHaveCount(5);
  await expect(shelf.getByText("Results appear here")).toBeVisible();
  const [room, last] = [await shelf.boundingBox(), await rows.last().boundingBox()];
  if (room === null || last === null) throw new Error("The shelf is drawn.");
  // What is said fills more than half of it, and fits.
  expect(last.y + last.height - room.y).toBeGreaterThan(room.height / 2);
  expect(last.y + last.height).toBeLessThan(900);
  for (const [index, name] of ["Files", "Tools", "Skills", "Console", "Trace"].entries()) {
    // In its middle, where its words are.
    await rows.nth(index).click();
    const tab = shelf.getByRole("tab", { name });
    await expect(tab).toHaveAttribute("aria-selected", "true");
    await expect(tab).toBeFocused();
    await artifacts.click();
  }

  const beside = () =>
    page
      .locator("aside, .transcript > .inner, .composer > .inner")
      .evaluateAll((parts) => parts.map((part) => [part.getBoundingClientRect().x, part.clientWidth]));
  const before = await beside();
  await runInConsole(page, "artifacts.save('kept', 1)");
  await artifacts.click();
  await expect(shelf.getByRole("article", { name: "kept" })).toBeVisible();
  await expect(rows).toHaveCount(0);
  expect(before).toHaveLength(3);
  expect(await beside()).toEqual(before);
});

test("the tabs of a wide shelf begin where what they show begins", async ({ page }) => {
  await page.setViewportSize({ width: 1920, height: 1080 });
  await openDemo(page);
  const left = (selector: string) => page.locator(selector).evaluate((part) => part.getBoundingClientRect().left);

  const [tabs, panel] = [await left(".tabs [aria-selected=true]"), await left(".panel > *")];

  expect(Math.abs(tabs - panel)).toBeLessThan(8);
});

test("the newest step stays in view, unless the reader scrolled away", async ({ page }) => {
  await page.setViewportSize({ width: 1000, height: 600 });
  await openDemo(page);
  await page.getByRole("button", { name: "Clean a messy CSV and chart it" }).click();
  await expect(page.getByRole("heading", { name: "Answer" })).toBeInViewport({ timeout: ANSWERS });
  await page.getByRole("button", { name: "Unfold all" }).click();
  await page.locator(".code").last().scrollIntoViewIfNeeded();

  const transcript = page.getByRole("region", { name: "Transcript" });
  await transcript.hover();
  await page.mouse.wheel(0, -2000);
  const button = page.getByRole("button", { name: "To the end" });
  await expect(button).toBeVisible();
  await button.click();
  await expect(page.getByRole("button", { name: "Copy the transcript" })).toBeInViewport();
});

test("the download is told in words and numbers", async ({ page, baseURL }) => {
  const server = await serveHalfOfPython(baseURL ?? "");
  try {
    await page.goto(server.url);

    const bar = page.getByRole("progressbar", { name: "Loading Python" });
    const shown = (): Promise<{ loaded: number; total: number }> =>
      bar.evaluate((element: HTMLProgressElement) => ({ loaded: element.value, total: element.max }));
    await expect
      .poll(async () => {
        const { loaded, total } = await shown();
        return total - loaded;
      })
      .toBe(await server.missing);
    const { loaded, total } = await shown();
    const text = await page.getByText(/^Loading Python/).textContent();
    const [, loadedInWords, totalInWords] = /^Loading Python, ([\d.]+) of ([\d.]+) MB$/.exec(text ?? "") ?? [];
    expect(Number(loadedInWords)).toBeCloseTo(loaded / 1e6, 1);
    expect(Number(totalInWords)).toBeCloseTo(total / 1e6, 0);

    server.release();
    await expect(page.getByText(/^Ready in [\d.]+ s/)).toBeVisible({ timeout: ANSWERS });
  } finally {
    server.release();
    await server.close();
  }
});

test("on a phone a task that waits for Python says how much of it is loaded, and the bar has room for it", async ({
  page,
  baseURL,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const server = await serveHalfOfPython(baseURL ?? "");
  try {
    await page.goto(server.url);
    await page.getByRole("button", { name: "Clean a messy CSV and chart it" }).click();
    await server.missing;

    const waits = page.locator(".task-card .waits");
    await expect(waits).toContainText(/Waits for Python\.\s+Loading Python, [\d.]+ of [\d.]+ MB\s+Stop/);
    await expect(waits.getByRole("progressbar")).toBeVisible();
    const words = page.locator("vitrine-app-top-bar .state > span").first();
    await expect(words).toHaveText(/^Loading Python, [\d.]+ of [\d.]+ MB$/);
    expect(await words.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    await expectNoSidewaysScroll(page);

    server.release();
    await expect(waits).toHaveCount(0, { timeout: ANSWERS });
  } finally {
    server.release();
    await server.close();
  }
});

/** The demo on a server that tells lengths and keeps half of the standard library back. */
async function serveHalfOfPython(demo: string) {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let tell: (bytes: number) => void = () => undefined;
  const missing = new Promise<number>((resolve) => {
    tell = resolve;
  });
  const answer = async (path: string, response: ServerResponse): Promise<void> => {
    const original = await fetch(new URL(path, demo));
    const body = Buffer.from(await original.arrayBuffer());
    response.setHeader("content-type", original.headers.get("content-type") ?? "application/octet-stream");
    response.writeHead(original.status, { "content-length": body.length });
    const kept = path.endsWith(".zip") ? body.length >> 1 : 0;
    response.write(body.subarray(0, body.length - kept));
    if (kept > 0) {
      tell(kept);
      await released;
    }
    response.end(body.subarray(body.length - kept));
  };
  const { origin, close } = await startLocalServer((request, response) => {
    answer(request.url ?? "/", response).catch(() => response.destroy());
  });
  return { url: `${origin}${new URL(demo).pathname}`, missing, release: () => release(), close };
}

async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const widths = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.body.scrollWidth,
    innerWidth,
  ]);
  expect(Math.max(...widths)).toBe(360);
}
