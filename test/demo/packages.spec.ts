import { expect, test, type Locator, type Page } from "@playwright/test";

import { ANSWERS } from "../timeouts.mjs";
import { beginInConsole, openDemo, runInConsole, waitUntilReady } from "./demo.js";

test.beforeEach(async ({ page }) => {
  await openDemo(page);
  // It belongs to the site, and outlives the page of another test.
  await page.evaluate(() => caches.delete("vitrine-packages"));
});

const TASK = "Check a list of orders against a model";

async function openSettings(page: Page): Promise<Locator> {
  await page.getByRole("banner").getByRole("button", { name: "Settings" }).click();
  return page.getByRole("dialog", { name: "Settings" });
}

/** The question of an import, once it is asked. */
async function question(page: Page): Promise<Locator> {
  const card = page.getByRole("form", { name: "Approval of deps.provide" });
  await expect(card).toBeVisible({ timeout: ANSWERS });
  return card;
}

/** Allows Pyodide's own packages, and waits until Python has started again. */
async function allowPyodide(page: Page, mirror = ""): Promise<void> {
  const dialog = await openSettings(page);
  await dialog.getByRole("checkbox", { name: /Pyodide’s own packages/ }).check();
  if (mirror !== "") {
    await dialog.getByText("A mirror, or an index of your own").click();
    await dialog.getByRole("textbox", { name: /Mirror of Pyodide’s packages/ }).fill(mirror);
  }
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toBeHidden();
  await waitUntilReady(page);
}

test("%pip install works at once, and the settings name what is installed and what is kept", async ({ page }) => {
  await expect(await runInConsole(page, "%pip install xxhash")).toContainText("Installed xxhash");
  await expect(await runInConsole(page, "import xxhash; xxhash.xxh32(b'').hexdigest()")).toContainText("'02cc5d05'");

  const dialog = await openSettings(page);
  await expect(dialog.getByText("Installed now: xxhash 4.1.0.")).toBeVisible();
  await expect(dialog.getByRole("status")).toHaveText("Kept on this device: 1 file, 21 KB.");
  await dialog.getByRole("button", { name: "Forget the packages that are kept" }).press("Enter");
  await expect(dialog.getByRole("status")).toHaveText("Kept on this device: no packages any more.");
  expect(await page.evaluate(async () => (await (await caches.open("vitrine-packages")).keys()).length)).toBe(0);
  await dialog.getByRole("button", { name: "Cancel" }).click();

  await expect(await runInConsole(page, "xxhash.xxh32(b'').hexdigest()")).toContainText("'02cc5d05'");
});

test("an import asks with files, sizes and addresses, and says no where it is denied", async ({ page }) => {
  const entry = await beginInConsole(page, "import attr\nattr.__version__");
  const card = await question(page);

  await expect(card).toContainText(
    "The code imports attr, which is not installed: one file of 68 kB would be fetched.",
  );
  await expect(card.getByRole("listitem")).toHaveText("attrs 26.1.0, 68 kB");
  await expect(card).toContainText(/from http:.*\/packages\//);
  await card.getByRole("textbox").fill("not today");
  await card.getByRole("button", { name: "Deny", exact: true }).click();
  await expect(entry).toContainText("not today");

  const again = await beginInConsole(page, "import attr\nattr.__version__");
  await (await question(page)).getByRole("button", { name: "Allow once" }).click();
  await expect(again).toContainText("'26.1.0'", { timeout: ANSWERS });
});

test("compiled packages are there again on the next visit, without the network", async ({ page }) => {
  const entry = await beginInConsole(page, "import pydantic\npydantic.VERSION");
  await (await question(page)).getByRole("button", { name: "Allow once" }).click();
  await expect(entry).toContainText("'2.14.4'", { timeout: ANSWERS });

  let fetched = 0;
  await page.route("**/*.whl", (route) => {
    fetched += 1;
    return route.abort();
  });
  await page.reload();
  await waitUntilReady(page);
  const later = await beginInConsole(page, "import pydantic\npydantic.VERSION");
  await (await question(page)).getByRole("button", { name: "Allow once" }).click();
  await expect(later).toContainText("'2.14.4'", { timeout: ANSWERS });
  expect(fetched).toBe(0);
});

test("while a package comes, the console says how far it has come", async ({ page }) => {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/pygments-*.whl", async (route) => {
    await released;
    await route.continue();
  });
  const entry = await beginInConsole(page, "%pip install pytest");

  await expect(entry.locator(".foot")).toContainText(/running: .*Fetching .*\.whl/);
  release();
  await expect(entry).toContainText("Installed", { timeout: ANSWERS });
  await expect(entry.locator(".foot")).not.toContainText("Fetching");
});

