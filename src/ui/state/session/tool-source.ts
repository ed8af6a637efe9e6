import type { SourceFile } from "../../../protocol/index.js";

export type ToolKind = "mcp" | "openapi" | "file";

/** What somebody filled in to add a tool. */
export interface ToolDraft {
  readonly kind: ToolKind;
  /** Of the namespace; of no meaning for a file, which says it itself. */
  readonly name: string;
  /** Of the server or the document. */
  readonly url: string;
  /** A whole tool file. */
  readonly text: string;
}

/** The tool file that stands for what was filled in. A text of JSON is one of YAML, whatever it holds. */
export function toolSource({ kind, name, url, text }: ToolDraft): SourceFile {
  if (kind === "file") return { file: "the tool file", text };
  const fields = {
    name: name.trim(),
    type: kind,
    ...(kind === "mcp" ? { transport: "streamable_http" } : {}),
    url: url.trim(),
  };
  const lines = Object.entries(fields).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`);
  return { file: "the form", text: lines.join("") };
}
