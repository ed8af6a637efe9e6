import { VitrineError } from "../protocol/index.js";

/** A fence of a document cannot become a cell. The build of the site ends with it, so that its author sees it. */
export class CellFenceError extends VitrineError {
  override readonly name = "CellFenceError";
  readonly code = "CELL_FENCE";

  constructor(
    /** The file, where the site's tool names it, and the line, counted from 1. */
    readonly place: string,
    readonly reason: string,
  ) {
    super(`${place}: ${reason}`);
  }
}
