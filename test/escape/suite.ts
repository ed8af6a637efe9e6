import type { DrivenPage, Driver } from "./drivers/driver.js";
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
  /** A fresh page in the place of one that does not answer. */
  reopen(): Promise<void>;
  close(): Promise<void>;
}

/** The page did not answer in time. */
export class StalledError extends Error {
  override readonly name = "StalledError";
}

/** @param folder - with the built page. */
export async function openPass(driver: Driver, folder: string): Promise<Pass> {
  const listeners = await startListeners();
  // Names of hosts are written small.
  const secret = `secret-${Math.random().toString(36).slice(2)}`;
  const server = await servePage(folder, { listeners, secret });
  const { port, rawPort, udpPort } = listeners;
  const query = new URLSearchParams({ port: String(port), rawPort: String(rawPort), udpPort: String(udpPort), secret });
  const addressOf = (path: string): string => `${server.origin}${path}?${query.toString()}`;
  let page: DrivenPage = await open();

  async function open(): Promise<DrivenPage> {
    const opened = await driver.openPage(addressOf("/"));
    await within(opened.evaluate(READY));
    return opened;
  }
  const ask = (expression: string): Promise<unknown> => within(page.evaluate(expression));
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
      await page.close();
      page = await open();
    },
    close: async () => {
      await page.close();
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
