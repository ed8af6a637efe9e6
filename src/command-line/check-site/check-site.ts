import { relative, sep } from "node:path";

import type { Browser, BrowserContext } from "playwright";

import { VitrineError } from "../../protocol/index.js";
import { CheckBrowserError } from "../errors.js";
import type { PageReport } from "./cell-report.js";
import { checkPage, readPage, type PageFile } from "./check-page.js";
import { findPages } from "./find-pages.js";
import { launchBrowser, type BrowserName } from "./launch-browser.js";
import { watchCells } from "./page-script.js";
import { serveSite } from "./serve-site.js";

export interface SiteCheckOptions {
  /** Files, folders and patterns. */
  readonly names: readonly string[];
  /** The folder that the site is served from; undefined: the one that all pages lie in. */
  readonly root: string | undefined;
  /** The path at which the site appears. */
  readonly base: string;
  /** Whether outputs are put into the files, instead of being held against what is there. */
  readonly writes: boolean;
  /** Milliseconds that a cell may take, with all that it loads. */
  readonly limit: number;
  readonly browser: BrowserName;
  readonly executable: string | undefined;
  readonly isHeaded: boolean;
  /** Whether pages reach other hosts. */
  readonly allowsNetwork: boolean;
}

export interface SiteReport {
  readonly root: string;
  /** Those with cells. */
  readonly pages: readonly PageReport[];
  /** How many have none. They were not opened. */
  readonly otherPages: number;
}

export interface CheckSurroundings {
  readonly cwd: string;
  /** Ends the check. */
  readonly signal: AbortSignal;
  /** Called with each page, once it is done. */
  readonly onPage: (report: PageReport) => void;
}

/**
 * Runs the cells of a site's pages in a browser, and holds what they come to against what the pages show.
 *
 * @throws {CommandUsageError} where there are no pages. @throws {CheckBrowserError} where there is no browser, or `signal` aborted.
 */
export async function checkSite(
  options: SiteCheckOptions,
  { cwd, signal, onPage }: CheckSurroundings,
): Promise<SiteReport> {
  const { root, files } = await findPages(options.names, { cwd, root: options.root });
  const site = await serveSite(root, options);
  try {
    const withCells: PageFile[] = [];
    for (const file of files) {
      const page = await readPage(file, site.url + addressOf(relative(root, file)));
      if (page.cells.length > 0) withCells.push(page);
    }
    const pages: PageReport[] = [];
    if (withCells.length > 0) {
      for await (const report of reportsOf(withCells, site.origin, { options, cwd, signal })) {
        onPage(report);
        pages.push(report);
      }
    }
    return { root, pages, otherPages: files.length - withCells.length };
  } finally {
    await site.close();
  }
}

async function* reportsOf(
  pages: readonly PageFile[],
  origin: string,
  { options, cwd, signal }: { readonly options: SiteCheckOptions; readonly cwd: string; readonly signal: AbortSignal },
): AsyncGenerator<PageReport> {
  const interrupted = (): CheckBrowserError => new CheckBrowserError("interrupted", "The check was interrupted.");
  const isOver = (): boolean => signal.aborted;
  const browser = await launchBrowser({ ...options, cwd });
  const close = (): void => void browser.close();
  signal.addEventListener("abort", close, { once: true });
  try {
    if (isOver()) throw interrupted();
    const context = await openContext(browser, origin, options);
    for (const page of pages) {
      const report = await checkPage(context, page, options);
      // The browser was closed under it: that says nothing of the page.
      if (isOver()) throw interrupted();
      yield report;
    }
  } catch (error) {
    if (isOver()) throw interrupted();
    if (error instanceof VitrineError || browser.isConnected()) throw error;
    throw new CheckBrowserError("launch", `${options.browser} ended by itself.`, { cause: error });
  } finally {
    signal.removeEventListener("abort", close);
    await browser.close();
  }
}

async function openContext(
  browser: Browser,
  origin: string,
  { allowsNetwork }: SiteCheckOptions,
): Promise<BrowserContext> {
  const context = await browser.newContext({ serviceWorkers: "block" });
  await context.addInitScript(watchCells);
  if (!allowsNetwork) {
    // Workers too. What is no request, a WebSocket for instance, has no names to go by in Chromium.
    await context.route(
      (url) => url.origin !== origin,
      (route) => route.abort("blockedbyclient"),
    );
  }
  return context;
}

/** The folder in the place of its `index.html`: routers of sites know their pages by that. */
function addressOf(path: string): string {
  const parts = path.split(sep).map(encodeURIComponent);
  return parts.join("/").replace(/(^|\/)index\.html$/, "$1");
}
