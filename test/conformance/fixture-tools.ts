import { z } from "zod";

import { functionTool, mcpTool, type PageCommand, type ToolAdapter } from "../../src/index.js";
import { timeServer } from "./fixture-mcp-server.js";
import { serviceTool } from "./fixture-service.js";

const myTool = functionTool({
  name: "my-tool",
  description: "Has a name that is no identifier",
  input: z.object({ size: z.number().default(1) }),
  run: ({ size }) => size * 2,
});

/** Tools of the fixture that the page registers. Nothing listens where `down` is. */
export const fixtureTools: readonly ToolAdapter[] = [
  myTool,
  serviceTool(),
  mcpTool({ name: "time", server: timeServer() }),
  mcpTool({ name: "down", url: "http://127.0.0.1:9/mcp" }),
];

/** The programs of the specification's fixture, as functions of the page. */
export const fixtureCommands: Readonly<Record<string, PageCommand>> = {
  args: (argv) => JSON.stringify(argv),
  echo: (argv) => `${argv.join(" ")}\n`,
  cat: (_argv, { stdin }) => stdin,
  printenv: ([name = ""], { env }) => env[name] ?? { exitCode: 1 },
  failing: () => ({ exitCode: 3, stdout: "partial", stderr: "oops\n" }),
  sleep: (_argv, { signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => {
        reject(new Error("ended"));
      });
    }),
};

/** The specification's tools, in its own YAML; `cat`, `env` and `strict` are ours. */
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
    debug: {type: boolean}
    header: {type: array, short: H}
    exclude: {type: array}
    count: {type: integer, short: n}
    limit: {type: integer}
    out: {type: string, short: o}
    format: {type: string}
    noType: {}
    num: {type: number}
  positional:
    - {name: src, type: string, required: true}
    - {name: dst, type: string}
recipes:
  basic:
    preset: {verbose: true}
  defaulted:
    preset: {format: json, count: 3}
    params:
      src: {default: here}
      limit: {default: 7}
      format: {default: xml}
  open:
    description: Everything
    params: {}
`,
  },
  {
    file: "tools/echo.yaml",
    text: `
name: echo
description: Echo text
tags: [util]
schema:
  positional:
    - {name: text, type: string, required: true}
recipes:
  echo:
    description: Echo text
    params: {text: {description: what to say}}
  shout:
    description: Echo HEY
    preset: {text: HEY}
    params: {text: {}}
`,
  },
  { file: "tools/failing.yaml", text: "name: failing\ndescription: Fails\nrecipes: {failing: {}}\n" },
  { file: "tools/sleepy.yaml", text: "name: sleepy\ncommand: sleep\ntimeout: 1\nrecipes: {sleepy: {}}\n" },
  { file: "tools/missing.yaml", text: "name: missing\ncommand: no-such-program\nrecipes: {missing: {}}\n" },
  {
    file: "tools/cat.yaml",
    text: "name: cat\nschema: {stdin: input}\nrecipes:\n  cat: {params: {input: {}}}\n",
  },
  {
    file: "tools/env.yaml",
    text: "name: env\ncommand: printenv\nenv: {PLACE: page}\nschema:\n  positional: [{name: of}]\nrecipes: {env: {}}\n",
  },
  {
    file: "tools/strict.yaml",
    text: `
name: strict
command: args
schema:
  options:
    color: {choices: [red, blue], default: red}
    max: {type: integer, flag: "--max-count="}
    tags: {type: array, items: integer, short: t}
    level: {type: integer, required: true}
    query: {type: object}
  positional:
    - {name: file, default: in.txt}
  end_of_options: true
recipes: {strict: {}}
`,
  },
  { file: "tools/broken.yaml", text: "name: broken\ndescription: [unclosed\n" },
  { file: "tools/nameless.yaml", text: "description: has no name\ncommand: x\nrecipes: {x: {}}\n" },
  { file: "tools/old.yaml", text: "name: old\ncommand: old\nargs: '{text}'\n" },
];
