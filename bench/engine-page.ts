import type { Engine, EnginePage, Json } from "../test/engines/drivers/index.js";

/** Milliseconds for which a page may leave a question open. */
const LIMIT = 120_000;

const LATE = "no answer within two minutes";

interface BenchPageOptions {
  /** Of the server. */
  readonly url: string;
  readonly name: string;
  /** What its script makes. Default: the page's name. */
  readonly global?: string;
  readonly prepare?: (page: EnginePage) => Promise<void>;
}

/** A tab with a page of the benchmark: opened at the first question, and anew after one that was not answered. */
export class BenchPage {
  readonly #engine: Engine;
  readonly #url: string;
  readonly #global: string;
  readonly #prepare: (page: EnginePage) => Promise<void>;
  #page: EnginePage | undefined;

  /**
   * @param prepare - is called with the page whenever it was opened.
   */
  constructor(engine: Engine, { url, name, global = name, prepare = () => Promise.resolve() }: BenchPageOptions) {
    this.#engine = engine;
    this.#url = `${url}${name}.html`;
    this.#global = global;
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
    await page.evaluate(limited(`${defined(this.#global)}.then(() => true)`));
    return page;
  }
}

/** The page itself gives up: a driver may have to wait for every answer. */
export function limited(expression: string): string {
  const late = `new Promise((_, fail) => setTimeout(() => fail(new Error(${JSON.stringify(LATE)})), ${String(LIMIT)}))`;
  return `Promise.race([${expression}, ${late}])`;
}

/** Waits for a global of the page: WebKitGTK's driver may answer before the page's scripts have run. */
export function defined(name: string): string {
  return `new Promise((resolve) => {
    const look = () => (globalThis.${name} === undefined ? setTimeout(look, 10) : resolve(globalThis.${name}));
    look();
  })`;
}

/** The expression of a call with arguments that JSON can say. */
export function callOf(name: string, ...args: readonly Json[]): string {
  return `globalThis.${name}(${args.map((argument) => JSON.stringify(argument)).join(", ")})`;
}
