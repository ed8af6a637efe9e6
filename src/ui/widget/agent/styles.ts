import { styleSheet } from "../shared/styles.js";

const css = `
.card { margin-block: 16px; }
.exchange { padding-block-end: 4px; border-block-end: 1px solid var(--_line); }
.question { margin: 0; padding: 10px 12px 6px; font-weight: 600; white-space: pre-wrap; }
.exchange .message { border-block-end: 0; }
.asking { padding: 10px 12px 8px; }
.asking label { display: block; margin-block-end: 6px; font-weight: 600; }
textarea, .model input:not([type="checkbox"]) { display: block; inline-size: 100%; min-inline-size: 0; padding: 6px 10px; border: 1px solid var(--_quiet); border-radius: calc(var(--_radius) - 2px); background: var(--_paper); color: var(--_ink); font: inherit; }
textarea { min-block-size: 52px; max-block-size: 40vh; resize: vertical; field-sizing: content; }
textarea::placeholder, .model input::placeholder { color: var(--_quiet); opacity: 1; }
textarea:focus-visible, summary:focus-visible { outline: 2px solid var(--_accent); outline-offset: 1px; }
.examples { display: flex; flex-wrap: wrap; gap: 6px; margin-block-start: 8px; }
.examples button { min-block-size: 28px; max-inline-size: 100%; border-radius: 14px; color: var(--_quiet); font-weight: 400; text-align: start; white-space: normal; overflow-wrap: anywhere; }
.examples button:hover { color: var(--_ink); }
.bar { padding-inline-end: 12px; }
.bar .status { flex-basis: 8em; }
.bar > button { min-inline-size: 72px; min-block-size: 28px; }
.working .bar { position: sticky; inset-block-end: 0; z-index: 1; border-block-start: 1px solid var(--_line); background: var(--_paper); }
.model { border-block-start: 1px solid var(--_line); }
.model summary { padding: 8px 12px; border-radius: var(--_radius); color: var(--_quiet); font-size: 12.5px; cursor: pointer; }
.model form { display: grid; gap: 10px; padding: 4px 12px 12px; }
.field label { display: block; margin-block-end: 3px; color: var(--_quiet); font-size: 12.5px; }
.model input:not([type="checkbox"]) { min-block-size: 30px; padding-block: 3px; font-family: var(--_mono); }
.model p { margin: 0; }
.model [role="alert"]:empty { display: none; }
.model form > p { color: var(--_quiet); }
.model .message { padding: 0; border: 0; }
.keep { display: flex; align-items: center; gap: 8px; min-block-size: 24px; }
.keep input { inline-size: 16px; block-size: 16px; margin: 0; accent-color: var(--_accent); }
.model .buttons { display: flex; flex-wrap: wrap; gap: 6px; }
@media (max-width: 480px) {
  textarea, .model input:not([type="checkbox"]) { font-size: 16px; }
  .bar .status { flex: 1 0 100%; min-block-size: 1.5em; } }
@media print { .asking, .model { display: none; } }
`;

let sheet: CSSStyleSheet | null = null;

/** One sheet for all agents, made with the first. */
export function agentStyles(): CSSStyleSheet {
  sheet ??= styleSheet(css);
  return sheet;
}
