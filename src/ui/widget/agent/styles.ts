import { styleSheet } from "../shared/styles.js";
import css from "./agent.css?inline";

let sheet: CSSStyleSheet | null = null;

/** One sheet for all agents, made with the first. */
export function agentStyles(): CSSStyleSheet {
  sheet ??= styleSheet(css);
  return sheet;
}
