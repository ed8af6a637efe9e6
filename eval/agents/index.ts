import type { EvalAgent } from "./agent.js";
import { codeAgent } from "./code.js";
import { codegen } from "./codegen.js";
import { reactAgent } from "./react.js";

export type { EvalAgent, EvalReport, EvalWork } from "./agent.js";

/** The agents that are compared, in the order of the table's columns. A new one is a file of its own and a line here. */
export const evalAgents: readonly EvalAgent[] = [codeAgent, reactAgent, codegen];

export function agentNamed(name: string): EvalAgent {
  const agent = evalAgents.find((each) => each.name === name);
  if (agent !== undefined) return agent;
  throw new TypeError(`There is no agent ${name}. There are: ${evalAgents.map((each) => each.name).join(", ")}.`);
}
