/**
 * The widget: runnable Python, and an agent that writes some, in any page, by one `<script type="module">`.
 *
 * @packageDocumentation
 */

import type { VitrineAgent } from "./agent/agent-element.js";
import { defineAgent } from "./agent/define-agent.js";
import type { AgentOutcome } from "./agent-parts.js";
import type { VitrineCell } from "./cell/cell-element.js";
import { defineCell } from "./cell/define-cell.js";
import type { CellOutcome } from "./cell-runtime.js";

export { AgentModelMissingError, VitrineAgent } from "./agent/agent-element.js";
export { AgentMarkupError } from "./agent/agent-markup.js";
export type { AgentOutcome } from "./agent-parts.js";
export { VitrineCell } from "./cell/cell-element.js";
export { CellMarkupError } from "./cell/cell-request.js";
export { PartLoadError } from "./shared/parts.js";
export type { CellOutcome, CheckOutcome } from "./cell-runtime.js";
export { PageToolError, registerTool } from "./tools-of-page.js";

declare global {
  interface HTMLElementTagNameMap {
    "vitrine-agent": VitrineAgent;
    "vitrine-cell": VitrineCell;
  }
  interface HTMLElementEventMap {
    "vitrine-answer": CustomEvent<AgentOutcome>;
    "vitrine-run": CustomEvent<CellOutcome>;
    "vitrine-error": CustomEvent<Error>;
  }
}

defineCell();
defineAgent();
