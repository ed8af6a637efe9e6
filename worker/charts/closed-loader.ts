import type { Loader } from "vega";

import { shortenUnits } from "../../src/protocol/index.js";
import { ChartFault } from "./chart-fault.js";

/** A picture that is in its own address, made of pixels: a drawing could hold as many elements again. */
const PICTURE = /^data:image\/(?:png|jpeg|gif|webp|avif)[;,]/i;

/** Characters of an address that are shown. */
const LONGEST_ADDRESS = 200;

/**
 * Loads nothing, from nowhere. The browser holds the worker to that as well; this says what was asked for.
 *
 * Vega takes a failed load for an empty data set and goes on, so what was refused is to be looked at in the end.
 */
export class ClosedLoader implements Loader {
  readonly options = {};
  #fault: ChartFault | undefined;

  /** Why the chart is not to be drawn: it wants something from elsewhere. */
  get fault(): ChartFault | undefined {
    return this.#fault;
  }

  load(address: string): Promise<string> {
    return this.#refuse("data", address);
  }

  /** Links of a drawing lead nowhere, since it is a picture: they are left out. */
  async sanitize(address: string, { context }: { context?: string } = {}): Promise<{ href: string }> {
    if (context === "href") throw new Error("Links are left out.");
    if (context === "image" && PICTURE.test(address)) return { href: address };
    return this.#refuse(context === "image" ? "a picture" : "data", address);
  }

  http(address: string): Promise<string> {
    return this.#refuse("data", address);
  }

  file(address: string): Promise<string> {
    return this.#refuse("data", address);
  }

  #refuse(what: string, address: unknown): Promise<never> {
    const where = shortenUnits(String(address), LONGEST_ADDRESS);
    this.#fault ??= new ChartFault(`it wants ${what} from ${where}, and charts here draw only what is in them`);
    return Promise.reject(this.#fault);
  }
}
