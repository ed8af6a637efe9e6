import { html, nothing, render, type TemplateResult } from "lit";

import type { PackageSourceOptions } from "../../src/index.js";
import { checkPackage } from "./check-package.js";
import { engineOf } from "./engine-of.js";
import { packageTable, titleOf } from "./package-table.js";
import { CheckResult, type PackageResult } from "./result.js";
import type { CheckedPackage, SourceName } from "./snippets/index.js";

export interface PageOptions {
  readonly packages: readonly CheckedPackage[];
  readonly sources: Readonly<Record<SourceName, PackageSourceOptions>>;
  /** Where the files of each source come from, for people: a folder or a host. */
  readonly places: Readonly<Record<SourceName, string>>;
  /** Of the sources that the page was built from. */
  readonly commit: string;
  /** How many interpreters each package is imported in, to time it. */
  readonly imports?: number;
  /** What is chosen at first. */
  readonly chosen?: readonly SourceName[];
}

type State = "waiting" | "running" | "stopped" | "done";

const sourceNames: readonly SourceName[] = ["wheels", "pyodide"];

/** The page: a choice of sources, Start and Stop, a table for each source, and the result as JSON. */
export class PackagesCheckPage {
  readonly #root: HTMLElement;
  readonly #options: PageOptions;
  readonly #chosen: Set<SourceName>;
  #state: State = "waiting";
  #results: ReadonlyMap<CheckedPackage, PackageResult> = new Map();
  #versions = { pyodide: "", python: "" };
  #stopping = new AbortController();
  /** For those who listen. */
  #news = "";
  #json = "";

  constructor(root: HTMLElement, options: PageOptions) {
    this.#root = root;
    this.#options = options;
    this.#chosen = new Set(options.chosen ?? sourceNames);
    this.#draw();
  }

