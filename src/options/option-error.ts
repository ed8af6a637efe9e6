import { VitrineError } from "../protocol/index.js";

/** What is wrong with an option. */
export interface OptionFault {
  /** The function or class that was called: `Session.open`. */
  readonly of: string;
  /** The option or argument, with the one that it is inside of: `limits.heapSize`. */
  readonly option: string;
  /** Of an option that does not exist: the nearest name that does. */
  readonly meant?: string | undefined;
  /** The names that exist, or the kinds of value that the option takes. */
  readonly accepted: readonly string[];
}

/** A function was given an option that it does not have, or not one that it needs, or a value of the wrong kind. Nothing was done. */
export class OptionError extends VitrineError implements OptionFault {
  override readonly name = "OptionError";
  readonly code = "INVALID_OPTION";
  readonly of: string;
  readonly option: string;
  readonly meant: string | undefined;
  readonly accepted: readonly string[];

  constructor(problem: string, { of, option, meant, accepted }: OptionFault) {
    super(`${of}: ${problem}`);
    this.of = of;
    this.option = option;
    this.meant = meant;
    this.accepted = accepted;
  }
}
