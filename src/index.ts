/**
 * Vitrine: agent-written Python, run inside the browser tab.
 *
 * @packageDocumentation
 */
export * from "./public/agents.js";
export * from "./public/models.js";
export * from "./public/programs.js";
export * from "./public/sessions.js";
export * from "./public/stores.js";
export * from "./public/tools.js";
