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
