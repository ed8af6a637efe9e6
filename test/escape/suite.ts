import { launchDriver, type DrivenPage, type Driver } from "./drivers/index.js";
import type { BatchReport, Environment } from "./page/report.js";
import { startListeners, type Listeners } from "./servers/listeners.js";
import { servePage } from "./servers/page-server.js";

/** Milliseconds for a batch of attempts and for a look at the page. Whoever needs more counts as stalled. */
const LIMIT = 60_000;

/** Milliseconds of silence of page and other sessions that show an attempt to deny service where nothing holds it. */
export const LONGEST_SILENCE = 2500;

/**
 * Milliseconds that the sealed executor may let them be silent before it counts as a stall: a flood is ended within
 * seconds, and a machine with other work takes as long again.
 */
export const LONGEST_SEALED_SILENCE = 2 * LONGEST_SILENCE;

/** Browsers that may be given up; each costs {@link LIMIT}. Then nothing that is left has a chance in reasonable time. */
const MOST_STALLS = 4;

/** WebKitGTK may say that a page is loaded before its modules have run. */
const READY = `(async () => {
  while (globalThis.escapePage === undefined) await new Promise((resolve) => setTimeout(resolve, 50));
  await escapePage;
})()`;

/** One pass over the attempts: listeners, the page's server, and a page in one engine. */
export interface Pass {
  readonly listeners: Listeners;
  /** @throws {StalledError} */
  make(titles: readonly string[], environment: Environment): Promise<BatchReport>;
  /** Asks the page something. @throws {StalledError} */
  ask(expression: string): Promise<unknown>;
  /** Dialogs, downloads and windows since the last call. */
  takeEvents(): string[];
  /** Of another page of the server. */
  addressOf(path: string): string;
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

/**
 * @param driver - is the pass's from now on.
 * @param folder - with the built page.
 */
export async function openPass(driver: Driver, folder: string): Promise<Pass> {
  const listeners = await startListeners();
  // Names of hosts are written small.
  const secret = `secret-${Math.random().toString(36).slice(2)}`;
  const server = await servePage(folder, { listeners, secret });
  const { port, rawPort, udpPort } = listeners;
  const query = new URLSearchParams({ port: String(port), rawPort: String(rawPort), udpPort: String(udpPort), secret });
  const addressOf = (path: string): string => `${server.origin}${path}?${query.toString()}`;
  let browser = driver;
  let page: DrivenPage = await open();
  let stalls = 0;

  async function open(): Promise<DrivenPage> {
    const opened = await within(browser.openPage(addressOf("/")));
    await within(opened.evaluate(READY));
    return opened;
  }
  const ask = async (expression: string): Promise<unknown> => {
    if (stalls >= MOST_STALLS) {
      throw new GivenUpError(`${browser.version} did not answer ${String(stalls)} times; the rest is not tried.`);
    }
    try {
      return await within(page.evaluate(expression));
    } catch (error) {
      if (error instanceof StalledError) stalls += 1;
      throw error;
    }
  };
  return {
    listeners,
    ask,
    make: async (titles, environment) => {
      const call = `escapePage.then((page) => page.make(${JSON.stringify(titles)}, "${environment}"))`;
      return (await ask(call)) as BatchReport;
    },
    takeEvents: () => page.takeEvents(),
    addressOf,
    reopen: async () => {
      await browser.close();
      browser = await launchDriver(browser.name);
      page = await open();
    },
    close: async () => {
      await browser.close();
      await server.close();
      await listeners.close();
    },
  };
}

function within<T>(promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new StalledError(`The page did not answer within ${String(LIMIT / 1000)} s.`));
    }, LIMIT);
    void promise.then(resolve, reject).finally(() => {
      clearTimeout(timer);
    });
  });
}
