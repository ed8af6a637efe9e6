/**
 * The widget: runnable Python in any page, by one `<script type="module">`.
 *
 * @packageDocumentation
 */

import type { VitrineCell } from "./cell/cell-element.js";
import { defineCell } from "./cell/define-cell.js";
import type { CellOutcome } from "./cell-runtime.js";

export { VitrineCell } from "./cell/cell-element.js";
export { CellMarkupError } from "./cell/cell-request.js";
export { PartLoadError } from "./shared/parts.js";
export type { CellOutcome, CheckOutcome } from "./cell-runtime.js";
export { PageToolError, registerTool } from "./tools-of-page.js";

declare global {
  interface HTMLElementTagNameMap {
    "vitrine-cell": VitrineCell;
  }
  interface HTMLElementEventMap {
    "vitrine-run": CustomEvent<CellOutcome>;
    "vitrine-error": CustomEvent<Error>;
  }
}

defineCell();
