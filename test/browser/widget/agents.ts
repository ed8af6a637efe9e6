import { inject, vi } from "vitest";

import type { AgentModel, AgentQuestion, AgentSettings, AgentTranscript } from "../../../src/ui/widget/agent-parts.js";
import { createTranscript } from "../../../src/ui/widget/agent-runtime/index.js";
import type { CellSettings } from "../../../src/ui/widget/cell-runtime.js";
import { dictatedScenario } from "../../servers/dictated-replies.js";
import { settings } from "./cells.js";

export const KEY = "sk-page-1234567890abcdef";

/** A model behind the real server that says these replies, one after the other. */
export function dictated(...replies: readonly string[]): AgentModel {
  return scenario(dictatedScenario(replies));
}

/** A model behind the real server that answers by a scenario. */
export function scenario(name: string): AgentModel {
  return { baseURL: `${inject("modelServer")}/${name}/v1`, model: "test-model", apiKey: KEY };
}

/** A reply with code in it. */
export function python(code: string, thought = "Let me look."): string {
  return `${thought}\n\`\`\`python\n${code}\n\`\`\``;
}

interface QuestionOptions extends Partial<Omit<AgentQuestion, "settings" | "model">> {
  readonly interpreter?: Partial<CellSettings>;
  readonly settings?: Partial<Omit<AgentSettings, "interpreter">>;
}

export function questionTo(model: AgentModel, options: QuestionOptions = {}): AgentQuestion {
  const { interpreter = {}, settings: own = {}, ...rest } = options;
  return {
    settings: { interpreter: settings(interpreter), texts: [], instructions: "", maxSteps: 6, ...own },
    model,
    question: "What is it?",
    page: { title: "A page", url: "https://example.org/page", text: "The text of the page." },
    isFollowUp: false,
    signal: new AbortController().signal,
    onPhase: () => undefined,
    onInput: () => Promise.resolve(""),
    ...rest,
  };
}

/** A transcript in the page, in a shadow root as the element has one. */
export function shownTranscript(): AgentTranscript {
  const host = document.createElement("div");
  document.body.append(host);
  const transcript = createTranscript();
  host.attachShadow({ mode: "open" }).append(transcript.element);
  return transcript;
}

/** What a transcript shows, with all that is in shadow trees below it. */
export function textOf({ element }: AgentTranscript): string {
  return textBelow(element.shadowRoot ?? element);
}

function textBelow(root: ParentNode & Node): string {
  const parts: string[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  while (walker.nextNode() !== null) {
    const node = walker.currentNode;
    if (node instanceof Element && node.shadowRoot !== null) parts.push(textBelow(node.shadowRoot));
    else if (node instanceof Text) parts.push(node.data);
  }
  return parts.join("").replaceAll(/\s+/g, " ").trim();
}

/** What the page asks servers for, while it asks them. */
export function watchedRequests(): {
  readonly bodies: string[];
  readonly addresses: string[];
  readonly end: () => void;
} {
  const bodies: string[] = [];
  const addresses: string[] = [];
  const real = fetch;
  const spy = vi.spyOn(globalThis, "fetch").mockImplementation((input, init) => {
    addresses.push(input instanceof Request ? input.url : String(input));
    if (typeof init?.body === "string") bodies.push(init.body);
    return real(input, init);
  });
  return {
    bodies,
    addresses,
    end: () => {
      spy.mockRestore();
    },
  };
}
