import { checkArgument, optionCheck } from "../options/index.js";
import type { Session } from "../session/index.js";
import { modelOutputOf, type AiSdkModelOutput, type AiSdkOutput } from "./ai-sdk-tool.js";
import { fileToolsOf, FILE_TOOLS, type FileToolOptions } from "./file-tools.js";
import type { ToolInput } from "./tool-input.js";

/** A tool on files as the Vercel AI SDK takes it, version 6. */
export interface AiSdkFileTool {
  readonly description: string;
  readonly inputSchema: ToolInput;
  execute(input: unknown, options: { readonly abortSignal?: AbortSignal | undefined }): Promise<AiSdkOutput>;
  toModelOutput(options: { readonly output: AiSdkOutput }): AiSdkModelOutput;
}

const checkOptions = optionCheck<FileToolOptions>("aiSdkFileTools", FILE_TOOLS);

/**
 * `read_file`, `apply_patch`, `shell` and the other tools on the session's files for `generateText`, `streamText` and agents
 * of the Vercel AI SDK: `tools: { ...aiSdkFileTools(session) }`, whether or not the session was opened with `fileTools`. Calls
 * are judged as an agent's are, with `client` as caller.
 */
export function aiSdkFileTools(
  session: Session,
  options: FileToolOptions = {},
): Readonly<Record<string, AiSdkFileTool>> {
  checkArgument("aiSdkFileTools", "session", session, "object");
  checkOptions(options);
  const { images = false } = options;
  return Object.fromEntries(
    fileToolsOf(session, options)().map((tool): [string, AiSdkFileTool] => [
      tool.name,
      {
        description: tool.description,
        inputSchema: tool.input,
        execute: (input, { abortSignal }) => tool.call(input, abortSignal),
        toModelOutput: ({ output }) => modelOutputOf(output, images),
      },
    ]),
  );
}
