import { VitrineError, type TrustLevel } from "../../../protocol/index.js";

/** The reader stopped a run before its code was at work. */
export class CellStoppedError extends VitrineError {
  override readonly name = "CellStoppedError";
  readonly code = "CELL_STOPPED";

  constructor() {
    super("The run was stopped before the code of the cell began.");
  }
}

/** Cells of one session ask for different trust levels. The run was not made. */
export class CellTrustError extends VitrineError {
  override readonly name = "CellTrustError";
  readonly code = "CELL_TRUST";

  constructor(
    readonly session: string,
    readonly opened: TrustLevel,
    readonly asked: TrustLevel,
  ) {
    super(
      `Cells of the session “${session}” ask for the trust levels ${opened} and ${asked}: give all of them the same \`trust\`.`,
    );
  }
}

/** A file of the site that a cell names cannot be had. The run was not made. */
export class CellFileError extends VitrineError {
  override readonly name = "CellFileError";
  readonly code = "CELL_FILE";

  constructor(
    /** What the cell calls it. */
    readonly file: string,
    readonly url: string,
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(`The file ${file} of this cell could not be had from ${url}: ${reason}.`, options);
  }
}

/** A tool that a cell names cannot be had. The run was not made. */
export class CellToolError extends VitrineError {
  override readonly name = "CellToolError";
  readonly code = "CELL_TOOL";

  constructor(
    /** A name, or the address of a file. */
    readonly tool: string,
    reason: string,
    options?: ErrorOptions,
  ) {
    super(reason, options);
  }
}

/** A package that a cell names cannot be had. The run was not made. */
export class CellPackageError extends VitrineError {
  override readonly name = "CellPackageError";
  readonly code = "CELL_PACKAGE";
}

/** The setup of a cell, or a hidden cell before it, failed. The cell's own code was not run. */
export class CellSetupError extends VitrineError {
  override readonly name = "CellSetupError";
  readonly code = "CELL_SETUP";

  constructor(
    /** `the setup of this cell`, `hidden cell 2 of the session “tour”`. */
    readonly what: string,
    /** As Python formats it; empty where it has none. */
    readonly traceback: string,
    message: string,
  ) {
    super(`This cell was not run, because ${what} failed: ${message}`);
  }
}
