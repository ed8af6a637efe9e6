import type { BeforeClick, ClickToOutput, PageBusiness, PageLoad } from "./bench-page.js";
import { startHeartbeat } from "./heartbeat.js";

// Loaded into pages of documentation after all that they load themselves; `started` is when that began.

/** Milliseconds between two looks for the output. */
const LOOK = 4;

/** Milliseconds in which an observer has heard of what was before it, and an engine of what it has just done. */
const SETTLING = 200;

interface LayoutShiftEntry extends PerformanceEntry {
  readonly value: number;
  readonly hadRecentInput: boolean;
}

/** The entries of one type, those of before included. */
class Entries {
  readonly isKnown: boolean;
  readonly #entries: PerformanceEntry[] = [];

  constructor(type: string) {
    this.isKnown = PerformanceObserver.supportedEntryTypes.includes(type);
    if (!this.isKnown) return;
    const observer = new PerformanceObserver((list) => {
      this.#entries.push(...list.getEntries());
    });
    observer.observe({ type, buffered: true });
  }

  between(from: number, to: number): readonly PerformanceEntry[] | null {
    if (!this.isKnown) return null;
    return this.#entries.filter(({ startTime, duration }) => startTime + duration > from && startTime <= to);
  }
}

const longTasks = new Entries("longtask");
const layoutShifts = new Entries("layout-shift");

function businessBetween(from: number, to: number): PageBusiness {
  const tasks = longTasks.between(from, to);
  const shifts = layoutShifts.between(from, to) as readonly LayoutShiftEntry[] | null;
  return {
    longTasks: tasks?.length ?? null,
    longestTask: tasks === null ? null : Math.max(0, ...tasks.map(({ duration }) => duration)),
    layoutShift: shifts?.reduce((sum, { value, hadRecentInput }) => (hadRecentInput ? sum : sum + value), 0) ?? null,
  };
}

function loadBetween(from: number, to: number): PageLoad {
  const answers = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")].filter(
    (entry): entry is PerformanceResourceTiming =>
      entry instanceof PerformanceResourceTiming && entry.name.startsWith("http"),
  );
  const within = answers.filter(({ startTime }) => startTime >= from && startTime < to);
  // What a cache gave has a body and was not transferred.
  const tellsBytes = answers.some(({ encodedBodySize }) => encodedBodySize > 0);
  const sent = tellsBytes ? within.filter(({ transferSize }) => transferSize > 0) : within;
  const bytes = sent.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
  return { requests: sent.length, bytes: tellsBytes ? bytes : null };
}

async function before(): Promise<BeforeClick> {
  await settled();
  const [navigation] = performance.getEntriesByType("navigation");
  if (!(navigation instanceof PerformanceNavigationTiming)) throw new Error("The page does not know when it began.");
  const paint = performance.getEntriesByName("first-contentful-paint").at(0);
  return {
    domContentLoaded: navigation.domContentLoadedEventStart,
    load: navigation.loadEventStart,
    firstPaint: paint?.startTime ?? null,
    ...loadBetween(0, globalThis.started),
    ...businessBetween(0, globalThis.started),
  };
}

let run: Promise<ClickToOutput> | undefined;

function watch(id: string, text: string): void {
  const clicked = new Promise<number>((resolve) => {
    const listen = ({ timeStamp }: Event): void => {
      resolve(timeStamp);
    };
    addEventListener("click", listen, { capture: true, once: true });
  });
  run = clicked.then(async (from) => {
    const stop = startHeartbeat();
    const to = await outputTime(id, text);
    const stretch = await stop();
    await settled();
    return { time: to - from, stretch, ...loadBetween(from, to), ...businessBetween(from, to) };
  });
}

/** When the output of the example was first seen. */
async function outputTime(id: string, text: string): Promise<number> {
  for (;;) {
    if (outputOf(id).includes(text)) return performance.now();
    await new Promise((resolve) => setTimeout(resolve, LOOK));
  }
}

/** What a run has printed there: in the cell's own tree, or below the code of a plain example. */
function outputOf(id: string): string {
  const example = elementOf(id);
  const output = example.shadowRoot?.querySelector("vitrine-output")?.shadowRoot;
  return (output ?? example.querySelector(".result"))?.textContent ?? "";
}

async function reach(id: string): Promise<void> {
  elementOf(id).scrollIntoView({ block: "center" });
  while (buttonOf(id) === null) await new Promise((resolve) => setTimeout(resolve, LOOK));
  await settled();
}

function click(id: string): void {
  buttonOf(id)?.click();
}

/** A cell has none before it came near what is seen. */
function buttonOf(id: string): HTMLElement | null {
  const example = elementOf(id);
  return example.shadowRoot?.querySelector("[data-do=run]") ?? example.querySelector("button");
}

function elementOf(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`The page has no example ${id}.`);
  return element;
}

async function importTime(script: string): Promise<number> {
  await (await fetch(script)).arrayBuffer();
  const from = performance.now();
  await import(/* @vite-ignore */ script);
  return performance.now() - from;
}

function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, SETTLING));
}

globalThis.widgetProbe = {
  before,
  reach,
  watch,
  click,
  importTime,
  seen: () => {
    if (run === undefined) throw new Error("No click was watched.");
    return run;
  },
};
