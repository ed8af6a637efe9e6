import { expect, test } from "@playwright/test";

import { dictatedScenario } from "../servers/dictated-replies.js";
import { startModelServer } from "../servers/model-server.js";
import { dropFile, openDemo, runInConsole, runTask, showTab, useModel } from "./demo.js";

test("a file that is dropped lies in /workspace, and can be asked about", async ({ page }) => {
  const server = await startModelServer();
  await openDemo(page);
  const code = 'final_answer(sum(int(line) for line in open("/workspace/numbers.txt")))';
  await useModel(page, { baseURL: server.baseURL(dictatedScenario([`I add them.\n\`\`\`python\n${code}\n\`\`\``])) });

  await dropFile(page, "numbers.txt", "20\n22\n");

  await expect(page.getByRole("tab", { name: /Files/ })).toHaveAttribute("aria-selected", "true");
  await expect(page.getByRole("tabpanel").getByText("/workspace/numbers.txt")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Task" })).toHaveValue("In /workspace/numbers.txt: ");
  const card = await runTask(page, "In /workspace/numbers.txt: add them up");
  await expect(card.locator(".answer")).toContainText("42");
  expect(server.requests[0]?.body.messages[0]?.content).toContain("/workspace/numbers.txt");
  await server.close();
});

test("what code writes into /workspace is listed, opened and deleted", async ({ page }) => {
  await openDemo(page);
  await runInConsole(page, 'open("/workspace/notes.md", "w").write("# Notes\\n\\n- one")');

  const panel = await showTab(page, "Files");
  await panel.getByRole("treeitem", { name: "notes.md" }).click();
  await panel.getByRole("button", { name: "Show it drawn" }).click();
  const dialog = page.getByRole("dialog", { name: "notes.md" });
  await expect(dialog.getByRole("heading", { name: "Notes", exact: true })).toBeVisible();
  await dialog.getByRole("button", { name: "Close" }).click();

  page.on("dialog", (question) => void question.accept());
  await panel.getByRole("button", { name: "Delete notes.md" }).click();
  await expect(panel.getByRole("treeitem")).toHaveCount(0);
});
