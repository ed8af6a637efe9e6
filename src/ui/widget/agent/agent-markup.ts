import type { AgentSettings } from "../agent-parts.js";
import type { CellSettings } from "../cell-runtime.js";
import { pageCells, withHidden } from "../cell/page-cells.js";
import { setupIn } from "../shared/read-setup.js";
import { readSettings, saidBy, webAddress, words } from "../shared/read-settings.js";
import { sessionOf } from "../shared/session-holders.js";

import { isSecurePage, readModelAddress } from "./model-address.js";
import type { SiteModel } from "./page-models.js";

/** An agent was asked whose attributes say something that means nothing. It says what, and did not ask. */
export class AgentMarkupError extends Error {
  override readonly name = "AgentMarkupError";
  readonly code = "AGENT_MARKUP";

  constructor(readonly problems: readonly string[]) {
    super(problems.join(" "));
  }
}

export const ATTRIBUTES = [
  "session",
  "setup",
  "deps",
  "packages",
  "files",
  "tools",
  "trust",
  "timeout",
  "texts",
  "endpoint",
  "model",
  "key",
  "instructions",
  "steps",
  "label",
  "placeholder",
] as const;

/** What the attributes of an agent come to. */
export interface AgentMarkup {
  readonly settings: AgentSettings;
  readonly site: SiteModel;
  /** A sentence for each value that means nothing. With one the agent must not ask. */
  readonly problems: readonly string[];
}

/** Steps of a question where the agent does not say. */
const DEFAULT_STEPS = 8;
const MOST_STEPS = 50;

const KEYS: readonly SiteModel["key"][] = ["none", "reader"];

/** A question may be no longer, one of the examples neither. */
export const LONGEST_QUESTION = 4000;

export function readAgent(agent: Element): AgentMarkup {
  const problems: string[] = [];
  const problem = (text: string): void => void problems.push(text);
  const { settings, problems: ofSettings } = readSettings(
    {
      session: sessionOf(agent),
      trust: agent.getAttribute("trust"),
      deps: agent.getAttribute("deps"),
      packages: agent.getAttribute("packages"),
      files: agent.getAttribute("files"),
      tools: agent.getAttribute("tools"),
      timeout: agent.getAttribute("timeout"),
      demo: null,
    },
    document.baseURI,
  );
  const setup = setupIn(agent);
  const hidden = pageCells.hiddenBefore(agent);
  const site: SiteModel = {
    endpoint: readEndpoint(saidBy(agent, "endpoint"), problem),
    model: saidBy(agent, "model"),
    key: readKey(saidBy(agent, "key"), problem),
  };
  return {
    settings: {
      interpreter: { ...withHidden(settings, hidden), setup: setup.text },
      before: hidden.map(({ code }) => code),
      texts: words(agent.getAttribute("texts")).flatMap((each) => readText(each, problem)),
      instructions: saidBy(agent, "instructions") ?? "",
      maxSteps: readSteps(saidBy(agent, "steps"), problem),
    },
    site,
    problems: [
      ...ofSettings,
      ...setup.problems,
      ...problems,
      ...problemsOfTrust(agent, settings),
      ...hidden.flatMap((each) => each.problems.map((text) => `In a hidden cell of this session: ${text}`)),
    ],
  };
}

/** The questions in `<ul slot="examples">`. */
export function examplesOf(agent: Element): string[] {
  const lists = Array.from(agent.children).filter(({ slot }) => slot === "examples");
  const items = lists.flatMap((list) => Array.from(list.querySelectorAll("li")));
  return items.map(({ textContent }) => plain(textContent)).filter((text) => text !== "");
}

function plain(text: string): string {
  return words(text).join(" ").slice(0, LONGEST_QUESTION);
}

function readEndpoint(value: string | null, problem: (text: string) => void): string | null {
  if (value === null) return null;
  const address = readModelAddress(value, { base: document.baseURI, isSecure: isSecurePage() });
  if (address.kind === "usable") return address.url;
  problem(`endpoint="${value}" cannot be asked: ${address.reason}`);
  return null;
}

function readKey(value: string | null, problem: (text: string) => void): SiteModel["key"] {
  if (value === null) return "optional";
  const known = KEYS.find((key) => key === value);
  if (known === undefined) problem(`key="${value}" means nothing: write none or reader.`);
  return known ?? "reader";
}

function readText(text: string, problem: (text: string) => void): string[] {
  const url = webAddress(text, document.baseURI);
  if (url !== null) return [url.href];
  problem(`texts: "${text}" is no address of a text.`);
  return [];
}

function readSteps(value: string | null, problem: (text: string) => void): number {
  if (value === null) return DEFAULT_STEPS;
  const steps = /^\d{1,3}$/.test(value) ? Number(value) : 0;
  if (steps >= 1 && steps <= MOST_STEPS) return steps;
  problem(`steps="${value}" is no number of steps: write one from 1 to ${MOST_STEPS}.`);
  return DEFAULT_STEPS;
}

/** A session has one trust level: that of its first cell. */
function problemsOfTrust(agent: Element, { session, trust }: Pick<CellSettings, "session" | "trust">): string[] {
  const first = pageCells.firstOfSession(agent);
  const others = saidBy(first, "trust") ?? "sandboxed";
  if (first === agent || others === trust) return [];
  return [`trust: the session "${session ?? ""}" is ${others} by its first cell, and this agent is ${trust}.`];
}
