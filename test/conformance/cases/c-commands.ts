import { running, type ConformanceCase, type Step } from "../conformance-case.js";

/** A call of the fixture `args`, which prints its arguments, and what they must be. */
function argv(call: string, expected: readonly string[]): Step {
  return running(`import json\njson.loads(tools.${call})`, { value: [...expected] });
}

function refused(call: string, ...includes: string[]): Step {
  return running(`tools.${call}`, { error: { type: "ToolArgumentError", includes } });
}

/** Section C: the command line, argument by argument. */
export const commandCases: readonly ConformanceCase[] = [
  { id: "C1", title: "a preset is an option", steps: [argv('args.basic(src="a")', ["-v", "a"])] },
  {
    id: "C2",
    title: "options come in the order of the schema, then the positionals",
    steps: [
      argv(
        'args(dst="b", num=1.5, noType="nt", format="f", out="o.txt", limit=4, count=3, exclude=["p"], header=["x: 1", "y: 2"], debug=True, verbose=True, src="a")',
        "-v,--debug,-H,x: 1,-H,y: 2,--exclude,p,-n,3,--limit,4,-o,o.txt,--format,f,--noType,nt,--num,1.5,a,b".split(
          ",",
        ),
      ),
    ],
  },
  {
    id: "C3",
    title: "a boolean that is False or None leaves its flag out",
    steps: [argv('args(verbose=False, debug=None, src="a")', ["a"]), argv('args.basic(verbose=False, src="a")', ["a"])],
  },
  {
    id: "C4",
    title: "a text is no boolean",
    steps: [refused('args(verbose="no", src="a")', "Parameter 'verbose' must be True or False, not str 'no'")],
  },
  {
    id: "C5",
    title: "a flag is repeated for each item of a list, and one item may come by itself",
    steps: [
      argv('args(header=["a", "b"], src="s")', ["-H", "a", "-H", "b", "s"]),
      argv('args(header=[], src="s")', ["s"]),
      argv('args(header="ab", src="s")', ["-H", "ab", "s"]),
      refused('args(header={"a": 1}, src="s")', "Parameter 'header' must be a list, not dict {'a': 1}"),
    ],
  },
  {
    id: "C8",
    title: "None means left out",
    steps: [argv('args(out=None, src="s")', ["s"]), refused("args(src=None)", "Required parameter 'src' is missing")],
  },
  {
    id: "C9",
    title: "a text is no integer",
    steps: [refused('args(count="notint", src="s")', "Parameter 'count' must be an integer, not str 'notint'")],
  },
  {
    id: "C10",
    title: "an unknown argument is refused, and those that are accepted are named",
    steps: [refused('args(unknown=5, src="s")', "Unknown parameter 'unknown'. It takes: src, dst, verbose, debug,")],
  },
  {
    id: "C11",
    title: "flags: the short name, else the name as it is, else what `flag` says",
    steps: [
      argv('args(verbose=True, noType="x", src="s")', ["-v", "--noType", "x", "s"]),
      argv("strict(level=1, max=5)", ["--color", "red", "--max-count=5", "--level", "1", "--", "in.txt"]),
    ],
  },
  {
    id: "C12",
    title: "no shell reads an argument",
    steps: [argv('args(src="a b; rm -rf $HOME")', ["a b; rm -rf $HOME"])],
  },
  {
    id: "C14",
    title: "a dict is no text, and JSON where an object is wanted",
    steps: [
      refused('args(out={"a": 1}, src="s")', "Parameter 'out' must be a string, not dict"),
      refused('args(src=["s"])', "Parameter 'src' must be a string, not list"),
      argv('strict(level=1, query={"a": [1, None]})', [
        "--color",
        "red",
        "--level",
        "1",
        "--query",
        '{"a":[1,null]}',
        "--",
        "in.txt",
      ]),
    ],
  },
  {
    id: "C15",
    title: "a preset counts before a default",
    steps: [argv("args.defaulted()", ["-n", "3", "--limit", "7", "--format", "json", "here"])],
  },
  {
    id: "C16",
    title: "an argument counts before both, and need not be listed by the recipe",
    steps: [
      argv('args.defaulted(src="s", format="yaml", count=9)', ["-n", "9", "--limit", "7", "--format", "yaml", "s"]),
    ],
  },
  {
    id: "C17",
    title: "a recipe lists its own parameters, with what the schema says of them, or all",
    steps: [
      running("tools.args.defaulted.signature()", {
        value: "defaulted(*, src: str = 'here', limit: int = 7, format: str = 'json')",
      }),
      running('[p.name for p in [c for c in tools.args.list() if c.name == "open"][0].parameters]', {
        value: "src dst verbose debug header exclude count limit out format noType num".split(" "),
      }),
    ],
  },
  {
    id: "C18",
    title: "what is required is asked for, defaults are given, choices and items are held to",
    steps: [
      running("tools.args()", { error: { type: "ToolArgumentError", includes: ["'src' is missing"] } }),
      refused("strict()", "Required parameter 'level' is missing"),
      refused('strict(level=1, color="green")', "must be one of 'red', 'blue', not str 'green'"),
      refused('strict(level=1, tags=["x"])', "Parameter 'tags' must be a list in which each item is an integer"),
      argv('strict(level=1, tags=[1, 2], file="-x")', [
        "--color",
        "red",
        "-t",
        "1",
        "-t",
        "2",
        "--level",
        "1",
        "--",
        "-x",
      ]),
    ],
  },
  {
    id: "C19",
    title: "the command is the tool's name where the file says nothing else",
    steps: [
      running('tools.echo(text="here")', { value: "here\n" }),
      running("tools.missing()", {
        error: {
          type: "ToolCallError",
          includes: ["There is no command 'no-such-program' on this page. There are: ", ", args, ", ", failing, "],
        },
      }),
    ],
  },
  {
    id: "C20",
    title: "a command has standard input and an environment",
    steps: [
      running('tools.cat(input="one\\ntwo")', { value: "one\ntwo" }),
      running('tools.cat(input=b"\\xff\\x00")', { value: new Uint8Array([255, 0]) }),
      running("tools.cat()", { value: "" }),
      running('tools.env(of="PLACE")', { value: "page" }),
    ],
  },
];
