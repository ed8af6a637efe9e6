import type { OutputChunk } from "../../../protocol/index.js";
import type { RunResult } from "../../../session/index.js";
import "../../components/content/output-view.js";
import { OutputLog } from "../../state/text/output-log.js";
import type { OutputElement } from "../cell-runtime.js";
import css from "./output.css?inline";
import { PageScheme } from "./page-scheme.js";

/**
 * The element `<vitrine-output>`: what a run printed, showed and came to, drawn as it comes.
 *
 * ```ts
 * const output = document.querySelector("vitrine-output");
 * output.result = await session.run(code, { onOutput: (chunk) => output.add(chunk) });
 * ```
 *
 * What code made is not trusted, on any page and without any policy of the page: HTML and drawings are drawn in frames
 * without scripts, origin and network, Markdown loses all that could load or lead away, and a link opens only after the
 * whole of its target was shown.
 *
 * It has the colours and fonts of custom properties, each with a default for light and dark pages: `--vitrine-paper`,
 * `--vitrine-ink`, `--vitrine-quiet`, `--vitrine-line`, `--vitrine-sunken`, `--vitrine-accent`, `--vitrine-on-accent`,
 * `--vitrine-warn`, `--vitrine-bad`, `--vitrine-font`, `--vitrine-mono`, `--vitrine-radius`. Its own styles are
 * constructed, which every policy lets. `::part(text)`, `::part(error)`, `::part(rich)` and `::part(notice)` are what was
 * printed, what was raised, what is drawn, and what is to be noted.
 */
export class VitrineOutput extends HTMLElement implements OutputElement {
  readonly #view = document.createElement("vitrine-app-output");
  readonly #scheme = new PageScheme((isDark) => {
    this.#content.classList.toggle("dark", isDark);
  });
  readonly #content = document.createElement("div");
  #log = new OutputLog();
  #result: RunResult | null = null;

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [sheet()];
    this.#content.append(this.#view);
    root.append(this.#content, this.#scheme.probe);
  }

  connectedCallback(): void {
    this.#scheme.watch();
    this.#draw();
  }

  disconnectedCallback(): void {
    this.#scheme.unwatch();
  }

  /** What the run came to: its value, its error and what is to be noted. Null while it goes on. */
  get result(): RunResult | null {
    return this.#result;
  }

  set result(result: RunResult | null) {
    this.#result = result;
    // Of what is not shown no change is heard.
    this.#scheme.look();
    this.#draw();
  }

  /** Settles when all that was given so far is drawn, but for what is far from what is seen, which is drawn once it is near. */
  get updateComplete(): Promise<boolean> {
    return this.#view.updateComplete;
  }

  /** Takes away what is drawn, also the result. */
  clear(): void {
    this.#log = new OutputLog();
    this.#result = null;
    this.#draw();
  }

  /** Adds a piece of output, as `onOutput` of `session.run` gives it. */
  add(chunk: OutputChunk): void {
    this.#log.add(chunk);
    this.#draw();
  }

  #draw(): void {
    const view = this.#view;
    view.output = this.#log;
    view.result = this.#result;
    view.version += 1;
  }
}

let styles: CSSStyleSheet | undefined;

/** One for all elements of a page. */
function sheet(): CSSStyleSheet {
  if (styles === undefined) {
    styles = new CSSStyleSheet();
    styles.replaceSync(css);
  }
  return styles;
}
