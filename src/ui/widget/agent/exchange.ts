import { h } from "../shared/dom.js";
import { message } from "../shared/state-line.js";

/** A question with what came of it. */
export class Exchange {
  readonly #work = h("div", { class: "work" });
  readonly #end = h("div");
  readonly element: HTMLElement;
  /** It did not come to the question: the next one takes its place. */
  isUnasked = false;

  constructor(question: string) {
    const text = h("p", { class: "question", part: "question" }, h("bdi", {}, question));
    this.element = h("div", { class: "exchange", part: "exchange" }, text, this.#work, this.#end);
  }

  show(transcript: HTMLElement): void {
    this.#work.replaceChildren(transcript);
  }

  /** Why there is no answer. */
  showFailure(text: string): void {
    this.#end.replaceChildren(message(text));
  }

  remove(): void {
    this.element.remove();
  }
}
