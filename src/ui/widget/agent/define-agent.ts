import { defineElement } from "../shared/define-element.js";

import { VitrineAgent } from "./agent-element.js";

/** Defines `<vitrine-agent>`, once in a page. */
export function defineAgent(agent: typeof VitrineAgent = VitrineAgent): void {
  defineElement("vitrine-agent", agent, "The agents are");
}
