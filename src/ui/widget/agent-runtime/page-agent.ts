import { AgentOptionsError, CodeAgent, type AgentResult, type AgentRun } from "../../../agent/index.js";
import { ModelError, ModelUnreachableError, openaiModel, type Model } from "../../../model/index.js";
import { randomId, unlessAborted } from "../../../protocol/index.js";
import type { AgentModel, AgentOutcome, AgentQuestion, AgentTranscript, PageAgent } from "../agent-parts.js";
import type { CellRuntime } from "../cell-runtime.js";
import { CellStoppedError } from "../runtime/errors.js";
import { failureOf, outcomeOf } from "./agent-outcome.js";
import { PageSession } from "./agent-session.js";
import { AgentSessionEndedError } from "./errors.js";
import { PolicyWatch } from "./policy-watch.js";
import { siteTools } from "./site-tools.js";
import { promptOfPage, taskText } from "./task-text.js";
import { SiteTexts } from "./texts/site-texts.js";
import { drawingOf } from "./transcript/create-transcript.js";

/** What a question may use beside its steps: a reader waits for its answer, and pays for it. */
const BUDGET = { toolCalls: 200, time: 600_000 } as const;

/** Tokens for each step that it may take: the page, the steps before it, and what they printed. */
const TOKENS_OF_STEP = 30_000;

/** The agent of one element. `runtime` is that of the page's cells, so that both share their named sessions. */
export function openPageAgent(runtime: CellRuntime): PageAgent {
  return new CodeAgentOfPage(runtime);
}

class CodeAgentOfPage implements PageAgent {
  readonly #runtime: CellRuntime;
  /** By which the runtime knows its own session; no page can name it. */
  readonly #ownName = `agent ${randomId()}`;
  #texts: { readonly addresses: string; readonly coming: Promise<SiteTexts> } | null = null;
  /** The question before, and the page that it was about. */
  #last: { readonly run: AgentRun; readonly url: string } | null = null;
  #closing = new AbortController();

  constructor(runtime: CellRuntime) {
    this.#runtime = runtime;
  }

  async ask(question: AgentQuestion, transcript: AgentTranscript): Promise<AgentOutcome> {
    if (question.question.trim() === "") throw new AgentOptionsError("task", "is empty");
    const model = modelOf(question.model);
    if (typeof model === "string") return { kind: "failed", message: model, isOfModel: true };
    const signal = AbortSignal.any([question.signal, this.#closing.signal]);
    let session: PageSession;
    try {
      session = await this.#open(question, signal);
    } catch (error) {
      if (signal.aborted) return { kind: "stopped" };
      // A cell has it restarted.
      if (error instanceof CellStoppedError)
        return failureOf(new AgentSessionEndedError(question.settings.interpreter.session));
      throw error;
    }
    const policy = new PolicyWatch(question.model.baseURL);
    try {
      const result = await this.#work(question, { model, session, signal, transcript });
      if (!signal.aborted && session.ended.aborted) return failureOf(session.ended.reason);
      const isUnreachable = result.error instanceof ModelUnreachableError;
      return (isUnreachable ? policy.outcome : null) ?? outcomeOf(result);
    } finally {
      policy.end();
      session.letGo();
    }
  }

  async close(): Promise<void> {
    this.#closing.abort(new DOMException("The agent was closed.", "AbortError"));
    this.#closing = new AbortController();
    this.#last = null;
    this.#texts = null;
    await this.#runtime.close(this.#ownName);
  }

  /** The session and the texts, both at once: a text that is missing is known sooner than Python has come. */
  async #open({ settings, onPhase }: AgentQuestion, stopped: AbortSignal): Promise<PageSession> {
    const { interpreter, before = [], texts: addresses } = settings;
    const { session: name } = interpreter;
    const texts = addresses.length === 0 ? null : this.#textsOf(addresses);
    const request = { settings: { ...interpreter, session: name ?? this.#ownName }, before, onPhase };
    const given = new AbortController();
    const signal = AbortSignal.any([stopped, given.signal]);
    const tools = texts === null ? [] : siteTools(texts);
    const opening = PageSession.open(this.#runtime, { request, name, tools }, signal);
    try {
      const [session] = await unlessAborted(Promise.all([opening, texts]), signal);
      return session;
    } catch (error) {
      given.abort(new CellStoppedError());
      opening.then(
        (session) => session.letGo(),
        () => undefined,
      );
      throw error;
    }
  }

  /** Those of a page stay as they are; what could not be had is asked for again. */
  #textsOf(addresses: readonly string[]): Promise<SiteTexts> {
    const key = JSON.stringify(addresses);
    if (this.#texts?.addresses !== key) {
      const texts = { addresses: key, coming: SiteTexts.open(addresses, this.#closing.signal) };
      this.#texts = texts;
      texts.coming.catch(() => {
        if (this.#texts === texts) this.#texts = null;
      });
    }
    return this.#texts.coming;
  }

  async #work(question: AgentQuestion, { model, session, signal, transcript }: Readonly<Task>): Promise<AgentResult> {
    const { settings, page, isFollowUp, onInput } = question;
    const last = isFollowUp ? this.#last : null;
    const drawing = drawingOf(transcript);
    const maxSteps = Math.max(1, Math.trunc(settings.maxSteps));
    const agent = new CodeAgent({
      session,
      model,
      maxSteps,
      budget: { ...BUDGET, tokens: maxSteps * TOKENS_OF_STEP },
      // Zero is none.
      limits: { timeout: settings.interpreter.timeout ?? 0 },
      systemSuffix: promptOfPage(settings),
      onQuestion: (prompt, context) => onInput(prompt, context),
    });
    const run = agent.run(taskText(question, last?.url === page.url), {
      signal: AbortSignal.any([signal, session.ended]),
      ...(last === null ? {} : { after: last.run }),
    });
    this.#last = { run, url: page.url };
    for await (const event of run) drawing.take(event);
    return run.result;
  }
}

interface Task {
  readonly model: Model;
  readonly session: PageSession;
  readonly signal: AbortSignal;
  readonly transcript: AgentTranscript;
}

/** The model, or why the settings make none. The key stays in it, and goes to its server alone. */
function modelOf({ baseURL, model: name, apiKey }: AgentModel): Model | string {
  try {
    const model = openaiModel({ baseURL, model: name, ...(apiKey === null ? {} : { apiKey }) });
    return model.problem?.() ?? model;
  } catch (error) {
    if (error instanceof ModelError) return error.message;
    throw error;
  }
}
