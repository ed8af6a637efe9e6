import type { SearchableFile, SearchContents, SearchOrder, SearchReport } from "../../src/protocol/index.js";
import { serveFirstPort } from "../first-port.js";
import { IgnoreRules, isIgnoreFile } from "./ignore-rules.js";
import { hasMatchingLine } from "./matching-line.js";
import { PatternError, rustPattern } from "./rust-pattern.js";

/** Of what is asked for at once. */
const BATCH_FILES = 100;
const BATCH_SIZE = 4 * 2 ** 20;

/** Batches that are asked for before the one that is looked at is done with. The page answers in the order of the questions. */
const AHEAD = 2;

/** Bytes of contents that are kept for the next search. */
const KEPT = 64 * 2 ** 20;

serveFirstPort(serve);

function serve(port: MessagePort): void {
  const tell = (report: SearchReport): void => {
    port.postMessage(report);
  };
  const contents = new Contents((paths) => {
    tell({ kind: "want", paths: [...paths] });
  });
  port.onmessage = ({ data }: MessageEvent<SearchOrder | SearchContents>) => {
    if (data.kind === "contents") contents.take(data.contents);
    else void answer(data, contents).then(tell);
  };
  tell({ kind: "ready" });
}

async function answer(order: SearchOrder, contents: Contents): Promise<SearchReport> {
  const { id } = order;
  try {
    return { kind: "found", id, paths: await search(order, contents) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const said = error instanceof PatternError ? `regex parse error: ${reason}` : reason;
    return { kind: "refused", id, reason: said.slice(0, 5000) };
  }
}

async function search(order: SearchOrder, contents: Contents): Promise<string[]> {
  const { below, files, limit } = order;
  const pattern = rustPattern(order.pattern);
  const rules = new IgnoreRules(order);
  contents.keepOnly(files);
  for await (const [{ path }, bytes] of contents.of(files.filter(({ path }) => isIgnoreFile(path)))) {
    rules.add(path, new TextDecoder().decode(bytes));
  }
  const isWanted = ({ path }: SearchableFile): boolean => {
    if (path === below) return true;
    return (below === "" || path.startsWith(`${below}/`)) && rules.takes(path);
  };
  const found: string[] = [];
  for await (const [{ path }, bytes] of contents.of(files.filter(isWanted))) {
    if (!hasMatchingLine(bytes, pattern)) continue;
    found.push(path);
    if (found.length >= limit) break;
  }
  return found;
}

type Content = readonly [SearchableFile, Uint8Array];

/** The contents of files: those that are kept, and those that the page has to send. */
class Contents {
  readonly #want: (paths: readonly string[]) => void;
  readonly #kept = new Map<string, { readonly version: string; readonly bytes: Uint8Array }>();
  readonly #waiting: ((contents: SearchContents["contents"]) => void)[] = [];
  #size = 0;

  constructor(want: (paths: readonly string[]) => void) {
    this.#want = want;
  }

  take(contents: SearchContents["contents"]): void {
    this.#waiting.shift()?.(contents);
  }

  /** Forgets what is of no file in its present version. */
  keepOnly(files: readonly SearchableFile[]): void {
    const versions = new Map(files.map(({ path, version }) => [path, version]));
    for (const [path, { version, bytes }] of this.#kept) {
      if (versions.get(path) === version) continue;
      this.#kept.delete(path);
      this.#size -= bytes.byteLength;
    }
  }

  /** In the order of the files. While some are looked at the next ones are on their way. */
  async *of(files: readonly SearchableFile[]): AsyncGenerator<Content> {
    const coming: Promise<readonly Content[]>[] = [];
    for (const batch of batchesOf(files)) {
      coming.push(this.#batch(batch));
      if (coming.length > AHEAD) yield* (await coming.shift()) ?? [];
    }
    for (const batch of coming) yield* await batch;
  }

  async #batch(files: readonly SearchableFile[]): Promise<readonly Content[]> {
    const missing = files.filter(({ path }) => !this.#kept.has(path));
    const sent = missing.length === 0 ? [] : await this.#ask(missing.map(({ path }) => path));
    const fresh = new Map(missing.map((file, index) => [file.path, sent[index] ?? null]));
    for (const { path, version } of missing) {
      const bytes = fresh.get(path) ?? null;
      if (bytes === null || this.#size + bytes.byteLength > KEPT) continue;
      this.#kept.set(path, { version, bytes });
      this.#size += bytes.byteLength;
    }
    return files.flatMap((file): Content[] => {
      const bytes = fresh.get(file.path) ?? this.#kept.get(file.path)?.bytes ?? null;
      return bytes === null ? [] : [[file, bytes]];
    });
  }

  #ask(paths: readonly string[]): Promise<SearchContents["contents"]> {
    const { promise, resolve } = Promise.withResolvers<SearchContents["contents"]>();
    this.#waiting.push(resolve);
    this.#want(paths);
    return promise;
  }
}

function batchesOf(files: readonly SearchableFile[]): SearchableFile[][] {
  const batches: SearchableFile[][] = [];
  let size = Infinity;
  for (const file of files) {
    const batch = batches.at(-1);
    if (batch === undefined || batch.length >= BATCH_FILES || size + file.size > BATCH_SIZE) {
      batches.push([file]);
      size = file.size;
    } else {
      batch.push(file);
      size += file.size;
    }
  }
  return batches;
}
