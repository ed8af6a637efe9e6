import { Slices, unlessAborted } from "../../../../protocol/index.js";
import { CellFileError } from "../../runtime/errors.js";
import { SiteFiles } from "../../runtime/site-files.js";
import { SiteTextError } from "../errors.js";
import { addressOf, MOST_PASSAGES, type Passage } from "./passage.js";
import { PassageIndex } from "./passage-index.js";
import { plainText } from "./plain-text.js";
import { decoded, isWebPage, readText } from "./read-text.js";

/** Bytes of all texts that a page names, and how many of them there may be. */
const LARGEST = 8 * 2 ** 20;
const MOST_TEXTS = 20;

/** Bytes of a page that is read in full, and how many pages may be fetched. */
const LARGEST_PAGE = 2 ** 20;
const MOST_PAGES = 50;

/** Milliseconds that a server may keep silent, and that a text may take. */
const PATIENCE = 15_000;
const LONGEST_WAIT = 60_000;

/** Characters of a page that are handed out in one go. */
const LONGEST_PART = 12_000;

/** A page of the site, or a part of it. */
export interface PagePart {
  readonly title: string;
  readonly url: string;
  readonly text: string;
  /** Where the next part begins; null at the end. */
  readonly next: number | null;
}

/** The texts of a site, as its page names them: searched, and read page by page. */
export class SiteTexts {
  readonly #index = new PassageIndex();
  /** What the texts themselves hold of a page, by its address. */
  readonly #held = new Map<string, Passage[]>();
  /** Titles of the pages that they name, by address. */
  readonly #named = new Map<string, string>();
  readonly #origins: ReadonlySet<string>;
  readonly #pages = new Map<string, Promise<string>>();
  readonly #files = new SiteFiles({ largest: LARGEST_PAGE, patience: PATIENCE, keepsOrigin: true });

  /**
   * Fetches and reads texts, without anything of the reader's.
   *
   * @param addresses - absolute.
   * @throws {SiteTextError} @throws the signal's reason.
   */
  static async open(addresses: readonly string[], signal: AbortSignal): Promise<SiteTexts> {
    const [first = ""] = addresses;
    if (addresses.length > MOST_TEXTS)
      throw new SiteTextError(first, `the page names more than ${String(MOST_TEXTS)} texts`);
    const strange = addresses.find((url) => addressOf(url, url) === null);
    if (strange !== undefined) throw new SiteTextError(strange, "only http and https addresses are loaded");
    const unique = [...new Set(addresses)];
    const texts = new SiteTexts(unique);
    for (const { url, content } of await loadAll(unique, signal)) {
      signal.throwIfAborted();
      await texts.#take(url, content);
    }
    return texts;
  }

  private constructor(addresses: readonly string[]) {
    this.#origins = new Set(addresses.map((url) => new URL(url).origin));
  }

  /** The best passages for some words. */
  search(query: string, limit: number): readonly Passage[] {
    return this.#index.search(query, limit).map(({ title, url, text }) => ({ title, url, text }));
  }

