import { StateEffect, StateField, type Extension } from "@codemirror/state";
import { Decoration, EditorView, WidgetType, type DecorationSet } from "@codemirror/view";

/** A line, counted from 1, and what is wrong there. */
export interface Fault {
  readonly line: number;
  readonly message: string;
}

/** Marks a line; null takes the mark away. */
export const setFault = StateEffect.define<Fault | null>();

class Words extends WidgetType {
  readonly #message: string;

  constructor(message: string) {
    super();
    this.#message = message;
  }

  override eq(other: Words): boolean {
    return other.#message === this.#message;
  }

  override toDOM(): HTMLElement {
    const element = document.createElement("div");
    element.className = "cm-fault";
    element.textContent = this.#message;
    return element;
  }
}

interface Marked {
  readonly from: number;
  readonly to: number;
  readonly decorations: DecorationSet;
}

/** The mark, which goes when the line is edited. */
const mark = StateField.define<Marked | null>({
  create: () => null,
  update(marked, { effects, changes, newDoc }) {
    let next = marked;
    if (next !== null && !changes.empty) {
      next = changes.touchesRange(next.from, next.to)
        ? null
        : {
            from: changes.mapPos(next.from, 1),
            to: changes.mapPos(next.to, -1),
            decorations: next.decorations.map(changes),
          };
    }
    for (const effect of effects) {
      if (!effect.is(setFault)) continue;
      if (effect.value === null) {
        next = null;
        continue;
      }
      const { line, message } = effect.value;
      const { from, to } = newDoc.line(Math.min(Math.max(1, line), newDoc.lines));
      const decorations = Decoration.set([
        Decoration.line({ class: "cm-fault-line" }).range(from),
        Decoration.widget({ widget: new Words(message), block: true, side: 1 }).range(to),
      ]);
      next = { from, to, decorations };
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field, (marked) => marked?.decorations ?? Decoration.none),
});

export const faultMark: Extension = mark;
