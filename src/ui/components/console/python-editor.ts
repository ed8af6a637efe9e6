import { acceptCompletion, completionStatus } from "@codemirror/autocomplete";
import { defaultKeymap, historyKeymap, insertNewlineAndIndent } from "@codemirror/commands";
import { EditorState, Prec } from "@codemirror/state";
import { EditorView, keymap, placeholder } from "@codemirror/view";
import { html, type TemplateResult } from "lit";

import { isIncomplete } from "../../state/text/incomplete-code.js";
import type { PythonConsole } from "../../state/console/python-console.js";
import { ViewElement } from "../base/view-element.js";
import { acceptOffer, pythonEditing } from "./python-editing.js";

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

  /** Writes code where nothing is written. The focus stays where it is: with it, the next Enter would run what came from elsewhere. */
  async offer(code: string): Promise<void> {
    await this.updateComplete;
    if (this.#code === "") this.#write(code);
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
        pythonEditing((code) => this.console.complete(code)),
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
