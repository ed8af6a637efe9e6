import type { CellSettings } from "../cell-runtime.js";
import { holdSession, letGoOfSession, sessionOf } from "../shared/session-holders.js";

/** A cell as the others of its page see it. */
export interface PageCell extends HTMLElement {
  /** Tells it its place among the cells that are shown, counted from 1. */
  placeIs(number: number): void;
  /** What it adds to the session that it shares, where it is hidden. */
  share(): CellShare;
}

export interface CellShare {
  /** Its setup and its code. */
  readonly code: string;
  readonly settings: Omit<CellSettings, "setup">;
  readonly problems: readonly string[];
}

/** The cells of a page, in the order of the page. */
export class PageCells {
  readonly #cells = new Set<PageCell>();
  /** Null after a change. */
  #order: readonly PageCell[] | null = null;
  #isCountDue = false;

  /** Also where it has been moved. */
  add(cell: PageCell): void {
    this.#cells.add(cell);
    holdSession(cell);
    this.#order = null;
    this.recount();
  }

  remove(cell: PageCell): void {
    this.#cells.delete(cell);
    letGoOfSession(cell);
    this.#order = null;
    this.recount();
  }

  /** Once for all cells that come in one go. */
  recount(): void {
    if (this.#isCountDue) return;
    this.#isCountDue = true;
    queueMicrotask(() => {
      this.#isCountDue = false;
      const shown = this.#inOrder().filter((cell) => !cell.hidden);
      for (const [index, cell] of shown.entries()) cell.placeIs(index + 1);
    });
  }

  /** The hidden ones before `element`, a cell or an agent, that share its session. */
  hiddenBefore(element: Element): CellShare[] {
    const session = sessionOf(element);
    if (session === null) return [];
    return this.#inOrder()
      .filter((each) => each.hidden && sessionOf(each) === session && isBefore(each, element))
      .map((each) => each.share());
  }

  /** The first cell that shares the session of `element`; itself, where it is that one or alone. */
  firstOfSession(element: Element): Element {
    const session = sessionOf(element);
    return (session === null ? undefined : this.#inOrder().find((each) => sessionOf(each) === session)) ?? element;
  }

  #inOrder(): readonly PageCell[] {
    this.#order ??= inOrder([...this.#cells]);
    return this.#order;
  }
}

/** Those of this page. */
export const pageCells = new PageCells();

/** They come in the order of the page, but for those that are put between others later. */
function inOrder(cells: readonly PageCell[]): readonly PageCell[] {
  const isSorted = cells.every((cell, index) => index === 0 || isBefore(cells[index - 1], cell));
  return isSorted ? cells : cells.toSorted((one, other) => (isBefore(one, other) ? -1 : 1));
}

function isBefore(one: Element | undefined, other: Element): boolean {
  return one !== undefined && (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
}

/** What a run of `cell` asks for, with what the hidden cells before it add. */
export function withHidden(
  cell: Omit<CellSettings, "setup">,
  hidden: readonly CellShare[],
): Omit<CellSettings, "setup"> {
  const all = [...hidden.map(({ settings }) => settings), cell];
  const files = new Map(all.flatMap((each) => each.files).map((file) => [file.path, file]));
  return {
    ...cell,
    deps: unique(all.flatMap(({ deps }) => deps)),
    packages: unique(all.flatMap(({ packages }) => packages)),
    files: [...files.values()],
    tools: unique(all.flatMap(({ tools }) => tools)),
  };
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)];
}
