import {
  acceptCompletion,
  autocompletion,
  closeBrackets,
  completionStatus,
  type CompletionContext,
  type CompletionResult,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, insertNewlineAndIndent } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { bracketMatching, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { EditorState, Prec } from "@codemirror/state";
import { EditorView, keymap, placeholder } from "@codemirror/view";
import { html, type TemplateResult } from "lit";

import { codeHighlighter } from "../../drawing/highlight.js";
import { isIncomplete } from "../../state/text/incomplete-code.js";
import type { PythonConsole } from "../../state/console/python-console.js";
import { ViewElement } from "../base/view-element.js";

/**
 * Takes the first offer of an open list. In the instant after it opened the list takes no key, so that nobody accepts
 * what they have not seen; Tab must not leave the editor then either.
 */
function acceptOffer(view: EditorView): boolean {
  if (completionStatus(view.state) !== "active") return false;
  acceptCompletion(view);
  return true;
}

/** Where code for the console is written. Tab stays the key that leaves it. */
export class PythonEditor extends ViewElement {
  static override properties = { console: { attribute: false } };
  declare console: PythonConsole;
  #view: EditorView | undefined;
  /** Position in the history, counted from the newest; 0 is what is being written. */
  #back = 0;
  #unsent = "";

  override render(): TemplateResult {
    return html`<div class="editor"></div>`;
  }

  override firstUpdated(): void {
    const parent = this.querySelector<HTMLElement>(".editor");
    if (parent === null) return;
    this.#view = new EditorView({ parent, state: this.#newState() });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    drafts.set(this.console, this.#code);
  }

  override focus(): void {
    this.#view?.focus();
  }

  /** Replaces what is written, for the user to go on. */
  async edit(code: string): Promise<void> {
    await this.updateComplete;
    this.#back = 0;
    this.#write(code);
    this.#view?.focus();
  }

  /** Runs what is written. */
  submit(): void {
    const code = this.#code.replace(/\s+$/, "");
    if (code === "") return;
    this.#back = 0;
    this.#unsent = "";
    this.#write("");
    this.#view?.focus();
    void this.console.run(code);
  }

  #newState(): EditorState {
    return EditorState.create({
      doc: drafts.get(this.console) ?? "",
      extensions: [
        history(),
        python(),
        indentUnit.of("    "),
        bracketMatching(),
        closeBrackets(),
        syntaxHighlighting(codeHighlighter),
        autocompletion({ override: [(context) => this.#complete(context)], icons: false }),
        placeholder("Python"),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ "aria-label": "Python" }),
        Prec.highest(keymap.of(this.#keys())),
        keymap.of([...historyKeymap, ...defaultKeymap]),
      ],
    });
  }

  #keys() {
    return [
      { key: "Mod-Enter", run: () => this.#submitNow() },
      { key: "Shift-Enter", run: insertNewlineAndIndent },
      { key: "Enter", run: (view: EditorView) => this.#enter(view) },
      { key: "Tab", run: acceptOffer },
      { key: "ArrowUp", run: (view: EditorView) => this.#recall(view, 1) },
      { key: "ArrowDown", run: (view: EditorView) => this.#recall(view, -1) },
    ];
  }

  #submitNow(): boolean {
    this.submit();
    return true;
  }

  #enter(view: EditorView): boolean {
    if (completionStatus(view.state) === "active" && acceptCompletion(view)) return true;
    const { head } = view.state.selection.main;
    if (head < view.state.doc.length || isIncomplete(this.#code)) return insertNewlineAndIndent(view);
    return this.#submitNow();
  }

  #recall(view: EditorView, step: number): boolean {
    const { state } = view;
    const line = state.doc.lineAt(state.selection.main.head).number;
    const atEdge = step > 0 ? line === 1 : line === state.doc.lines;
    const { history: entries } = this.console;
    const next = this.#back + step;
    if (completionStatus(state) === "active" || !atEdge || next < 0 || next > entries.length) return false;
    if (this.#back === 0) this.#unsent = this.#code;
    this.#back = next;
    this.#write(next === 0 ? this.#unsent : (entries[entries.length - next] ?? ""));
    return true;
  }

  async #complete(context: CompletionContext): Promise<CompletionResult | null> {
    // The interpreter looks at the last name alone.
    const word = context.matchBefore(/[\w.]+/);
    if (word === null || (!context.explicit && !/[\w.]$/.test(word.text)) || /^\d/.test(word.text)) return null;
    const completion = await this.console.complete(word.text);
    if (completion === null || context.aborted || completion.options.length === 0) return null;
    return {
      from: word.from + completion.from,
      options: completion.options.map(({ label, kind, detail }) => ({ label, type: kind, detail })),
      validFor: /^\w*$/,
    };
  }

  get #code(): string {
    return this.#view?.state.doc.toString() ?? "";
  }

  #write(code: string): void {
    const view = this.#view;
    if (view === undefined) return;
    view.dispatch({
      changes: { from: 0, to: view.state.doc.length, insert: code },
      selection: { anchor: code.length },
    });
  }
}
customElements.define("vitrine-app-python-editor", PythonEditor);

/** What was being written when the console was put away. */
const drafts = new WeakMap<PythonConsole, string>();

declare global {
  interface HTMLElementTagNameMap {
    "vitrine-app-python-editor": PythonEditor;
  }
}
