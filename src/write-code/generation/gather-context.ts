import { ignoreDamage } from "../../storage/index.js";
import { WorkspaceNotFoundError } from "../../workspace/index.js";
import { readRoot } from "../call/file-path.js";
import type { FileRequest } from "../call/file-request.js";
import { importPaths, stemsOf } from "../call/import-paths.js";
import { importedSiblings } from "../call/plan-order.js";
import type { WritingFiles } from "../writing-session.js";
import type { LogEntry, PromptContext } from "./prompt-context.js";

/** Where what a model reads of the work around a file comes from. */
export interface ContextSources {
  readonly files: Pick<WritingFiles, "paths" | "readVersion">;
  /** All files of the batch, in the order of the call. */
  readonly batch: readonly FileRequest[];
  /** The texts of those of them that were generated in earlier rounds, by their path. */
  readonly generated: ReadonlyMap<string, string>;
  /** See `readTask`. */
  readonly task: string | null;
  /** What was written before, the newest first. */
  readonly log: readonly LogEntry[];
  /** As the options of the tool have it. */
  readonly root?: string | undefined;
}

/** Bytes of a file that is shown to models. */
const LARGEST_FILE = 400_000;
/** Files of the workspace that a prompt may show, and characters of them together: work for the page, and more than a prompt holds. */
const MOST_RELATED = 12;
const LARGEST_RELATED = 600_000;

/**
 * What a model is to read of the work around a file.
 *
 * @throws what reading the workspace throws.
 */
export async function gatherContext(request: FileRequest, sources: ContextSources): Promise<PromptContext> {
  const { files, batch, generated, task, log } = sources;
  const folder = readRoot(sources.root ?? "");
  const root = folder.kind === "path" ? folder.path : "";
  const imported = new Set(importedSiblings(request, batch, { root }));
  const siblings = batch
    .filter(({ path }) => path !== request.path)
    .map((sibling) => ({
      request: sibling,
      text: imported.has(sibling) ? (generated.get(sibling.path) ?? null) : null,
    }));
  const paths = new Set(await files.paths());
  const present = paths.has(request.path) ? await readShown(files, request.path) : null;
  const related: { path: string; text: string }[] = [];
  let size = 0;
  for (const path of relatedPaths(request, paths, root)) {
    // A file of the batch is shown as it will be.
    if (batch.some((other) => other.path === path) || related.length >= MOST_RELATED) continue;
    const text = await readShown(files, path);
    if (text === null) continue;
    size += text.length;
    const isShown = size <= LARGEST_RELATED;
    related.push({ path, text: isShown ? text : `(${String(text.length)} characters: left out for want of room)` });
  }
  return { task, siblings, present, related, log };
}

/**
 * What all files are for: the option, else the first document of the workspace that says it.
 *
 * @returns null where nothing says it.
 */
export async function readTask(
  files: Pick<WritingFiles, "readVersion">,
  { task = "", root: rootOption = "" }: { readonly task?: string | undefined; readonly root?: string | undefined } = {},
): Promise<string | null> {
  if (task.trim() !== "") return task;
  const folder = readRoot(rootOption);
  const root = folder.kind === "path" && folder.path !== "" ? `${folder.path}/` : "";
  const places = new Set([`${root}logs/task.txt`, "logs/task.txt", `${root}task.txt`, "task.txt"]);
  for (const path of places) {
    const content = await contentOf(files, path);
    const text = content === undefined || content.length > LARGEST_FILE ? null : textOf(content);
    if (text !== null && text.trim() !== "" && text.trim() !== NOT_YET) return text;
  }
  return null;
}

/** What such a document holds before there is a task. */
const NOT_YET = "NOT YET CREATED";

/** The files that the imports name, in their order; of several that one may mean, the likeliest. */
function relatedPaths(request: FileRequest, paths: ReadonlySet<string>, root: string): string[] {
  const stems = stemsOf(paths);
  const found = request.internalImports.map((name) =>
    importPaths(name, { importer: request.path, root, stems }).find((path) => paths.has(path)),
  );
  return [...new Set(found.filter((path) => path !== undefined))];
}

/** Null where the file is gone. What cannot be shown has words in its place. */
async function readShown(files: Pick<WritingFiles, "readVersion">, path: string): Promise<string | null> {
  const content = await contentOf(files, path);
  if (content === undefined) return null;
  if (content.length > LARGEST_FILE) return `(${String(content.length)} bytes: too large to be shown)`;
  return textOf(content) ?? `(${String(content.length)} bytes that are no text)`;
}

/** Undefined for a file that cannot be read, too: what is damaged keeps no other file from being written. */
async function contentOf(files: Pick<WritingFiles, "readVersion">, path: string): Promise<Uint8Array | undefined> {
  const content = await files.readVersion(path).catch((error: unknown) => {
    if (!(error instanceof WorkspaceNotFoundError)) ignoreDamage(error);
    return undefined;
  });
  return content?.content;
}

/** Null for bytes that are no text. */
function textOf(content: Uint8Array): string | null {
  if (content.includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(content);
  } catch {
    return null;
  }
}
