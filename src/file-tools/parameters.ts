/** What the tools take, as JSON Schema: what is wrong with a number is said by the tool, in the words of the protocol. */
export const READ_FILE = {
  type: "object",
  properties: {
    file_path: { type: "string", description: "Absolute path of the file, `/workspace/src/a.py`." },
    offset: { type: "integer", default: 1, description: "The line to begin at, from 1." },
    limit: { type: "integer", default: 2000, description: "How many lines at most." },
    mode: {
      enum: ["slice", "indentation"],
      default: "slice",
      description: "`slice` reads the lines as they come, `indentation` the block around a line.",
    },
    indentation: {
      type: "object",
      description: "For the mode `indentation`.",
      properties: {
        anchor_line: { type: "integer", description: "The line whose block is wanted. Default: `offset`." },
        max_levels: { type: "integer", default: 0, description: "Levels around it; 0 for all." },
        include_siblings: { type: "boolean", default: false, description: "Blocks beside it as well." },
        include_header: { type: "boolean", default: true, description: "Comments above its first line as well." },
        max_lines: { type: "integer", description: "How many lines at most. Default: `limit`." },
      },
      additionalProperties: false,
    },
  },
  required: ["file_path"],
  additionalProperties: false,
} as const;

export const LIST_DIR = {
  type: "object",
  properties: {
    dir_path: { type: "string", description: "Absolute path of the folder, `/workspace` for all." },
    offset: { type: "integer", default: 1, description: "The entry to begin at, from 1." },
    limit: { type: "integer", default: 25, description: "How many entries at most." },
    depth: { type: "integer", default: 2, description: "How many levels of folders." },
  },
  required: ["dir_path"],
  additionalProperties: false,
} as const;

export const GREP_FILES = {
  type: "object",
  properties: {
    pattern: { type: "string", description: "A regular expression, as ripgrep reads it." },
    include: { type: "string", description: "A glob of the files that are searched: `*.py`, `src/**`." },
    path: { type: "string", description: "The folder, or the file, to search. Default: `/workspace`." },
    limit: { type: "integer", default: 100, description: "How many paths at most, 2,000 to the utmost." },
  },
  required: ["pattern"],
  additionalProperties: false,
} as const;

const COMMAND_PARAMETERS = {
  workdir: { type: "string", description: "The folder to run in. Default: `/workspace`." },
  timeout_ms: { type: "integer", default: 10_000, description: "Milliseconds that it may take." },
  with_escalated_permissions: { type: "boolean", description: "There is no way out of the sandbox: true is refused." },
  justification: { type: "string", description: "Why, for the person who is asked." },
} as const;

export const SHELL = {
  type: "object",
  properties: {
    command: {
      type: "array",
      items: { type: "string" },
      description: 'The command and its arguments: `["bash", "-lc", "ls | wc -l"]`.',
    },
    ...COMMAND_PARAMETERS,
  },
  required: ["command"],
  additionalProperties: false,
} as const;

export const SHELL_RESULT = {
  type: "object",
  properties: {
    output: { type: "string", description: "Standard output and standard error, as they came." },
    metadata: {
      type: "object",
      properties: { exit_code: { type: "integer" }, duration_seconds: { type: "number" } },
      required: ["exit_code", "duration_seconds"],
    },
  },
  required: ["output", "metadata"],
} as const;

export const SHELL_COMMAND = {
  type: "object",
  properties: {
    command: { type: "string", description: "A line for the shell: `ls | wc -l`." },
    ...COMMAND_PARAMETERS,
  },
  required: ["command"],
  additionalProperties: false,
} as const;

export const VIEW_IMAGE = {
  type: "object",
  properties: { path: { type: "string", description: "Path of the picture: PNG, JPEG, GIF or WebP." } },
  required: ["path"],
  additionalProperties: false,
} as const;

export const UPDATE_PLAN = {
  type: "object",
  properties: {
    plan: {
      type: "array",
      maxItems: 200,
      items: {
        type: "object",
        properties: {
          step: { type: "string", maxLength: 1000 },
          status: { enum: ["pending", "in_progress", "completed"] },
        },
        required: ["step", "status"],
        additionalProperties: false,
      },
      description: "The steps in their order; one of them at most is in progress.",
    },
    explanation: { type: "string", maxLength: 4000, description: "Why the plan changed." },
  },
  required: ["plan"],
  additionalProperties: false,
} as const;

export const APPLY_PATCH = {
  type: "object",
  properties: {
    input: {
      type: "string",
      description:
        "The patch, from `*** Begin Patch` to `*** End Patch`. Paths begin in `workdir`: `*** Add File: a.py` with lines that " +
        "begin with `+`, `*** Delete File: a.py`, `*** Update File: a.py` with chunks: a line `@@`, or `@@ def f():` for one " +
        "that stands above, then lines of context that begin with a blank, removed ones with `-` and added ones with `+`.",
    },
    workdir: { type: "string", description: "The folder in which relative paths begin. Default: `/workspace`." },
  },
  required: ["input"],
  additionalProperties: false,
} as const;
