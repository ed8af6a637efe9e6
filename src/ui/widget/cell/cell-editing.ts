import type { CellEditor, CellEditorOptions } from "../cell-runtime.js";

import type { CellChrome } from "./cell-chrome.js";
import { parts } from "./parts.js";

export type EditingOptions = Pick<CellEditorOptions, "code" | "label" | "onChange" | "onRun" | "complete">;

/** The editor of a cell, from the first click into the code to Reset. */
export class CellEditing {
  #editor: CellEditor | null = null;
  #isComing = false;

  /** What the reader made of the code; null where no editor is open. */
  get code(): string | null {
    return this.#editor?.code ?? null;
  }

  get isOpen(): boolean {
    return this.#editor !== null;
  }

  /** Puts an editor in the place of the code; the focus goes there. False where it is there or on its way. @throws {PartLoadError} */
  async open(chrome: CellChrome, options: () => EditingOptions): Promise<boolean> {
    if (this.#editor !== null || this.#isComing) {
      this.#editor?.focus();
      return false;
    }
    this.#isComing = true;
    try {
      const editor = await parts.current.openEditor({
        ...options(),
        readonly: false,
        root: chrome.root,
        onLeave: () => chrome.run.focus(),
      });
      chrome.placeEditor(editor);
      this.#editor = editor;
      editor.focus();
      return true;
    } finally {
      this.#isComing = false;
    }
  }

  write(code: string): void {
    if (this.#editor !== null) this.#editor.code = code;
  }

  showFault(fault: { readonly line: number; readonly message: string } | null): void {
    this.#editor?.showFault(fault);
  }

  /** The author's code is back. */
  close(chrome: CellChrome): void {
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
