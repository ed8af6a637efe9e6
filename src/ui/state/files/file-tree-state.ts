import { Observable } from "../text/observable.js";
import type { Shelf } from "../shelf/shelf.js";
import { foldersAround, PathTree, type TreeRow } from "./path-tree.js";

/** Which folders of `/workspace` are open, and where in the tree a person is. */
export class FileTreeState extends Observable {
  readonly #shelf: Shelf;
  readonly #open = new Set<string>();
  #active = "";
  /** Where it was when it was last seen: what is there now takes its place once it is gone. */
  #activeAt = 0;
  #files: Shelf["files"] | undefined;
  /** Becomes the active one when it comes to be there. */
  #wanted: string | undefined;
  #tree = new PathTree([]);
  #rows: readonly TreeRow[] | undefined;

  constructor(shelf: Shelf) {
    super();
    this.#shelf = shelf;
    shelf.onChange(() => {
      this.changed();
    });
  }

  /** What is to be seen, from above. */
  get rows(): readonly TreeRow[] {
    const { files } = this.#shelf;
    if (files !== this.#files) {
      this.#files = files;
      this.#tree = new PathTree(files);
      this.#rows = undefined;
    }
    this.#rows ??= this.#tree.rows(this.#open);
    if (this.#wanted !== undefined && this.#rows.some(({ path }) => path === this.#wanted)) {
      this.#active = this.#wanted;
      this.#wanted = undefined;
    }
    return this.#rows;
  }

  /** The row that keys act on. */
  get active(): TreeRow | undefined {
    return this.rows[this.activeIndex];
  }

  /** -1 where there are no files. */
  get activeIndex(): number {
    const { rows } = this;
    // It is where it was, except after files came or went.
    if (rows[this.#activeAt]?.path !== this.#active) {
      const found = rows.findIndex(({ path }) => path === this.#active);
      this.#activeAt = Math.min(found < 0 ? this.#activeAt : found, Math.max(0, rows.length - 1));
    }
    return rows.length === 0 ? -1 : this.#activeAt;
  }

  activate(path: string): void {
    this.#active = path;
    this.changed();
  }

  setOpen(path: string, isOpen: boolean): void {
    if (isOpen) this.#open.add(path);
    else this.#open.delete(path);
    this.#rows = undefined;
    this.changed();
  }

  /** Opens whatever is around a path, and makes it the active one as soon as it is there. */
  reveal(path: string): void {
    for (const folder of foldersAround(path)) this.#open.add(folder);
    this.#rows = undefined;
    this.#wanted = path;
    this.changed();
  }

  /** Opens all folders that are beside a row. */
  openBeside({ path, level }: TreeRow): void {
    const around = path.slice(0, path.lastIndexOf("/") + 1);
    for (const row of this.rows) {
      if (row.file === null && row.level === level && row.path.startsWith(around)) this.#open.add(row.path);
    }
    this.#rows = undefined;
    this.changed();
  }
}

const states = new WeakMap<Shelf, FileTreeState>();

/** The one of a shelf, which outlives the element that draws it. */
export function fileTreeOf(shelf: Shelf): FileTreeState {
  const state = states.get(shelf) ?? new FileTreeState(shelf);
  states.set(shelf, state);
  return state;
}