  /** Nothing is fetched from a source before this. */
  async #start(): Promise<void> {
    const packages = this.#options.packages.filter(({ source }) => this.#chosen.has(source));
    this.#stopping = new AbortController();
    this.#results = new Map();
    this.#json = "";
    this.#say("running", "The check began.");
    const { signal } = this.#stopping;
    try {
      for (const checked of packages) {
        const result = await checkPackage(checked, {
          from: this.#options.sources[checked.source],
          imports: this.#options.imports,
          signal,
          onProgress: (news) => {
            this.#results = new Map(this.#results).set(checked, news);
            this.#draw();
          },
          onVersions: ({ pyodide, python }) => {
            this.#versions = { pyodide, python };
          },
        });
        this.#say("running", inWords(checked, result));
      }
      this.#end("done", summaryOf([...this.#results.values()], packages));
    } catch (error) {
      if (!signal.aborted) throw error;
      this.#end("stopped", "The check was stopped.");
    }
  }

  #end(state: State, news: string): void {
    const { userAgent } = navigator;
    const result: CheckResult = CheckResult.parse({
      format: 1,
      commit: this.#options.commit,
      date: new Date().toISOString(),
      engine: engineOf(userAgent),
      userAgent: userAgent.slice(0, 500),
      ...this.#versions,
      // What was under way when it was stopped has no end to report.
      packages: [...this.#results.values()].filter(isOver),
    });
    this.#json = `${JSON.stringify(result, null, 2)}\n`;
    this.#say(state, news);
  }

  #say(state: State, news: string): void {
    this.#state = state;
    this.#news = news;
    this.#draw();
  }

  #draw(): void {
    this.#root.dataset.state = this.#state;
    const shown = sourceNames.filter((source) => this.#options.packages.some((each) => each.source === source));
    render(
      html`
        <h1>Package check</h1>
        <p>
          Installs packages in sealed sessions of Vitrine in this browser, times their import, and runs a few lines of
          code with each. Nothing is fetched before Start, and nothing is sent anywhere.
        </p>
        <fieldset ?disabled=${this.#state === "running"}>
          <legend>Packages</legend>
          ${shown.map((source) => this.#choice(source))}
        </fieldset>
        <div class="row">${this.#buttons()} ${this.#progress()}</div>
        <p class="news" role="status">${this.#news}</p>
        ${this.#json === "" ? nothing : this.#download()}
        ${shown.map((source) => {
          const packages = this.#options.packages.filter((each) => each.source === source);
          return packageTable(source, packages, this.#results);
        })}
      `,
      this.#root,
    );
  }

  #choice(source: SourceName): TemplateResult {
    const choose = (event: Event): void => {
      if (event.target instanceof HTMLInputElement && event.target.checked) this.#chosen.add(source);
      else this.#chosen.delete(source);
      this.#draw();
    };
    const names = this.#options.packages.filter((each) => each.source === source).map(({ name }) => name);
    return html`<label>
      <input type="checkbox" name=${source} .checked=${this.#chosen.has(source)} @change=${choose} />
      <span>
        <b>${titleOf(source)}</b>, fetched from <b class="place">${this.#options.places[source]}</b>
        <span class="quiet">${names.join(", ")}</span>
      </span>
    </label>`;
  }

  #buttons(): TemplateResult {
    const isRunning = this.#state === "running";
    return html`
      <button
        class="btn primary"
        id="start"
        type="button"
        ?disabled=${isRunning || this.#chosen.size === 0}
        @click=${() => void this.#start()}
      >
        Start
      </button>
      <button
        class="btn"
        id="stop"
        type="button"
        ?disabled=${!isRunning}
        @click=${() => {
          this.#stopping.abort();
        }}
      >
        Stop
      </button>
    `;
  }

  #progress(): TemplateResult | typeof nothing {
    if (this.#state !== "running") return nothing;
    const chosen = this.#options.packages.filter(({ source }) => this.#chosen.has(source));
    const all = chosen.reduce((sum, { snippets }) => sum + snippets.length, 0);
    const done = [...this.#results].reduce(
      (sum, [{ snippets }, result]) => sum + (result.problem === null ? result.snippets.length : snippets.length),
      0,
    );
    return html`<progress aria-label="Snippets that were run" max=${all} .value=${done}></progress>
      <span class="quiet">${done} of ${all}</span>`;
  }

  #download(): TemplateResult {
    return html`<section aria-labelledby="result-title">
      <h2 id="result-title">Result</h2>
      <div class="row">
        <button class="btn" id="download" type="button" @click=${this.#save}>Download the JSON</button>
        <button class="btn" id="copy" type="button" @click=${() => void this.#copy()}>Copy it</button>
      </div>
      <label class="json">
        <span>The JSON: sent to the project, it becomes a part of docs/packages.md</span>
        <textarea readonly rows="8" spellcheck="false" .value=${this.#json}></textarea>
      </label>
    </section>`;
  }

  readonly #save = (): void => {
    const link = document.createElement("a");
    const url = URL.createObjectURL(new Blob([this.#json], { type: "application/json" }));
    const { engine, date } = CheckResult.parse(JSON.parse(this.#json));
    link.download = `packages-${date.slice(0, 10)}-${engine.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}.json`;
    link.href = url;
    link.click();
    URL.revokeObjectURL(url);
  };

  async #copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(this.#json);
      this.#say(this.#state, "The JSON was copied.");
    } catch {
      // Pages over plain HTTP have no clipboard, and a person may refuse.
      this.#root.querySelector("textarea")?.select();
      this.#say(this.#state, "The browser did not let the page copy: the JSON is selected, copy it by hand.");
    }
  }
}

function isOver(result: PackageResult): boolean {
  return result.problem !== null || result.snippets.length > 0;
}

function inWords({ name, snippets }: CheckedPackage, { problem, snippets: done }: PackageResult): string {
  if (problem !== null) return `${name} failed.`;
  const passed = done.filter(({ outcome }) => outcome === "passed").length;
  return `${name}: ${String(passed)} of ${String(snippets.length)} passed.`;
}

function summaryOf(results: readonly PackageResult[], packages: readonly CheckedPackage[]): string {
  const all = packages.reduce((sum, { snippets }) => sum + snippets.length, 0);
  const passed = results.flatMap(({ snippets }) => snippets).filter(({ outcome }) => outcome === "passed").length;
  const failed = results.filter(({ problem }) => problem !== null).map(({ name }) => name);
  const broken = failed.length === 0 ? "" : ` Not installed or imported: ${failed.join(", ")}.`;
  return `The check is over: ${String(passed)} of ${String(all)} snippets passed.${broken}`;
}
