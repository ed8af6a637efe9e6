import { button, h } from "../shared/dom.js";
import { askForLine, type AskOptions } from "../shared/input-form.js";
import { message, StateLine } from "../shared/state-line.js";
import type { Words } from "../shared/words.js";

import { Exchange } from "./exchange.js";
import { ModelForm } from "./model-form.js";
import { questionField } from "./question-field.js";
import { agentStyles } from "./styles.js";

/** The shadow tree of an agent: what its author wrote, the questions with their answers, and the form for the next. */
export class AgentChrome {
  readonly model = new ModelForm();
  readonly ask = button("ask", "Ask");
  readonly field: HTMLTextAreaElement;
  readonly #state = new StateLine();
  readonly #label = h("bdi");
  readonly #fresh = button("fresh", "New question");
  readonly #exchanges = h("div", { class: "exchanges" });
  /** Sentences on what keeps the agent from being asked. */
  readonly #problems = h("div", { id: "problems" });
  readonly #need = h("div", { id: "need" });
  readonly #examples = h("div", { class: "examples", role: "group", "aria-label": "Examples" });
  readonly #input = h("div");
  readonly #notes = h("div");
  #last: Exchange | null = null;
  readonly #bar: HTMLElement;
  readonly #card: HTMLElement;
  readonly #group: HTMLElement;

  /** @param onAsk - the reader asks what is written. */
  constructor(root: ShadowRoot, onAsk: () => void) {
    root.adoptedStyleSheets = [agentStyles()];
    this.ask.className = "main";
    this.#fresh.hidden = true;
    this.#examples.hidden = true;
    this.field = questionField(onAsk);
    const actions = h("span", { class: "actions" }, this.#fresh);
    this.#bar = h("div", { class: "bar", part: "bar" }, this.#state.status, actions, this.ask);
    this.#card = h(
      "div",
      { class: "card", part: "card" },
      this.#exchanges,
      this.#problems,
      this.#need,
      h("div", { class: "asking" }, h("label", { for: "question" }, this.#label), this.field, this.#examples),
      this.#input,
      this.#notes,
      this.#state.progress,
      this.#bar,
      this.model.element,
    );
    this.#group = h("div", { part: "agent", role: "group" }, h("slot"), this.#card);
    root.append(this.#group);
  }

  label(text: string, placeholder: string): void {
    this.#group.setAttribute("aria-label", `Agent: ${text}`);
    this.#label.textContent = text;
    this.field.placeholder = placeholder;
  }

  /** Buttons that ask an example; gone once something was asked. */
  showExamples(questions: readonly string[]): void {
    this.#examples.hidden = questions.length === 0 || this.hasExchanges;
    const shown = Array.from(this.#examples.children, ({ textContent }) => textContent);
    if (shown.join("\n") === questions.join("\n")) return;
    this.#examples.replaceChildren(...questions.map((text) => button("example", text)));
  }

  showProblems(sentences: readonly string[]): void {
    this.#problems.replaceChildren(...sentences.map((each) => message(each)));
  }

  /** What the agent could do if it had what it lacks. */
  showNeed(text: string | null): void {
    if (this.#need.textContent !== (text ?? "")) this.#need.replaceChildren(...notes(text));
  }

  /** What is worth knowing, and no fault of what was asked. */
  showNote(text: string | null): void {
    if (this.#notes.textContent !== (text ?? "")) this.#notes.replaceChildren(...notes(text));
  }

  say(words: Words): void {
    this.#state.say(words);
  }

  /** One button for both, so that the focus stays where it is. */
  showButton(kind: "ask" | "stop" | "stopping" | "blocked"): void {
    const isAsk = kind === "ask" || kind === "blocked";
    this.ask.textContent = { ask: "Ask", stop: "Stop", stopping: "Stopping", blocked: "Ask" }[kind];
    this.ask.setAttribute("part", isAsk ? "ask" : "stop");
    this.ask.dataset.do = isAsk ? "ask" : "stop";
    this.ask.classList.toggle("main", isAsk);
    this.ask.setAttribute("aria-disabled", String(kind === "stopping" || kind === "blocked"));
    if (kind === "blocked") this.ask.setAttribute("aria-describedby", "problems");
    else this.ask.removeAttribute("aria-describedby");
    // While it works the state and Stop stay in view, however long what came of it is.
    this.#card.classList.toggle("working", !isAsk);
  }

  get hasExchanges(): boolean {
    return this.#exchanges.childElementCount > 0;
  }

  addExchange(question: string): Exchange {
    if (this.#last?.isUnasked === true) this.#last.remove();
    const exchange = new Exchange(question);
    this.#last = exchange;
    this.#exchanges.append(exchange.element);
    this.#fresh.hidden = false;
    this.#examples.hidden = true;
    return exchange;
  }

  clearExchanges(): void {
    this.#exchanges.replaceChildren();
    this.#fresh.hidden = true;
  }

  askForInput(prompt: string, options: AskOptions): Promise<string> {
    return askForLine(this.#input, prompt, options);
  }
}

function notes(text: string | null): HTMLElement[] {
  return text === null ? [] : [message(text, "quiet")];
}
