import { z } from "zod";

import { shorten } from "../../protocol/index.js";
import type { LogForm } from "./log-form.js";

/** One time that a file was written. */
export const CodeLogEntry = z.object({
  path: z.string(),
  /** `YYYY-MM-DD HH:MM:SS`. */
  timestamp: z.string(),
  operation: z.enum(["create", "modify"]),
  /** Who wrote it. */
  model: z.string(),
  /** Empty for an image, and where the log had no more room for it. */
  code: z.string(),
});
export type CodeLogEntry = z.infer<typeof CodeLogEntry>;

/** Entries, characters of the code of one and of all together. */
const MOST_ENTRIES = 1000;
const LONGEST_CODE = 200_000;
const MOST_CODE = 1_000_000;

export const CODE_LOG: LogForm<CodeLogEntry> = {
  name: "code",
  schema: z.object({ entries: z.array(CodeLogEntry) }).transform(({ entries }) => entries),
  textOf: (entry) => JSON.stringify(entry),
  recordOf: (entries) => `{"entries":[${entries.join(",")}]}`,
  settled: boundedEntries,
};

/** The log as it is kept: the code of the oldest entries goes first, and where there are too many, they themselves. */
function boundedEntries(entries: readonly CodeLogEntry[]): readonly CodeLogEntry[] {
  const kept: CodeLogEntry[] = [];
  let room = MOST_CODE;
  for (const entry of entries.slice(-MOST_ENTRIES).toReversed()) {
    const code = shorten(entry.code, LONGEST_CODE, "\n[…]\n");
    room -= code.length;
    kept.push({ ...entry, code: room < 0 ? "" : code });
  }
  return kept.toReversed();
}
