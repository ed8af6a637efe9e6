import type { CellPhase } from "../cell-runtime.js";
import { seconds, wordsOfPhase, type Words } from "../shared/words.js";
import type { AgentOutcome } from "../agent-parts.js";

import { hostOf } from "./model-address.js";
import type { ModelState, SiteModel } from "./page-models.js";

export const DEFAULT_LABEL = "Ask about this page";

/** While its code runs, the steps below say what it does. */
export function wordsOfAgentPhase(phase: CellPhase): Words {
  return phase.kind === "running" ? { text: "Working on the answer" } : wordsOfPhase(phase);
}

export function wordsOfEnd({ kind }: AgentOutcome, duration: number): string {
  if (kind === "answered") return `Answered in ${seconds(duration)}.`;
  return kind === "stopped" ? `Stopped after ${seconds(duration)}.` : `No answer after ${seconds(duration)}.`;
}

/** What the agent could do, and what it needs for that; null where it lacks nothing. */
export function wordsOfLack({ lacks, baseURL }: ModelState, hasTexts: boolean): string | null {
  if (lacks === null) return null;
  const could = `This agent can answer questions about this page by running Python here${hasTexts ? " and by searching the texts of this site" : ""}.`;
  return `${could} ${wordsOfNeed(lacks, baseURL === null ? "" : hostOf(baseURL))}`;
}

function wordsOfNeed(lacks: "address" | "model" | "key", host: string): string {
  switch (lacks) {
    case "address":
      return "It needs a model: the address of a server that speaks OpenAI’s protocol, one on your own machine for instance. Name it under “Model”.";
    case "model":
      return `It needs a model: the name of one that ${host} has, under “Model”.`;
    case "key":
      return `It needs your key for ${host}, under “Model”.`;
  }
}

/** What the fold of the settings is called. */
export function wordsOfModel({ baseURL, model }: ModelState): string {
  if (baseURL === null) return "none yet";
  return model === null ? `none yet, at ${hostOf(baseURL)}` : `${model} at ${hostOf(baseURL)}`;
}

/**
 * Who gets what.
 *
 * @param baseURL - as the form has it now.
 */
export function wordsOfReach(baseURL: string | null, site: SiteModel): string {
  if (baseURL === null) return "Your key will go to the server that you name, and to no other site.";
  const host = hostOf(baseURL);
  const other =
    site.endpoint === null || hostOf(site.endpoint) === host
      ? ""
      : ` The page itself names ${hostOf(site.endpoint)}, which gets nothing then.`;
  if (site.key === "none" && baseURL === site.endpoint) {
    return `Your questions, the text of this page and what the agent’s code prints go to ${host}. No key is needed.`;
  }
  return `Your key goes to ${host}, and to no other site. Your questions, the text of this page and what the agent’s code prints go there too.${other}`;
}

export const KEPT_NOTHING = "This browser keeps nothing for this page: the key is forgotten when you leave it.";
export const KEPT_DAMAGED = "What this device kept of your models could not be read, and was removed.";
