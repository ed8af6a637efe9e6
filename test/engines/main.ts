import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";

import { ensureChromium, ensureFirefox, ensureWebKit } from "../../.ci/browser.mjs";
import { serveFolder, type StaticServer } from "../../.ci/static-server.mjs";
import type { EverythingServer } from "../servers/mcp/everything-server.js";
import { buildSuite, root } from "./build-suite.js";
import { checkDemo } from "./demo.js";
import { EngineMissingError, launchEngine, type Engine, type EngineName } from "./drivers/index.js";
import { openSuite } from "./open-suite.js";
import { parseOptions, USAGE, type Options, type PageName } from "./options.js";
import { startEverythingServer, startSuiteServers } from "./servers.js";
import type { CaseReport, SuiteReport } from "./suite/report.js";
import { policyCases, tryPolicy } from "./policies.js";
import { startPolicyServer } from "./policy-server.js";
import { Tests } from "./tests.js";
import { runWidget } from "./widget/run-widget.js";

const ISOLATION = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" };

/** A page of the suite: served without headers, or with those that make it cross-origin isolated. */
interface Place {
  readonly name: PageName;
  readonly isIsolated: boolean;
  readonly server: StaticServer;
}

const ensure: Readonly<Record<EngineName, () => unknown>> = {
  chromium: () => ensureChromium(),
  firefox: () => ensureFirefox(),
  webkitgtk: () => ensureWebKit(),
};

/** @returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  let options: Options;
  try {
    options = parseOptions(args);
  } catch (error) {
    console.error(`${messageOf(error)}\n\n${USAGE}`);
    return 2;
  }
  const folder = await buildSuite();
  const places: readonly Place[] = [
    { name: "plain", isIsolated: false, server: await serveFolder(folder) },
    { name: "isolated", isIsolated: true, server: await serveFolder(folder, { headers: ISOLATION }) },
  ];
  const everything = await startEverythingServer();
  if (options.serve) {
    const { addresses } = await startSuiteServers(everything);
    for (const { name, server } of places) {
      console.log(`${name} page: ${server.url}suite.html?${new URLSearchParams(addresses).toString()}`);
    }
    return new Promise<never>(() => undefined);
  }
  const tests = new Tests();
  const reports: Record<string, SuiteReport> = {};
  try {
    // Two at a time, the longest first: an engine waits more than it computes.
    const waiting = jobsOf(options, places);
    const lane = async (): Promise<void> => {
      for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
        await runJob(job, { options, tests, reports, everything, folder });
      }
    };
    await Promise.all([lane(), lane()]);
  } finally {
    for (const { server } of places) await server.close();
    await everything.close();
  }
  if (options.report !== undefined) {
    await tests.write(options.report);
    await writeFile(options.report.replace(/(\.json)?$/, ".suites.json"), `${JSON.stringify(reports, null, 2)}\n`);
  }
  const [passed, failed] = [tests.count("passed"), tests.count("failed")];
  console.log(
    `${String(passed)} passed, ${String(failed)} failed, ${String(tests.count("skipped"))} skipped, ` +
      `${String(tests.count("todo"))} rows pending`,
  );
  return failed === 0 && passed > 0 ? 0 : 1;
}

interface Parts {
  readonly options: Options;
  readonly tests: Tests;
  readonly reports: Record<string, SuiteReport>;
  readonly everything: EverythingServer;
  /** Of the built suite. */
  readonly folder: string;
}

/** What one browser is started for. */
interface Job {
  readonly engine: EngineName;
  readonly place: Place | "demo" | "policies" | "widget";
}

function jobsOf({ engines, page }: Options, places: readonly Place[]): Job[] {
  const slowestFirst = [...engines].reverse();
  const asked = places.filter(({ name }) => page === undefined || name === page);
  const suites = asked.flatMap((place) =>
    // On the isolated page Chromium runs everything, and the others calls and stopping alone.
    (place.isIsolated ? engines : slowestFirst).map((engine): Job => ({ engine, place })),
  );
  if (page !== undefined) return suites;
  // The demo has tests of its own in Chromium.
  const demos = slowestFirst
    .filter((engine) => engine !== "chromium")
    .map((engine): Job => ({ engine, place: "demo" }));
  const widgets = slowestFirst.map((engine): Job => ({ engine, place: "widget" }));
  const policies = slowestFirst.map((engine): Job => ({ engine, place: "policies" }));
  return [...suites, ...demos, ...widgets, ...policies];
}

