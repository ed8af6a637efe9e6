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

/** A command was ended before it was done. Files that it wrote are not kept; requests that it made may have had effect. */
export class CommandEndedError extends VitrineError {
  override readonly name = "CommandEndedError";
  readonly code = "COMMAND_ENDED";

  constructor(command: string, reason: string) {
    super(`The command '${command}' was ended: ${reason}. Files that it wrote are not kept.`);
  }
}

/** The shell, or a program in its worker, broke. The next command starts another worker if this one is gone. */
export class CommandBrokeError extends VitrineError {
  override readonly name = "CommandBrokeError";
  readonly code = "COMMAND_BROKE";

  constructor(command: string, reason: string) {
    super(`The command '${command}' broke: ${reason}`);
  }
}

/** A WASI program cannot be had. Nothing was started. */
export class ProgramAddressError extends VitrineError {
  override readonly name = "ProgramAddressError";
  readonly code = "PROGRAM_ADDRESS";

  constructor(command: string, reason: string, options?: ErrorOptions) {
    super(`The program '${command}' cannot be had: ${reason}`, options);
  }
}
