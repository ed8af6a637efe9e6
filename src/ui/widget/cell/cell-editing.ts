import type { CellEditor, CellEditorOptions } from "../cell-runtime.js";
import { parts } from "../shared/parts.js";

import type { CellChrome } from "./cell-chrome.js";

export type EditingOptions = Pick<CellEditorOptions, "code" | "label" | "onChange" | "onRun" | "complete">;

/** The editor of a cell, from the first click into the code to Reset. */
export class CellEditing {
  #editor: CellEditor | null = null;
  /** The one that is on its way; another, or null, where it is not wanted any more. */
  #coming: object | null = null;

  /** What the reader made of the code; null where no editor is open. */
  get code(): string | null {
    return this.#editor?.code ?? null;
  }

  get isOpen(): boolean {
    return this.#editor !== null;
  }

  /**
   * Puts an editor in the place of the code; the focus goes there.
   *
   * @param options - asked again once the editor has come: the code may be another by then.
   * @returns false where it is there or on its way, or was given up before it came. @throws {PartLoadError}
   */
  async open(chrome: CellChrome, options: () => EditingOptions): Promise<boolean> {
    if (this.#editor !== null || this.#coming !== null) {
      this.#editor?.focus();
      return false;
    }
    const coming = {};
    this.#coming = coming;
    try {
      const editor = await parts.current.openEditor({
        ...options(),
        readonly: false,
        root: chrome.root,
        onLeave: () => chrome.run.focus(),
      });
      if (this.#coming !== coming) {
        editor.close();
        return false;
      }
      const { code } = options();
      if (editor.code !== code) editor.code = code;
      chrome.placeEditor(editor);
      this.#editor = editor;
      editor.focus();
      return true;
    } finally {
      if (this.#coming === coming) this.#coming = null;
    }
  }

  write(code: string): void {
    if (this.#editor !== null) this.#editor.code = code;
  }

  showFault(fault: { readonly line: number; readonly message: string } | null): void {
    this.#editor?.showFault(fault);
  }

  /** Gives up an editor that is on its way. */
  giveUp(): void {
    this.#coming = null;
  }

  /** The author's code is back. */
  close(chrome: CellChrome): void {
    this.giveUp();
    if (this.#editor === null) return;
    this.#editor.close();
    this.#editor = null;
    chrome.removeEditor();
  }
}

/** How the reader of this page runs code from within the editor. */
export function runKeys(): string {
  return /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘ Enter" : "Ctrl+Enter";
}
