import { ANSWERS } from "../timeouts.mjs";
import type { EnginePage } from "./drivers/index.js";

/**
 * Waits until an expression is true in the page.
 *
 * @throws {Error} saying what did not come, and what the page shows instead.
 */
export async function shows(page: EnginePage, expression: string, shown = "document.body.innerText"): Promise<void> {
  const held = await page.evaluate(`new Promise((resolve) => {
    const end = performance.now() + ${String(ANSWERS)};
    const look = () => {
      if (${expression}) resolve(true);
      else if (performance.now() > end) resolve(false);
      else setTimeout(look, 50);
    };
    look();
  })`);
  if (held === true) return;
  const text = await page.evaluate(shown);
  throw new Error(
    `Not so within ${String(ANSWERS / 1000)} seconds: ${expression}. The page shows: ${JSON.stringify(text)}`,
  );
}
