import { z } from "zod";

import { shorten } from "../../protocol/index.js";
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

export const FileLogRecord = z.object({ files: z.record(z.string(), LoggedFile) });

/** Files in the log, operations of each, characters of one content and of all together: it is read and written as one record. */
const MOST_FILES = 1000;
const MOST_OPERATIONS = 50;
const LONGEST_CONTENT = 200_000;
const MOST_CONTENT = 1_000_000;
const LONGEST_DESCRIPTION = 4000;

/** The log with a file in it that was written now, as its latest. */
export function withFile(
  files: ReadonlyMap<string, LoggedFile>,
  { path, operation, description, text, mime }: WrittenFile,
  timestamp: string,
): ReadonlyMap<string, LoggedFile> {
  const next = new Map(files);
  const before = next.get(path)?.operations ?? [];
  // The latest are the last.
  next.delete(path);
  const extension = /[^/]\.([^./]+)$/u.exec(path)?.[1] ?? "";
  next.set(path, {
    operations: [...before, { timestamp, operation }].slice(-MOST_OPERATIONS),
    metadata: { code_description: shorten(description, LONGEST_DESCRIPTION) },
    content: text === null ? "" : shorten(text, LONGEST_CONTENT, "\n[…]\n"),
    extension: extension === "" ? "" : `.${extension}`,
    is_image: text === null,
    mime_type: mime ?? MIMES[extension.toLowerCase()] ?? null,
    last_updated: timestamp,
  });
  return next;
}

/** The log as it is kept: of the oldest files the content goes first, and where there are too many files, they themselves. */
export function bounded(files: ReadonlyMap<string, LoggedFile>): ReadonlyMap<string, LoggedFile> {
  const kept: [string, LoggedFile][] = [];
  let room = MOST_CONTENT;
  for (const [path, file] of [...files].toReversed().slice(0, MOST_FILES)) {
    room -= file.content.length;
    kept.push([path, room < 0 ? { ...file, content: "" } : file]);
  }
  return new Map(kept.toReversed());
}

const MIMES: Readonly<Record<string, string>> = {
  ...{ py: "text/x-python", js: "text/javascript", mjs: "text/javascript", ts: "text/x-typescript", html: "text/html" },
  ...{ htm: "text/html", css: "text/css", json: "application/json", md: "text/markdown", csv: "text/csv" },
  ...{ xml: "application/xml", svg: "image/svg+xml", txt: "text/plain", yaml: "application/yaml" },
  ...{ yml: "application/yaml", toml: "application/toml", sh: "application/x-sh", sql: "application/sql" },
};
