import type { RunResult } from "../../../src/session/index.js";
import type {
  AgentModule,
  AgentOutcome,
  AgentQuestion,
  AgentTranscript,
  PageAgent,
} from "../../../src/ui/widget/agent-parts.js";
import type {
  CellEditor,
  CellEditorOptions,
  CellOutcome,
  CellRunRequest,
  CellRuntime,
  OutputElement,
} from "../../../src/ui/widget/cell-runtime.js";
import { parts, type PageParts } from "../../../src/ui/widget/shared/parts.js";

/** A runtime without an interpreter, for what cells show of a run; the tests of the widget as a whole have the real one. */
export class ScriptedRuntime implements CellRuntime {
  readonly requests: CellRunRequest[] = [];
  readonly resets: string[] = [];
  readonly closed: string[] = [];
  /** What runs come to. A test may put in another. */
  script: (request: CellRunRequest) => Promise<CellOutcome> = ({ code, onOutput }) => {
    onOutput({ kind: "stdout", text: `ran ${code}\n` });
    return Promise.resolve(outcome({ text: `ran ${code}\n` }));
  };

  run(request: CellRunRequest): Promise<CellOutcome> {
    this.requests.push(request);
    return this.script(request);
  }

  withSession(): Promise<never> {
    return Promise.reject(new TypeError("There is no session."));
  }

  complete(): Promise<null> {
    return Promise.resolve(null);
  }

  reset(session: string): Promise<void> {
    this.resets.push(session);
    return Promise.resolve();
  }

  close(session: string): Promise<void> {
    this.closed.push(session);
    return Promise.resolve();
  }
}

/** A run that goes on until it is stopped. */
export function untilStopped({ signal, onPhase }: CellRunRequest): Promise<CellOutcome> {
  onPhase({ kind: "running" });
  return new Promise((resolve) => {
    signal.addEventListener("abort", () =>
      resolve(outcome({ error: { code: "RUN_INTERRUPTED", pythonType: "KeyboardInterrupt", message: "" } })),
    );
  });
}

export interface OutcomeOptions {
  readonly text?: string;
  readonly error?: { readonly code: string; readonly pythonType: string; readonly message: string };
  readonly faultLine?: number;
  readonly checks?: CellOutcome["checks"];
}

export function outcome({ text = "", error, faultLine, checks = [] }: OutcomeOptions = {}): CellOutcome {
  const result: RunResult = {
    runId: "run-1",
    value: null,
    valueRepr: null,
    stdout: text,
    stderr: "",
    outputs: [],
    error: error === undefined ? null : { ...error, traceback: `Traceback\n${error.message}` },
    ok: error === undefined,
    elapsed: 340,
    timeout: 30_000,
    heapGrowth: 0,
    calls: [],
    finalAnswer: null,
    signals: [],
    memory: null,
    lost: false,
    notices: [],
    findings: [],
    namedTools: [],
  };
  return { result, checks, faultLine: faultLine ?? null, text, duration: 340 };
}

/** As little of `<vitrine-output>` as cells need: texts in a `<pre>`. */
class PlainOutput extends HTMLElement implements OutputElement {
  #result: RunResult | null = null;

  get result(): RunResult | null {
    return this.#result;
  }

  set result(result: RunResult | null) {
    this.#result = result;
    if (result?.error) this.append(result.error.message);
  }

  clear(): void {
    this.replaceChildren();
  }

  add(chunk: Parameters<OutputElement["add"]>[0]): void {
    if ("text" in chunk) this.append(chunk.text);
  }
}
customElements.define("test-plain-output", PlainOutput);

/** A text field in the place of CodeMirror. */
export class PlainEditor implements CellEditor {
  readonly element = document.createElement("textarea");
  fault: { readonly line: number; readonly message: string } | null = null;

  constructor(readonly options: CellEditorOptions) {
    this.element.value = options.code;
    this.element.setAttribute("aria-label", options.label);
    this.element.addEventListener("input", () => options.onChange());
    this.element.addEventListener("keydown", (event) => {
      if (event.key === "Escape") options.onLeave();
      if (event.key === "Enter" && event.ctrlKey) options.onRun();
    });
  }

  get code(): string {
    return this.element.value;
  }

  set code(code: string) {
    this.element.value = code;
  }

  focus(): void {
    this.element.focus();
  }

  showFault(fault: { readonly line: number; readonly message: string } | null): void {
    this.fault = fault;
  }

  close(): void {
    this.element.remove();
  }
}

/** An agent without a model. */
export class ScriptedAgent implements PageAgent {
  readonly questions: AgentQuestion[] = [];
  isClosed = false;

  constructor(
    readonly runtime: CellRuntime,
    private readonly script: () => (question: AgentQuestion) => Promise<AgentOutcome>,
  ) {}

  ask(question: AgentQuestion, transcript: AgentTranscript): Promise<AgentOutcome> {
    this.questions.push(question);
    transcript.element.append(`Working on: ${question.question}`);
    return this.script()(question);
  }

  close(): Promise<void> {
    this.isClosed = true;
    return Promise.resolve();
  }
}

/** A question that is worked on until it is stopped. */
export function untilAgentStopped({ signal, onPhase }: AgentQuestion): Promise<AgentOutcome> {
  onPhase({ kind: "running" });
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve({ kind: "stopped" }));
  });
}

export class ScriptedParts implements PageParts {
  readonly scripted = new ScriptedRuntime();
  readonly editors: PlainEditor[] = [];
  readonly agents: ScriptedAgent[] = [];
  /** What questions come to. A test may put in another. */
  answer: (question: AgentQuestion) => Promise<AgentOutcome> = ({ question }) =>
    Promise.resolve({ kind: "answered", text: `Answer to ${question}` });
  /** What the next loads fail with. */
  failure: Error | null = null;
  /** How often something was loaded ahead. */
  warmed = 0;
  #isOpen = false;

  warm(): void {
    this.warmed += 1;
  }

  runtime(): Promise<CellRuntime> {
    if (this.failure !== null) return Promise.reject(this.failure);
    this.#isOpen = true;
    return Promise.resolve(this.scripted);
  }

  runtimeIfOpen(): CellRuntime | null {
    return this.#isOpen ? this.scripted : null;
  }

  createOutput(): Promise<OutputElement> {
    return Promise.resolve(new PlainOutput());
  }

  openEditor(options: CellEditorOptions): Promise<CellEditor> {
    if (this.failure !== null) return Promise.reject(this.failure);
    const editor = new PlainEditor(options);
    this.editors.push(editor);
    return Promise.resolve(editor);
  }

  agent(): Promise<AgentModule> {
    if (this.failure !== null) return Promise.reject(this.failure);
    return Promise.resolve({
      openPageAgent: (runtime) => {
        const agent = new ScriptedAgent(runtime, () => this.answer);
        this.agents.push(agent);
        return agent;
      },
      createTranscript: () => ({ element: document.createElement("div") }),
    });
  }

  /** All questions that were asked, of whichever element. */
  get questions(): AgentQuestion[] {
    return this.agents.flatMap(({ questions }) => questions);
  }
}

/** For the test that calls it, and the runtime of its own that it gets. */
export function useScriptedParts(): ScriptedParts {
  const scripted = new ScriptedParts();
  parts.current = scripted;
  return scripted;
}
