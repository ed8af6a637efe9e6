import { isRecord, type Value } from "../protocol/index.js";
import type { CallRecord } from "./call-records.js";
import { ContractError } from "./errors.js";

/** Something that a text can cite by its `sid`. */
export interface Source {
  readonly sid: number;
  readonly url: string;
  readonly title: string;
  readonly text: string;
  readonly mime?: string;
  readonly filename?: string;
}

/** Tools whose results are sources, by the last part of their names. */
export const CITABLE_TOOLS: readonly string[] = ["web_search", "fetch_url_contents", "kb_search", "merge_sources"];

/** Sources of one run, those included that only the program speaks of. */
export const MOST_SOURCES = 5_000;

const TRACKING = /^(?:utm_\w+|fbclid|gclid|dclid|msclkid|mc_cid|mc_eid|igshid|ref_src)$/i;

/** The address by which two sources are one: without tracking parameters, fragment and trailing slash. */
export function normalizeUrl(url: string): string {
  let address: URL;
  try {
    address = new URL(url.trim());
  } catch {
    return url.trim();
  }
  address.hash = "";
  for (const name of [...address.searchParams.keys()]) if (TRACKING.test(name)) address.searchParams.delete(name);
  address.searchParams.sort();
  return address.href.replace(/\/(?=\?|$)/, "");
}

/**
 * The sources of one run, each with one sid. They come from whoever asked for the program and from the results of
 * citable tools as the page saw them; a program adds none by saying so.
 */
export class SourcePool {
  readonly #bySid = new Map<number, Source>();
  readonly #byUrl = new Map<string, number>();
  /** Addresses that a program spoke of and no tool returned: they have a sid, so that nothing else gets it. */
  readonly #claimed = new Map<string, Source>();
  /** Every sid that is given, to a source or to a claim. */
  readonly #taken = new Set<number>();
  readonly #recorded = new Set<string>();
  #next = 1;
  #isCut = false;

  /** Whether there were more sources than {@link MOST_SOURCES}; the later ones are left out. */
  get isCut(): boolean {
    return this.#isCut;
  }

