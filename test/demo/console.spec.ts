import { expect, test } from "@playwright/test";

import { pythonFragment } from "../../src/ui/state/text/python-link.js";
import { dictatedScenario } from "../servers/dictated-replies.js";
import { startModelServer } from "../servers/model-server.js";
import { addGate, expectDrawn, openDemo, runInConsole, runTask, showTab, typeIntoConsole, useModel } from "./demo.js";

test.beforeEach(async ({ page }) => {
  await openDemo(page);
});

test("Enter runs a whole line, and goes on in a new line where Python wants more", async ({ page }) => {
  const panel = await showTab(page, "Console");
  await page.getByRole("textbox", { name: "Python" }).click();

  await page.keyboard.type("for i in range(3):");
  await page.keyboard.press("Enter");
  await page.keyboard.type("print(i * 11)");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");

  await expect(panel.locator(".stdout")).toHaveText("0\n11\n22\n");
});

test("values, errors and rich results are shown", async ({ page }) => {
  await expect(await runInConsole(page, "6 * 7")).toContainText("42");
  await expect(await runInConsole(page, "1 / 0")).toContainText("ZeroDivisionError: division by zero");

  const html = await runInConsole(page, 'class Shown:\n    def _repr_html_(self): return "<b>bold</b>"\n\nShown()');

  await expectDrawn(html.frameLocator("iframe").frameLocator("iframe").getByText("bold"));
});

test("the editor comes with the console, and moves nothing when it is there", async ({ page }) => {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/python-editor-*.js", async (route) => {
    await released;
    await route.continue();
  });
  const panel = await showTab(page, "Console");
  const input = panel.locator(".console-input");
  const run = panel.getByRole("button", { name: "Run", exact: true });
  await expect(run).toBeDisabled();
  const before = await input.boundingBox();

  release();

  await expect(panel.getByRole("textbox", { name: "Python" })).toBeVisible();
  await expect(run).toBeEnabled();
  expect(await input.boundingBox()).toEqual(before);
});

test("an editor that does not load is missed in words", async ({ page }) => {
  await page.route("**/python-editor-*.js", (route) => route.abort());

  const panel = await showTab(page, "Console");

  await expect(panel.getByRole("alert")).toHaveText("The editor did not load. Reload the page to try again.");
  await expect(panel.getByRole("button", { name: "Run", exact: true })).toBeDisabled();
});

test("arrow keys go through what was run before", async ({ page }) => {
  await runInConsole(page, "first = 1");
  await runInConsole(page, "second = 2");
  const editor = page.getByRole("textbox", { name: "Python" });
  await editor.click();

  await page.keyboard.press("ArrowUp");
  await expect(editor).toHaveText("second = 2");
  await page.keyboard.press("ArrowUp");
  await expect(editor).toHaveText("first = 1");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(editor).toHaveText(/^(Python)?$/);
});

test("names are completed from the live interpreter", async ({ page }) => {
  await runInConsole(page, "temperature_of_oslo = 3");
  await page.getByRole("textbox", { name: "Python" }).click();

  await page.keyboard.type("tempera");
  await page.getByRole("option", { name: /temperature_of_oslo/ }).waitFor();

  const editor = page.getByRole("textbox", { name: "Python" });
  await editor.press("Tab");
  await expect(editor).toBeFocused();
  // The editor ignores a key in the instant after its list opened, so that nobody accepts what they have not seen.
  await expect(async () => {
    await editor.press("Tab");
    await expect(editor).toHaveText("temperature_of_oslo", { timeout: 500 });
  }).toPass();
});

test("the console shares its variables with the agent, and says so when it waits for it", async ({ page }) => {
  const server = await startModelServer();
  const gate = await addGate(page);
  const reply = "I wait a little.\n```python\nshared = 41\ntools.gate.wait()\nfinal_answer(shared)\n```";
  await useModel(page, { baseURL: server.baseURL(dictatedScenario([reply])) });
  const task = runTask(page, "Wait, please");
  await expect(page.getByRole("button", { name: /running: .*gate\.wait/ })).toBeVisible();

  const panel = await showTab(page, "Console");
  await expect(panel.getByText("The agent's code runs now; yours comes after it.")).toBeVisible();
  await typeIntoConsole(page, "shared + 1");
  await page.keyboard.press("Control+Enter");
  await expect(panel.locator(".console-entry")).toContainText("waits for the code that runs now");
  gate.open();

  await expect(panel.locator(".console-entry .value")).toContainText("42");
  await task;
  await Promise.all([server.close(), gate.close()]);
});

test("Stop ends code that runs, and the console goes on", async ({ page }) => {
  const panel = await showTab(page, "Console");
  await typeIntoConsole(page, "import time\ntime.sleep(20)");
  await page.keyboard.press("Control+Enter");

  await panel.getByRole("button", { name: "Stop" }).click();

  await expect(panel.locator(".console-entry").first()).toHaveClass(/done/);
  await expect(await runInConsole(page, "'still ' + 'here'")).toContainText("still here");
});

