import { Slices } from "../../protocol/index.js";
import { PatchTooLargeError } from "./errors.js";

/** Lines that are looked at for one patch: some tenths of a second. */
const MOST_STEPS = 50_000_000;

/** The work of one patch: in slices between which the page goes on, and no more than a bound. */
export class Steps {
  readonly #slices = new Slices();
  #left = MOST_STEPS;

  /**
   * Counts lines that were looked at. To be awaited where it is a promise.
   *
   * @throws {PatchTooLargeError}
   */
  spend(lines: number): Promise<void> | undefined {
    this.#left -= lines;
    if (this.#left < 0) {
      throw new PatchTooLargeError("To find the lines of this patch takes too long. Make several smaller ones of it.");
    }
    return this.#slices.rest();
  }
}
