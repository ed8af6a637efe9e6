import type { Page, Request } from "playwright";

import { messageOf } from "../../protocol/index.js";

/** Notes that are kept of a page. */
const MOST_NOTES = 8;

/** What a page says beside its cells. */
export class PageNotes {
  readonly #notes = new Set<string>();
  readonly #origin: string;
  #more = 0;
  /** What kept a script away, which may have been the widget. */
  #hint = "";

  /** @param origin - of the site: what fails elsewhere was not let out. */
  constructor(page: Page, origin: string) {
    this.#origin = origin;
    page.on("pageerror", (error) => this.#add(`Error in a script of the page: ${firstLine(error)}`));
    page.on("console", (message) => {
      if (message.type() !== "error" || message.text().startsWith("Failed to load resource")) return;
      this.#add(`Console: ${firstLine(message.text())}`);
    });
    page.on("requestfailed", (request) => this.#failed(request));
    page.on("response", (response) => {
      if (response.status() < 400 || response.url().endsWith("/favicon.ico")) return;
      if (response.request().resourceType() === "script") {
        this.#hint ||= " A file was not found: --root names the folder of the site.";
      }
      this.#add(`${String(response.status())}: ${response.url().slice(0, 200)}`);
    });
  }

  /** What may be wrong where a script has not come; empty where nothing was missed. */
  get hint(): string {
    return this.#hint;
  }

  get all(): readonly string[] {
    return [...this.#notes, ...(this.#more > 0 ? [`and ${String(this.#more)} more`] : [])];
  }

  #failed(request: Request): void {
    const address = request.url();
    const reason = request.failure()?.errorText ?? "";
    // What a page gives up by itself is no fault, and what it makes itself is reached by no network.
    if (/ABORTED|NS_BINDING|cancelled/i.test(reason) || !/^https?:/.test(address)) return;
    const isOwn = address.startsWith(`${this.#origin}/`);
    if (!isOwn && request.resourceType() === "script") {
      this.#hint ||= " Another host was not reached: --allow-network lets pages reach others.";
    }
    this.#add(isOwn ? `${reason}: ${address.slice(0, 200)}` : `Did not reach ${address.slice(0, 200)}`);
  }

  #add(note: string): void {
    if (this.#notes.has(note)) return;
    if (this.#notes.size < MOST_NOTES) this.#notes.add(note);
    else this.#more += 1;
  }
}

/** What a browser says is long. */
export function firstLine(thrown: unknown): string {
  const [line = ""] = messageOf(thrown).split("\n", 1);
  return line.slice(0, 300);
}
