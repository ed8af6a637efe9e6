import { expect, test, type Locator, type Page } from "@playwright/test";

import { openDemo, runInConsole, showTab } from "./demo.js";

/** Files that code makes, each with its path as its text. */
async function withFiles(page: Page, paths: string): Promise<Locator> {
  await runInConsole(
    page,
    `import pathlib\nfor path in ${paths}:\n    file = pathlib.Path("/workspace") / path\n    file.parent.mkdir(parents=True, exist_ok=True)\n    _ = file.write_text(path)\n`,
  );
  return showTab(page, "Files");
}

const focused = (page: Page): Locator => page.locator(":focus");

test("folders open and close by the keys of a tree", async ({ page }) => {
  await openDemo(page);
  const panel = await withFiles(page, '["src/app/main.py", "src/tool.py", "docs/a.md", "readme.md"]');
  const tree = panel.getByRole("tree", { name: "Files in /workspace" });
  await expect(tree.getByRole("treeitem")).toHaveCount(3);

  await page.keyboard.press("Tab");
  for (let presses = 0; presses < 8 && (await focused(page).getAttribute("role")) !== "treeitem"; presses++) {
    await page.keyboard.press("Tab");
  }
  await expect(focused(page)).toHaveAccessibleName("docs 1 file");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  await expect(focused(page)).toHaveAttribute("aria-expanded", "true");
  await page.keyboard.press("ArrowRight");
  await expect(focused(page)).toContainText("app");
  await expect(focused(page)).toHaveAttribute("aria-level", "2");
  await expect(focused(page)).toHaveAttribute("aria-setsize", "2");
  await page.keyboard.press("*");
  await page.keyboard.press("ArrowDown");
  await expect(focused(page)).toContainText("main.py");
  await expect(focused(page)).toContainText("written by code");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await expect(focused(page)).toHaveAttribute("aria-expanded", "false");
  await page.keyboard.press("End");
  await expect(focused(page)).toContainText("readme.md");
  await page.keyboard.press("Home");
  await page.keyboard.type("sr");
  await expect(focused(page)).toContainText("src");
});

test("a file is made, renamed, moved with its folder and deleted, and what code wrote stays marked", async ({
  page,
}) => {
  await openDemo(page);
  const panel = await withFiles(page, '["src/app/main.py", "src/tool.py"]');
  const dialog = page.getByRole("dialog");
  const path = dialog.getByRole("textbox", { name: "Path in /workspace" });

  await panel.getByRole("treeitem", { name: "src" }).press("F2");
  await path.fill("lib/inner");
  await page.keyboard.press("Enter");
  await expect(panel.getByRole("treeitem", { name: "inner" })).toBeFocused();
  await panel.getByRole("treeitem", { name: "inner" }).press("ArrowRight");
  await expect(panel.getByRole("treeitem", { name: "tool.py written by code" })).toBeVisible();

  await panel.getByRole("button", { name: "New file" }).click();
  await expect(path).toHaveValue("lib/inner/");
  await path.fill("lib/inner/tool.py");
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("alert")).toHaveText(
    "There is a file at lib/inner/tool.py already. Nothing was changed.",
  );
  await path.fill("../out.py");
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("alert")).toContainText("the path leads out of the workspace");
  await path.fill("lib/new.py");
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(panel.getByRole("treeitem", { name: "new.py" })).not.toContainText("by code");
  const seen = await runInConsole(
    page,
    'import os; sorted(os.listdir("/workspace/lib")), os.path.exists("/workspace/src/tool.py")',
  );
  await expect(seen).toContainText("(['inner', 'new.py'], False)");

  await showTab(page, "Files");
  const questions: string[] = [];
  page.on("dialog", (question) => {
    questions.push(question.message());
    void question.accept();
  });
  await panel.getByRole("treeitem", { name: "inner" }).press("Delete");
  await expect(panel.getByRole("treeitem", { name: "inner" })).toHaveCount(0);
  expect(questions).toEqual(["Delete /workspace/lib/inner with 2 files? It cannot be had back."]);
  await expect(panel.getByRole("treeitem", { name: "new.py" })).toBeFocused();
});

test("of thousands of files those in view are drawn, and the last is a key away", async ({ page }) => {
  await openDemo(page);
  const panel = await withFiles(page, '[f"many/{n:04}.txt" for n in range(3000)]');

  await panel.getByRole("treeitem", { name: "many" }).press("ArrowRight");
  await expect(panel.getByRole("treeitem", { name: "0000.txt" })).toBeVisible();
  expect(await panel.getByRole("treeitem").count()).toBeLessThan(80);
  await page.keyboard.press("End");

  await expect(focused(page)).toContainText("2999.txt");
  await expect(focused(page)).toBeInViewport({ ratio: 1 });
  await expect(focused(page)).toHaveAttribute("aria-posinset", "3000");
  expect(await panel.getByRole("treeitem").count()).toBeLessThan(80);
});
