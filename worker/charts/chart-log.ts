import type { LoggerInterface } from "vega";

import { LONGEST_CHART_WORDS, MOST_CHART_WARNINGS, shortenUnitsTo } from "../../src/protocol/index.js";
import { ChartFault, reasonOf, shortReason } from "./chart-fault.js";

/** Warnings about events, of which a picture hears none: they would be of no use to a person. */
const ABOUT_EVENTS = ["Can not resolve event source", "Scale bindings are currently"];

/** Hears what the libraries log. Vega throws no error of a transform or an expression: it logs it and goes on. */
export class ChartLog implements LoggerInterface {
  readonly #warnings = new Set<string>();
  #fault: ChartFault | undefined;

  /** The first error. */
  get fault(): ChartFault | undefined {
    return this.#fault;
  }

  /** The first few, each once. */
  get warnings(): string[] {
    return [...this.#warnings];
  }

  level(level: number): this;
  level(): number;
  level(...levels: number[]): this | number {
    // Warnings and errors; what is said beside them is not even put into words.
    return levels.length > 0 ? this : 2;
  }

  // Vega calls these as methods of its own objects.

  readonly error = (...words: unknown[]): this => {
    this.#fault ??= new ChartFault(inOneLine(words));
    return this;
  };

  readonly warn = (...words: unknown[]): this => {
    const warning = shortenUnitsTo(inOneLine(words), LONGEST_CHART_WORDS);
    const isAboutEvents = ABOUT_EVENTS.some((beginning) => warning.startsWith(beginning));
    if (this.#warnings.size < MOST_CHART_WARNINGS && !isAboutEvents) this.#warnings.add(warning);
    return this;
  };

  readonly info = (): this => this;

  readonly debug = (): this => this;
}

function inOneLine(words: readonly unknown[]): string {
  return shortReason(words.map(reasonOf).join(" "));
}
