import { expect, type Locator, type Page } from "@playwright/test";

import { json, startScriptedServer } from "../servers/scripted-server.js";
import { ANSWERS, SHOWS } from "../timeouts.mjs";

/** Opens the demo as a machine of little memory does, and waits until Python is ready. */
export async function openDemo(page: Page): Promise<void> {
  // No spare interpreter is made then, which takes a core from the test; those about it have a machine of their own.
  await page.addInitScript(() => {
    Object.defineProperty(navigator, "deviceMemory", { value: 2 });
  });
  await openRoomyDemo(page);
}

/** Opens the demo where there is memory for a spare interpreter, and waits until Python is ready. */
export async function openRoomyDemo(page: Page): Promise<void> {
  await page.goto("./");
  await waitUntilReady(page);
}

export async function waitUntilReady(page: Page): Promise<void> {
  // Not by an `expect`, which has the page write a snapshot of all it shows at each look.
  await page.getByText(/^Ready in/).waitFor({ timeout: ANSWERS });
}

/** Brings a tab of the shelf to the front and returns its panel. */
export async function showTab(page: Page, name: string): Promise<Locator> {
  await page.getByRole("tab", { name }).click();
  return page.getByRole("tabpanel");
}

/** Runs code in the console and waits for its end. Returns what is shown of it. */
export async function runInConsole(page: Page, code: string): Promise<Locator> {
  const panel = await showTab(page, "Console");
  await expect(panel.getByRole("textbox", { name: "Python" })).toBeVisible();
  const before = await panel.locator(".console-entry").count();
  await typeIntoConsole(page, code);
  await page.keyboard.press("Control+Enter");
  const entry = panel.locator(".console-entry").nth(before);
  await expect(entry).toHaveClass(/done/);
  return entry;
}

/** Runs code in the console and does not wait for its end. */
export async function beginInConsole(page: Page, code: string): Promise<Locator> {
  const panel = await showTab(page, "Console");
  await typeIntoConsole(page, code);
  await page.keyboard.press("Control+Enter");
  return panel.locator(".console-entry").last();
}

/** Replaces what the console's editor holds, as pasting does. */
export async function typeIntoConsole(page: Page, code: string): Promise<void> {
  await page.getByRole("textbox", { name: "Python" }).fill(code);
}

/** Visible in a frame, which moves to a process of its own meanwhile: a look in that moment fails at once. */
export async function expectDrawn(content: Locator): Promise<void> {
  await expect(async () => {
    await expect(content).toBeVisible();
  }).toPass({ timeout: SHOWS });
}

/** Runs a task by its text and waits for its end. */
export async function runTask(page: Page, text: string): Promise<Locator> {
  const before = await page.locator(".task-card").count();
  await page.getByRole("textbox", { name: "Task" }).fill(text);
  await page.keyboard.press("Enter");
  const card = page.locator(".task-card").nth(before);
  await card.locator(".answer, .failure, .ending").waitFor({ timeout: ANSWERS });
  return card;
}

/** Loads the page once more, when all of the tasks that have ended is stored: an answer is shown as soon as it is there. */
export async function reloadOnceStored(page: Page): Promise<void> {
  await page.waitForFunction(async () => {
    const { held = [] } = await navigator.locks.query();
    return !held.some(({ name = "" }) => name.startsWith("vitrine-app-task:"));
  });
  await page.reload();
  await waitUntilReady(page);
}

/** Unfolds the steps of a task that has its answer. */
export async function unfoldSteps(card: Locator): Promise<void> {
  await card.getByRole("button", { name: "Unfold all" }).click();
}

export interface ModelFields {
  readonly baseURL: string;
  readonly model?: string;
  readonly key?: string;
  readonly keepKey?: boolean;
}

/** Sets up a model in the settings. */
export async function useModel(
  page: Page,
  { baseURL, model = "test-model", key, keepKey = false }: ModelFields,
): Promise<void> {
  await page.getByRole("button", { name: "Settings", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Settings" });
  await dialog.getByRole("radio", { name: /OpenAI-compatible/ }).check();
  await dialog.getByRole("textbox", { name: "Base URL" }).fill(baseURL);
  await dialog.getByRole("textbox", { name: "Model", exact: true }).fill(model);
  if (key !== undefined) await dialog.getByLabel("Key", { exact: true }).fill(key);
  await dialog.getByRole("checkbox", { name: /Keep the key/ }).setChecked(keepKey);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toBeHidden();
}

/** Adds a tool by its tool file. */
export async function addTool(page: Page, yaml: string): Promise<void> {
  const panel = await showTab(page, "Tools");
  await panel.getByRole("button", { name: "Add a tool" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a tool" });
  await dialog.getByRole("radio", { name: "Tool file" }).check();
  await dialog.getByRole("textbox", { name: "YAML" }).fill(yaml);
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await expect(dialog).toBeHidden();
}

export interface Gate {
  /** Lets the calls that wait return, and those to come. */
  open(): void;
  close(): Promise<void>;
}

/** Adds `tools.gate.wait`, whose calls return only once the test opens the gate. */
export async function addGate(page: Page): Promise<Gate> {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const server = await startScriptedServer();
  server.answerWith((_, response) => {
    void opened.then(() => {
      json(response, { open: true }, { "access-control-allow-origin": "*" });
    });
  });
  await addTool(page, `name: gate\ntype: http\nbase_url: ${server.origin}\nrecipes:\n  wait: { path: /wait }\n`);
  return { open, close: () => server.close() };
}

/** A file as a person would drop it on the page. */
export async function dropFile(page: Page, name: string, text: string): Promise<void> {
  const transfer = await page.evaluateHandle(
    ({ name, text }) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], name));
      return transfer;
    },
    { name, text },
  );
  await page.dispatchEvent("body", "dragover", { dataTransfer: transfer });
  await page.dispatchEvent("body", "drop", { dataTransfer: transfer });
}