  /**
   * A page in full, from a character on: what the texts hold of it, else what lies at its address.
   *
   * @param target - an address that the texts name, at an origin from which one of them came.
   * @throws {SiteTextError}
   */
  async read(target: string, from: number, signal: AbortSignal): Promise<PagePart> {
    const [origin = ""] = this.#origins;
    const url = addressOf(target.trim(), `${origin}/`);
    if (url === null || !(this.#named.has(url) || this.#held.has(url))) {
      throw new SiteTextError(
        target,
        "no text of this site names it; search with site_texts and take an address that it gives",
      );
    }
    const text = this.#textHeld(url) ?? (await this.#fetched(url, signal));
    const begin = Math.min(Math.max(0, Math.trunc(from)), text.length);
    const end = Math.min(text.length, begin + LONGEST_PART);
    return {
      title: this.#named.get(url) ?? this.#held.get(url)?.[0]?.title ?? "",
      url,
      text: text.slice(begin, end),
      next: end < text.length ? end : null,
    };
  }

  async #take(url: string, content: Uint8Array<ArrayBuffer>): Promise<void> {
    const slices = new Slices();
    const { passages, links } = await readText(content, url, slices);
    await this.#index.add(passages.slice(0, MOST_PASSAGES - this.#index.size), slices);
    const own = addressOf(url, url);
    for (const link of links) if (!this.#named.has(link.url)) this.#named.set(link.url, link.title);
    for (const passage of passages) {
      const page = addressOf(passage.url, url);
      if (page === null) continue;
      const held = this.#held.get(page) ?? [];
      this.#held.set(page, held);
      held.push(passage);
    }
    if (own !== null && !this.#named.has(own)) this.#named.set(own, "");
  }

  /** Null where the texts have no more of a page than what it is about. */
  #textHeld(url: string): string | null {
    const held = this.#held.get(url) ?? [];
    const isOnlyNamed = held.every(({ words, text }) => text === "" || words !== undefined);
    if (isOnlyNamed) return null;
    return held.map(({ title, text }) => (title === "" ? text : `${title}\n${text}`)).join("\n\n");
  }

  async #fetched(url: string, signal: AbortSignal): Promise<string> {
    const there = this.#pages.get(url);
    if (there !== undefined) return unlessAborted(there, signal);
    if (!this.#origins.has(new URL(url).origin)) {
      throw new SiteTextError(url, "it lies at another site than the texts that name it, and is not fetched");
    }
    if (this.#pages.size >= MOST_PAGES) {
      throw new SiteTextError(url, `${String(MOST_PAGES)} pages were fetched already, and no more are`);
    }
    const coming = this.#load(url, signal);
    this.#pages.set(url, coming);
    coming.catch(() => this.#pages.delete(url));
    return coming;
  }

  async #load(url: string, signal: AbortSignal): Promise<string> {
    const text = decoded(await load(this.#files, url, signal), url);
    if (text.includes("\0")) throw new SiteTextError(url, "it is not text");
    if (!isWebPage(text.slice(0, 500).trimStart())) return text;
    return plainText(contentOf(text), new Slices());
  }
}

/** Of a web page what is its own, where it says so: `<main>`, else all of it. */
function contentOf(html: string): string {
  const begin = html.search(/<main[\s>]/i);
  if (begin < 0) return html;
  const end = html.indexOf("</main", begin);
  return html.slice(begin, end < 0 ? html.length : end);
}

interface LoadedText {
  readonly url: string;
  readonly content: Uint8Array<ArrayBuffer>;
}

/** All at once; where one cannot be had, or they are too much together, the others are given up. */
async function loadAll(addresses: readonly string[], stopped: AbortSignal): Promise<readonly LoadedText[]> {
  const files = new SiteFiles({ largest: LARGEST, patience: PATIENCE, keepsOrigin: true });
  const failed = new AbortController();
  const signal = AbortSignal.any([stopped, failed.signal]);
  let size = 0;
  const loading = addresses.map(async (url) => {
    const content = await load(files, url, signal);
    size += content.byteLength;
    if (size > LARGEST) throw new SiteTextError(url, "the texts of the page have more than 8 MB together");
    return { url, content };
  });
  try {
    return await Promise.all(loading);
  } catch (error) {
    failed.abort(error);
    throw error;
  }
}

/** @throws {SiteTextError} @throws the signal's reason. */
async function load(files: SiteFiles, url: string, stopped: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  const late = new SiteTextError(url, `it had not come after ${String(LONGEST_WAIT / 1000)} seconds`);
  const limit = AbortSignal.timeout(LONGEST_WAIT);
  try {
    return await files.fetch(url, url, AbortSignal.any([stopped, limit]));
  } catch (error) {
    stopped.throwIfAborted();
    if (limit.aborted) throw late;
    throw error instanceof CellFileError ? new SiteTextError(url, error.reason, { cause: error }) : error;
  }
}
