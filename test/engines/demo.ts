import type { Engine, EnginePage } from "./drivers/index.js";
import { shows } from "./shows.js";

const TASK = "Walk a paged API and add it up";

/**
 * Opens the built demo, runs one of its tasks to the answer, and stops a loop in its console.
 *
 * @throws {Error} saying what did not come, and what the page shows instead.
 */
export async function checkDemo(engine: Engine, url: string): Promise<void> {
  const page = await engine.openPage(url);
  try {
    await shows(page, "document.body.innerText.includes('Ready in')");
    await clickText(page, "button", TASK);
    await shows(page, "document.querySelector('.task-card .answer')?.innerText.includes('Answer')");
    await clickText(page, "[role=tab]", "Console");
    await runInConsole(page, "kept = 41");
    await shows(page, "document.querySelectorAll('.console-entry.done').length === 1");
    await runInConsole(page, "while True: pass");
    await shows(page, "document.querySelector('.console-entry.running') !== null");
    await clickText(page, ".console-entry.running button", "Stop");
    await shows(page, "document.querySelectorAll('.console-entry.done').length === 2");
    await runInConsole(page, "kept + 1");
    await shows(page, "document.querySelectorAll('.console-entry')[2]?.innerText.includes('42')");
  } finally {
    await page.close();
  }
}

async function runInConsole(page: EnginePage, code: string): Promise<void> {
  // The editor comes with the console.
  await shows(page, "document.querySelector('.console-input .cm-content') !== null");
  await page.type(".console-input .cm-content", code);
  await clickText(page, ".console-input button", "Run");
}

/** Clicks, as a person would, the first of the elements that contains the text. */
async function clickText(page: EnginePage, selector: string, text: string): Promise<void> {
  const found = `[...document.querySelectorAll(${JSON.stringify(selector)})].find(({ textContent }) => textContent.includes(${JSON.stringify(text)}))`;
  await shows(page, `${found} !== undefined`);
  await page.evaluate(`document.querySelector("[data-clicked]")?.removeAttribute("data-clicked")`);
  await page.evaluate(`${found}.setAttribute("data-clicked", "")`);
  // WebKitGTK's driver does not scroll to what a scroller of the page hides half.
  await page.evaluate(`document.querySelector("[data-clicked]").scrollIntoView({ block: "center" })`);
  await page.click("[data-clicked]");
}
