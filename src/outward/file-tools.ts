import type { OptionKinds } from "../options/index.js";
import { isRecord } from "../protocol/index.js";
import type { Session, SessionClient } from "../session/index.js";
import { TOOL_SCOPE, type Tool, type ToolScope } from "../tools/index.js";
import type { ClientTool } from "./client-tools.js";
import { MAX_TEXT } from "./render-run.js";
import { inputAsSaid } from "./tool-input.js";

/** Which tools on files a model of somebody else's is given. */
export interface FileToolOptions {
  /** How its calls are called in the journal. Default: `files`. */
  readonly name?: string;
  /** Those of the tools that it sees: `{ names: ["read_file", "list_dir"] }`, `{ without: ["shell"] }`. Default: all of them. */
  readonly scope?: ToolScope;
  /** Characters of one answer; of a longer text the middle is left out. Default 30,000. */
  readonly maxLength?: number;
  /** Whether the model sees. Without it there is no `view_image`. Default: false. */
  readonly images?: boolean;
}

export const FILE_TOOLS: OptionKinds<FileToolOptions> = {
  name: "string?",
  scope: TOOL_SCOPE,
  maxLength: "number?",
  images: "boolean?",
};

/** Parameters that only scripts of the session have, whose folder may be another one than `/workspace`. */
const OF_SCRIPTS: ReadonlyMap<string, string> = new Map([["apply_patch", "workdir"]]);

/**
 * The tools on files under the names, with the parameters and in the words that coding models know. A call that fails is a
 * result with the text of the failure and nothing around it.
 */
export function fileTools(
  client: SessionClient,
  { maxLength = MAX_TEXT, images = true }: Pick<FileToolOptions, "maxLength" | "images"> = {},
): ClientTool[] {
  const tools = client.listFileTools().filter(({ name }) => images || name !== "view_image");
  return tools.map((tool) => ({
    name: tool.name,
    description: tool.description,
    input: inputAsSaid(parametersOf(tool)),
    hints: tool.hints,
    call: async (args, signal) =>
      (await import("./call-file-tool.js")).callFileTool(client, {
        name: tool.name,
        args: args ?? {},
        maxLength,
        signal,
      }),
  }));
}

/** The same for a model that is no program with a protocol of its own; each time as they are then. */
export function fileToolsOf(
  session: Session,
  { name = "files", scope, maxLength, images = false }: FileToolOptions,
): () => ClientTool[] {
  const client = session.client({ name, ...(scope === undefined ? {} : { scope }) });
  return () => fileTools(client, { images, ...(maxLength === undefined ? {} : { maxLength }) });
}

function parametersOf({ name, callables: [callable] }: Tool): Readonly<Record<string, unknown>> {
  const schema: Readonly<Record<string, unknown>> = { ...callable?.inputSchema };
  const hidden = OF_SCRIPTS.get(name);
  if (hidden === undefined || !isRecord(schema.properties)) return schema;
  const shown = Object.entries(schema.properties).filter(([parameter]) => parameter !== hidden);
  return { ...schema, properties: Object.fromEntries(shown) };
}
