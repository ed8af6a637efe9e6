import type { EnginePage } from "../drivers/index.js";
import { shows } from "../shows.js";

/** A cell of a page that an engine shows. What is in its shadow tree is looked at from there, and clicked by the driver. */
export class DrivenCell {
  readonly #page: EnginePage;
  readonly #selector: string;
  /** An expression for the element. */
  readonly element: string;

  constructor(page: EnginePage, id: string) {
    this.#page = page;
    this.#selector = `#${id}`;
    this.element = `document.getElementById(${JSON.stringify(id)})`;
  }

  /** An expression for the text of a part; empty where there is none. */
  text(part: "status" | "check" | "message" | "run"): string {
    const parts = `${this.element}.shadowRoot?.querySelectorAll("[part~=${part}]") ?? []`;
    return `[...${parts}].map(({ textContent }) => textContent).join(" ")`;
  }

  /** An expression for what is drawn of a run. */
  get output(): string {
    return `${this.element}.shadowRoot?.querySelector("vitrine-output")?.shadowRoot`;
  }

  get outputText(): string {
    return `(${this.output}?.textContent ?? "")`;
  }

  async click(part: "run" | "stop" | "edit"): Promise<void> {
    await this.#near();
    await this.waits(`${this.element}.shadowRoot?.querySelector("[part~=${part}]")?.checkVisibility() === true`);
    await this.#page.click(`${this.#selector} >>> [part~=${part}]`);
  }

  /** Clicks what a selector finds in the cell's shadow tree. */
  async clickIn(selector: string): Promise<void> {
    await this.#page.click(`${this.#selector} >>> ${selector}`);
  }

  async type(selector: string, text: string): Promise<void> {
    await this.waits(`${this.element}.shadowRoot?.querySelector(${JSON.stringify(selector)})`);
    await this.#page.type(`${this.#selector} >>> ${selector}`, text);
  }

  /** Clicks Run and waits for the words of the end. */
  async run(): Promise<void> {
    await this.click("run");
    await this.says(/^(?:Done|Failed|Stopped) |^The code was not run/);
  }

  async says(words: RegExp): Promise<void> {
    await this.waits(`${String(words)}.test(${this.text("status")})`);
  }

  async waits(expression: string): Promise<void> {
    const shown = `${this.element}.shadowRoot?.textContent + ${this.outputText}`;
    await shows(this.#page, expression, shown);
  }

  /** @returns what is different. */
  async differs(what: string, expression: string, expected: string | RegExp): Promise<readonly string[]> {
    const value = await this.#page.evaluate(expression);
    const found = typeof value === "string" ? value : JSON.stringify(value);
    const isAs = typeof expected === "string" ? found === expected : expected.test(found);
    return isAs ? [] : [`${what} is ${JSON.stringify(found)}, not ${String(expected)}`];
  }

  /** In the middle of what is seen, at once: WebKitGTK's driver does not scroll to what is in a shadow tree. */
  async #near(): Promise<void> {
    await this.#page.evaluate(`${this.element}.scrollIntoView({ block: "center", behavior: "instant" })`);
  }
}
