import { readFile } from "node:fs/promises";

import { expect, test } from "@playwright/test";
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";

import { openDemo, runInConsole, showTab } from "./demo.js";

test("a zip is unpacked into the tree once a person has seen what comes of it, and the tree comes back as one", async ({
  page,
}) => {
  await openDemo(page);
  await runInConsole(
    page,
    'import os\nos.makedirs("/workspace/app/src")\nopen("/workspace/app/src/main.py", "w").write("old")',
  );
  const panel = await showTab(page, "Files");
  const buffer = Buffer.from(
    zipSync({ "src/main.py": strToU8("new"), "src/more.py": strToU8("x = 1"), "../out.py": strToU8("x") }),
  );

  await panel.locator("#zip-input").setInputFiles({ name: "project.zip", mimeType: "application/zip", buffer });
  const dialog = page.getByRole("dialog", { name: "Unpack project.zip" });
  await expect(dialog).toContainText("2 files, 8 B unpacked.");
  await expect(dialog).toContainText("1 file left out: ../out.py leads out of the folder");
  await expect(dialog).not.toContainText("will be replaced");
  await dialog.getByRole("textbox", { name: /Into the folder/ }).fill("app");
  await expect(dialog).toContainText("1 file already there will be replaced: app/src/main.py");
  await dialog.getByRole("button", { name: "Unpack" }).click();

  await expect(dialog).toBeHidden();
  await expect(panel.getByRole("treeitem", { name: "main.py" })).not.toContainText("by code");
  await expect(panel.getByRole("treeitem", { name: "more.py" })).toBeVisible();
  const coming = page.waitForEvent("download");
  await panel.getByRole("button", { name: "Download all" }).click();
  const download = await coming;
  expect(download.suggestedFilename()).toBe("workspace.zip");
  const files = unzipSync(await readFile(await download.path()));
  expect(Object.entries(files).map(([path, bytes]) => [path, strFromU8(bytes)])).toEqual([
    ["app/src/main.py", "new"],
    ["app/src/more.py", "x = 1"],
  ]);
  await panel.getByRole("treeitem", { name: "src" }).press("Home");
  const folder = page.waitForEvent("download");
  await panel.getByRole("button", { name: "Download app" }).click();
  expect((await folder).suggestedFilename()).toBe("app.zip");

  // One that lies in the workspace already.
  await page.locator("#file-input").setInputFiles({ name: "lies.zip", mimeType: "application/zip", buffer });
  await panel.getByRole("treeitem", { name: "lies.zip" }).click();
  await panel.getByRole("button", { name: "Unpack…" }).click();
  await expect(page.getByRole("dialog", { name: "Unpack lies.zip" })).toContainText("2 files, 8 B unpacked.");
  await page.keyboard.press("Escape");

  await panel
    .locator("#zip-input")
    .setInputFiles({ name: "no.zip", mimeType: "application/zip", buffer: Buffer.from("no") });
  await expect(page.getByRole("dialog").getByRole("alert")).toHaveText("This is no zip archive, or it is damaged.");
});
