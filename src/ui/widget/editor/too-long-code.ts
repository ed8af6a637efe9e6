import { cutText } from "../../state/text/text-ends.js";
import type { CellEditor, CellEditorOptions } from "../cell-runtime.js";
import type { Fault } from "./fault-mark.js";

/** Characters that are shown of it. */
const MOST_SHOWN = 20_000;

/** Code that no editor takes without holding up the page: its beginning, and a sentence that says so. It can be run. */
export class TooLongCode implements CellEditor {
  readonly element = document.createElement("div");
  readonly code: string;
  readonly #text = document.createElement("pre");
  readonly #notice = document.createElement("p");
  readonly #why: string;

  /** @param much - ends the sentence that says how much it is. */
  constructor({ code, label, onLeave, onRun }: CellEditorOptions, much: string) {
    this.code = code;
    this.#why = `This code cannot be edited here: it has ${much}. It can be run as it is.`;
    this.#text.className = "too-long";
    this.#text.tabIndex = 0;
    this.#text.role = "group";
    this.#text.ariaLabel = label;
    this.#text.textContent = cutText(code, MOST_SHOWN);
    this.#text.addEventListener("keydown", (event) => {
      if (event.key === "Escape") onLeave();
      else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) onRun();
    });
    this.#notice.className = "editor-notice";
    this.#notice.textContent = this.#why;
    this.element.append(this.#text, this.#notice);
  }

  focus(): void {
    this.#text.focus();
  }

  showFault(fault: Fault | null): void {
    this.#notice.textContent =
      fault === null ? this.#why : `Line ${fault.line.toLocaleString("en-US")}: ${fault.message} ${this.#why}`;
  }

  close(): void {
    this.element.remove();
  }
}
