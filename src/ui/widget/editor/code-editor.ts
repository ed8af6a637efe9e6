import { closeBracketsKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, historyKeymap, indentLess, indentMore } from "@codemirror/commands";
import { Annotation, EditorState, Prec, type Extension } from "@codemirror/state";
import { EditorView, highlightSpecialChars, keymap, type KeyBinding } from "@codemirror/view";

import { acceptOffer, INDENT, pythonEditing } from "../../components/console/python-editing.js";
import type { CellEditor, CellEditorOptions } from "../cell-runtime.js";
import { faultMark, setFault, type Fault } from "./fault-mark.js";
import { tooMuchAfter } from "./size-limits.js";

/** On changes that are not the reader's. */
const fromCell = Annotation.define<true>();

let editors = 0;

/** CodeMirror in the place of a cell's code. */
export class CodeEditor implements CellEditor {
  readonly element = document.createElement("div");
  readonly #options: CellEditorOptions;
  readonly #view: EditorView;
  /** Says why a change was not made. */
  readonly #notice = document.createElement("p");

  constructor(options: CellEditorOptions) {
    this.#options = options;
    this.#notice.className = "editor-notice";
    this.#notice.role = "status";
    this.#view = new EditorView({ root: options.root, parent: this.element, state: this.#newState() });
    this.element.append(this.#notice);
    if (!options.readonly) this.#describe();
    for (const type of ["keydown", "keypress", "keyup"] as const) this.element.addEventListener(type, keepTyping);
  }

  get code(): string {
    return this.#view.state.sliceDoc();
  }

  set code(code: string) {
    if (code === this.code) return;
    this.#view.dispatch({
      changes: { from: 0, to: this.#view.state.doc.length, insert: code },
      annotations: fromCell.of(true),
    });
  }

  focus(): void {
    this.#view.focus();
  }

  showFault(fault: Fault | null): void {
    this.#view.dispatch({ effects: setFault.of(fault) });
  }

  close(): void {
    this.#view.destroy();
    this.element.remove();
  }

  #newState(): EditorState {
    const { code, label, readonly, complete } = this.#options;
    return EditorState.create({
      doc: code,
      extensions: [
        pythonEditing(complete),
        // Letters that turn the reading order round would make other code of it than what is read.
        highlightSpecialChars(),
        faultMark,
        EditorState.readOnly.of(readonly),
        EditorView.contentAttributes.of({
          "aria-label": label,
          // Else not all take for granted that what scrolls can be reached by keyboard.
          tabindex: "0",
          // Code that is only read brings up no keyboard on a phone.
          ...(readonly ? { inputmode: "none", "aria-readonly": "true" } : {}),
        }),
        this.#limits(),
        EditorView.updateListener.of(({ transactions }) => {
          if (transactions.some((change) => change.docChanged && change.annotation(fromCell) !== true))
            this.#options.onChange();
        }),
        // Before those that CodeMirror has for the same keys, but for the list of names, which takes Escape and Tab first.
        Prec.high(keymap.of(this.#keys())),
        keymap.of([...closeBracketsKeymap, ...historyKeymap, ...defaultKeymap]),
      ],
    });
  }

  /** Refuses what would make more of the code than can be edited, and says so. */
  #limits(): Extension {
    return EditorState.transactionFilter.of((change) => {
      if (!change.docChanged || change.annotation(fromCell) === true) return change;
      const much = tooMuchAfter(change);
      this.#notice.textContent =
        much === null ? "" : `Not inserted: the code would have ${much}, which is more than can be edited here.`;
      return much === null ? change : [];
    });
  }

  #keys(): KeyBinding[] {
    const { onRun, onLeave } = this.#options;
    const run = (): boolean => {
      onRun();
      return true;
    };
    const leave = (view: EditorView): boolean => {
      // Also where the cell leaves the focus here, the next Tab goes on.
      view.setTabFocusMode(2000);
      onLeave();
      return true;
    };
    return [
      { key: "Mod-Enter", run },
      { key: "Escape", run: leave },
      { key: "Tab", run: (view) => acceptOffer(view) || indent(view), shift: indentLess },
    ];
  }

  /** Tells those who do not see it how to get out, where Tab does not. */
  #describe(): void {
    const help = document.createElement("p");
    editors += 1;
    help.id = `editor-help-${String(editors)}`;
    help.className = "visually-hidden";
    help.textContent = "Press Escape and then Tab to leave.";
    this.element.append(help);
    this.#view.contentDOM.setAttribute("aria-describedby", help.id);
  }
}

/** To the next step, or all lines that are selected. Where nothing may change, Tab is left to the page. */
function indent(view: EditorView): boolean {
  const { state } = view;
  if (state.readOnly) return false;
  const { main, ranges } = state.selection;
  if (ranges.length > 1 || !main.empty) return indentMore(view);
  const column = main.head - state.doc.lineAt(main.head).from;
  const spaces = INDENT.slice(column % INDENT.length);
  view.dispatch(state.replaceSelection(spaces), { scrollIntoView: true, userEvent: "input.indent" });
  return true;
}

/**
 * Keeps from the page what is typed. Outside of the shadow tree a key seems to be pressed on the cell, and sites have keys of
 * their own: `s` and `/` open the search of many.
 */
function keepTyping(event: KeyboardEvent): void {
  const isShortcut = (event.ctrlKey || event.metaKey) && !event.getModifierState("AltGraph");
  if (!isShortcut || event.defaultPrevented) event.stopPropagation();
}
