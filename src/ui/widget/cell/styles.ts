import { styleSheet } from "../shared/styles.js";
import css from "./cell.css?inline";

let sheet: CSSStyleSheet | null = null;

/** Made with the first cell: a generator may load the widget where there are no style sheets. */
export function cellStyles(): CSSStyleSheet {
  sheet ??= styleSheet(css);
  return sheet;
}
