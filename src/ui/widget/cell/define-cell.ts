import { defineElement } from "../shared/define-element.js";

import { VitrineCell } from "./cell-element.js";

/** Defines `<vitrine-cell>`, once in a page. */
export function defineCell(cell: typeof VitrineCell = VitrineCell): void {
  defineElement("vitrine-cell", cell, "The cells are");
}
