import type { AgentModule, AgentOutcome, AgentQuestion, AgentTranscript, PageAgent } from "../agent-parts.js";
import { parts } from "../shared/parts.js";
import { unlessStopped } from "../shared/unless-stopped.js";
import { WorkWords } from "../shared/work-words.js";

import type { AgentChrome } from "./agent-chrome.js";
import { wordsOfAgentPhase } from "./agent-words.js";
import type { Exchange } from "./exchange.js";

/** What a question needs of its element. */
export interface TaskPlace {
  readonly chrome: AgentChrome;
  readonly exchange: Exchange;
  /** The reader asked by key or click. */
  readonly isOfReader: boolean;
}

/** The element's agent; it is opened with the first question. */
export type OpenAgent = (open: () => PageAgent) => PageAgent;

/** One question, from when it is asked. */
export class AgentTask {
  readonly #stop = new AbortController();
  readonly #place: TaskPlace;
  readonly #words: WorkWords;
  readonly #since = performance.now();

  constructor(place: TaskPlace) {
    this.#place = place;
    this.#words = new WorkWords((words) => place.chrome.say(words));
  }

  get isStopped(): boolean {
    return this.#stop.signal.aborted;
  }

  /** Nothing of it is shown any more. */
  get isDiscarded(): boolean {
    return !this.#place.exchange.element.isConnected;
  }

  /** Milliseconds since it was asked. */
  get duration(): number {
    return performance.now() - this.#since;
  }

  /** The end comes when the agent has ended its work. */
  stop(): void {
    this.#stop.abort(new DOMException("The question was stopped.", "AbortError"));
    this.#words.stopping();
  }

  /** Says nothing more: the element has forgotten the question. */
  discard(): void {
    this.#words.end();
    this.stop();
  }

  /** Rejects where the question could not be asked, or was stopped before it was. */
  async outcome(
    question: Omit<AgentQuestion, "signal" | "onPhase" | "onInput">,
    openAgent: OpenAgent,
  ): Promise<AgentOutcome> {
    this.#words.begin();
    const { signal } = this.#stop;
    try {
      const loaded = Promise.all([parts.current.agent(), parts.current.runtime()]);
      const [module, runtime] = await unlessStopped(loaded, signal);
      const agent = openAgent(() => module.openPageAgent(runtime));
      return await agent.ask(
        {
          ...question,
          signal,
          onPhase: (phase) => this.#words.enter(wordsOfAgentPhase(phase)),
          onInput: (prompt, context) => this.#ask(prompt, context.signal),
        },
        this.#transcript(module),
      );
    } finally {
      this.#words.end();
    }
  }

  #transcript(module: AgentModule): AgentTranscript {
    const transcript = module.createTranscript();
    this.#place.exchange.show(transcript.element);
    return transcript;
  }

  #ask(prompt: string, signal: AbortSignal): Promise<string> {
    const { chrome, isOfReader } = this.#place;
    const either = AbortSignal.any([signal, this.#stop.signal]);
    return this.#words.whileAsking(() => chrome.askForInput(prompt, { signal: either, isClicked: isOfReader }));
  }
}
