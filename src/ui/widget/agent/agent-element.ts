import type { AgentOutcome, PageAgent } from "../agent-parts.js";
import { ChildChanges } from "../shared/child-changes.js";
import { ElementBase } from "../shared/dom.js";
import { asError } from "../shared/parts.js";
import { saidBy } from "../shared/read-settings.js";
import { endSession, holdSession, letGoOfSession, sessionOf } from "../shared/session-holders.js";
import { VERSION } from "../shared/version.js";
import { wordsOfVersions } from "../shared/words.js";

import { AgentChrome } from "./agent-chrome.js";
import { AgentMarkupError, ATTRIBUTES, examplesOf, LONGEST_QUESTION, readAgent } from "./agent-markup.js";
import { AgentTask, type OpenAgent } from "./agent-task.js";
import { DEFAULT_LABEL, KEPT_DAMAGED, KEPT_NOTHING, wordsOfEnd, wordsOfLack, wordsOfModel } from "./agent-words.js";
import type { Exchange } from "./exchange.js";
import { hostOf } from "./model-address.js";
import type { ModelView } from "./model-form.js";
import { modelOf, PageModels } from "./page-models.js";
import { pageText } from "./page-text.js";

const models = new PageModels();
const children = new ChildChanges();
const LONGEST_TITLE = 1000;

/** Those that are in the page. */
const agents = new Set<Element>();

/** An agent was asked that has no model, or no key that its model wants. The element says what is missing. */
export class AgentModelMissingError extends Error {
  override readonly name = "AgentModelMissingError";
  readonly code = "AGENT_MODEL_MISSING";
}

/**
 * Answers questions about the page: a model writes Python, which runs in the reader's browser, sealed as that of cells. What does
 * it is loaded with the first question.
 *
 * ```html
 * <vitrine-agent session="tour" texts="llms.txt" endpoint="https://models.example.org/v1" model="qwen3">
 *   <p>Ask about this page: an agent answers by running Python here.</p>
 *   <ul slot="examples">
 *     <li>Which country ordered most?</li>
 *   </ul>
 * </vitrine-agent>
 * ```
 *
 * Without a script its children are there to read. Without a model it says what it could do and what is missing; nothing is
 * sent to anyone.
 *
 * A key that the reader enters goes to the server that it was entered for and to no other. It is in memory until the page is
 * left, unless the reader has it kept on the device.
 *
 * A value of an attribute that means nothing is named in the element, which then does not ask.
 *
 * @attr session - The agent works with the variables of the cells of that name. Without it, it has an interpreter of its own.
 * @attr setup - As in cells; so are `deps`, `packages`, `files`, `tools`, `trust` and `timeout`.
 * @attr texts - Addresses of the site's own texts, separated by blanks, relative to the page: an `llms.txt`, a search index.
 * @attr endpoint - Base URL of a server that speaks OpenAI's protocol. The reader may name another.
 * @attr model - Name of its model.
 * @attr key - `none`: the server of `endpoint` wants none; `reader`: nothing is asked before the reader has entered one.
 * @attr instructions - What the model is to know or do, beyond the question.
 * @attr steps - How many steps a question may take, 8 by default.
 * @attr label - What the form is called. "Ask about this page" by default.
 * @attr placeholder - What is in the field while it is empty.
 *
 * @slot - What the author says of the agent; always shown.
 * @slot examples - A list of questions, which become buttons.
 *
 * @fires vitrine-answer - After each question; `detail` is its {@link AgentOutcome}. Bubbles, out of shadow trees too.
 * @fires vitrine-error - When a question could not be asked; `detail` is the error. Bubbles, out of shadow trees too.
 *
 * @csspart agent - All of it.
 * @csspart card - All but what the author wrote.
 * @csspart exchange - A question with what came of it.
 * @csspart question - A question that was asked.
 * @csspart field - Where the next one is written.
 * @csspart example - A button that asks an example.
 * @csspart ask - The button that asks.
 * @csspart stop - The same, while the agent works.
 * @csspart fresh - The button that forgets what was asked.
 * @csspart model - The fold with the settings of the model.
 * @csspart message - A sentence on what keeps the agent from answering, or on what is worth knowing.
 * @csspart progress - How much of Python is loaded.
 * @csspart bar - The line with the state in words and the buttons.
 * @csspart status - The state in words.
 *
 * Its custom properties are those of `<vitrine-cell>`.
 */
