import { VitrineError, type Value } from "../protocol/index.js";

/** There is no command of that name here. Nothing was started. */
export class CommandNotFoundError extends VitrineError {
  override readonly name = "CommandNotFoundError";
  readonly code = "COMMAND_NOT_FOUND";

  constructor(
    readonly command: string,
    readonly available: readonly string[],
  ) {
    const names = available.length === 0 ? "There is none" : `There are: ${[...available].sort().join(", ")}`;
    super(`There is no command '${command}' on this page. ${names}.`);
  }

  override details(): Readonly<Record<string, Value>> {
    return { command: this.command, available: this.available };
  }
}
