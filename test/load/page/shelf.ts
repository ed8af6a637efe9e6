import { indexedDBStorage, type Session } from "../../../src/index.js";
import { ShelfView } from "../../../src/ui/components/shelf/shelf-view.js";
import { AppState } from "../../../src/ui/state/app-state.js";
import { place } from "./drawing.js";

/** Milliseconds without a change after which the lists are drawn. */
const QUIET = 500;

/** The demo's shelf beside a session of the demo, which draws what the session keeps while code works on it. */
export class ShelfOnPage {
  readonly #app = new AppState({
    openStorage: () => indexedDBStorage("load-shelf"),
    seeds: [],
    shipped: [],
    keyValueStore: () => localStorage,
    fetchFile: (url) => Promise.reject(new Error(`No file is fetched, ${url} neither.`)),
    serverAuth: () => Promise.reject(new Error("Nobody logs in.")),
  });
  readonly #view = new ShelfView();

  constructor() {
    this.#view.app = this.#app;
    this.#app.approvals.onChange(() => this.#app.approvals.pending?.allowAll());
  }

  /** The session, opened if it is not. */
  session(): Promise<Session> {
    return this.#app.session.open();
  }

  /** Shows a tab of the shelf. */
  async show(tab: string): Promise<void> {
    place.append(this.#view);
    await this.#view.updateComplete;
    this.#view.show(tab);
    await this.#view.updateComplete;
  }

  /** Leaves the tab that is shown and comes back to it: all that is stored by now is drawn from its beginning. */
  async showAgain(tab: string): Promise<void> {
    this.#view.show("console");
    await this.#view.updateComplete;
    this.#view.show(tab);
    await this.#view.updateComplete;
  }

  /** Ends when nothing has been drawn for a while. */
  async drawn(): Promise<void> {
    let last = performance.now();
    const observer = new MutationObserver(() => {
      last = performance.now();
    });
    observer.observe(this.#view, { subtree: true, childList: true, characterData: true });
    while (performance.now() - last < QUIET) await new Promise((resolve) => setTimeout(resolve, 50));
    observer.disconnect();
  }
}
