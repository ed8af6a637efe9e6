// What runs in a checked page. Playwright sends each function as text: none may use anything of this module but types.

/** A cell as the page shows it. */
export interface SeenCell {
  /** Its place among the cells of the file, from 0; null for one that a script of the page made. */
  readonly place: number | null;
  readonly isHidden: boolean;
  readonly label: string;
  /** What `data-check` says; null where it is not there. */
  readonly mark: string | null;
  /** Whether it says `expected`. */
  readonly isHeld: boolean;
  readonly result: { readonly text: string; readonly isPreformatted: boolean } | null;
  readonly solution: string | null;
  readonly checks: number;
}

/** The cells of a page, and the version of the widget; null where none has come. */
export interface SeenPage {
  readonly version: string | null;
  /** The elements, as they are counted where none is a cell yet. */
  readonly count: number;
  readonly cells: readonly SeenCell[];
}

/** What came of a run. */
export type CellRun =
  | {
      readonly kind: "ran";
      readonly text: string;
      readonly error: { readonly code: string; readonly pythonType: string; readonly message: string } | null;
      readonly faultLine: number | null;
      readonly checks: readonly { readonly label: string; readonly passed: boolean; readonly reason: string }[];
      /** Whether it showed something that is no text. */
      readonly isRich: boolean;
      /** Milliseconds. */
      readonly duration: number;
    }
  /** The widget says why it was not run. */
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "asked" }
  /** It did not end in its time, and then was stopped, or did not even stop. */
  | { readonly kind: "late"; readonly isStopped: boolean };

/** What is known of the element; the page may load one of another version. */
interface Runnable extends Element {
  code: string;
  run(): Promise<Outcome | null>;
  stop(): void;
  authored(): Pick<SeenCell, "result" | "solution" | "checks">;
}

interface Outcome {
  readonly text: string;
  readonly faultLine: number | null;
  readonly duration: number;
  readonly checks: readonly { readonly kind: string; readonly label: string; readonly reason?: string }[];
  readonly result: {
    readonly error: { readonly code: string; readonly pythonType: string; readonly message: string } | null;
    readonly outputs: readonly unknown[];
  };
}

/** Before any script of the page: remembers the cells of the file, and keeps them from running by themselves. */
export function watchCells(): void {
  if (window !== window.top) return;
  const withoutAutorun = (): void => {
    for (const cell of document.querySelectorAll("vitrine-cell[autorun]")) cell.removeAttribute("autorun");
  };
  new MutationObserver(withoutAutorun).observe(document, { childList: true, subtree: true });
  document.addEventListener("readystatechange", () => {
    if (document.readyState !== "interactive") return;
    Reflect.set(globalThis, "vitrineCheckParsed", [...document.querySelectorAll("vitrine-cell")]);
  });
}

/** Waits for the widget, and says what cells there are. They are known by their place in the list from then on. */
export async function seeCells(limit: number): Promise<SeenPage> {
  const isRunnable = (element: Element): element is Runnable => "authored" in element && "run" in element;
  const timer = new Promise<void>((resolve) => void setTimeout(resolve, limit));
  await Promise.race([customElements.whenDefined("vitrine-cell"), timer]);
  const defined = customElements.get("vitrine-cell");
  const version = defined === undefined ? null : "version" in defined ? String(defined.version) : "unknown";
  const elements = [...document.querySelectorAll("vitrine-cell")];
  const runnable = elements.filter(isRunnable);
  const parsed: unknown = Reflect.get(globalThis, "vitrineCheckParsed");
  const parsedCells: readonly unknown[] = Array.isArray(parsed) ? parsed : [];
  // A framework that draws its pages again puts others in their places.
  const isRedrawn =
    elements.length === parsedCells.length && elements.every((element) => !parsedCells.includes(element));
  Reflect.set(globalThis, "vitrineCheckCells", runnable);
  return {
    version,
    count: elements.length,
    cells: runnable.map((cell) => {
      const { result, solution, checks } = cell.authored();
      const place = isRedrawn ? elements.indexOf(cell) : parsedCells.indexOf(cell);
      return {
        place: place === -1 ? null : place,
        isHidden: cell.hasAttribute("hidden"),
        label: cell.getAttribute("label")?.trim() ?? "",
        mark: cell.getAttribute("data-check"),
        isHeld: cell.hasAttribute("expected"),
        result,
        solution,
        checks,
      };
    }),
  };
}

/**
 * Runs a cell as its button does.
 *
 * @param code - in the place of the author's; null: as it is. It stays there.
 * @param limit - milliseconds until it is stopped.
 * @param grace - milliseconds in which it must then have ended.
 */
export async function runCell({
  at,
  code,
  limit,
  grace,
}: {
  readonly at: number;
  readonly code: string | null;
  readonly limit: number;
  readonly grace: number;
}): Promise<CellRun> {
  const isRunnable = (element: unknown): element is Runnable => element instanceof Element && "run" in element;
  const cells: unknown = Reflect.get(globalThis, "vitrineCheckCells");
  const cell: unknown = Array.isArray(cells) ? cells[at] : undefined;
  if (!isRunnable(cell) || !cell.isConnected) {
    return { kind: "refused", message: "The page has taken the cell away." };
  }
  if (code !== null) cell.code = code;
  let message = "It was stopped before its code began.";
  let end: "asked" | "late" | null = null;
  const heard = (event: Event): void => {
    if (event instanceof CustomEvent && event.detail instanceof Error) message = event.detail.message;
  };
  cell.addEventListener("vitrine-error", heard);
  const run = cell.run();
  const stop = (why: "asked" | "late"): void => {
    end ??= why;
    cell.stop();
  };
  const asking = new MutationObserver(() => {
    if (cell.shadowRoot?.querySelector('[part~="input"]')) stop("asked");
  });
  if (cell.shadowRoot !== null) asking.observe(cell.shadowRoot, { childList: true, subtree: true });
  let lateTimer: ReturnType<typeof setTimeout> | undefined;
  const timer = setTimeout(() => stop("late"), limit);
  const neverEnds = new Promise<"stuck">((resolve) => {
    lateTimer = setTimeout(() => resolve("stuck"), limit + grace);
  });
  const outcome = await Promise.race([run, neverEnds]);
  clearTimeout(timer);
  clearTimeout(lateTimer);
  asking.disconnect();
  cell.removeEventListener("vitrine-error", heard);
  if (outcome === "stuck") return { kind: "late", isStopped: false };
  // Assigned by the callbacks above.
  const why = ((): "asked" | "late" | null => end)();
  if (why === "asked") return { kind: "asked" };
  if (why === "late") return { kind: "late", isStopped: true };
  if (outcome === null) return { kind: "refused", message };
  const { error, outputs } = outcome.result;
  return {
    kind: "ran",
    text: outcome.text,
    error: error === null ? null : { code: error.code, pythonType: error.pythonType, message: error.message },
    faultLine: outcome.faultLine,
    checks: outcome.checks.map(({ kind, label, reason }) => ({
      label,
      passed: kind === "passed",
      reason: reason ?? "",
    })),
    isRich: outputs.length > 0,
    duration: outcome.duration,
  };
}
