import type { Engine, EnginePage, Json } from "../test/engines/drivers/index.js";

/** Milliseconds for which a page may leave a question open. */
const LIMIT = 120_000;

const LATE = "no answer within two minutes";

/** A tab with a page of the benchmark: opened at the first question, and anew after one that was not answered. */
export class BenchPage {
  readonly #engine: Engine;
  readonly #url: string;
  readonly #prepare: (page: EnginePage) => Promise<void>;
  #page: EnginePage | undefined;

  /** @param prepare - is called with the page whenever it was opened. */
  constructor(engine: Engine, url: string, prepare: (page: EnginePage) => Promise<void> = () => Promise.resolve()) {
    this.#engine = engine;
    this.#url = url;
    this.#prepare = prepare;
  }

  /** @throws {PageError} when the expression fails, or is not answered in time. */
  async ask(expression: string): Promise<Json> {
    this.#page ??= await this.#open();
    try {
      return await this.#page.evaluate(limited(expression));
    } catch (error) {
      if (error instanceof Error && error.message.includes(LATE)) await this.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    const page = this.#page;
    this.#page = undefined;
    await page?.close();
  }

  async #open(): Promise<EnginePage> {
    const page = await this.#engine.openPage(this.#url);
    await this.#prepare(page);
    return page;
  }
}

/** The page itself gives up: a driver may have to wait for every answer. */
export function limited(expression: string): string {
  const late = `new Promise((_, fail) => setTimeout(() => fail(new Error(${JSON.stringify(LATE)})), ${String(LIMIT)}))`;
  return `Promise.race([${expression}, ${late}])`;
}

/** The expression of a call with arguments that JSON can say. */
export function callOf(name: string, ...args: readonly Json[]): string {
  return `globalThis.${name}(${args.map((argument) => JSON.stringify(argument)).join(", ")})`;
}
