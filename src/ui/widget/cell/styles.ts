import { styleSheet } from "../shared/styles.js";

/**
 * One sheet for all cells. Before the first click a cell takes no room but that of what its author wrote: the host has neither
 * padding nor border, so that margins of the author's elements collapse through it, and its buttons lie over the code.
 */
const css = `
.code { direction: ltr; }
.editable { cursor: text; }
.editor { direction: ltr; }
.own { margin: 0; padding: 12px 16px; overflow: auto; direction: ltr; border-radius: var(--_radius); background: var(--_sunken); color: var(--_ink); font: 13.5px/1.6 var(--_mono); tab-size: 4; }
.corner { position: absolute; inset-block-start: calc(var(--_top, 0px) + 6px); right: 6px; z-index: 1; display: flex; direction: ltr; gap: 4px; font: 13px/1.2 system-ui, sans-serif; font-family: var(--_font); }
.after { margin-block: calc(var(--_gap, 0px) * -1 + 6px) var(--_gap, 0px); }
.after.measured { margin: 0; }
.output { border-block-end: 1px solid var(--_line); }
.output:empty { display: none; }
.output.stale { opacity: .55; }
.bare [id="problems"] > :last-child { border-block-end: 0; }
.expected { padding: 8px 12px; border-block-end: 1px solid var(--_line); }
.expected > p { margin: 0 0 6px; color: var(--_quiet); }
.checks { margin: 0; padding: 8px 12px; border-block-end: 1px solid var(--_line); list-style: none; }
.checks li { padding-inline-start: 20px; text-indent: -20px; white-space: pre-line; }
.checks .mark { display: inline-block; inline-size: 20px; text-indent: 0; font-weight: 600; }
.checks .passed .mark { color: var(--_accent); }
.checks .failed .mark { color: var(--_bad); }
.checks .reason { color: var(--_quiet); }
@media (max-width: 480px) {
  .corner [data-do="edit"]:not(:focus) { position: absolute; right: 100%; opacity: 0; pointer-events: none; }
  .actions { flex: 1 0 100%; margin-inline: -6px 0; } }
@media print { .corner { display: none; } }
`;

let sheet: CSSStyleSheet | null = null;

/** Made with the first cell: a generator may load the widget where there are no style sheets. */
export function cellStyles(): CSSStyleSheet {
  sheet ??= styleSheet(css);
  return sheet;
}
