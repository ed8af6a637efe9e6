import { expect, test } from "@playwright/test";

import { openDemo, runInConsole, showTab, waitUntilReady } from "./demo.js";

test("artifacts and files are there after a reload", async ({ page }) => {
  await openDemo(page);
  await runInConsole(page, 'artifacts.save("note.txt", "kept")\nopen("/workspace/a.txt", "w").write("b")');

  await page.reload();
  await waitUntilReady(page);

  await expect(page.getByRole("article", { name: "note.txt" })).toContainText("kept");
  await expect(await runInConsole(page, 'open("/workspace/a.txt").read()')).toContainText("'b'");
});

test("a storage that is blocked is said, and the page goes on in memory", async ({ page }) => {
  await page.addInitScript(() => {
    // What Firefox does where site data are forbidden.
    IDBFactory.prototype.open = () => {
      throw new DOMException("The operation is insecure.", "SecurityError");
    };
  });

  await openDemo(page);

  await expect(page.getByRole("alert")).toContainText("Kept in memory only.");
  await expect(page.getByText("kept in memory only", { exact: true })).toBeVisible();
  await runInConsole(page, 'artifacts.save("note.txt", "here for now")');
  await showTab(page, "Artifacts");
  await expect(page.getByRole("article", { name: "note.txt" })).toContainText("here for now");
});

test("a storage that fills up is said, and the page can go on in memory", async ({ page }) => {
  await openDemo(page);
  await page.evaluate(() => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
    };
  });

  await expect(await runInConsole(page, 'artifacts.save("big.txt", "x" * 1000)')).toContainText("full");
  await expect(page.getByRole("alert")).toContainText("The storage is full");
  await page.getByRole("button", { name: "Go on in memory" }).click();
  await waitUntilReady(page);

  await runInConsole(page, 'artifacts.save("big.txt", "x" * 1000)');
  await showTab(page, "Artifacts");
  await expect(page.getByRole("article", { name: "big.txt" })).toBeVisible();
});

test("a tool file and a skill that are broken are listed with file and line, and the rest works", async ({ page }) => {
  await openDemo(page);
  await page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open("vitrine-demo");
      request.onsuccess = () => resolve(request.result);
    });
    const transaction = database.transaction("records", "readwrite");
    const text = (source: string): Uint8Array => new TextEncoder().encode(source);
    transaction.objectStore("records").put(text("name: broken\nrecipes: [\n"), "tools/broken.yaml");
    transaction.objectStore("records").put(text("def run(:\n    pass\n"), "skills/broken.py");
    await new Promise((resolve) => {
      transaction.oncomplete = resolve;
    });
    database.close();
  });

  await page.reload();
  await waitUntilReady(page);

  const panel = await showTab(page, "Problems");
  await expect(panel.getByText(/tools\/broken\.yaml, line \d/)).toBeVisible();
  await expect(panel.getByText(/skills\/broken\.py, line 1/)).toBeVisible();
  await expect(await runInConsole(page, "len(tools.list()) > 0")).toContainText("True");
});
