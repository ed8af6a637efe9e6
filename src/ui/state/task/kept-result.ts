import { z } from "zod";

import type { FileEnd } from "./batch-file.js";

const ROOT = "/workspace";

const Words = z.array(z.string()).catch([]);

const KeptFile = z.object({
  filename: z.string(),
  status: z.enum(["success", "error", "refused", "conflict"]),
  operation: z.string().nullable().catch(null),
  message: z.string().catch(""),
  model: z.string().nullable().catch(null),
  reason: z.string().nullable().catch(null),
  warnings: Words,
});

/** What the journal keeps of an answer: the beginnings of long texts, of long lists, and of all of it. */
const KeptAnswer = z.object({
  output: z.object({
    results: z.array(z.unknown()),
    write_path: z.string().catch(ROOT),
    warnings: Words,
    changes: z.string().nullable().catch(null),
  }),
});

export interface KeptResult {
  readonly files: readonly { readonly path: string; readonly end: FileEnd }[];
  readonly warnings: readonly string[];
  readonly changes: string | null;
}

/** Reads the summary of a call that wrote files. What was cut away is left out. */
export function keptResult(summary: unknown): KeptResult {
  const read = KeptAnswer.safeParse(summary);
  if (!read.success) return { files: [], warnings: [], changes: null };
  const { results, write_path: folder, warnings, changes } = read.data.output;
  const files = results.flatMap((result) => {
    const { success, data } = KeptFile.safeParse(result);
    if (!success) return [];
    const { filename, ...end } = data;
    return [{ path: pathIn(folder, filename), end }];
  });
  // The journal says of a text that it was cut by how it ends.
  return { files, warnings, changes: changes?.includes("…") === true ? null : changes };
}

/** A name within a folder of `/workspace`, from `/workspace` on. */
function pathIn(folder: string, name: string): string {
  const within = folder.startsWith(`${ROOT}/`) ? folder.slice(ROOT.length + 1).replace(/\/$/, "") : "";
  return within === "" ? name : `${within}/${name}`;
}
