import { functionTool, type ToolAdapter, type ToolContext } from "../tools/index.js";
import type { CallingSession } from "./calling-session.js";
import { updatePlan } from "./update-plan.js";
import {
  APPLY_PATCH,
  GREP_FILES,
  LIST_DIR,
  READ_FILE,
  SHELL,
  SHELL_COMMAND,
  SHELL_RESULT,
  UPDATE_PLAN,
  VIEW_IMAGE,
} from "./parameters.js";

export interface FileToolsOptions {
  /** Of the session that makes the call: the one that has the tools, or one inside it. */
  readonly sessionOf: (context: ToolContext) => CallingSession;
}

/** Milliseconds after which a command is given up, however long its caller would wait. */
const LONGEST_COMMAND = 3_600_000;

/** Searches wait for one another. */
const LONGEST_SEARCH = 300_000;

const READING = { readOnly: true, idempotent: true } as const;
const ACTING = { destructive: true } as const;

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
      run: async (input, context) => (await import("./file-work.js")).readFile(input, sessionOf(context)),
    }),
    functionTool({
      name: "list_dir",
      description: "Lists a folder and the folders in it: `name/` is a folder, `name@` a link.",
      input: LIST_DIR,
      hints: READING,
      run: async (input, context) => (await import("./file-work.js")).listDir(input, sessionOf(context)),
    }),
    functionTool({
      name: "grep_files",
      description:
        "Paths of files with a line that a regular expression fits, newest first. What .gitignore names is left out.",
      input: GREP_FILES,
      hints: READING,
      timeout: LONGEST_SEARCH,
      run: async (input, context) =>
        (await import("./file-work.js")).grepFiles(input, sessionOf(context), context.signal),
    }),
    functionTool({
      name: "view_image",
      description: "Shows a picture of the workspace with the output of the code that calls.",
      input: VIEW_IMAGE,
      hints: READING,
      run: async (input, context) =>
        (await import("./file-work.js")).viewImage(input, sessionOf(context), context.runId),
    }),
    functionTool({
      name: "update_plan",
      description: "Tells the person the plan of the task and how far it has come.",
      input: UPDATE_PLAN,
      hints: READING,
      run: (input, { report }) => updatePlan(input, report),
    }),
    functionTool({
      name: "shell",
      description: "Runs a command in /workspace. A code other than 0 is no error: look at `metadata.exit_code`.",
      input: SHELL,
      output: SHELL_RESULT,
      hints: ACTING,
      timeout: LONGEST_COMMAND,
      run: async (input, context) => ({
        ...(await (await import("./file-work.js")).shell(input, sessionOf(context), context.signal)),
      }),
    }),
    functionTool({
      name: "shell_command",
      description: "Runs a line of the shell in /workspace and answers with its exit code and what it wrote.",
      input: SHELL_COMMAND,
      hints: ACTING,
      timeout: LONGEST_COMMAND,
      run: async (input, context) =>
        (await import("./file-work.js")).shellCommand(input, sessionOf(context), context.signal),
    }),
    functionTool({
      name: "apply_patch",
      description: "Adds, changes, moves and deletes files by a patch: all that it says, or nothing.",
      input: APPLY_PATCH,
      output: SHELL_RESULT,
      hints: ACTING,
      run: async (input, context) => ({
        ...(await (await import("./patch/apply-patch-tool.js")).applyPatchTool(input, sessionOf(context))),
      }),
    }),
  ];
}
