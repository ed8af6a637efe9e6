import { ContractError, jsonParameter } from "../../contract/index.js";
import { isRecord, jsonIn, type Value } from "../../protocol/index.js";
import type { CallRecord } from "../records/call-records.js";

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
/** Characters of the addresses that only the program speaks of. */
const MOST_CLAIMED = 2_000_000;
/** Characters of JSON, and of all addresses of a list, that are read: on the page's own thread, in one go. */
const LONGEST_LIST = 1_000_000;
const MOST_ADDRESSES = 2_000_000;

const TRACKING = /^(?:utm_\w+|fbclid|gclid|dclid|msclkid|mc_cid|mc_eid|igshid|ref_src)$/i;

/** Characters of an address. What is longer is none: each is read on the page's own thread. */
const LONGEST_ADDRESS = 4_096;

/** The address by which two sources are one: without tracking parameters, fragment and trailing slash. */
export function normalizeUrl(url: string): string {
  if (url.length > LONGEST_ADDRESS) return "";
  let address: URL;
  try {
    address = new URL(url.trim());
  } catch {
    return url.trim();
  }
  // In one pass: each change of an address writes all of it anew.
  const kept = new URLSearchParams([...address.searchParams].filter(([name]) => !TRACKING.test(name)));
  kept.sort();
  address.hash = "";
  address.search = kept.toString();
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
  readonly #claimed = new Map<string, number>();
  #claimRoom = MOST_CLAIMED;
  /** Every sid that is given, to a source or to a claim. */
  readonly #taken = new Set<number>();
  /** What the caller called sources that have another sid here. */
  readonly #renumbered = new Map<number, number>();
  /** What was added here, and not only copied. */
  readonly #added = new Set<number>();
  readonly #recorded = new Set<string>();
  /** Of sources that were given as bytes, in base64: for the program alone. */
  readonly #contents = new Map<number, string>();
  #next = 1;
  #isCut = false;

  /** @param known - is copied: its sources keep their sids, and what is added later gets others. */
  constructor(known?: SourcePool) {
    if (known === undefined) return;
    this.#bySid = new Map(known.#bySid);
    this.#byUrl = new Map(known.#byUrl);
    this.#taken = new Set(known.#taken);
  }

  /** Whether there were more sources than {@link MOST_SOURCES}, or longer claims than have room; the later ones are left out. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** What whoever reads the result should know of its sources. */
  get notes(): readonly string[] {
    const renumbered = Array.from(this.#renumbered, ([given, sid]) => `S:${String(given)} is S:${String(sid)}`);
    return [
      ...(renumbered.length === 0 ? [] : [`sources_renumbered: ${renumbered.join(", ")}`]),
      ...(this.#isCut
        ? [`sources_left_out: there were more than ${String(MOST_SOURCES)} sources, or too long ones`]
        : []),
    ];
  }

  get rows(): readonly Source[] {
    return [...this.#bySid.values()].sort((a, b) => a.sid - b.sid);
  }

  /** Those that were added here, and of the copied ones those that are cited. */
  addedOr(cited: readonly number[]): readonly Source[] {
    const wanted = new Set(cited);
    return this.rows.filter(({ sid }) => this.#added.has(sid) || wanted.has(sid));
  }

  has(sid: number): boolean {
    return this.#bySid.has(sid);
  }

  get(sid: number): Source | undefined {
    return this.#bySid.get(sid);
  }

  /** What the program gets of a source beside its row. */
  contentOf(sid: number): { readonly base64?: string } {
    const base64 = this.#contents.get(sid);
    return base64 === undefined ? {} : { base64 };
  }

  keepContent(sid: number, base64: string): void {
    this.#contents.set(sid, base64);
  }

  /** There was more than was looked at. */
  cut(): void {
    this.#isCut = true;
  }

  /** Gives the sid to nothing: something that cannot be read any more is cited by it. */
  reserve(sid: number): void {
    this.#taken.add(sid);
  }

  /** The caller's number of a source that has another one here. Nothing else gets it: texts may cite it. */
  renumber(given: number, sid: number): void {
    this.reserve(given);
    this.#renumbered.set(given, sid);
  }

  /** Of two sources with one address the one with more text counts; a sid that is taken is given anew. Null for no source, or one too many. */
  add(row: Readonly<Record<string, Value>>): Source | null {
    const url = this.#shortEnough(addressOf(row));
    const given = isSid(row.sid) ? row.sid : null;
    if (url === "" && given === null) return null;
    const key = url === "" ? "" : normalizeUrl(url);
    const known = key === "" ? undefined : (this.#byUrl.get(key) ?? this.#claimed.get(key));
    const sid = known ?? this.#take(given);
    if (sid === null) return null;
    const source = richer(this.#bySid.get(sid), sourceOf(row, { sid, url }));
    this.#bySid.set(sid, source);
    this.#added.add(sid);
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
      this.#isCut ||= isTooLong(outcome.value);
      for (const row of this.#first(sourceRows(outcome.value))) this.add(row);
    }
  }

  /** Lists of rows put together, one for each address. Rows that nobody but the program knows get a sid, and are not kept. */
  merge(lists: Value): Source[] {
    const merged = new Map<number, Source>();
    const rows = this.#rowsOf(lists);
    for (const row of this.#first(rows)) {
      const source = this.#known(row) ?? this.#claim(row);
      if (source !== null) merged.set(source.sid, richer(merged.get(source.sid), source));
    }
    return [...merged.values()].sort((a, b) => a.sid - b.sid);
  }

  /** Of the texts among the lists as much as is read. */
  #rowsOf(lists: Value): Readonly<Record<string, Value>>[] {
    const all = Array.isArray(lists) ? (lists as readonly Value[]) : [lists];
    const rows: Readonly<Record<string, Value>>[] = [];
    let room = LONGEST_LIST;
    for (const list of all) {
      if (typeof list === "string") room -= list.length;
      if (room < 0 || rows.length > MOST_SOURCES) {
        this.#isCut = true;
        break;
      }
      for (const row of sourceRows(list)) rows.push(row);
    }
    return rows;
  }

  #shortEnough(url: string): string {
    if (url.length <= LONGEST_ADDRESS) return url;
    this.#isCut = true;
    return "";
  }

  /** As many rows as there can be sources. */
  #first<T>(rows: readonly T[]): readonly T[] {
    this.#isCut ||= rows.length > MOST_SOURCES;
    return rows.slice(0, MOST_SOURCES);
  }

  #known(row: Readonly<Record<string, Value>>): Source | null {
    const url = this.#shortEnough(textOf(row.url));
    const sid = url === "" ? row.sid : this.#byUrl.get(normalizeUrl(url));
    return typeof sid === "number" ? (this.#bySid.get(sid) ?? null) : null;
  }

  #claim(row: Readonly<Record<string, Value>>): Source | null {
    const url = this.#shortEnough(textOf(row.url));
    if (url === "") return null;
    const key = normalizeUrl(url);
    const sid = this.#claimed.get(key) ?? this.#takeClaim(key);
    return sid === null ? null : sourceOf(row, { sid, url });
  }

  #takeClaim(key: string): number | null {
    const hasRoom = key.length <= this.#claimRoom;
    const sid = hasRoom ? this.#take(null) : null;
    this.#isCut ||= !hasRoom;
    if (sid === null) return null;
    this.#claimRoom -= key.length;
    this.#claimed.set(key, sid);
    return sid;
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

/** Adds what was given to the pool. @throws {ContractError} `invalid_sources_list` naming the row. */
export function parseSources(given: Value, pool = new SourcePool()): SourcePool {
  if (given === undefined || given === null || given === "") return pool;
  const list =
    typeof given === "string"
      ? jsonParameter("sources_list", given, { most: LONGEST_LIST, code: "invalid_sources_list" })
      : given;
  if (!Array.isArray(list)) throw new ContractError("invalid_sources_list", "The sources_list is a list of dicts.");
  const addresses = new Map<number, string>();
  let room = MOST_ADDRESSES;
  for (const [index, row] of (list as readonly Value[]).entries()) {
    if (index >= MOST_SOURCES || room < 0) {
      pool.cut();
      break;
    }
    if (!isRecord(row) || !isSid(row.sid)) throw wrongSid(index, "has no whole number sid");
    room -= addressOf(row).length;
    const address = normalizeUrl(addressOf(row)) || `row ${String(index)}`;
    const { sid } = row;
    if ((addresses.get(sid) ?? address) !== address)
      throw wrongSid(index, "has the sid of another source; give each its own");
    addresses.set(sid, address);
    const source = pool.add(row);
    if (source === null) continue;
    if (source.sid !== sid) pool.renumber(sid, source.sid);
    if (typeof row.base64 === "string") pool.keepContent(source.sid, row.base64);
  }
  return pool;
}

function wrongSid(index: number, what: string): ContractError {
  const entry = String(index);
  return new ContractError("invalid_sources_list", `Row ${entry} of the sources_list ${what}.`, {
    entry,
    field: "sid",
  });
}

/** Characters of a path, as the paths of a context have them too. */
const LONGEST_PATH = 1_000;

/** `sources_pool`, `sources_pool[1,3]`, `sources_pool[2:5]` (both ends count). Null for another path. */
export function sourcesAt(pool: SourcePool, path: string): readonly Source[] | null {
  // Each end is compared with each row.
  if (path.length > LONGEST_PATH) return null;
  const match = /^sources_pool(?:\[([\d\s,:]*)\])?$/.exec(path.trim());
  if (match === null) return null;
  const [, wanted] = match;
  if (wanted === undefined) return pool.rows;
  const ends = wanted.split(",").map((part) => part.split(":").map((end) => Number.parseInt(end, 10)));
  return pool.rows.filter(({ sid }) => ends.some(([from = NaN, to = from]) => sid >= from && sid <= to));
}

function isTooLong(value: Value): boolean {
  return typeof value === "string" && value.length > LONGEST_LIST;
}

/** The rows in what a tool returned: a list, a dict around one, one row, or JSON of these that is not too long to be read. */
export function sourceRows(value: Value): Readonly<Record<string, Value>>[] {
  if (isTooLong(value)) return [];
  if (typeof value === "string") {
    const read = jsonIn(value);
    return read === undefined || typeof read === "string" ? [] : sourceRows(read);
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

function addressOf({ url, link, href }: Readonly<Record<string, Value>>): string {
  return textOf(url ?? link ?? href);
}

function textOf(value: Value): string {
  return typeof value === "string" ? value : "";
}
