import type { Session } from "../../../src/index.js";
import {
  conformanceCases,
  ConformanceRunner,
  fixtureCommands,
  fixtureSeeds,
  fixtureTools,
  pendingRows,
  type ConformanceCase,
} from "../../conformance/index.js";
import { RUN, TEST } from "../../timeouts.mjs";
import { agentTreeCases } from "./cases/agent-tree.js";
import { bridgeCases } from "./cases/bridge.js";
import { codegenCases } from "./cases/codegen.js";
import { commandCases } from "./cases/commands.js";
import { contentCases } from "./cases/content.js";
import { fatalCases } from "./cases/fatal.js";
import { httpToolCases } from "./cases/http-tools.js";
import { isolatedCases } from "./cases/isolated.js";
import { mcpCases } from "./cases/mcp.js";
import { modelCases } from "./cases/model.js";
import { savedTaskCases } from "./cases/saved-tasks.js";
import { packageCases } from "./cases/packages.js";
import { pageCases, sessionCases } from "./cases/session.js";
import { stoppingCases } from "./cases/stopping.js";
import { storageCases } from "./cases/storage.js";
import { valueCases } from "./cases/values.js";
import { writeCodeCases } from "./cases/write-code.js";
import {
  differ,
  unmetDemand,
  type EngineCase,
  type OpenSession,
  type PageCase,
  type SharedSession,
} from "./engine-case.js";
import { engineTools } from "./engine-tools.js";
import type { CaseReport, SuiteReport, VariantReport } from "./report.js";
import { sharedOptions } from "./shared-session.js";
import { expectedTransport, hasJspi, openVariant, variants, type Variant } from "./variants.js";

export interface SuiteOptions {
  /** Part of "variant: title (id)"; empty for everything. */
  readonly only: string;
  /** Whether cases are left out that tests of Chromium's own try: {@link PageCase.inChromium}. */
  readonly leavesToChromium: boolean;
  /** Hears the report so far after each case. */
  readonly onProgress: (report: SuiteReport) => void;
}

const ownCases: readonly EngineCase[] = [...bridgeCases, ...stoppingCases, ...valueCases, ...sessionCases];
const ownPageCases: readonly PageCase[] = [
  ...pageCases,
  ...isolatedCases,
  ...fatalCases,
  ...contentCases,
  ...modelCases,
  ...storageCases,
  ...commandCases,
  ...packageCases,
  ...httpToolCases,
  ...mcpCases,
  ...savedTaskCases,
  ...codegenCases,
  ...agentTreeCases,
  ...writeCodeCases,
];

/** Runs everything that this page can run, one case after the other, and answers with what became of it. */
export async function runSuite({ only, leavesToChromium, onProgress }: SuiteOptions): Promise<SuiteReport> {
  const started = performance.now();
  const cases: CaseReport[] = [];
  const reports: VariantReport[] = [];
  const report = (finished: boolean): SuiteReport => ({
    userAgent: navigator.userAgent,
    isolated: crossOriginIsolated,
    jspi: hasJspi,
    finished,
    variants: reports,
    cases,
    pending: pendingRows,
    elapsed: performance.now() - started,
  });
  for (const variant of variants.filter(({ isAvailable }) => isAvailable)) {
    const run = new VariantRun(variant, (done) => {
      cases.push(done);
      onProgress(report(false));
    });
    const result = await run.all(
      ({ id, title, inChromium }) =>
        `${variant.name}: ${title} (${id})`.includes(only) && !(leavesToChromium && inChromium !== undefined),
    );
    if (result !== undefined) reports.push(result);
  }
  return report(true);
}

type Wanted = (each: Pick<PageCase, "id" | "title" | "inChromium">) => boolean;

/** All cases of one variant. Rows of the specification share one session, ours another. */
class VariantRun {
  readonly #variant: Variant;
  readonly #report: (done: CaseReport) => void;
  #shared: Promise<Session> | undefined;

  constructor(variant: Variant, report: (done: CaseReport) => void) {
    this.#variant = variant;
    this.#report = report;
  }

