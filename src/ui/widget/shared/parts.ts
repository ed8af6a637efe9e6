import { registeredTools } from "../tools-of-page.js";
import type { AgentModule } from "../agent-parts.js";
import type { CellEditor, CellEditorOptions, CellRuntime, OutputElement } from "../cell-runtime.js";

/** What cells and agents load when they are used. */
export interface PageParts {
  /** Begins to load what a run needs: the reader has a finger on Run, and the click comes when it goes up. */
  warm(): void;
  /** The same for all cells and agents of the page. @throws {PartLoadError} */
  runtime(): Promise<CellRuntime>;
  /** Null before the first run of the page. */
  runtimeIfOpen(): CellRuntime | null;
  /** @throws {PartLoadError} */
  createOutput(): Promise<OutputElement>;
  /** @throws {PartLoadError} */
  openEditor(options: CellEditorOptions): Promise<CellEditor>;
  /** @throws {PartLoadError} */
  agent(): Promise<AgentModule>;
}

/** A script of the widget did not come. The element is as it was before. */
export class PartLoadError extends Error {
  override readonly name = "PartLoadError";
  readonly code = "PART_LOAD";
}

class LoadedParts implements PageParts {
  #runtime: CellRuntime | null = null;
  readonly #runtimeScript = new Script("what runs Python", () => import("../runtime/index.js"));
  readonly #outputScript = new Script("what shows results", () => import("../output/index.js"));

  warm(): void {
    this.#runtimeScript.begin();
    this.#outputScript.begin();
  }

  async runtime(): Promise<CellRuntime> {
    const { openRuntime } = await this.#runtimeScript.loaded();
    this.#runtime ??= openRuntime({ tools: registeredTools });
    return this.#runtime;
  }

  runtimeIfOpen(): CellRuntime | null {
    return this.#runtime;
  }

  async createOutput(): Promise<OutputElement> {
    await this.#outputScript.loaded();
    const element = document.createElement("vitrine-output");
    if (isOutput(element)) return element;
    throw new PartLoadError("This page defines <vitrine-output> as something else, so that no result can be shown.");
  }

  async openEditor(options: CellEditorOptions): Promise<CellEditor> {
    const { openEditor } = await load("the editor", () => import("../editor/index.js"));
    return openEditor(options);
  }

  agent(): Promise<AgentModule> {
    return load("what answers questions", () => import("../agent-runtime/index.js"));
  }
}

export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** A script that may be begun before it is asked for. */
class Script<Module> {
  readonly #what: string;
  readonly #imported: () => Promise<Module>;
  /** For who asks next: a second import that fails would not say why. */
  #begun: Promise<Module> | null = null;

  constructor(what: string, imported: () => Promise<Module>) {
    this.#what = what;
    this.#imported = imported;
  }

  begin(): void {
    this.#begun = load(this.#what, this.#imported);
    this.#begun.catch(() => undefined);
  }

  /** @throws {PartLoadError} */
  loaded(): Promise<Module> {
    const begun = this.#begun ?? load(this.#what, this.#imported);
    this.#begun = null;
    return begun;
  }
}

/** What all cells and agents use. Tests put others in. */
export const parts: { current: PageParts } = { current: new LoadedParts() };

/** Milliseconds in which a browser reports a policy that refused a script. */
const VIOLATION = 200;

/** What failed before, by what it is: Firefox remembers a script that did not come until the page is loaded again. */
const failed = new Set<string>();

async function load<Module>(what: string, imported: () => Promise<Module>): Promise<Module> {
  const violations: SecurityPolicyViolationEvent[] = [];
  const listen = (event: SecurityPolicyViolationEvent): void => void violations.push(event);
  document.addEventListener("securitypolicyviolation", listen);
  try {
    return await imported();
  } catch (error) {
    // Firefox reports it after the script has failed.
    if (violations.length === 0) await new Promise((resolve) => setTimeout(resolve, VIOLATION));
    const violation = violations.find(({ effectiveDirective }) => effectiveDirective.startsWith("script-src"));
    const message = violation === undefined ? wordsOfFailure(what) : wordsOfViolation(violation);
    failed.add(what);
    throw new PartLoadError(message, { cause: error });
  } finally {
    document.removeEventListener("securitypolicyviolation", listen);
  }
}

function wordsOfFailure(what: string): string {
  return failed.has(what)
    ? `The script with ${what} did not load again. Reload the page once you are online.`
    : `The script with ${what} did not load. Check that you are online, then try again.`;
}

function wordsOfViolation({ blockedURI, effectiveDirective }: SecurityPolicyViolationEvent): string {
  return `The Content Security Policy of this site blocks ${blockedURI}. Its ${effectiveDirective} has to allow it.`;
}

function isOutput(element: HTMLElement): element is OutputElement {
  return "add" in element && "clear" in element && "result" in element;
}
