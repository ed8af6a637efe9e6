import { cp } from "node:fs/promises";

import { expect, test } from "@playwright/test";

import { serveFolder } from "../../.ci/static-server.mjs";
import { ANSWERS } from "../timeouts.mjs";
import { createProject, installed, type Project } from "./project.js";

let project: Project;
let site: Awaited<ReturnType<typeof serveFolder>>;

test.beforeAll(async () => {
  project = await createProject();
  await cp("examples/vitepress", project.path("docs"), { recursive: true });
  for (const name of ["vitepress", "vue"]) await project.linkInstalled(name);
  await project.node(installed("vitepress/bin/vitepress.js"), "build", "docs");
  site = await serveFolder(project.path("docs/.vitepress/dist"));
});

test.afterAll(async () => {
  await site.close();
  await project.remove();
});

test("VitePress: fences are cells that a reader runs, drawn by the site's highlighter", async ({ page }) => {
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("response", (response) => {
    if (response.status() >= 400 && !response.url().endsWith("/favicon.ico")) problems.push(response.url());
  });
  page.on("console", (message) => {
    // A file that is missing is told by its address, above.
    const isMissing = message.text().startsWith("Failed to load resource");
    if (!isMissing && (message.type() === "error" || message.text().includes("Hydration")))
      problems.push(message.text());
  });
  await page.goto(site.url);
  const cells = page.locator("vitrine-cell");
  await expect(cells).toHaveCount(3);
  await expect(cells.nth(0).locator("pre.shiki").first()).toContainText("totals.get(country, 0)");
  await expect(cells.nth(0).getByText("{'Norway': 1204, 'Japan': 998}")).toBeVisible();

  await cells.nth(0).getByRole("button", { name: "Run" }).click();
  await expect(cells.nth(0).locator("vitrine-output")).toContainText("{'Norway': 1204, 'Japan': 998}", {
    timeout: ANSWERS,
  });
  await cells.nth(1).getByRole("button", { name: "Run" }).click();
  await expect(cells.nth(1).locator("vitrine-output")).toContainText("'Norway'", { timeout: ANSWERS });
  await cells.nth(2).getByRole("button", { name: "Run" }).click();
  await expect(cells.nth(2)).toContainText("It gave 0", { timeout: ANSWERS });

  expect(problems).toEqual([]);
});

test("VitePress: without scripts code and result are there to read", async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(site.url);

  await expect(page.getByText("totals.get(country, 0)")).toBeVisible();
  await expect(page.getByText("{'Norway': 1204, 'Japan': 998}")).toBeVisible();
  await expect(page.getByText("assert mean([1, 3]) == 2")).toBeHidden();
  await context.close();
});