export class VitrineAgent extends ElementBase {
  /** Of the package that this element is from. */
  static readonly version: string = VERSION;
  /** Other versions that this page loads. Theirs came later, and define nothing. */
  static readonly otherVersions = new Set<string>();
  static readonly observedAttributes = [...ATTRIBUTES];

  #chrome: AgentChrome | null = null;
  #agent: PageAgent | null = null;
  #task: { readonly work: AgentTask; readonly outcome: Promise<AgentOutcome | null> } | null = null;
  #isFollowUp = false;
  #isRegistered = false;
  #isDueUpdate = false;
  /** What the markup named when it was drawn last. */
  #endpoint: string | null | undefined = undefined;

  /**
   * Asks a question of up to 4000 characters, as the form does. An agent answers one at a time: while it does, this is the answer that is on its way.
   *
   * @returns how it ended; null where it was stopped before it was asked, without an event, or could not be asked: the
   *   element and the event `vitrine-error` say why.
   */
  ask(question: string): Promise<AgentOutcome | null> {
    return this.#begin(question, false);
  }

  /** Ends the work on the question, if there is one. What the agent did until then stays to be read. */
  stop(): void {
    if (this.#task === null) return;
    this.#task.work.stop();
    this.#chrome?.showButton("stopping");
  }

  /** Forgets what was asked, and takes it away. Variables of a session that cells share stay. */
  forget(): void {
    this.#close();
    if (this.#chrome !== null) this.#draw(this.#chrome);
  }

  /** @internal */
  connectedCallback(): void {
    holdSession(this);
    agents.add(this);
    this.#isRegistered = true;
    models.listen(this.#changed);
    this.#draw(this.#open());
  }

  /** Defined so that a move by `moveBefore()` is one. @internal */
  connectedMoveCallback(): void {
    this.#update();
  }

  /** @internal */
  disconnectedCallback(): void {
    setTimeout(() => {
      // What was only moved is back by now.
      if (this.isConnected || !this.#isRegistered) return;
      this.#isRegistered = false;
      models.stopListening(this.#changed);
      agents.delete(this);
      this.#close();
      letGoOfSession(this);
      endSession(sessionOf(this));
    });
  }

  /** @internal */
  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    if (before === now || !this.#isRegistered) return;
    if (name === "session") endSession(before?.trim() ?? null);
    this.#update();
  }

  readonly #changed = (): void => this.#update();

  /** Once for all changes of one go. */
  #update(): void {
    if (this.#isDueUpdate) return;
    this.#isDueUpdate = true;
    queueMicrotask(() => {
      this.#isDueUpdate = false;
      if (this.isConnected && this.#chrome !== null) this.#draw(this.#chrome);
    });
  }

  #open(): AgentChrome {
    if (this.#chrome !== null) return this.#chrome;
    const root = this.attachShadow({ mode: "open" });
    const chrome = new AgentChrome(root, () => this.#askWritten(chrome));
    root.addEventListener("click", (event) => this.#clicked(event));
    chrome.model.form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.#useModel(chrome)) chrome.field.focus();
    });
    children.watch(this, () => this.#update());
    this.#chrome = chrome;
    return chrome;
  }

  #draw(chrome: AgentChrome): void {
    const { settings, problems } = readAgent(this);
    const view = this.#view();
    chrome.label(saidBy(this, "label") ?? DEFAULT_LABEL, saidBy(this, "placeholder") ?? "");
    chrome.showExamples(examplesOf(this));
    chrome.showProblems(problems);
    chrome.showNeed(problems.length > 0 ? null : wordsOfLack(view.state, settings.texts.length > 0));
    chrome.model.show(view);
    chrome.showNote(models.wasDamaged ? KEPT_DAMAGED : this.#versions());
    if (this.#task === null) chrome.showButton(problems.length > 0 ? "blocked" : "ask");
    this.#noteEndpoint(chrome, view);
  }

  /** The model's server is nothing that changes without a word. */
  #noteEndpoint(chrome: AgentChrome, { site: { endpoint } }: ModelView): void {
    const before = this.#endpoint;
    this.#endpoint = endpoint;
    if (before === undefined || endpoint === before || this.#task !== null) return;
    chrome.say({ text: `This page now names ${endpoint === null ? "no server" : hostOf(endpoint)} for its model.` });
  }

  #view(): ModelView {
    const { site } = readAgent(this);
    return { site, state: models.stateOf(site) };
  }

  #clicked(event: Event): void {
    const control = event.target instanceof Element ? event.target.closest("[data-do]") : null;
    if (!(control instanceof HTMLElement)) return;
    const chrome = this.#open();
    const actions = new Map<string, () => void>([
      ["ask", () => this.#askWritten(chrome)],
      // The second click of a double click on Ask is none on Stop.
      ["stop", () => (event instanceof MouseEvent && event.detail > 1 ? undefined : this.stop())],
      ["example", () => this.#askExample(chrome, control.textContent)],
      ["fresh", () => this.#startAfresh(chrome)],
      ["forget-model", () => this.#forgetModel(chrome)],
    ]);
    // What kept it from asking may have been mended elsewhere in the page.
    if (control.getAttribute("aria-disabled") === "true") this.#update();
    else actions.get(control.dataset.do ?? "")?.();
  }

  #askWritten(chrome: AgentChrome): void {
    if (this.#task !== null) return;
    if (chrome.field.value.trim() === "") {
      chrome.say({ text: "Write a question first." });
      chrome.field.focus();
      return;
    }
    void this.#begin(chrome.field.value, true);
  }

  /** Where something is missing the example waits in the field. */
  #askExample(chrome: AgentChrome, question: string): void {
    chrome.field.value = question;
    chrome.field.focus();
    void this.#begin(question, true);
  }

  #startAfresh(chrome: AgentChrome): void {
    this.forget();
    chrome.field.focus();
  }

  #begin(written: string, isOfReader: boolean): Promise<AgentOutcome | null> {
    if (this.#task !== null) return this.#task.outcome;
    const chrome = this.#open();
    const question = written.trim().slice(0, LONGEST_QUESTION);
    if (question === "" || (chrome.model.isDirty && !this.#useModel(chrome))) return Promise.resolve(null);
    const { settings, problems } = readAgent(this);
    if (problems.length > 0) return this.#refuse(chrome, new AgentMarkupError(problems));
    const { state } = this.#view();
    const model = modelOf(state);
    if (model === null) {
      if (isOfReader && state.lacks !== null) chrome.model.open(state.lacks);
      const lack = wordsOfLack(state, settings.texts.length > 0) ?? "";
      return this.#refuse(chrome, new AgentModelMissingError(lack));
    }
    const page = { title: document.title.slice(0, LONGEST_TITLE), url: addressOfPage(), text: pageText([...agents]) };
    const exchange = chrome.addExchange(question);
    const work = new AgentTask({ chrome, exchange, isOfReader });
    if (chrome.field.value === written) chrome.field.value = "";
    const asked = { settings, model, question, page, isFollowUp: this.#isFollowUp };
    this.#task = { work, outcome: this.#follow(chrome, { work, exchange }, asked) };
    return this.#task.outcome;
  }

  async #follow(
    chrome: AgentChrome,
    { work, exchange }: { readonly work: AgentTask; readonly exchange: Exchange },
    asked: Parameters<AgentTask["outcome"]>[0],
  ): Promise<AgentOutcome | null> {
    chrome.showButton("stop");
    try {
      const outcome = await work.outcome(asked, this.#openAgent);
      this.#ended(work);
      if (!work.isDiscarded) this.#conclude(chrome, exchange, { outcome, duration: work.duration });
      this.#emit("vitrine-answer", outcome);
      return outcome;
    } catch (error) {
      this.#ended(work);
      if (work.isDiscarded) return null;
      if (work.isStopped) chrome.say({ text: "Stopped." });
      else this.#failed(chrome, exchange, { error: asError(error), question: asked.question });
      return null;
    } finally {
      this.#update();
    }
  }

  /** Who heard of the end may have asked the next question; and one that was forgotten is not the one that goes on. */
  #ended(work: AgentTask): void {
    if (this.#task?.work === work) this.#task = null;
  }

  #conclude(
    chrome: AgentChrome,
    exchange: Exchange,
    { outcome, duration }: { readonly outcome: AgentOutcome; readonly duration: number },
  ): void {
    this.#isFollowUp = true;
    chrome.say({ text: wordsOfEnd(outcome, duration) });
    if (outcome.kind === "failed") {
      exchange.showFailure(outcome.message);
      if (outcome.isOfModel) chrome.model.element.open = true;
    }
  }

  /** Said once a question was answered: until then it matters to no reader. */
  #versions(): string | null {
    const { version, otherVersions } = VitrineAgent;
    return this.#isFollowUp && otherVersions.size > 0
      ? wordsOfVersions(version, otherVersions, "The agents are")
      : null;
  }

  /** The question is the reader's again. */
  #failed(
    chrome: AgentChrome,
    exchange: Exchange,
    { error, question }: { readonly error: Error; readonly question: string },
  ): void {
    exchange.isUnasked = true;
    exchange.showFailure(error.message);
    chrome.say({ text: "The question was not asked." });
    if (chrome.field.value === "") chrome.field.value = question;
    this.#emit("vitrine-error", error);
  }

  #refuse(chrome: AgentChrome, error: Error): Promise<null> {
    chrome.say({ text: "The question was not asked: something is missing." });
    this.#draw(chrome);
    this.#emit("vitrine-error", error);
    return Promise.resolve(null);
  }

  readonly #openAgent: OpenAgent = (open) => {
    this.#agent ??= open();
    return this.#agent;
  };

  /** Ends what goes on, and what was there to remember. */
  #close(): void {
    this.#task?.work.discard();
    this.#task = null;
    this.#isFollowUp = false;
    this.#agent?.close().catch((error: unknown) => console.error("The agent of this page did not end.", error));
    this.#agent = null;
    if (this.#chrome?.hasExchanges !== true) return;
    this.#chrome.clearExchanges();
    this.#chrome.say({ text: "What was asked before is forgotten." });
  }

  /** False where what the reader filled in cannot be used. */
  #useModel(chrome: AgentChrome): boolean {
    const choice = chrome.model.read();
    if (choice === null) return false;
    const { site } = readAgent(this);
    const isDone = models.choose(site, choice);
    const view = this.#view();
    chrome.model.settle(view);
    chrome.model.say(isDone ? null : KEPT_NOTHING);
    if (view.state.lacks !== null) {
      chrome.model.open(view.state.lacks);
      return false;
    }
    if (isDone) chrome.model.element.open = false;
    if (this.#task === null) chrome.say({ text: `The agent asks ${wordsOfModel(view.state)}.` });
    return true;
  }

  #forgetModel(chrome: AgentChrome): void {
    models.forget(readAgent(this).site);
    chrome.model.settle(this.#view());
    chrome.model.open("address");
    chrome.say({ text: "What you entered for the model is forgotten." });
  }

  #emit(type: "vitrine-answer" | "vitrine-error", detail: AgentOutcome | Error): void {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
  }
}

/** Without what may be meant for this page alone, the secret of a login for instance. */
function addressOfPage(): string {
  return location.origin === "null" ? location.protocol : `${location.origin}${location.pathname}`;
}
