/** What elements of the widget look like: colours that a page may set, buttons, and a card with a bar of words below it. */
const shared = `
:host {
  display: block;
  position: relative;
  --_paper: var(--vitrine-paper, light-dark(#fff, #1b1e20));
  --_sunken: var(--vitrine-sunken, light-dark(#f1f1ec, #16181a));
  --_line: var(--vitrine-line, light-dark(#e2e2da, #2c3033));
  --_ink: var(--vitrine-ink, light-dark(#1c1f21, #e9e9e4));
  --_quiet: var(--vitrine-quiet, light-dark(#62676b, #9aa1a6));
  --_accent: var(--vitrine-accent, light-dark(#0b6e64, #4fc3b1));
  --_on-accent: var(--vitrine-on-accent, light-dark(#fff, #06221e));
  --_warn: var(--vitrine-warn, light-dark(#8a5a00, #e3b457));
  --_bad: var(--vitrine-bad, light-dark(#b3261e, #f2837b));
  --_font: var(--vitrine-font, inherit);
  --_mono: var(--vitrine-mono, ui-monospace, "SF Mono", "Cascadia Code", "DejaVu Sans Mono", monospace);
  --_radius: var(--vitrine-radius, 8px);
}
:host([hidden]), [hidden] { display: none !important; }
*, ::before, ::after { box-sizing: border-box; }
button, .link { box-sizing: border-box; min-block-size: 26px; padding: 3px 10px; border: 1px solid var(--_line); border-radius: calc(var(--_radius) - 2px); background: var(--_paper); color: var(--_ink); font: inherit; font-weight: 500; line-height: 18px; text-decoration: none; white-space: nowrap; cursor: pointer; }
button:hover, .link:hover { border-color: var(--_quiet); }
button:focus-visible, .link:focus-visible, input:focus-visible { outline: 2px solid var(--_accent); outline-offset: 1px; }
button.main { border-color: var(--_accent); background: var(--_accent); color: var(--_on-accent); font-weight: 600; }
button.main:hover { background: color-mix(in srgb, var(--_accent) 88%, var(--_ink)); }
button[aria-disabled="true"] { border-color: var(--_line); background: var(--_sunken); color: var(--_quiet); cursor: default; }
.card { border: 1px solid var(--_line); border-radius: var(--_radius); background: var(--_paper); color: var(--_ink); font: 13px/1.5 system-ui, sans-serif; font-family: var(--_font); text-align: start; overflow-wrap: anywhere; }
.progress { block-size: 2px; margin-block-end: -2px; border-start-start-radius: var(--_radius); border-start-end-radius: var(--_radius); overflow: hidden; }
.progress > div { block-size: 100%; inline-size: calc(var(--_done, 0) * 100%); background: var(--_accent); transition: inline-size .2s; }
.bar { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 6px; min-block-size: 38px; padding: 5px 6px 5px 12px; padding-inline: 12px 6px; }
.status { flex: 1 1 12em; color: var(--_quiet); font-size: 12.5px; font-variant-numeric: tabular-nums; }
.actions { display: flex; flex-wrap: wrap; gap: 4px; margin-inline-start: auto; }
.actions button, .actions .link { border-color: transparent; background: none; color: var(--_quiet); }
.actions button:hover, .actions .link:hover { border-color: var(--_line); color: var(--_ink); }
.message { margin: 0; padding: 8px 12px; border-block-end: 1px solid var(--_line); color: var(--_bad); white-space: pre-line; }
.message.quiet { color: var(--_quiet); }
.ask { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 8px; margin: 0; padding: 8px 12px; border-block-end: 1px solid var(--_line); }
.ask label { font-family: var(--_mono); white-space: pre-wrap; }
.ask input { flex: 1 1 6em; min-inline-size: 0; min-block-size: 28px; padding: 3px 8px; border: 1px solid var(--_quiet); border-radius: calc(var(--_radius) - 2px); background: var(--_paper); color: var(--_ink); font: 13px/1.4 var(--_mono); }
@media (prefers-reduced-motion: reduce) { .progress > div { transition: none; } }
@media (forced-colors: active) { .progress > div { background: Highlight; } button.main { font-weight: 700; } }
@media print { .bar, .progress, .ask { display: none; } }
`;

/** A sheet of the shared rules and an element's own, for all elements of its kind. */
export function styleSheet(own: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(shared + own);
  return sheet;
}
