import { z } from "zod";

import type { ParsedJson, Slices } from "../../../../protocol/index.js";
import { SiteTextError } from "../errors.js";
import {
  absolute,
  LONGEST_TITLE,
  MOST_PASSAGES,
  pieces,
  type LinkedPage,
  type Passage,
  type ReadText,
  withoutPart,
} from "./passage.js";
import { plainText } from "./plain-text.js";

const Text = z.string().optional().catch(undefined);

/** A page or a part of one, as the generators of sites call its fields. */
const Entry = z.object({
  title: Text,
  section: Text,
  name: Text,
  location: Text,
  url: Text,
  href: Text,
  permalink: Text,
  uri: Text,
  relUrl: Text,
  path: Text,
  text: Text,
  content: Text,
  contents: Text,
  body: Text,
  summary: Text,
  description: Text,
});

const Documents = z.object({ docs: z.array(z.unknown()) });

/** MiniSearch's own form, in which VitePress keeps the search of a site: texts are in it as words only. */
const MiniSearchIndex = z.object({
  documentIds: z.record(z.string(), z.unknown()),
  storedFields: z.record(z.string(), z.unknown()).optional().catch(undefined),
  index: z.array(z.unknown()).optional().catch(undefined),
});
const StoredFields = z.object({
  title: Text,
  titles: z.array(z.string()).optional().catch(undefined),
  text: Text,
});
const Term = z.tuple([z.string(), z.record(z.string(), z.record(z.string(), z.number()))]);

const KNOWN =
  "an index is MkDocs' search_index.json, an index of MiniSearch, or a list of entries with `title`, `url` and `text`";

/** Words by which an entry of MiniSearch is found. */
const MOST_WORDS = 2000;

/**
 * The passages of a search index in JSON.
 *
 * @param url - where it came from.
 * @throws {SiteTextError} where it has no form that is known, or nothing that can be used.
 */
export async function indexPassages(value: ParsedJson, url: string, slices: Slices): Promise<ReadText> {
  const mini = MiniSearchIndex.safeParse(value);
  const read = mini.success
    ? await readMiniSearch(mini.data, url, slices)
    : await readEntries(entriesIn(value, url), baseOf(value, url), slices);
  if (read.passages.length > 0) return read;
  throw new SiteTextError(url, `it has no entry with an address and a title or text; ${KNOWN}`);
}

function entriesIn(value: ParsedJson, url: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  const documents = Documents.safeParse(value);
  if (documents.success) return documents.data.docs;
  // As some themes of Jekyll write it: entries by number.
  const entries = z.record(z.string(), z.unknown()).safeParse(value);
  const all = entries.success ? Object.values(entries.data) : [];
  if (all.length > 0 && all.every((entry) => typeof entry === "object" && entry !== null && !Array.isArray(entry))) {
    return all;
  }
  throw new SiteTextError(url, `its JSON has a form that is not known; ${KNOWN}`);
}

/** MkDocs writes addresses as they are from the root of the site, one folder above the index. */
function baseOf(value: ParsedJson, url: string): string {
  const isMkDocs = Documents.safeParse(value).success && /\/search\/[^/]*$/.test(new URL(url).pathname);
  return isMkDocs ? new URL("..", url).href : url;
}

async function readEntries(entries: readonly unknown[], base: string, slices: Slices): Promise<ReadText> {
  const passages: Passage[] = [];
  for (const value of entries) {
    await slices.rest();
    if (passages.length >= MOST_PASSAGES) break;
    const parsed = Entry.safeParse(value);
    if (!parsed.success) continue;
    const entry = parsed.data;
    const target =
      entry.location ?? entry.url ?? entry.href ?? entry.permalink ?? entry.uri ?? entry.relUrl ?? entry.path;
    const url = target === undefined ? null : absolute(target, base);
    if (url === null) continue;
    const heading = [entry.title ?? entry.name, entry.section].filter((part) => part !== undefined && part !== "");
    const title = (await plainText(heading.join(" › "), slices)).slice(0, LONGEST_TITLE);
    const html =
      entry.text ?? entry.content ?? entry.contents ?? entry.body ?? entry.summary ?? entry.description ?? "";
    const text = await plainText(html, slices);
    const parts = [...pieces(text)];
    if (parts.length > 0) for (const part of parts) passages.push({ title, url, text: part });
    else if (title !== "") passages.push({ title, url, text: "" });
  }
  return { passages: passages.slice(0, MOST_PASSAGES), links: linksTo(passages) };
}

async function readMiniSearch(
  { documentIds, storedFields = {}, index = [] }: z.infer<typeof MiniSearchIndex>,
  base: string,
  slices: Slices,
): Promise<ReadText> {
  const words = await wordsByDocument(index, slices);
  const passages: Passage[] = [];
  for (const [id, target] of Object.entries(documentIds)) {
    await slices.rest();
    if (passages.length >= MOST_PASSAGES) break;
    const url = typeof target === "string" ? absolute(target, base) : null;
    const stored = StoredFields.safeParse(storedFields[id]);
    if (url === null || !stored.success) continue;
    const { title, titles = [], text = "" } = stored.data;
    const name = [...titles, title ?? ""].filter((part) => part !== "").join(" › ");
    const plain = (await plainText(name, slices)).slice(0, LONGEST_TITLE);
    const found = words.get(id)?.join(" ") ?? "";
    const [first = ""] = pieces(await plainText(text, slices));
    if (plain !== "" || first !== "") passages.push({ title: plain, url, text: first, words: found });
  }
  return { passages, links: linksTo(passages) };
}

/** The words of each document, as the index of MiniSearch 6 and later has them: by word, field and document. */
async function wordsByDocument(index: readonly unknown[], slices: Slices): Promise<ReadonlyMap<string, string[]>> {
  const words = new Map<string, string[]>();
  for (const value of index) {
    await slices.rest();
    const term = Term.safeParse(value);
    if (!term.success) continue;
    const [word, fields] = term.data;
    for (const documents of Object.values(fields)) {
      for (const id of Object.keys(documents)) {
        const known = words.get(id) ?? [];
        words.set(id, known);
        if (known.length < MOST_WORDS && known.at(-1) !== word) known.push(word);
      }
    }
  }
  return words;
}

/** Pages of which the text is not here, or only in part: they may be read in full. */
function linksTo(passages: readonly Passage[]): LinkedPage[] {
  const links = new Map<string, LinkedPage>();
  for (const { title, url } of passages) {
    const page = withoutPart(url);
    if (!links.has(page)) links.set(page, { title, url: page });
  }
  return [...links.values()];
}
