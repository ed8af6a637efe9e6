import { z } from "zod";

import { shorten } from "../../protocol/index.js";
import type { LogForm } from "./log-form.js";
import type { WrittenFile } from "./written-file.js";

/** One file that was written, as the log keeps it. The names are those that readers of such logs know. */
export const LoggedFile = z.object({
  /** The latest last. */
  operations: z.array(z.object({ timestamp: z.string(), operation: z.enum(["create", "modify"]) })),
  metadata: z.object({ code_description: z.string() }),
  /** As it was written last; empty for an image, and where the log had no more room for it. */
  content: z.string(),
  /** With its dot; empty where the name has none. */
  extension: z.string(),
  is_image: z.boolean(),
  mime_type: z.string().nullable(),
  last_updated: z.string(),
});
export type LoggedFile = z.infer<typeof LoggedFile>;

/** A file with its path. */
export type FileLogEntry = readonly [path: string, file: LoggedFile];

/** Files in the log, operations of each, characters of one content and of all together. */
const MOST_FILES = 1000;
const MOST_OPERATIONS = 50;
const LONGEST_CONTENT = 200_000;
const MOST_CONTENT = 1_000_000;
const LONGEST_DESCRIPTION = 4000;

export const FILE_LOG: LogForm<FileLogEntry> = {
  name: "files",
  schema: z.object({ files: z.record(z.string(), LoggedFile) }).transform(({ files }) => Object.entries(files)),
  textOf: ([path, file]) => `${JSON.stringify(path)}:${JSON.stringify(file)}`,
  // In their order, which an object would not keep of names that are numbers.
  recordOf: (files) => `{"files":{${files.join(",")}}}`,
  settled: (files) => bounded(merged(files)),
};

/** A file that was written now. */
export function loggedFile({ path, operation, description, text, mime }: WrittenFile, timestamp: string): FileLogEntry {
  const extension = /[^/]\.([^./]+)$/u.exec(path)?.[1] ?? "";
  const file: LoggedFile = {
    operations: [{ timestamp, operation }],
    metadata: { code_description: shorten(description, LONGEST_DESCRIPTION) },
    content: text === null ? "" : shorten(text, LONGEST_CONTENT, "\n[…]\n"),
    extension: extension === "" ? "" : `.${extension}`,
    is_image: text === null,
    mime_type: mime ?? MIMES[extension.toLowerCase()] ?? null,
    last_updated: timestamp,
  };
  return [path, file];
}

/** Each file once, as it was noted last, with the operations of all times. */
function merged(files: readonly FileLogEntry[]): ReadonlyMap<string, LoggedFile> {
  const latest = new Map<string, LoggedFile>();
  for (const [path, file] of files) {
    const operations = [...(latest.get(path)?.operations ?? []), ...file.operations].slice(-MOST_OPERATIONS);
    // The latest are the last.
    latest.delete(path);
    latest.set(path, { ...file, operations });
  }
  return latest;
}

/** The log as it is kept: of the oldest files the content goes first, and where there are too many files, they themselves. */
function bounded(files: ReadonlyMap<string, LoggedFile>): readonly FileLogEntry[] {
  const kept: FileLogEntry[] = [];
  let room = MOST_CONTENT;
  for (const [path, file] of [...files].toReversed().slice(0, MOST_FILES)) {
    room -= file.content.length;
    kept.push([path, room < 0 ? { ...file, content: "" } : file]);
  }
  return kept.toReversed();
}

const MIMES: Readonly<Record<string, string>> = {
  ...{ py: "text/x-python", js: "text/javascript", mjs: "text/javascript", ts: "text/x-typescript", html: "text/html" },
  ...{ htm: "text/html", css: "text/css", json: "application/json", md: "text/markdown", csv: "text/csv" },
  ...{ xml: "application/xml", svg: "image/svg+xml", txt: "text/plain", yaml: "application/yaml" },
  ...{ yml: "application/yaml", toml: "application/toml", sh: "application/x-sh", sql: "application/sql" },
};