  get rows(): readonly Source[] {
    return [...this.#bySid.values()].sort((a, b) => a.sid - b.sid);
  }

  has(sid: number): boolean {
    return this.#bySid.has(sid);
  }

  get(sid: number): Source | undefined {
    return this.#bySid.get(sid);
  }

  /** Gives the sid to nothing: something that cannot be read any more is cited by it. */
  reserve(sid: number): void {
    this.#taken.add(sid);
  }

  /** Of two sources with one address the one with more text counts; a sid that is taken is given anew. Null for no source, or one too many. */
  add(row: Readonly<Record<string, Value>>): Source | null {
    const url = textOf(row.url ?? row.link ?? row.href);
    const given = isSid(row.sid) ? row.sid : null;
    if (url === "" && given === null) return null;
    const key = url === "" ? "" : normalizeUrl(url);
    const known = key === "" ? undefined : (this.#byUrl.get(key) ?? this.#claimed.get(key)?.sid);
    const sid = known ?? this.#take(given);
    if (sid === null) return null;
    const source = richer(this.#bySid.get(sid), sourceOf(row, { sid, url }));
    this.#bySid.set(sid, source);
    if (key !== "") {
      this.#byUrl.set(key, sid);
      this.#claimed.delete(key);
    }
    return source;
  }

  /** Takes what citable tools returned, each call once. Of a summary nothing: its addresses may be cut. */
  addRecords(records: readonly CallRecord[], citable: readonly string[]): void {
    for (const { file, toolId, outcome, abridged } of records) {
      const name = toolId.split(".").at(-1) ?? "";
      if (outcome.kind !== "returned" || abridged || !citable.includes(name) || this.#recorded.has(file)) continue;
      this.#recorded.add(file);
      for (const row of sourceRows(outcome.value)) this.add(row);
    }
  }

  /** Lists of rows put together, one for each address. Rows that nobody but the program knows get a sid and no place. */
  merge(lists: Value): Source[] {
    const merged = new Map<number, Source>();
    const rows = Array.isArray(lists) ? (lists as readonly Value[]).flatMap(sourceRows) : sourceRows(lists);
    for (const row of rows) {
      const source = this.#known(row) ?? this.#claim(row);
      if (source !== null) merged.set(source.sid, source);
    }
    return [...merged.values()].sort((a, b) => a.sid - b.sid);
  }

  #known(row: Readonly<Record<string, Value>>): Source | null {
    const url = textOf(row.url);
    const sid = url === "" ? row.sid : this.#byUrl.get(normalizeUrl(url));
    return typeof sid === "number" ? (this.#bySid.get(sid) ?? null) : null;
  }

  #claim(row: Readonly<Record<string, Value>>): Source | null {
    const url = textOf(row.url);
    if (url === "") return null;
    const key = normalizeUrl(url);
    const known = this.#claimed.get(key);
    const sid = known?.sid ?? this.#take(null);
    if (sid === null) return null;
    const source = richer(known, sourceOf(row, { sid, url }));
    this.#claimed.set(key, source);
    return source;
  }

  /** The sid that is wished for where it is free, else the next free one. Null where there are too many already. */
  #take(wished: number | null): number | null {
    if (this.#taken.size >= MOST_SOURCES) {
      this.#isCut = true;
      return null;
    }
    const sid = wished === null || this.#taken.has(wished) ? this.#freeSid() : wished;
    this.#taken.add(sid);
    return sid;
  }

  #freeSid(): number {
    while (this.#taken.has(this.#next)) this.#next += 1;
    return this.#next;
  }
}

/** @throws {ContractError} `invalid_sources_list` naming the row. */
export function parseSources(given: Value): SourcePool {
  const pool = new SourcePool();
  if (given === undefined || given === null || given === "") return pool;
  const list = typeof given === "string" ? parsed(given) : given;
  if (!Array.isArray(list)) throw new ContractError("invalid_sources_list", "The sources_list is a list of dicts.");
  (list as readonly Value[]).forEach((row, index) => {
    if (isRecord(row) && isSid(row.sid) && (pool.add(row) !== null || pool.isCut)) return;
    throw new ContractError(
      "invalid_sources_list",
      `Row ${String(index)} of the sources_list has no whole number sid.`,
      {
        entry: String(index),
        field: "sid",
      },
    );
  });
  return pool;
}

/** `sources_pool`, `sources_pool[1,3]`, `sources_pool[2:5]` (both ends count). Null for another path. */
export function sourcesAt(pool: SourcePool, path: string): readonly Source[] | null {
  const match = /^sources_pool(?:\[([\d\s,:]*)\])?$/.exec(path.trim());
  if (match === null) return null;
  const [, wanted] = match;
  if (wanted === undefined) return pool.rows;
  const ends = wanted.split(",").map((part) => part.split(":").map((end) => Number.parseInt(end, 10)));
  return pool.rows.filter(({ sid }) => ends.some(([from = NaN, to = from]) => sid >= from && sid <= to));
}

function parsed(text: string): Value {
  try {
    return JSON.parse(text) as Value;
  } catch {
    throw new ContractError("invalid_sources_list", "The sources_list is text that is no JSON.");
  }
}

/** The rows in what a tool returned: a list, a dict around one, one row, or JSON of these. */
export function sourceRows(value: Value): Readonly<Record<string, Value>>[] {
  if (typeof value === "string") {
    try {
      const read = JSON.parse(value) as Value;
      return typeof read === "string" ? [] : sourceRows(read);
    } catch {
      return [];
    }
  }
  if (Array.isArray(value)) return (value as readonly Value[]).filter(isRecord);
  if (!isRecord(value)) return [];
  for (const field of ["sources", "results", "items", "ret"]) {
    const inner = value[field];
    if (Array.isArray(inner)) return sourceRows(inner);
  }
  if (typeof value.url === "string") return [value];
  // Contents by address, as `fetch_url_contents` returns them.
  return Object.entries(value).flatMap(([url, row]) =>
    isRecord(row) && /^https?:/.test(url) ? [{ url, ...row }] : [],
  );
}

function sourceOf(row: Readonly<Record<string, Value>>, { sid, url }: { sid: number; url: string }): Source {
  const { mime, filename } = row;
  return {
    sid,
    url,
    title: textOf(row.title ?? row.name),
    text: textOf(row.content ?? row.text ?? row.snippet),
    ...(typeof mime === "string" ? { mime } : {}),
    ...(typeof filename === "string" ? { filename } : {}),
  };
}

function richer(known: Source | undefined, found: Source): Source {
  if (known === undefined) return found;
  const text = found.text.length > known.text.length ? found.text : known.text;
  return { ...found, ...known, title: known.title || found.title, url: known.url || found.url, text };
}

function isSid(value: Value): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0;
}

function textOf(value: Value): string {
  return typeof value === "string" ? value : "";
}
