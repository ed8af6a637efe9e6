import { z } from "zod";

import { extractCode } from "../agent/index.js";

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

/** Reads a reply: JSON `{files, entrypoint, …}`, fenced or bare, or one fenced block of Python. */
export function parseReply(reply: string): GeneratedProgram | NoProgram {
  const json = readJson(reply);
  if (json !== null) return fromFiles(json);
  const code = extractCode(reply)?.code ?? "";
  if (code.trim() === "") {
    return nothing("codegen_no_files", "The reply holds neither files nor a block of Python.");
  }
  return { kind: "program", code, others: [], notes: "" };
}

/**
 * The program as far as it is written, while the reply still streams; null before its first character. Only for people
 * to look at.
 */
export function programSoFar(reply: string): string | null {
  const content = /"content"\s*:\s*"/.exec(reply);
  if (content !== null) return unescaped(reply.slice(content.index + content[0].length));
  const fence = /```(?:python|py)[23]?[ \t]*\n/i.exec(reply);
  if (fence === null) return null;
  const [code = ""] = reply.slice(fence.index + fence[0].length).split(/\n```/);
  return code;
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
  const fenced = /```(?:json)?[ \t]*\n([^]*)\n[ \t]*```/i.exec(reply)?.[1];
  const first = reply.indexOf("{");
  const bare = first < 0 ? undefined : reply.slice(first, reply.lastIndexOf("}") + 1);
  for (const text of [reply, fenced, bare]) {
    if (!text?.includes('"files"')) continue;
    try {
      const parsed = Files.safeParse(JSON.parse(text));
      if (parsed.success) return parsed.data;
    } catch {
      // The next form of it may be one.
    }
  }
  return null;
}

/** The beginning of a JSON string, up to its end or as far as it goes. */
function unescaped(text: string): string {
  // An escape that is not whole yet comes with the next piece.
  const [whole = ""] = /^(?:[^"\\]|\\u[\da-fA-F]{4}|\\[^u])*/.exec(text) ?? [];
  try {
    return JSON.parse(`"${whole.replace(/[\n\r\t]/g, (control) => JSON.stringify(control).slice(1, -1))}"`) as string;
  } catch {
    return whole;
  }
}
