import { expect, test } from "@playwright/test";

import { dictatedScenario } from "../servers/dictated-replies.js";
import { startModelServer, type ModelServer } from "../servers/model-server.js";
import { ANSWERS } from "../timeouts.mjs";
import { addGate, openDemo, runTask, unfoldSteps, useModel, waitUntilReady } from "./demo.js";

const block = (...lines: string[]): string => ["```python", ...lines, "```"].join("\n");

let server: ModelServer;
test.beforeAll(async () => {
  server = await startModelServer();
});
test.afterAll(() => server.close());

test("limits of a task are kept over a reload and held to, what was used is shown, and with more of it the task goes on", async ({
  page,
}) => {
  const replies = [block("a = 1"), block("b = a + 1"), block("final_answer(b)")];
  await openDemo(page);
  await useModel(page, { baseURL: server.baseURL(dictatedScenario(replies)) });
  await page.getByRole("button", { name: "Settings", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Settings" });
  await dialog.getByRole("textbox", { name: "Model calls" }).fill("2");
  await dialog.getByRole("textbox", { name: "tokens read" }).fill("1");
  await dialog.getByRole("textbox", { name: "tokens written" }).fill("4");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toBeHidden();
  await page.reload();
  await waitUntilReady(page);

  const card = await runTask(page, "Count to two");

  await expect(card.getByRole("group")).toContainText("2");
  await expect(card.locator(".usage")).toContainText(
    /^Used: 2 of 10 steps · 2 of 2 model calls · [\d,]+ tokens .*· money 0\.00/,
  );
  await card.getByRole("button", { name: "Settings" }).click();
  await expect(dialog.getByRole("textbox", { name: "Model calls" })).toHaveValue("2");
  await dialog.getByRole("textbox", { name: "Model calls" }).fill("");
  await dialog.getByRole("button", { name: "Save" }).click();
  await card.getByRole("button", { name: "Go on" }).click();
  await expect(page.locator(".task-card .answer")).toContainText("2", { timeout: ANSWERS });
  await expect(page.locator(".usage")).toContainText("Used: 3 of 10 steps · 3 model calls");
  await expect(page.locator(".resumption")).toContainText("No name that an ended step made is gone.");
});

test("a limit that is none is refused at its field", async ({ page }) => {
  await openDemo(page);
  await page.getByRole("button", { name: "Settings", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Settings" });
  const save = dialog.getByRole("button", { name: "Save" });

  for (const [name, value, told] of [
    ["Steps", "2.5", "a whole number from 1 to 1000"],
    ["Minutes", "soon", "a number above 0"],
    ["Money", "3", "money is counted by both prices"],
  ] as const) {
    const field = dialog.getByRole("textbox", { name, exact: true });
    const before = await field.inputValue();
    await field.fill(value);
    await save.click();
    await expect(dialog.getByRole("alert")).toContainText(told);
    await expect(dialog.locator("[aria-invalid=true]")).toBeFocused();
    await field.fill(before);
  }
  await save.click();
  await expect(dialog).toBeHidden();
});

test("the model is told something while it works, and the box says that this is what it does", async ({ page }) => {
  const replies = [block("tools.gate.wait()"), block("final_answer('in metres')")];
  await openDemo(page);
  const gate = await addGate(page);
  await useModel(page, { baseURL: server.baseURL(dictatedScenario(replies)) });
  await page.getByRole("textbox", { name: "Task" }).fill("Measure it");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: /running: .*gate\.wait/ })).toBeVisible();

  await page.getByRole("textbox", { name: "Tell the model" }).fill("In metres, please");
  await page.keyboard.press("Enter");

  await expect(page.locator(".box textarea")).toHaveValue("");
  gate.open();
  const card = page.locator(".task-card");
  await expect(card.locator(".said")).toHaveText("You said: In metres, please");
  await expect(card.locator(".answer")).toContainText("in metres", { timeout: ANSWERS });
  expect(server.requests.at(-1)?.body.messages.at(-1)?.content).toMatch(/\n\nIn metres, please$/);
  await expect(page.getByRole("textbox", { name: "Task" })).toBeVisible();
  await gate.close();
});

test("what the code asks and is answered stands in its step, and what the agent keeps in mind under the task", async ({
  page,
}) => {
  const replies = [
    block("unit = input('Which unit?')", "store('unit', unit)", "observe('Metres are wanted.')", "1 / 0"),
    block("final_answer(recall('unit'))"),
  ];
  await openDemo(page);
  await useModel(page, { baseURL: server.baseURL(dictatedScenario(replies)) });
  await page.getByRole("textbox", { name: "Task" }).fill("Ask me");
  await page.keyboard.press("Enter");
  const card = page.locator(".task-card");
  await card.getByRole("textbox", { name: "The code asks: Which unit?" }).fill("metre");
  await page.getByRole("button", { name: "Answer", exact: true }).click();

  await unfoldSteps(card);
  await expect(card.locator(".asked-person")).toHaveText(/The code asked:\s+Which unit\?\s+You answered:\s+metre/);
  await expect(card.locator(".answer")).toContainText("metre", { timeout: ANSWERS });
  await card.getByText("The agent's notes: 1 value, 1 observation, 1 failed attempt").click();
  await expect(card.locator(".memory li")).toContainText(["unit = 'metre'", "Metres are wanted.", "ZeroDivisionError"]);
});
