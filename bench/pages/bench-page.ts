/** What is called again and again: a text there and back, 10 MB to the page, 10 MB from the page. */
export type Operation = "echo" | "give" | "take";

/** One party of a comparison, on this page and in a worker of it. */
export interface Side {
  /** Makes `count` calls. Milliseconds that the worker's own clock counted for all of them. */
  time(operation: Operation, count: number): Promise<number>;
  close(): void | Promise<void>;
}

/** What the benchmark asks of the page with the calls. */
export interface CallsPage {
  /** By what a side may need: why the page does not have it, null where it has. */
  missing(): Readonly<Record<"shared memory" | "JSPI" | "service worker", string | null>>;
  /** Milliseconds for `count` calls. The first use of a side starts it. */
  time(side: string, operation: Operation, count: number): Promise<number>;
  /** Milliseconds per step of one tool call. */
  breakdown(transport: StepsTransport): Promise<Readonly<Record<string, number>>>;
}

/** Ways to wait whose calls are taken apart. */
export type StepsTransport = "shared-memory" | "jspi" | "blob-channel";

/** Milliseconds until an interpreter was ready, and until it had answered. */
export interface Readiness {
  readonly ready: number;
  readonly firstResult: number;
}

/** What the benchmark asks of the page with the spare interpreter. Both take it, and wait for the next one. */
export interface SparesPage {
  open(): Promise<Readiness>;
  reset(): Promise<Readiness>;
  bare(): Promise<Readiness>;
}

/** What the benchmark asks of the page with ten thousand tools. Milliseconds. */
export interface ManyToolsPage {
  /** Until a session is open that has them all. */
  openWith(): Promise<number>;
  /** The same without any. */
  openWithout(): Promise<number>;
  /** The median of several searches. */
  search(): Promise<number>;
  /** The median of checks of several pieces of code, in a session with ten tools. */
  check(): Promise<number>;
  /** The same in the session that has them all. */
  checkAmongMany(): Promise<number>;
  /** The median of patches of fifty hunks over twenty files that are kept in IndexedDB. */
  patch(): Promise<number>;
  /** A search of a thousand files by a session that has searched before: the median of several. */
  grep(): Promise<number>;
  /** The first search of a session. */
  firstGrep(): Promise<number>;
  /** The longest stretch of the page's thread while a session makes its first search, and another one. */
  grepStretch(): Promise<number>;
  /** Calls of one tool from Python, by the namespace `tools`. */
  toolCalls(): Promise<number>;
  /** The same calls by the module `codex_tools`. */
  moduleCalls(): Promise<number>;
}

/** What the benchmark asks of the page with the agents. Milliseconds. */
export interface AgentsPage {
  /** What the loop adds to a step, apart from the model and the run: the median of the steps of a task. */
  step(saving: "saved" | "not saved"): Promise<number>;
  /** The longest stretch of the page's thread while a task of 500 steps is kept in IndexedDB, read back and exported. */
  save(): Promise<number>;
  /** Makes the task of 500 steps that later pages open. */
  prepare(): Promise<void>;
  /** The longest stretch of the page's thread while that task is opened in the transcript. */
  draw(): Promise<number>;
  /** The same while its transcript is scrolled through, a screen for each frame. */
  scroll(): Promise<number>;
}

/** What the benchmark asks of the page that has files written. Milliseconds. */
export interface WriteCodePage {
  /** What the tool adds to the replies of its models: medians of batches of five files, with the tool and without. */
  share(): Promise<number>;
  /** The longest stretch of the page's thread while three long candidates for a file are streamed, judged, checked and written. */
  stretch(): Promise<number>;
}

/** What a page has loaded. Null: the engine does not tell it. */
export interface PageLoad {
  /** Answers that came over the network. */
  readonly requests: number;
  /** Of their bodies, compressed as they came. */
  readonly bytes: number | null;
}

/** What the page's thread was kept busy with. */
export interface PageBusiness {
  readonly longTasks: number | null;
  /** Milliseconds; 0 where there was none. */
  readonly longestTask: number | null;
  /** Without what followed the reader's own input, as the engine counts it. */
  readonly layoutShift: number | null;
}

