import { setTimeout as delay } from "node:timers/promises";

import { z } from "zod";

import { ANSWERS, LONG_TEST, SUITE } from "../timeouts.mjs";
import type { Engine, EnginePage, Json } from "./drivers/index.js";
import type { CaseReport, SuiteReport } from "./suite/report.js";

/** The page is ours, but it is a page: what it answers is parsed. */
const Case = z.object({
  variant: z.string(),
  id: z.string(),
  title: z.string(),
  status: z.enum(["passed", "failed", "skipped"]),
  differences: z.array(z.string()),
  reason: z.string().exactOptional(),
  elapsed: z.number(),
});

const Report: z.ZodType<SuiteReport> = z.object({
  userAgent: z.string(),
  isolated: z.boolean(),
  jspi: z.boolean(),
  finished: z.boolean(),
  variants: z.array(
    z.object({
      name: z.string(),
      trust: z.string(),
      transport: z.string(),
      transportReason: z.string(),
      stop: z.string(),
      supports: z.array(z.string()),
      python: z.string(),
      pyodide: z.string(),
      elapsed: z.number(),
    }),
  ),
  cases: z.array(Case),
  pending: z.array(z.object({ id: z.string(), reason: z.string() })),
  elapsed: z.number(),
});

/** Milliseconds between two looks at the suite. */
const PAUSE = 500;

const News = z.object({ finished: z.boolean(), cases: z.array(Case) });

/**
 * Opens the suite in an engine and waits for its report. One that does not end is reported as far as it came. The
 * page is asked again and again: a command that waits would hold up every other where commands are queued.
 */
export async function openSuite(engine: Engine, { url, onCase }: SuiteVisit): Promise<SuiteReport> {
  const page = await engine.openPage(url);
  const started = performance.now();
  let heard = 0;
  let lastHeard = started;
  for (;;) {
    const { finished, cases } = News.parse(await answer(page, newsSince(heard)));
    cases.forEach(onCase);
    const now = performance.now();
    if (cases.length > 0) lastHeard = now;
    heard += cases.length;
    if (finished || now - started > SUITE || now - lastHeard > LONG_TEST) break;
    await delay(PAUSE);
  }
  const report = Report.parse(await answer(page, "window.vitrineReport"));
  await page.close();
  return report;
}

export interface SuiteVisit {
  readonly url: string;
  /** Hears each case when it is over. */
  readonly onCase: (report: CaseReport) => void;
}

function newsSince(count: number): string {
  return `({ finished: window.vitrineReport?.finished ?? false, cases: window.vitrineReport?.cases.slice(${String(count)}) ?? [] })`;
}

/** @throws {Error} when the page is so busy that it does not answer at all. */
async function answer(page: EnginePage, expression: string): Promise<Json> {
  const controller = new AbortController();
  const late = delay(ANSWERS, undefined, { signal: controller.signal }).then(() => {
    throw new Error(`the page did not answer within ${String(ANSWERS / 1000)} seconds`);
  });
  late.catch(() => undefined);
  try {
    return await Promise.race([page.evaluate(expression), late]);
  } finally {
    controller.abort();
  }
}
