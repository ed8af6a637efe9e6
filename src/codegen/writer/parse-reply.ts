import { z } from "zod";

import { extractCode, fencedJson } from "../../agent/index.js";

/** A program as a model wrote it. */
export interface GeneratedProgram {
  readonly kind: "program";
  /** Of `main.py`. */
  readonly code: string;
  /** Paths of other files that came with it; they are not run. */
  readonly others: readonly string[];
  readonly notes: string;
}

/** A reply that holds no program. */
export interface NoProgram {
  readonly kind: "codegen_no_files" | "codegen_no_main_py";
  readonly description: string;
  readonly entrypoint: string;
  readonly receivedFiles: readonly string[];
  readonly notes: string;
}

const Files = z.object({
  files: z.array(z.object({ path: z.string(), content: z.string() })),
  entrypoint: z.string().catch(""),
  notes: z
    .union([z.string(), z.array(z.string()).transform((lines) => lines.join("\n"))])
    .optional()
    .catch(undefined),
});

const MAIN = "main.py";

/**
 * Reads a reply: JSON `{files, entrypoint, …}`, fenced or bare, or one fenced block of Python.
 *
 * @param about - `isCut`: the reply ended before its writer did. What such a reply begins and does not close is no program.
 */
export function parseReply(reply: string, { isCut = false } = {}): GeneratedProgram | NoProgram {
  const json = readJson(reply);
  if (json !== null) return fromFiles(json);
  const { code = "", unclosed = false, endsInString = false } = extractCode(reply) ?? {};
  if (code.trim() === "") {
    return nothing("codegen_no_files", "The reply holds neither files nor a block of Python.");
  }
  if ((unclosed || endsInString) && isCut) return nothing("codegen_no_main_py", "The block of Python has no end.");
  return { kind: "program", code, others: [], notes: "" };
}

function fromFiles({ files, entrypoint, notes = "" }: z.infer<typeof Files>): GeneratedProgram | NoProgram {
  const receivedFiles = files.map(({ path }) => path);
  const about = { entrypoint, receivedFiles, notes };
  if (files.length === 0) return { ...nothing("codegen_no_files", "The reply lists no files."), ...about };
  const main = files.find(({ path }) => path.replace(/^\.?\//, "") === MAIN);
  if (main === undefined || main.content.trim() === "") {
    const description = `None of the files is a ${MAIN} with code in it.`;
    return { ...nothing("codegen_no_main_py", description), ...about };
  }
  return { kind: "program", code: main.content, others: receivedFiles.filter((path) => path !== main.path), notes };
}

function nothing(kind: NoProgram["kind"], description: string): NoProgram {
  return { kind, description, entrypoint: "", receivedFiles: [], notes: "" };
}

function readJson(reply: string): z.infer<typeof Files> | null {
  const { tagged, untagged } = fencedJson(reply);
  const first = reply.indexOf("{");
  const bare = first < 0 ? "" : reply.slice(first, reply.lastIndexOf("}") + 1);
  for (const text of [reply, ...tagged, ...untagged, bare]) {
    if (!text.includes('"files"')) continue;
    try {
      const parsed = Files.safeParse(JSON.parse(text));
      if (parsed.success) return parsed.data;
    } catch {
      // The next form of it may be one.
    }
  }
  return null;
}
