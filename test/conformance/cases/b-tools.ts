import { lines, running, type ConformanceCase } from "../conformance-case.js";

/** Of all the tools that the cases have. */
const toolNames = [
  "api",
  "args",
  "cat",
  "down",
  "echo",
  "env",
  "failing",
  "missing",
  "my-tool",
  "sleepy",
  "strict",
  "time",
];

/** Section B: finding and calling tools. */
export const toolCases: readonly ConformanceCase[] = [
  {
    id: "B1",
    title: "a recipe is called by its name",
    steps: [running('tools.echo.echo(text="hi")', { value: "hi\n" })],
  },
  {
    id: "B2",
    title: "a tool with a recipe of its own name uses that",
    steps: [running('tools.echo(text="hi")', { value: "hi\n" })],
  },
  {
    id: "B3",
    title: "the escape hatch calls the command without presets",
    steps: [running('tools.args(src="a")', { value: '["a"]' })],
  },
  {
    id: "B4",
    title: "an argument overrides a preset",
    steps: [
      running("tools.echo.shout()", { value: "HEY\n" }),
      running('tools.echo.shout(text="mine")', { value: "mine\n" }),
    ],
  },
  {
    id: "B5",
    title: "positional arguments are mapped to the parameters",
    steps: [running('tools.echo("positional")', { value: "positional\n" })],
  },
  {
    id: "B6",
    title: "a missing argument is named",
    steps: [
      running("tools.echo()", {
        error: { type: "ToolArgumentError", includes: ["Tool 'echo' failed: Required parameter 'text' is missing"] },
      }),
      running(
        "from vitrine import ToolCallError\ntry:\n    tools.echo()\nexcept ToolCallError as error:\n    caught = str(error)\ncaught",
        { value: "Tool 'echo' failed: Required parameter 'text' is missing" },
      ),
    ],
  },
  {
    id: "B7",
    title: "an unknown tool is an AttributeError that lists the others",
    steps: [
      running("tools.nope", {
        error: {
          type: "AttributeError",
          includes: [
            "Unknown tool: nope. Available: api, args, cat, down, echo, env, failing, missing, my_tool, sleepy, strict, time",
          ],
        },
      }),
      running("tools.nope()", { error: { type: "AttributeError", includes: ["Unknown tool: nope."] } }),
      running('hasattr(tools, "nope")', { value: false }),
    ],
  },
  {
    id: "B8",
    title: "an unknown recipe is an AttributeError that lists the others",
    steps: [
      running("tools.echo.nope", {
        error: { type: "AttributeError", includes: ["Unknown callable: echo.nope. Available: echo, shout"] },
      }),
    ],
  },
  {
    id: "B9",
    title: "names that begin with an underscore are never tools",
    steps: [running("tools._x", { error: { type: "AttributeError" } })],
  },
  {
    id: "B10",
    title: "list gives objects with attributes and keys",
    steps: [
      running(
        lines(
          "echo = [tool for tool in tools.list() if tool.name == 'echo'][0]",
          "[echo.name, echo['name'], echo.description, sorted(echo.tags), [c.name for c in echo.callables]]",
        ),
        { value: ["echo", "echo", "Echo text", ["util"], ["echo", "shout"]] },
      ),
    ],
  },
  {
    id: "B11",
    title: "attributes and keys give the same names",
    steps: [
      running('sorted(t["name"] for t in tools.list()) == sorted(t.name for t in tools.list())', { value: true }),
      running("sorted(t.name for t in tools.list())", {
        value: toolNames,
      }),
    ],
  },
  {
    id: "B12",
    title: "a callable shows its signature with Python types and what is required",
    steps: [running("[repr(c) for c in tools.echo.list()][0]", { value: "echo(*, text: str): Echo text" })],
  },
  {
    id: "B13",
    title: "a signature has required parameters first",
    steps: [
      running("tools.args.open.signature()", {
        value:
          "open(*, src: str, dst: str | None = None, verbose: bool | None = None, debug: bool | None = None, header: list[str] | None = None, exclude: list[str] | None = None, count: int | None = None, limit: int | None = None, out: str | None = None, format: str | None = None, noType: str | None = None, num: float | None = None)",
      }),
    ],
  },
  {
    id: "B15",
    title: "describe gives the meaning of each parameter",
    steps: [
      running("import asyncio\nasyncio.run(tools.echo.echo.describe())", { value: { text: "what to say" } }),
      running("await tools.echo.echo.describe()", { value: { text: "what to say" } }),
    ],
  },
  {
    id: "B16",
    title: "call_sync and call_async exist everywhere",
    steps: [
      running('tools.echo.call_sync(text="s")', { value: "s\n" }),
      running('import asyncio\nasyncio.run(tools.echo.call_async(text="s"))', { value: "s\n" }),
      running('tools.echo.shout.call_sync(text="s")', { value: "s\n" }),
      running('await tools.echo.shout.call_async(text="s")', { value: "s\n" }),
    ],
  },
  {
    id: "B17",
    title: "search finds by name and description, the exact name first",
    steps: [
      running('[t.name for t in tools.search("echo")]', { value: ["echo"] }),
      running('[t.name for t in tools.search("argv")]', { value: ["args"] }),
    ],
  },
  {
    id: "B18",
    title: "an empty search finds all",
    steps: [
      running('sorted(t.name for t in tools.search("", limit=20))', {
        value: toolNames,
      }),
    ],
  },
  {
    id: "B19",
    title: "tags are searched",
    steps: [running('[t.name for t in tools.search("util")]', { value: ["echo"] })],
  },
  { id: "B20", title: "a search can find nothing", steps: [running('tools.search("zzz")', { value: [] })] },
  {
    id: "B22",
    title: "a failed call is a ToolCallError with exit code and stdout",
    steps: [
      running(
        lines(
          "from vitrine import ToolCallError",
          "try:",
          "    tools.failing()",
          "except ToolCallError as error:",
          "    found = [str(error), error.exit_code, error.stdout]",
          "found",
        ),
        { value: ["Tool 'failing' failed: Command failed: oops\n", 3, "partial"] },
      ),
    ],
  },
  {
    id: "B23",
    title: "a tool over its own limit is a ToolTimeoutError",
    steps: [
      running("tools.sleepy()", {
        error: { type: "ToolTimeoutError", includes: ["ToolTimeoutError: Tool 'sleepy' timed out after 1s"] },
      }),
      running(
        "from vitrine import ToolTimeoutError\ntry:\n    tools.sleepy()\nexcept ToolTimeoutError as error:\n    limit = error.timeout_seconds\nlimit",
        { value: 1 },
      ),
    ],
  },
  {
    id: "B24",
    title: "errors carry what they are about",
    steps: [
      running(
        lines(
          "from vitrine import ToolCallError",
          "try:",
          "    tools.echo(wrong=1)",
          "except ToolCallError as error:",
          "    found = [error.tool_name, error.tool_args, type(error.cause).__name__]",
          "found",
        ),
        { value: ["echo", { wrong: 1 }, "str"] },
      ),
    ],
  },
  {
    id: "B26",
    title: "a YAML without recipes is left out",
    steps: [running("'old' in [tool.name for tool in tools.list()]", { value: false })],
  },
  {
    id: "B27",
    title: "a broken YAML does not keep the others from loading",
    steps: [running("sorted(set(t.name for t in tools.list()) & {'args', 'broken', 'nameless'})", { value: ["args"] })],
  },
  {
    id: "B29",
    title: "a tool whose name is no identifier has an alias",
    steps: [
      running("tools.my_tool(size=2)", { value: 4 }),
      running('getattr(tools, "my-tool")(size=3)', { value: 6 }),
      running('tools["my-tool"](size=4)', { value: 8 }),
    ],
  },
  {
    id: "B30",
    title: "a scope of tags shows and calls the tools that share one, and an empty scope none",
    steps: [
      {
        kind: "run",
        code: "[tools.echo(text='hi'), [t.name for t in tools.list()], [t.name for t in tools.search('args')]]",
        scope: { tags: ["util"] },
        expect: { value: ["hi\n", ["echo"], []] },
      },
      running("held = tools.args"),
      {
        kind: "run",
        code: "held(level=1)",
        scope: { tags: ["util"] },
        expect: { error: { type: "ToolNotFoundError", includes: ["args"] } },
      },
      { kind: "run", code: "tools.list()", scope: {}, expect: { value: [] } },
    ],
  },
];
