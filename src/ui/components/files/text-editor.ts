import { closeBrackets } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { bracketMatching, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { EditorState, type Extension, type Text } from "@codemirror/state";
import { EditorView, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import { html, type TemplateResult } from "lit";

import { codeHighlighter } from "../../drawing/highlight.js";
import type { OpenFile } from "../../state/files/open-file.js";
import type { OpenFiles } from "../../state/files/open-files.js";
import type { Observable } from "../../state/text/observable.js";
import { ViewElement } from "../base/view-element.js";

/** How a file is while it is edited, so that what was changed, and can be undone, is there when it is shown again. */
interface Editing {
  readonly state: EditorState;
  /** The reading of the file that it began with. */
  readonly reads: number;
}

const editings = new WeakMap<OpenFile, Editing>();

/** Where the text of a file is edited. Tab stays the key that leaves it. */
export class TextEditor extends ViewElement {
  static override properties = { files: { attribute: false }, file: { attribute: false } };
  declare files: OpenFiles;
  declare file: OpenFile;
  #view: EditorView | undefined;
  #shown: OpenFile | undefined;
  #reads = -1;
  /** The text that was saved, and the same as the editor keeps it, to compare with. */
  #saved: { readonly text: string; readonly doc: Text } | undefined;

  protected override sources(): readonly Observable[] {
    return [this.files];
  }

  override render(): TemplateResult {
    return html`<div class="editor"></div>`;
  }

  override firstUpdated(): void {
    const parent = this.querySelector<HTMLElement>(".editor");
    if (parent === null) return;
    this.#view = new EditorView({
      parent,
      // Not as an extension: states outlive the element.
      dispatchTransactions: (transactions, view) => {
        view.update(transactions);
        if (transactions.some(({ docChanged }) => docChanged)) this.#report();
      },
    });
  }

  override updated(): void {
    this.#showFile();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#keep();
  }

  override focus(): void {
    this.#view?.focus();
  }

  #showFile(): void {
    const { file } = this;
    if (file === this.#shown && file.reads === this.#reads) {
      this.#report();
      return;
    }
    if (file !== this.#shown) this.#keep();
    const kept = editings.get(file);
    const selection = file === this.#shown ? this.#view?.state.selection.main.head : undefined;
    this.#shown = file;
    this.#reads = file.reads;
    this.#view?.setState(kept?.reads === file.reads ? kept.state : newState(file, selection));
    this.#report();
  }

  #keep(): void {
    const state = this.#view?.state;
    if (this.#shown !== undefined && state !== undefined) editings.set(this.#shown, { state, reads: this.#reads });
  }

  /** Says whether the text is another than what was saved. */
  #report(): void {
    const state = this.#view?.state;
    const file = this.#shown;
    if (state === undefined || file === undefined) return;
    if (this.#saved?.text !== file.savedText) {
      this.#saved = { text: file.savedText, doc: state.toText(file.savedText) };
    }
    this.files.edited(file, { isChanged: !state.doc.eq(this.#saved.doc), text: () => state.sliceDoc() });
  }
}
customElements.define("vitrine-app-text-editor", TextEditor);

declare global {
  interface HTMLElementTagNameMap {
    "vitrine-app-text-editor": TextEditor;
  }
}

function newState(file: OpenFile, selection = 0): EditorState {
  const { content, savedText } = file;
  const lineEnd = content.kind === "text" ? content.lineEnd : "\n";
  const state = EditorState.create({
    doc: savedText,
    extensions: [
      EditorState.lineSeparator.of(lineEnd),
      lineNumbers(),
      history(),
      highlightSpecialChars(),
      indentUnit.of("    "),
      EditorState.tabSize.of(4),
      languageOf(file.path),
      EditorView.lineWrapping,
      // It may get another path.
      EditorView.contentAttributes.of(() => ({ "aria-label": `Text of ${file.path}` })),
      keymap.of([...historyKeymap, ...defaultKeymap]),
    ],
  });
  return state.update({ selection: { anchor: Math.min(selection, state.doc.length) } }).state;
}

function languageOf(path: string): Extension {
  if (!/\.pyi?$/.test(path)) return [];
  return [python(), bracketMatching(), closeBrackets(), syntaxHighlighting(codeHighlighter)];
}
