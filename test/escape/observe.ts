import { setTimeout as delay } from "node:timers/promises";

import { everyAttempt, MARK, markOf, slugOf, titleOf, type Attempt } from "./attempts/index.js";
import type { Silence } from "./page/heart.js";
import type { BatchReport, Environment } from "./page/report.js";
import type { Arrival } from "./servers/listeners.js";
import { GivenUpError, StalledError, type Pass } from "./suite.js";

/** Milliseconds for which page and other session may be silent, which is more than a page has to do itself. */
const LONGEST_SILENCE = 2500;

/** The same for attempts to deny service against the seal: a flood ends with its run, a second after its limit of a second. */
const LONGEST_FLOOD = 2 * LONGEST_SILENCE;

/** The signs of a success. */
export interface Signs {
  readonly arrivals: readonly Arrival[];
  readonly bareConnects: number;
  readonly effects: readonly string[];
  readonly toldSecret: boolean;
  readonly wasSilent: boolean;
}

export interface Seen extends Signs {
  readonly outcome: string;
  /** Milliseconds; null where there was nobody left to count them. */
  readonly silence: number | null;
}

/** The same in words, one for each sign. */
export function signsIn(seen: Seen): readonly string[] {
  const { arrivals, bareConnects, effects, toldSecret, wasSilent, outcome, silence } = seen;
  return [
    ...arrivals.map((arrival) => `arrived: ${JSON.stringify(arrival)}`),
    ...(bareConnects > 0 ? [`${String(bareConnects)} connections`] : []),
    ...effects.map((effect) => `effect: ${effect}`),
    ...(toldSecret ? [`told the secret: ${outcome}`] : []),
    ...(wasSilent
      ? [
          `page or other session silent, ${silence === null ? "for good" : `${String(Math.round(silence))} ms`}: ${outcome}`,
        ]
      : []),
  ];
}

/** The attempt with this title. */
export function attemptOf(title: string): Attempt {
  const found = everyAttempt.find((attempt) => titleOf(attempt) === title);
  if (found === undefined) throw new Error(`There is no attempt "${title}".`);
  return found;
}

/** Whether it shows the sign by which this attempt succeeds, and not only what others may have left. */
export function succeeds(attempt: Attempt, { arrivals, bareConnects, effects, toldSecret, wasSilent }: Signs): boolean {
  switch (attempt.sign) {
    case "bytes":
      return arrivals.length > 0;
    case "connect":
      return bareConnects > 0;
    case "effect":
      return effects.length > 0;
    case "secret":
      return toldSecret;
    case "silence":
    case "stall":
      return wasSilent;
  }
}

export interface Observation {
  /** What was seen of one of the attempts so far: bytes may be on their way. */
  of(title: string): Seen;
  /** The same, once it shows the attempt's sign or the milliseconds are over. */
  awaited(title: string, limit: number): Promise<Seen>;
}

export interface ObserveOptions {
  readonly environment: Environment;
  /**
   * What silence is measured in. Default: the work of a thread beside the page's, of which a busy machine has done little
   * while a page is stopped for some seconds.
   */
  readonly silenceBy?: keyof Silence;
}

/** Makes attempts side by side, and leaves the page as it was. */
export async function observe(
  pass: Pass,
  titles: readonly string[],
  { environment, silenceBy = "worked" }: ObserveOptions,
): Promise<Observation> {
  const from = pass.listeners.arrivals.length;
  const connects = pass.listeners.connects.length;
  const made = await makeAll(pass, titles, { environment, silenceBy });
  // What bears no mark is anybody's: nobody may have caused it where all are held, and nobody is shown by it in company.
  const blamesAll = environment === "sealed" || titles.length === 1;
  const of = (title: string): Seen => {
    const attempt = attemptOf(title);
    const slug = slugOf(attempt);
    const report = made.attempts.find((candidate) => candidate.title === title);
    return {
      outcome: report?.outcome ?? made.failure,
      arrivals: pass.listeners.arrivals.slice(from).filter((arrival) => arrival.slug === slug),
      bareConnects: pass.listeners.connects.slice(connects).filter((one) => one.slug === slug && !one.sent).length,
      effects: made.effects.filter(
        (effect) => effect.includes(markOf(attempt)) || (blamesAll && !effect.includes(MARK)),
      ),
      toldSecret: report?.toldSecret ?? false,
      wasSilent: made.wasSilent,
      silence: made.silence,
    };
  };
  const awaited = async (title: string, limit: number): Promise<Seen> => {
    const end = performance.now() + limit;
    while (!succeeds(attemptOf(title), of(title)) && performance.now() < end) await delay(50);
    return of(title);
  };
  return { of, awaited };
}

interface Made extends Pick<BatchReport, "attempts" | "effects"> {
  readonly wasSilent: boolean;
  readonly silence: number | null;
  /** Why there is no report; empty where there is one. */
  readonly failure: string;
}

async function makeAll(
  pass: Pass,
  titles: readonly string[],
  { environment, silenceBy }: Required<ObserveOptions>,
): Promise<Made> {
  try {
    const { attempts, effects, silence } = await pass.make(titles, environment);
    await hearNoMore(pass);
    const events = await pass.takeEvents();
    // So that what comes through is not blamed on the next.
    await pass.ask("escapePage.then((page) => page.reset())");
    const mayFlood = silenceBy === "worked" && titles.some((title) => attemptOf(title).group === "denial of service");
    const wasSilent = silence[silenceBy] > (mayFlood ? LONGEST_FLOOD : LONGEST_SILENCE);
    return { attempts, effects: [...effects, ...events], wasSilent, silence: silence[silenceBy], failure: "" };
  } catch (error) {
    if (!(error instanceof Error) || error instanceof GivenUpError) throw error;
    // A session that does not open any more is what a denial of service looks like.
    const isDenial = titles.some((title) => attemptOf(title).group === "denial of service");
    if (!(error instanceof StalledError || isDenial)) throw error;
    await pass.reopen();
    return { attempts: [], effects: [], wasSilent: true, silence: null, failure: error.message };
  }
}

/** The page's own request arrives, so what was sent before it did as well; it also shows that the listener hears. */
export async function hearNoMore(pass: Pass): Promise<void> {
  const { port } = pass.listeners;
  const status = await pass.ask(`fetch("http://127.0.0.1:${String(port)}/alive").then(({ status }) => status)`);
  if (status !== 204) throw new Error(`The listener answered with ${String(status)}.`);
}
