import { sealedFrameHost, type SpawnedWorker, type WorkerHost } from "../../executor/index.js";
import { ChartAnswer, type ChartFacts, type ChartLanguage, type ChartOrder } from "../../protocol/index.js";
import { formatCount } from "../state/text/format.js";
import { whyNotDrawn } from "./why-not-drawn.js";

/** Characters of a specification that is drawn. It holds all the data. */
const LONGEST_SPEC = 8_000_000;

/** Milliseconds for the worker to be there, and for it to draw. */
const START_LIMIT = 20_000;
const TIME_LIMIT = 10_000;

/** A chart as code displays it. */
export interface Chart {
  readonly language: ChartLanguage;
  /** JSON. */
  readonly spec: string;
}

/** What came of a chart. What is known of it may be there although it could not be drawn. */
export interface ChartDrawing {
  readonly facts: ChartFacts;
  readonly outcome:
    | { readonly kind: "drawn"; readonly svg: string; readonly warnings: readonly string[] }
    /** The reason ends the sentence "This chart cannot be drawn: …". */
    | { readonly kind: "fault"; readonly reason: string };
}

export interface ChartOptions {
  /** Gives the drawing up. */
  readonly signal: AbortSignal;
  /** Pixels that a chart gets that is to be as wide as its container. */
  readonly width: number;
  /** Milliseconds for the drawing, once the library is there. Default 10,000. */
  readonly time?: number;
  /** Where the worker is spawned. Default: a sealed frame. */
  readonly host?: WorkerHost;
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Draws a chart as SVG, in a sealed worker of its own that loads nothing and is ended with it: what a specification makes of
 * that worker reaches no other chart. One chart at a time.
 */
export function drawChart(chart: Chart, options: ChartOptions): Promise<ChartDrawing> {
  const turn = last.then(() => drawNow(chart, options));
  last = turn;
  return turn;
}

async function drawNow({ language, spec }: Chart, options: ChartOptions): Promise<ChartDrawing> {
  const { signal, width, host = sealedFrameHost(), time = TIME_LIMIT } = options;
  if (signal.aborted) return fault("it was given up");
  if (spec.length > LONGEST_SPEC) {
    const longest = formatCount(LONGEST_SPEC, "character");
    return fault(`its specification has ${formatCount(spec.length, "character")}, and ${longest} can be read`);
  }
  let spawned: SpawnedWorker | undefined;
  try {
    // Larger than the rest of the page, and needed only where a chart is drawn.
    const { default: source } = await import("virtual:chart-worker");
    spawned = await host.spawn(source);
    return await answerOf(spawned, { kind: "draw", language, spec, width }, { signal, time });
  } catch (error) {
    return fault(whyNotDrawn(error));
  } finally {
    spawned?.terminate();
  }
}

type Waiting = Required<Pick<ChartOptions, "signal" | "time">>;

/** Hears what the worker says, each thing once and in its order, until it has drawn, failed, or taken too long. */
async function answerOf(
  { port, failed, removed }: SpawnedWorker,
  order: ChartOrder,
  { signal, time }: Waiting,
): Promise<ChartDrawing> {
  const { promise, resolve } = Promise.withResolvers<ChartDrawing>();
  let facts = nothingKnown;
  let expected: ChartAnswer["kind"] = "ready";
  const end = (outcome: ChartDrawing["outcome"]): void => {
    resolve({ facts, outcome });
  };
  const give = (reason: string): void => {
    end({ kind: "fault", reason });
  };
  const abort = (): void => {
    give("it was given up");
  };
  const seconds = (limit: number): string => `${String(limit / 1000)} s`;
  let late = setTimeout(() => give(`what draws it was not there within ${seconds(START_LIMIT)}`), START_LIMIT);
  port.onmessage = ({ data }: MessageEvent<unknown>) => {
    const { data: answer } = ChartAnswer.safeParse(data);
    if (answer?.kind === "ready" && expected === "ready") {
      expected = "read";
      clearTimeout(late);
      late = setTimeout(() => give(`it was not drawn within ${seconds(time)}`), time);
      port.postMessage(order);
    } else if (answer?.kind === "read" && expected === "read") {
      expected = "drawn";
      facts = answer.facts;
    } else if (answer?.kind === "drawn" && expected === "drawn") end(answer);
    else if (answer?.kind === "fault" && expected !== "ready") end(answer);
    else give("what draws it sent a message of unknown form");
  };
  void Promise.race([failed, removed]).then(({ message }) => give(`what draws it failed: ${message}`));
  signal.addEventListener("abort", abort);
  if (signal.aborted) abort();
  try {
    return await promise;
  } finally {
    clearTimeout(late);
    signal.removeEventListener("abort", abort);
  }
}

const nothingKnown: ChartFacts = { name: "", rows: "", rowCount: 0 };

function fault(reason: string): ChartDrawing {
  return { facts: nothingKnown, outcome: { kind: "fault", reason } };
}