  async all(wanted: Wanted): Promise<VariantReport | undefined> {
    const started = performance.now();
    const { cases, sections } = this.#variant;
    const isOurs = (each: Parameters<Wanted>[0]): boolean => wanted(each) && (cases?.includes(each.id) ?? true);
    const rows = Object.entries(conformanceCases)
      .filter(([section]) => sections?.includes(section) ?? true)
      .flatMap(([, rowsOfSection]) => rowsOfSection)
      .filter(wanted);
    const own = ownCases.filter(isOurs);
    const page = ownPageCases.filter(isOurs);
    if (rows.length + own.length + page.length === 0) return undefined;
    let first: Session;
    try {
      first = await openVariant(this.#variant);
    } catch (error) {
      this.#done("open", "a session opens", { differences: [messageOf(error)], elapsed: performance.now() - started });
      return undefined;
    }
    this.#checkCapabilities(first);
    await this.#runRows(rows, first);
    await this.#runOwn(own, first);
    for (const each of page) await this.#runPage(each, first);
    await this.#endShared();
    await first.close();
    return describeVariant(this.#variant, first, performance.now() - started);
  }

  #checkCapabilities(session: Session): void {
    const { capabilities } = session;
    const expected = expectedTransport(this.#variant);
    const transport = capabilities?.syncCalls.transport;
    this.#done("supports-1", "the session waits by the fastest way there is here, and says which and why", {
      differences: [
        ...differ("the transport", transport, expected),
        ...(capabilities?.syncCalls.reason === "" ? ["no reason is given"] : []),
      ],
      elapsed: 0,
    });
    this.#done("supports-2", "what the session supports is what it can do here", {
      differences: [
        ...differ("sync_calls", session.supports("sync_calls"), transport !== "none"),
        ...differ("interrupt", session.supports("interrupt"), capabilities?.stop === "always"),
        ...differ("network_isolation", session.supports("network_isolation"), this.#variant.trust === "sandboxed"),
        ...["timeout", "reset", "process_isolation", "filesystem_isolation"].flatMap((name) =>
          differ(name, session.supports(name), true),
        ),
        ...differ("a name that is none", session.supports("telepathy"), false),
      ],
      elapsed: 0,
    });
  }

  async #runRows(rows: readonly ConformanceCase[], first: Session): Promise<void> {
    const runner = new ConformanceRunner((storage) =>
      openVariant(this.#variant, {
        storage,
        tools: fixtureTools,
        commands: fixtureCommands,
        seeds: fixtureSeeds,
        timeout: RUN,
      }),
    );
    for (const row of rows) {
      const reason =
        first.supports("sync_calls") || !waitsForPage(row) ? undefined : "there are no synchronous calls here";
      await this.#run(row, { reason, act: async () => (await runner.run(row)).differences });
    }
    await runner.end();
  }

  async #runOwn(cases: readonly EngineCase[], first: Session): Promise<void> {
    const runner = new ConformanceRunner((storage) => openVariant(this.#variant, { storage, tools: engineTools() }));
    for (const each of cases) {
      const reason = unmetDemand(each, first);
      await this.#run(each, { reason, act: async () => (await runner.run(each)).differences });
    }
    await runner.end();
  }

  async #runPage(each: PageCase, first: Session): Promise<void> {
    const open: OpenSession = (options) => openVariant(this.#variant, options);
    const shared: SharedSession = () => (this.#shared ??= open(sharedOptions()));
    const passed = await this.#run(each, { reason: unmetDemand(each, first), act: () => each.run(open, shared) });
    // What a failed case left behind shall fail no other.
    if (!passed) await this.#endShared();
  }

  async #endShared(): Promise<void> {
    const ending = this.#shared;
    this.#shared = undefined;
    const session = await ending?.catch(() => undefined);
    await session?.close();
  }

  /** @returns false when the case failed. */
  async #run(
    { id, title }: { id: string; title: string },
    { reason, act }: { reason: string | undefined; act: () => Promise<readonly string[]> },
  ): Promise<boolean> {
    if (reason !== undefined) {
      this.#report({ variant: this.#variant.name, id, title, status: "skipped", differences: [], reason, elapsed: 0 });
      return true;
    }
    const started = performance.now();
    const differences = await within(act()).catch((error: unknown) => [messageOf(error)]);
    this.#done(id, title, { differences, elapsed: performance.now() - started });
    return differences.length === 0;
  }

  #done(id: string, title: string, { differences, elapsed }: Pick<CaseReport, "differences" | "elapsed">): void {
    const status = differences.length === 0 ? "passed" : "failed";
    this.#report({ variant: this.#variant.name, id, title, status, differences, elapsed });
  }
}

/** Where Python cannot wait for the page, a row that uses a namespace has nothing to show. */
function waitsForPage({ steps }: ConformanceCase): boolean {
  return steps.some((step) => "code" in step && /\b(tools|skills|workflows|artifacts|deps|input)\b/.test(step.code));
}

async function within(result: Promise<readonly string[]>): Promise<readonly string[]> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<readonly string[]>((resolve) => {
    timer = setTimeout(() => {
      resolve([`it did not end within ${String(TEST / 1000)} seconds`]);
    }, TEST);
  });
  try {
    return await Promise.race([result, late]);
  } finally {
    clearTimeout(timer);
  }
}

function describeVariant({ name, trust }: Variant, session: Session, elapsed: number): VariantReport {
  const { capabilities } = session;
  return {
    name,
    trust,
    transport: capabilities?.syncCalls.transport ?? "",
    transportReason: capabilities?.syncCalls.reason ?? "",
    stop: capabilities?.stop ?? "",
    supports: [...session.supportedCapabilities()],
    python: capabilities?.python ?? "",
    pyodide: capabilities?.pyodide ?? "",
    elapsed,
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
