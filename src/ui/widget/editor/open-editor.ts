import type { CellEditor, CellEditorOptions } from "../cell-runtime.js";
import { CodeEditor } from "./code-editor.js";
import css from "./editor.css?inline";
import type { Fault } from "./fault-mark.js";
import { tooMuch } from "./size-limits.js";
import { TooLongCode } from "./too-long-code.js";

/**
 * An editor for the code of a cell, to be put where the code was. Its styles are constructed, and added to the options'
 * root, so that no policy refuses them. Code that is too long for it is shown, not edited.
 */
export function openEditor(options: CellEditorOptions): CellEditor {
  adoptStyles(options.root);
  return new ChangingEditor(options);
}

/** The editor that fits the code it is given. */
class ChangingEditor implements CellEditor {
  readonly element = document.createElement("div");
  readonly #options: CellEditorOptions;
  #editor: CellEditor;

  constructor(options: CellEditorOptions) {
    this.#options = options;
    this.element.className = "cell-editor";
    this.element.dir = "ltr";
    this.#editor = editorFor(options);
    this.element.append(this.#editor.element);
  }

  get code(): string {
    return this.#editor.code;
  }

  /** Is not told to `onChange`, which is for what the reader does. */
  set code(code: string) {
    if (this.#editor instanceof CodeEditor && tooMuch(code) === null) {
      this.#editor.code = code;
      return;
    }
    const hadFocus = this.#editor.element.contains(this.#options.root.activeElement);
    this.#editor.close();
    this.#editor = editorFor({ ...this.#options, code });
    this.element.append(this.#editor.element);
    if (hadFocus) this.focus();
  }

  focus(): void {
    this.#editor.focus();
  }

  showFault(fault: Fault | null): void {
    this.#editor.showFault(fault);
  }

  close(): void {
    this.#editor.close();
    this.element.remove();
  }
}

function editorFor(options: CellEditorOptions): CellEditor {
  const much = tooMuch(options.code);
  return much === null ? new CodeEditor(options) : new TooLongCode(options, much);
}

let styles: CSSStyleSheet | undefined;

/** Before those that are there: what the cell sets for the same names is what counts. */
function adoptStyles(root: ShadowRoot): void {
  if (styles === undefined) {
    styles = new CSSStyleSheet();
    styles.replaceSync(css);
  }
  if (!root.adoptedStyleSheets.includes(styles)) root.adoptedStyleSheets = [styles, ...root.adoptedStyleSheets];
}
