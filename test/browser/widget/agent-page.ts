import { VitrineAgent } from "../../../src/ui/widget/agent/agent-element.js";
import { defineAgent } from "../../../src/ui/widget/agent/define-agent.js";
import { show } from "./cell-page.js";

export { VitrineAgent };

/** A site that names all that is needed. */
export const MODEL = 'endpoint="https://models.test/v1" model="small"';

export async function showAgent(html = `<vitrine-agent ${MODEL}></vitrine-agent>`): Promise<VitrineAgent> {
  defineAgent();
  return agentIn(await show(html));
}

export function agentIn(place: ParentNode, selector = "vitrine-agent"): VitrineAgent {
  const agent = place.querySelector(selector);
  if (!(agent instanceof VitrineAgent)) throw new Error(`There is no ${selector}.`);
  return agent;
}

/** A field of the agent by its label. */
export function fieldOf(agent: VitrineAgent, label: string): HTMLInputElement | HTMLTextAreaElement {
  const root = agent.shadowRoot;
  const labels = [...(root?.querySelectorAll("label") ?? [])];
  const id = labels.find(({ textContent }) => textContent === label)?.htmlFor ?? "";
  const field = root?.getElementById(id);
  if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) return field;
  throw new Error(`The agent has no field "${label}".`);
}

export function buttonOf(agent: VitrineAgent, text: string): HTMLButtonElement {
  const buttons = [...(agent.shadowRoot?.querySelectorAll("button") ?? [])];
  const found = buttons.find((each) => each.textContent === text && each.getClientRects().length > 0);
  if (found === undefined) throw new Error(`The agent shows no button "${text}".`);
  return found;
}

export interface ModelFields {
  readonly address?: string;
  readonly model?: string;
  readonly key?: string;
  readonly isKept?: boolean;
}

/** As the reader does. */
export function fillModel(agent: VitrineAgent, { address, model, key, isKept }: ModelFields): void {
  const fold = agent.shadowRoot?.querySelector("details");
  if (fold) fold.open = true;
  const texts = { "Address of the server": address, "Name of the model": model, Key: key };
  for (const [label, text] of Object.entries(texts)) {
    if (text === undefined) continue;
    const field = fieldOf(agent, label);
    field.value = text;
    field.dispatchEvent(new InputEvent("input", { bubbles: true }));
  }
  const keep = fieldOf(agent, "Keep on this device");
  if (keep instanceof HTMLInputElement && isKept !== undefined && keep.checked !== isKept) keep.click();
}

export function useModel(agent: VitrineAgent, fields: ModelFields): void {
  fillModel(agent, fields);
  buttonOf(agent, "Use this model").click();
}