/** A page before its first click. Moments are milliseconds since it was navigated to. */
export interface BeforeClick extends PageLoad, PageBusiness {
  readonly domContentLoaded: number;
  readonly load: number;
  readonly firstPaint: number | null;
}

/** From a click to the output. */
export interface ClickToOutput extends PageLoad, PageBusiness {
  /** Milliseconds. */
  readonly time: number;
  /** The longest time between two beats of the page's thread. */
  readonly stretch: number;
}

/** What the benchmark asks of a page of documentation, once it is loaded. */
export interface WidgetProbe {
  before(): Promise<BeforeClick>;
  /** Scrolls to an example, and waits until it can be run. */
  reach(id: string): Promise<void>;
  /** Waits for the next click, and then until the example with this id shows the text. */
  watch(id: string, text: string): void;
  /** Clicks on its Run, where the driver cannot. */
  click(id: string): void;
  /** What the click that was watched came to. */
  seen(): Promise<ClickToOutput>;
  /** Milliseconds to import a script that was fetched before, so that every cell of the page is one. */
  importTime(script: string): Promise<number>;
}

/** Where a loop runs: in a session, or in Pyodide alone. */
export type LoopPlace = "sandboxed" | "local" | "bare";

/** What the benchmark asks of the page with the runs that never end. Milliseconds. */
export interface InterruptsPage {
  /** By how much later than its deadline the result of a run is there. */
  deadline(trust: "sandboxed" | "local"): Promise<number>;
  /** How long after the request to stop the result is there. */
  stop(trust: "sandboxed" | "local"): Promise<number>;
  /** Seconds that a run slept. */
  sleep(trust: "sandboxed" | "local", seconds: number): Promise<number>;
  /** How long a loop of so many turns takes. */
  loop(place: LoopPlace, count: number): Promise<number>;
}

/** Which document is imported, and in which form. */
export type ImportSource = "GitHub text" | "2,500 text" | "2,500 object" | "YAML text" | "GitHub YAML";

/** What is looked at: how long the import takes, or for how long it holds the thread at a stretch. */
export type ImportFigure = "elapsed" | "longest";

/** What the benchmark asks of the page with the OpenAPI documents. */
export interface ImportsPage {
  /** Milliseconds. */
  measure(source: ImportSource, figure: ImportFigure): Promise<number>;
  /** How long the `yaml` package takes to parse the document, and nothing else. Milliseconds. */
  parseByYaml(source: ImportSource): Promise<number>;
}

/** What one visit of a page that opens an interpreter gives. Milliseconds since the page began to load its scripts. */
export interface Opening {
  readonly open: number;
  readonly firstResult: number;
  /** What Python started from. */
  readonly from: string;
  /** The moments on the way, as far as the page knows them. */
  readonly stages: Readonly<Record<string, number>>;
}

declare global {
  var started: number;
  var calls: CallsPage | undefined;
  var opening: Promise<Opening> | undefined;
  var spares: SparesPage | undefined;
  var interrupts: InterruptsPage | undefined;
  var imports: ImportsPage | undefined;
  var tools: ManyToolsPage | undefined;
  var agents: AgentsPage | undefined;
  var writeCode: WriteCodePage | undefined;
  var widgetProbe: WidgetProbe | undefined;
}

/** 100 characters. */
export const TEXT = "Vitrine".padEnd(100, ".");

/** Bytes. */
export const LARGE = 10_000_000;

/** Where the benchmark's server has OpenAPI documents. */
export const DOCUMENTS_PATH = "/documents/";

/** Where the benchmark's server has Pyodide and PyScript for those who fetch them themselves. */
export const PYODIDE_PATH = "/pyodide/";
export const PYSCRIPT_PATH = "/pyscript/core.js";

/** Python that every side runs: `measure(call, count)` gives milliseconds. */
export const MEASURE = `
import time
def measure(call, count):
    call()
    started = time.perf_counter()
    for _ in range(count):
        call()
    return (time.perf_counter() - started) * 1000
`;