test("NumPy: the console says how to get it, and asks for it once the settings allow it", async ({ page }) => {
  await page.route("https://*/**", (route) => route.abort());
  const refused = await runInConsole(page, "import numpy");
  await expect(refused).toContainText("ModuleNotFoundError");
  await expect(refused).toContainText("To have it here, allow Pyodide’s own packages in the settings, under Packages.");
  await expect(await runInConsole(page, "import no_such_module")).not.toContainText("To have it here");

  await refused.getByRole("button", { name: "Open the settings" }).click();
  const dialog = page.getByRole("dialog", { name: "Settings" });
  const box = dialog.getByRole("checkbox", { name: /Pyodide’s own packages/ });
  await expect(box).not.toBeChecked();
  await expect(box).toHaveAccessibleName(/the host that Pyodide names, which learns which files are fetched/);
  await page.keyboard.press("Escape");

  await allowPyodide(page, "https://mirror.example.org/pyodide/");
  await expect(page.locator(".console-log").getByText(/^Where packages come from changed, so Python/)).toBeVisible();
  await expect(refused).not.toContainText("To have it here");
  const entry = await beginInConsole(page, "import numpy");
  const card = await question(page);
  await expect(card.getByRole("listitem")).toHaveText(/^numpy 2\.4\.\d+, size unknown$/);
  await expect(card).toContainText("from https://mirror.example.org/pyodide/");
  await card.getByRole("button", { name: "Deny", exact: true }).click();
  await expect(entry).toHaveClass(/done/);
  await expect(entry).toContainText("numpy was not installed");
});

test("an address that is none is refused at its field, and another holds over a reload", async ({ page }) => {
  const dialog = await openSettings(page);
  await dialog.getByText("A mirror, or an index of your own").click();
  const index = dialog.getByRole("textbox", { name: /^Index, as simple JSON/ });
  await index.fill("index.example.org");
  await dialog.getByText("A mirror, or an index of your own").click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByRole("alert")).toContainText("must begin with https://");
  await expect(index).toBeFocused();

  await index.fill("https://index.example.org/simple/");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toBeHidden();
  await waitUntilReady(page);
  await page.reload();
  await waitUntilReady(page);
  await openSettings(page);
  await expect(index).toHaveValue("https://index.example.org/simple/");
});

test("a recorded task imports a compiled package, about which its step asks", async ({ page }) => {
  await page.getByRole("button", { name: TASK }).click();

  const card = await question(page);
  await expect(page.locator(".step").getByRole("form", { name: "Approval of deps.provide" })).toBeVisible();
  await expect(page.getByRole("button", { name: /waits: deps\.provide/ })).toBeVisible();
  await expect(card.getByRole("listitem")).toHaveCount(5);
  await card.getByRole("button", { name: "Allow once" }).click();

  await expect(page.getByRole("heading", { name: "Answer" })).toBeVisible({ timeout: ANSWERS });
  await expect(page.locator(".answer")).toContainText("9 of 36 orders have faults");
  await expect(page.getByRole("article", { name: "order-faults.csv" })).toBeVisible();
});
