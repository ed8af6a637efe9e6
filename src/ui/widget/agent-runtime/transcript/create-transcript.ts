import type { AgentEvent } from "../../../../agent/index.js";
import { define } from "../../../components/base/view-element.js";
import { TaskView, type TaskStep } from "../../../state/task/task-view.js";
import type { AgentTranscript } from "../../agent-parts.js";
import type { OutputElement } from "../../cell-runtime.js";
import "../../output/index.js";
import "./agent-steps.js";
import css from "./transcript.css?inline";

/** Takes the events of a task, and draws what they come to. */
export interface TranscriptDrawing {
  take(event: AgentEvent): void;
}

/** Parts that the styles of a page may reach through the element that this is in. */
const PARTS_OF_OUTPUT = "text, error, rich, notice";
const PARTS = `steps, step, step-title, reasoning, thought, code, calls, output, doing, answer, ${PARTS_OF_OUTPUT}`;

/**
 * What an agent's work on a question looks like, with styles of its own. They are constructed, and no style is an attribute: a
 * strict policy lets both.
 */
class TranscriptElement extends HTMLElement implements TranscriptDrawing {
  readonly #steps = document.createElement("vitrine-app-agent-steps");
  readonly #task = new TaskView({ id: "question", task: "", modelLabel: "" });
  readonly #outputs = new Map<TaskStep, OutputElement>();

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [sheet()];
    this.#steps.task = this.#task;
    this.#steps.outputs = this.#outputs;
    root.append(this.#steps);
  }

  take(event: AgentEvent): void {
    this.#task.apply(event);
    if (event.taskId === this.#task.taskId) this.#takeOutput(event);
    this.#steps.version += 1;
  }

  #takeOutput(event: AgentEvent): void {
    const step = this.#task.steps.find(({ number }) => number === event.step);
    if (step === undefined) return;
    if (event.type === "output") this.#outputOf(step).add(event.chunk);
    if (event.type !== "step-ended" || event.run === null) return;
    const { error, valueRepr, finalAnswer, notices } = event.run;
    // The value of `final_answer(…)` is the answer, which has a place of its own.
    const hasValue = valueRepr !== null && finalAnswer === null;
    const isShown = error !== null || hasValue || notices.length > 0;
    if (isShown || this.#outputs.has(step)) this.#outputOf(step).result = event.run;
  }

  #outputOf(step: TaskStep): OutputElement {
    let output = this.#outputs.get(step);
    if (output === undefined) {
      output = document.createElement("vitrine-output");
      output.setAttribute("exportparts", PARTS_OF_OUTPUT);
      this.#outputs.set(step, output);
    }
    return output;
  }
}
define("vitrine-app-agent-transcript", TranscriptElement);

const drawings = new WeakMap<HTMLElement, TranscriptDrawing>();

export function createTranscript(): AgentTranscript {
  const element = document.createElement("vitrine-app-agent-transcript");
  element.setAttribute("exportparts", PARTS);
  if (element instanceof TranscriptElement) drawings.set(element, element);
  return { element };
}

/** @throws {TypeError} for a transcript that {@link createTranscript} did not make. */
export function drawingOf({ element }: AgentTranscript): TranscriptDrawing {
  const drawing = drawings.get(element);
  if (drawing === undefined) throw new TypeError("A transcript is made by createTranscript.");
  return drawing;
}

let styles: CSSStyleSheet | undefined;

/** One for all transcripts of a page. */
function sheet(): CSSStyleSheet {
  if (styles === undefined) {
    styles = new CSSStyleSheet();
    styles.replaceSync(css);
  }
  return styles;
}