test("code that asks for input gets the line that the user types", async ({ page }) => {
  const panel = await showTab(page, "Console");
  await typeIntoConsole(page, 'input("Your name? ").upper()');
  await page.keyboard.press("Control+Enter");

  const dialog = page.getByRole("dialog", { name: "The code asks for a line" });
  await dialog.getByRole("textbox", { name: "Your name?" }).fill("ada");
  await page.keyboard.press("Enter");

  await expect(panel.locator(".value")).toContainText("ADA");
});

test("the newest output is in view, whenever it is drawn, unless the reader has scrolled up", async ({ page }) => {
  const panel = await showTab(page, "Console");
  const log = panel.getByRole("log", { name: "Console" });
  const distance = (): Promise<number> =>
    log.evaluate(({ scrollHeight, scrollTop, clientHeight }) => Math.round(scrollHeight - scrollTop - clientHeight));
  for (let index = 0; index < 3; index++) await runInConsole(page, "for i in range(300): print('line', i)");
  // Its frame is drawn and gets its height long after the run.
  const html = "class Tall:\n    def _repr_html_(self): return '<div style=\"height: 300px\">tall</div>'\n\nTall()";
  const tall = await runInConsole(page, html);
  await expectDrawn(tall.frameLocator("iframe").frameLocator("iframe").getByText("tall"));
  await expect.poll(distance).toBe(0);
  await runInConsole(page, "[{'n': n, 'square': n * n} for n in range(15)]");
  await expect(page.getByRole("cell", { name: "196" })).toBeInViewport();
  await expect.poll(distance).toBe(0);

  await typeIntoConsole(page, "import time\nfor i in range(40):\n    print('tick', i)\n    time.sleep(0.05)");
  await page.keyboard.press("Control+Enter");
  await expect(panel.getByText("tick 1")).toBeVisible();
  await log.hover({ position: { x: 5, y: 5 } });
  await log.evaluate((element) => {
    element.scrollTop = 40;
  });
  await expect(panel.locator(".console-entry").last()).toHaveClass(/done/);
  expect(await log.evaluate(({ scrollTop }) => scrollTop)).toBe(40);
});

test("long output shows its end, says how long it is, fades where it goes on, and is shown whole", async ({ page }) => {
  const entry = await runInConsole(page, "for i in range(300): print('line', i)");
  const box = entry.locator(".stdout");

  await expect(entry.getByText("300 lines")).toBeVisible();
  await expect(box).toHaveClass(/above/);
  await expect(box).not.toHaveClass(/below/);
  expect(await box.evaluate(({ scrollHeight, clientHeight }) => scrollHeight > 2 * clientHeight)).toBe(true);
  expect(await box.evaluate((element) => getComputedStyle(element).maskImage)).toContain("linear-gradient");
  await box.evaluate((element) => {
    element.scrollTop = 0;
  });
  await expect(box).toHaveClass(/below/);
  await expect(box).not.toHaveClass(/above/);

  await entry.getByRole("button", { name: "Show all" }).click();
  await expect.poll(() => box.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBe(0);
  await expect(entry.getByRole("button", { name: "Show less" })).toBeVisible();
  await expect((await runInConsole(page, "print('short')")).getByRole("button")).toHaveCount(0);
});

test("a list of dicts is a table, as a value and displayed", async ({ page }) => {
  const rows = "[{'city': 'Oslo', 'celsius': 7, 'wind': None}, {'city': 'Bergen', 'celsius': 9.5}]";
  for (const code of [rows, `display(${rows})`]) {
    const entry = await runInConsole(page, code);

    await expect(entry.getByRole("columnheader")).toHaveText(["city", "celsius", "wind"]);
    await expect(entry.getByRole("cell")).toHaveText(["Oslo", "7", "", "Bergen", "9.5", ""]);
    await expect(entry.locator("vitrine-app-output")).not.toContainText("{'city'");
  }
  await expect((await runInConsole(page, "[{}]")).locator(".value")).toContainText("[{}]");
});

test("code that an address carries is put into the console, and not run", async ({ page }) => {
  await page.evaluate((fragment) => {
    location.hash = fragment;
  }, pythonFragment("print('from', 'a link')"));
  await page.reload();

  const panel = page.getByRole("tabpanel", { name: "Console" });
  await expect(panel.getByRole("textbox", { name: "Python" })).toHaveText("print('from', 'a link')");
  await expect(page).toHaveURL(/^[^#]*$/);
  await expect(panel.getByRole("textbox", { name: "Python" })).not.toBeFocused();
  await expect(panel.locator(".stdout")).toHaveCount(0);

  await panel.getByRole("button", { name: "Run", exact: true }).click();
  await expect(panel.locator(".stdout")).toHaveText("from a link\n");
});
