import { z } from "zod";

import { functionTool, ToolCallError, type ToolAdapter, type ToolContext, type Value } from "../../src/index.js";

type Args = Readonly<Record<string, Value>>;

/** The specification's `echo`: recipes `echo` and `shout`, on the page instead of in a process. */
const echo: ToolAdapter = {
  tool: {
    name: "echo",
    description: "Echo text",
    tags: ["util"],
    hints: { readOnly: true },
    timeout: 60_000,
    callables: [
      {
        name: "echo",
        description: "Echo text",
        parameters: [{ name: "text", type: "string", required: true, description: "what to say" }],
      },
      {
        name: "shout",
        description: "Echo HEY",
        parameters: [{ name: "text", type: "string", required: false, default: "HEY", description: "" }],
      },
    ],
  },
  call: (callable: string | null, args: Args) => {
    const text = args.text ?? (callable === "shout" ? "HEY" : "");
    if (typeof text !== "string") throw new ToolCallError("echo", "text is no text", { args });
    return Promise.resolve(`${text}\n`);
  },
};

const failing: ToolAdapter = {
  tool: {
    name: "failing",
    description: "Fails",
    tags: [],
    hints: {},
    timeout: 60_000,
    callables: [{ name: "failing", description: "Fails", parameters: [] }],
  },
  call: (_callable, args) => {
    const details = { exit_code: 3, stdout: "partial" };
    return Promise.reject(new ToolCallError("failing", "Command failed: oops\n", { args, details }));
  },
};

const sleepy = functionTool({
  name: "sleepy",
  description: "Sleeps until it is told to stop",
  input: z.object({}),
  timeout: 1000,
  run: (_input, { signal }: ToolContext) =>
    new Promise<Value>((_resolve, reject) => {
      signal.addEventListener("abort", () => {
        reject(new Error("aborted"));
      });
    }),
});

const myTool = functionTool({
  name: "my-tool",
  description: "Has a name that is no identifier",
  input: z.object({ size: z.number().default(1) }),
  run: ({ size }) => size * 2,
});

/** What the rows of the specification call. */
export const fixtureTools: readonly ToolAdapter[] = [echo, failing, sleepy, myTool];

/** The specification's `args`, listed and described; calling it needs the command adapter. */
export const fixtureSeeds = [
  {
    file: "tools/args.yaml",
    text: `
name: args
description: Print argv
command: args
schema:
  options:
    verbose: {type: boolean, short: v, description: Talk more}
    count: {type: integer, short: n}
  positional:
    - {name: src, type: string, required: true}
    - {name: dst, type: string}
recipes:
  open:
    description: Everything
    params: {}
`,
  },
  { file: "tools/broken.yaml", text: "name: broken\ndescription: [unclosed\n" },
  { file: "tools/nameless.yaml", text: "description: has no name\ncommand: x\nrecipes: {x: {}}\n" },
  { file: "tools/old.yaml", text: "name: old\ncommand: old\nargs: '{text}'\n" },
];
