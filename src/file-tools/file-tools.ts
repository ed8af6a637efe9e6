import { functionTool, type ToolAdapter, type ToolContext } from "../tools/index.js";
import type { CallingSession } from "./calling-session.js";
import { READ_FILE } from "./parameters.js";

export interface FileToolsOptions {
  /** Of the session that makes the call: the one that has the tools, or one inside it. */
  readonly sessionOf: (context: ToolContext) => CallingSession;
}

const READING = { readOnly: true, idempotent: true } as const;

/**
 * The tools that a model trained on coding environments calls, on the files of the session. What they do is loaded with
 * the first call of each.
 */
export function fileTools({ sessionOf }: FileToolsOptions): readonly ToolAdapter[] {
  return [
    functionTool({
      name: "read_file",
      description: "Reads lines of a text file, each with its number: `L<n>: <line>`.",
      input: READ_FILE,
      hints: READING,
      run: async (input, context) => (await import("./read-file.js")).readFile(input, sessionOf(context)),
    }),
  ];
}