async function runJob({ engine: name, place }: Job, parts: Parts): Promise<void> {
  const { options, tests } = parts;
  const started = performance.now();
  const title = `${name}, ${typeof place === "string" ? place : `${place.name} page`}`;
  let engine: Engine;
  try {
    await ensure[name]();
    engine = await launchEngine(name, { optimizes: false });
  } catch (error) {
    const status = error instanceof EngineMissingError ? "skipped" : "failed";
    tests.add({ title: `${title} opens`, status, details: [messageOf(error)], elapsed: performance.now() - started });
    return;
  }
  try {
    if (place === "demo") await runDemo(engine, { tests, only: options.only });
    else if (place === "widget") await runWidget(engine, { tests, only: options.only });
    else if (place === "policies") await runPolicies(engine, parts);
    else await runSuite(engine, { ...parts, title, place });
  } finally {
    await engine.close();
  }
  console.log(`${title}, ${engine.version}: ${String(Math.round((performance.now() - started) / 1000))} s`);
}

async function runSuite(
  engine: Engine,
  { title, place, options, tests, reports, everything }: Parts & { title: string; place: Place },
): Promise<void> {
  const begun = performance.now();
  const servers = await startSuiteServers(everything);
  try {
    const { name } = engine;
    const asked = { ...servers.addresses, engine: name, cases: casesFor(name, place), only: options.only };
    const report = await openSuite(engine, {
      url: `${place.server.url}suite.html?${new URLSearchParams(asked).toString()}`,
      onCase: (done) => {
        addCase(tests, title, done);
      },
    });
    reports[title] = report;
    addReport(tests, { title, report, only: options.only });
  } catch (error) {
    tests.add({ title, status: "failed", details: [messageOf(error)], elapsed: performance.now() - begun });
  } finally {
    await servers.close();
  }
}

/** What the page host runs there: everything over shared memory in one engine, elsewhere what the host makes different. */
function casesFor(name: EngineName, { isIsolated }: Place): string {
  if (!isIsolated) return "host";
  return name === "chromium" ? "all" : "transport";
}

async function runDemo(engine: Engine, { tests, only }: { tests: Tests; only: string }): Promise<void> {
  const title = `${engine.name}: demo: a task goes to its answer, Stop ends a loop, and variables stay`;
  if (!title.includes(only)) return;
  const folder = `${root}dist-demo`;
  if (!existsSync(folder)) {
    tests.add({ title, status: "skipped", details: ["the demo is not built: run `npm run build`"], elapsed: 0 });
    return;
  }
  const server = await serveFolder(folder, { base: "/some/where/vitrine/" });
  const started = performance.now();
  const details: string[] = [];
  try {
    await checkDemo(engine, server.url);
  } catch (error) {
    details.push(messageOf(error));
  } finally {
    await server.close();
  }
  const status = details.length === 0 ? "passed" : "failed";
  tests.add({ title, status, details, elapsed: performance.now() - started });
}

async function runPolicies(engine: Engine, { tests, folder, options }: Parts): Promise<void> {
  const server = await startPolicyServer(folder);
  try {
    for (const tried of policyCases) {
      const title = `${engine.name}: policy: ${tried.title}`;
      if (!title.includes(options.only)) continue;
      const started = performance.now();
      const details = await tryPolicy(engine, { server, tried }).catch((error: unknown) => [messageOf(error)]);
      const status = details.length === 0 ? "passed" : "failed";
      tests.add({ title, status, details, elapsed: performance.now() - started });
    }
  } finally {
    await server.close();
  }
}

function addCase(tests: Tests, place: string, done: CaseReport): void {
  const { variant, id, title, status, differences, reason, elapsed } = done;
  const details = reason === undefined ? differences : [reason];
  tests.add({ title: `${place}, ${variant}: ${title} (${id})`, status, details, elapsed });
}

function addReport(tests: Tests, { title, report, only }: { title: string; report: SuiteReport; only: string }): void {
  for (const { name, transport, transportReason, stop, elapsed } of report.variants) {
    const time = String(Math.round(elapsed / 1000));
    console.log(`  ${title}, ${name}: ${transport} (${transportReason}), stop ${stop}, ${time} s`);
  }
  if (only === "") {
    for (const { id, reason } of report.pending) {
      tests.add({ title: `${title}: ${id}`, status: "todo", details: [reason], elapsed: 0 });
    }
  }
  if (!report.finished) {
    const last = report.cases.at(-1);
    const details = [`it did not end; the last case that did was ${last === undefined ? "none" : last.id}`];
    tests.add({ title: `${title}: the suite ends`, status: "failed", details, elapsed: report.elapsed });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
