import { readFile } from "node:fs/promises";

import { expect, test } from "@playwright/test";
import { strFromU8, unzipSync } from "fflate";

import { ANSWERS } from "../timeouts.mjs";
import { expectDrawn, openDemo, runTask, showTab, unfoldSteps } from "./demo.js";

const TITLES = [
  "Clean a messy CSV and chart it",
  "Walk a paged API and add it up",
  "Write a skill and use it on other data",
  "Report with a table and a picture",
  "Ask many at once, mind who is silent",
  "Search a log with the shell and SQLite",
];

for (const title of TITLES) {
  test(`"${title}" goes from a click to its answer and artifacts`, async ({ page }) => {
    await openDemo(page);

    await page.getByRole("button", { name: title }).click();
    // The one task that writes a skill, which an agent's code may not do unasked: once as new, once corrected.
    for (const change of title === TITLES[2] ? ["A new skill", "It changes the skill that is there"] : []) {
      const card = page.getByRole("form", { name: "Approval of skills.create" }).filter({ hasText: change });
      await card.getByRole("button", { name: "Allow once" }).click({ timeout: ANSWERS });
    }

    await expect(page.getByRole("heading", { name: "Answer" })).toBeVisible({ timeout: ANSWERS });
    await expect(page.locator(".meta")).toContainText("recorded model, scripted");
    await expect(page.getByRole("tabpanel").getByRole("article")).not.toHaveCount(0);
    await expect(page.locator(".answer .chip")).not.toHaveCount(0);
  });
}

test("a call is one line, and shows what went in and came out on click", async ({ page }) => {
  await openDemo(page);
  await page.getByRole("button", { name: TITLES[0]! }).click();

  await expect(page.getByRole("heading", { name: "4 steps" })).toBeVisible({ timeout: ANSWERS });
  await unfoldSteps(page.locator(".task-card"));
  const call = page.getByRole("button", { name: /done: .*artifacts\.save\(name="daily-means\.svg"/ });
  await call.click();

  await expect(call).toHaveAttribute("aria-expanded", "true");
  await expect(page.getByText("Arguments", { exact: true })).toBeVisible();
  await expect(page.getByText("Result", { exact: true })).toBeVisible();
});

test("artifacts are drawn, opened in full, and downloaded one by one and all together", async ({ page }) => {
  await openDemo(page);
  await page.getByRole("button", { name: TITLES[0]! }).click();
  await expect(page.getByRole("heading", { name: "Answer" })).toBeVisible({ timeout: ANSWERS });

  const chart = page.getByRole("article", { name: "daily-means.svg" });
  await expectDrawn(chart.frameLocator("iframe").frameLocator("iframe").getByRole("img"));
  const table = page.getByRole("article", { name: "clean-readings.csv" });
  await expect(table.getByRole("columnheader", { name: "celsius" })).toBeVisible();

  await table.getByRole("button", { name: "Open", exact: false }).first().click();
  const dialog = page.getByRole("dialog", { name: "clean-readings.csv" });
  await expect(dialog.getByRole("row")).toHaveCount(118);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();

  const [one] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download clean-readings.csv" }).click(),
  ]);
  const csv = await readFile(await one.path(), "utf8");
  expect(csv).toContain("station,time,celsius");

  const [all] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download all" }).click(),
  ]);
  const files = unzipSync(await readFile(await all.path()));
  expect(Object.keys(files).sort()).toEqual(["clean-readings.csv", "daily-means.svg"]);
  expect(strFromU8(files["clean-readings.csv"]!)).toBe(csv);
});

test("the transcript is copied as Markdown", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openDemo(page);
  await page.getByRole("button", { name: TITLES[1]! }).click();
  await expect(page.getByRole("heading", { name: "Answer" })).toBeVisible({ timeout: ANSWERS });

  await page.getByRole("button", { name: "Copy the transcript" }).click();
  await expect(page.getByText("Copied as Markdown.").first()).toBeVisible();

  const text = await page.evaluate(() => navigator.clipboard.readText());
  expect(text).toContain("## Step 1");
  expect(text).toContain("```python");
  expect(text).toContain("## Answer");
});

