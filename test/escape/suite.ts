import { ANSWERS } from "../timeouts.mjs";
import { everyAttempt, slugOf } from "./attempts/index.js";
import { DialogError, launchDriver, type DrivenPage, type Driver } from "./drivers/index.js";
import type { BatchReport, Environment } from "./page/report.js";
import type { Beats } from "./servers/beats.js";
import { startListeners, type Listeners } from "./servers/listeners.js";
import { servePage } from "./servers/page-server.js";

/** Browsers that may be given up; each costs the limit. Then nothing that is left has a chance in reasonable time. */
const MOST_STALLS = 4;

/** WebKitGTK may say that a page is loaded before its modules have run. */
const READY = `(async () => {
  while (globalThis.escapePage === undefined) await new Promise((resolve) => setTimeout(resolve, 50));
  await escapePage;
})()`;

/** One pass over attempts: listeners, the page's server, and a page in one engine. */
export interface Pass {
  readonly listeners: Listeners;
  /** Of the plain pages. */
  readonly beats: Beats;
  /** Of the page's server. */
  readonly origin: string;
  /** @throws {StalledError} */
  make(titles: readonly string[], environment: Environment): Promise<BatchReport>;
  /** Asks the page something. @throws {StalledError} */
  ask(expression: string): Promise<unknown>;
  /** Asks a plain page of the same server something. @throws {StalledError} */
  askPlainPage(expression: string): Promise<unknown>;
  /** Opens plain pages, each with a thread of its own, on which it makes the attempt that it is named after. */
  openPlainPages(names: readonly string[]): Promise<void>;
  /** Dialogs, downloads and windows since the last call. */
  takeEvents(): Promise<readonly string[]>;
  /** Of another page of the server, with more for its query. */
  addressOf(path: string, more?: Readonly<Record<string, string>>): string;
  /** A fresh browser in the place of one that does not answer, or in which something goes on. */
  reopen(): Promise<void>;
  /** Ends the browser and the servers. */
  close(): Promise<void>;
}

/** The page did not answer in time. */
export class StalledError extends Error {
  override readonly name = "StalledError";
}

/** The page has not answered so often that the rest is not tried. */
export class GivenUpError extends Error {
  override readonly name = "GivenUpError";
}

export interface PassOptions {
  /** The wall that the page is to take away, where its build can. */
  readonly without?: string;
  /** Milliseconds after which a page is stalled. Default: so many that it hangs, on whatever machine. */
  readonly limit?: number;
}

/**
 * @param driver - is the pass's from now on.
 * @param folder - with the built page.
 */
export async function openPass(
  driver: Driver,
  folder: string,
  { without, limit = ANSWERS }: PassOptions = {},
): Promise<Pass> {
  const within = <T>(promise: Promise<T>): Promise<T> => settledWithin(promise, limit);
  const listeners = await startListeners(everyAttempt.filter(({ hasOwnPorts = false }) => hasOwnPorts).map(slugOf));
  // Names of hosts are written small.
  const secret = `secret-${Math.random().toString(36).slice(2)}`;
  const server = await servePage(folder, { listeners, secret });
  const query = new URLSearchParams({ port: String(listeners.port), secret });
  for (const [slug, { rawPort, udpPort }] of listeners.ownPorts) {
    query.append("own", `${slug}:${String(rawPort)}:${String(udpPort)}`);
  }
  if (without !== undefined) query.append("without", without);
  const addressOf = (path: string, more: Readonly<Record<string, string>> = {}): string =>
    `${server.origin}${path}?${new URLSearchParams([...query, ...Object.entries(more)]).toString()}`;
  let browser = driver;
  let page: Promise<DrivenPage> | undefined;
  let stalls = 0;
  let sites = 0;

  async function open(): Promise<DrivenPage> {
    const opened = await within(browser.openPage(addressOf("/")));
    await within(opened.evaluate(READY));
    return opened;
  }
  const current = (): Promise<DrivenPage> => (page ??= open());
  const ask = async (expression: string): Promise<unknown> => {
    if (stalls >= MOST_STALLS) {
      throw new GivenUpError(`${browser.version} did not answer ${String(stalls)} times; the rest is not tried.`);
    }
    const asked = await current();
    try {
      return await within(asked.evaluate(expression));
    } catch (error) {
      if (error instanceof StalledError) stalls += 1;
      throw error;
    }
  };
  return {
    listeners,
    beats: server.beats,
    origin: server.origin,
    ask,
    askPlainPage: async (expression) => {
      const plain = await within(browser.openPage(addressOf("/plain.html")));
      try {
        return await within(plain.evaluate(expression));
      } finally {
        await plain.close();
      }
    },
    openPlainPages: async (names) => {
      for (const name of names) {
        const url = new URL(addressOf("/plain.html", { attempt: name }));
        // Chromium and Firefox give a process to each site, WebKitGTK to each tab.
        if (browser.name !== "webkitgtk") url.hostname = `page-${String((sites += 1))}.localhost`;
        await within(browser.openPage(url.href));
      }
    },
    make: async (titles, environment) => {
      const call = `escapePage.then((page) => page.make(${JSON.stringify(titles)}, "${environment}"))`;
      try {
        return (await ask(call)) as BatchReport;
      } catch (error) {
        if (!(error instanceof DialogError)) throw error;
        return (await ask("escapePage.then((page) => page.made())")) as BatchReport;
      }
    },
    takeEvents: async () => (await current()).takeEvents(),
    addressOf,
    reopen: async () => {
      await browser.close();
      browser = await launchDriver(browser.name);
      page = undefined;
    },
    close: async () => {
      await browser.close();
      await server.close();
      await listeners.close();
    },
  };
}

function settledWithin<T>(promise: Promise<T>, limit: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new StalledError(`The page did not answer within ${String(limit / 1000)} s.`));
    }, limit);
    void promise.then(resolve, reject).finally(() => {
      clearTimeout(timer);
    });
  });
}