test("every call is in the trace, which is exported as JSON Lines", async ({ page }) => {
  await openDemo(page);
  await page.getByRole("button", { name: TITLES[0]! }).click();
  await expect(page.getByRole("heading", { name: "Answer" })).toBeVisible({ timeout: ANSWERS });

  const panel = await showTab(page, "Trace");
  await expect(panel.getByRole("button", { name: /artifacts\.save/ })).toHaveCount(2);
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    panel.getByRole("button", { name: "Export as JSON Lines" }).click(),
  ]);

  const lines = (await readFile(await file.path(), "utf8")).trim().split("\n");
  const names = lines.map((line) => (JSON.parse(line) as { name: string }).name);
  expect(names.filter((name) => name === "save")).toHaveLength(2);
});

test("a data file that changed stops the recording, which shows both, and the task's files can be put back", async ({
  page,
}) => {
  await openDemo(page);
  await page.getByRole("button", { name: TITLES[3]! }).click();
  await expect(page.getByRole("heading", { name: "Answer" })).toBeVisible({ timeout: ANSWERS });
  const recorded = await page.locator(".answer").innerText();

  await page.locator("#file-input").setInputFiles({
    name: "planets.csv",
    mimeType: "text/csv",
    buffer: await changedPlanets(page),
  });
  await expect(page.getByRole("button", { name: "Read the rows" })).toBeEnabled();
  await page.getByRole("button", { name: TITLES[3]! }).click();

  const card = page.locator(".task-card").nth(1);
  await expect(card.getByRole("heading", { name: "The recording no longer fits" })).toBeVisible({ timeout: ANSWERS });
  // The planet that the changed file lacks, and nothing else.
  await expect(card.locator("vitrine-app-mismatch del")).toContainText("- Neptune");
  await expect(card.locator("vitrine-app-mismatch ins")).toHaveCount(0);
  await expect(card.locator(".answer")).toHaveCount(0);
  await expect(card.getByRole("button", { name: /Record it anew/ })).toBeVisible();

  await card.getByRole("button", { name: /Put the task's files back/ }).click();
  await expect(page.locator(".task-card").nth(2).locator(".answer")).toBeVisible({ timeout: ANSWERS });
  expect(await page.locator(".task-card").nth(2).locator(".answer").innerText()).toBe(recorded);
});

test("a data file that changed on the server stops the recording too", async ({ page }) => {
  await page.route("**/data/planets.csv", async (route) => {
    await route.fulfill({ body: await changedPlanets(page), contentType: "text/csv" });
  });
  await openDemo(page);

  await page.getByRole("button", { name: TITLES[3]! }).click();

  await expect(page.getByRole("heading", { name: "The recording no longer fits" })).toBeVisible({ timeout: ANSWERS });
  await expect(page.locator(".answer")).toHaveCount(0);
});

test("for a task that nobody recorded the page names those it knows and offers the settings", async ({ page }) => {
  await openDemo(page);

  const card = await runTask(page, "What is the meaning of life?");

  await expect(card.getByText("The demo has no recorded answer to this")).toBeVisible();
  for (const title of TITLES) await expect(card.getByRole("button", { name: title })).toBeVisible();
  await card.getByRole("button", { name: "Bring a model" }).click();
  await expect(page.getByRole("dialog", { name: "Settings" })).toBeVisible();
});

/** The file with a planet less: every number computed from it is another one. */
async function changedPlanets(page: import("@playwright/test").Page): Promise<Buffer> {
  const url = new URL("data/planets.csv?original", process.env.VITRINE_DEMO_URL).href;
  const response = await page.request.get(url);
  const lines = (await response.text()).trimEnd().split("\n");
  return Buffer.from(`${lines.slice(0, -1).join("\n")}\n`);
}
