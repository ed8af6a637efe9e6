import { Tuple, type Value } from "../../../src/index.js";
import { lines, running, type ConformanceCase } from "../conformance-case.js";

const tuple = (...items: Value[]): Tuple => Tuple.from(items);

/** Section A: execution and the result object. */
export const executionCases: readonly ConformanceCase[] = [
  { id: "A1", title: "an expression is the value", steps: [running("1 + 1", { value: 2 })] },
  { id: "A2", title: "the last expression is the value", steps: [running("x = 10\ny = 20\nx + y", { value: 30 })] },
  { id: "A3", title: "a statement has no value", steps: [running("x = 42")] },
  { id: "A4", title: "print goes to stdout", steps: [running('print("hello")', { stdout: "hello\n" })] },
  { id: "A5", title: "output and value in one line", steps: [running('print("a"); 5', { value: 5, stdout: "a\n" })] },
  { id: "A6", title: "a trailing semicolon keeps the value", steps: [running('"a";', { value: "a" })] },
  {
    id: "A7",
    title: "an expression inside a block is no value",
    steps: [running("if True:\n    7"), running("for i in range(3): i")],
  },
  { id: "A8", title: "empty code is fine", steps: [running(""), running("  \n"), running("# c")] },
  { id: "A9", title: "a lone docstring is the value", steps: [running('"""doc"""', { value: "doc" })] },
  { id: "A10", title: "def, then a call", steps: [running("def f(): return 3\nf()", { value: 3 })] },
  {
    id: "A11",
    title: "an exception is a formatted traceback",
    steps: [
      running("1/0", {
        error: {
          type: "ZeroDivisionError",
          includes: ["Traceback (most recent call last):", "line 1", "1/0", "ZeroDivisionError: division by zero"],
        },
      }),
    ],
  },
  {
    id: "A12",
    title: "output before an exception is kept",
    steps: [running('print("before"); 1/0', { stdout: "before\n", error: { type: "ZeroDivisionError" } })],
  },
  {
    id: "A13",
    title: "effects before an exception survive",
    steps: [
      running('a = 1\nraise ValueError("v")', { error: { type: "ValueError", includes: ["ValueError: v"] } }),
      running("a", { value: 1 }),
    ],
  },
  {
    id: "A14",
    title: "a NameError does not corrupt the session",
    steps: [
      running("undefined_name", { error: { type: "NameError", includes: ["name 'undefined_name' is not defined"] } }),
      running("1+1", { value: 2 }),
    ],
  },
  {
    id: "A15",
    title: "a syntax error keeps everything from running",
    steps: [
      running('print("ran")\nran = 1\ndef broken(', {
        error: { type: "SyntaxError", includes: ["SyntaxError", "line 3"] },
      }),
      running('"ran" in globals()', { value: false }),
    ],
  },
  {
    id: "A16",
    title: "return and yield at the top level are syntax errors",
    steps: [
      running("return 5", { error: { type: "SyntaxError", includes: ["'return' outside function"] } }),
      running("yield 1", { error: { type: "SyntaxError", includes: ["'yield' outside function"] } }),
    ],
  },
  {
    id: "A17",
    title: "variables, functions, classes and imports persist",
    steps: [
      running("v = 1\ndef f(): return v + 1\nclass C: z = 3\nimport math"),
      running("[v, f(), C().z, math.floor(4.5)]", { value: [1, 2, 3, 4] }),
    ],
  },
  {
    id: "A19",
    title: "exec and globals work on the session's namespace",
    steps: [running('exec("w = 3")\nw', { value: 3 }), running("globals() is locals()", { value: true })],
  },
  {
    id: "A21",
    title: "await works at the top level",
    steps: [running("async def g(): return 9\nawait g()", { value: 9 })],
  },
  {
    id: "A22",
    title: "async for and async with work at the top level",
    steps: [
      running(
        lines(
          "class Scope:",
          "    async def __aenter__(self): return 1",
          "    async def __aexit__(self, *error): print('left')",
          "async def numbers():",
          "    for i in range(3): yield i",
          "found = []",
          "async for i in numbers(): found.append(i)",
          "async with Scope() as one: found.append(one)",
          "found",
        ),
        { value: [0, 1, 2, 1], stdout: "left\n" },
      ),
    ],
  },
  {
    id: "A24",
    title: "a coroutine as the last expression is awaited",
    steps: [running("async def g(): return 9\ng()", { value: 9 })],
  },
  { id: "A25", title: "input raises EOFError", steps: [running("input()", { error: { type: "EOFError" } })] },
  {
    id: "A26",
    title: "stderr is a field of its own",
    steps: [running('import sys; print("e", file=sys.stderr); print("o")', { stdout: "o\n", stderr: "e\n" })],
  },
  {
    id: "A27",
    title: "exit ends the run, not the session",
    steps: [
      running("kept = 1\nraise SystemExit(3)", { error: { type: "SystemExit", includes: ["SystemExit: 3"] } }),
      running("exit()", { error: { type: "SystemExit" } }),
      running("kept", { value: 1 }),
    ],
  },
  {
    id: "A28",
    title: "overwriting a namespace costs nothing",
    steps: [running("tools = 5\ntools", { value: 5 }), running("type(tools).__name__", { value: "ToolsNamespace" })],
  },
  {
    id: "A29",
    title: "NUL in the source is a syntax error, its escape is not",
    steps: [
      running("x = 1\0", { error: { type: "SyntaxError", includes: ["null bytes"] } }),
      running('len("ok\\x00")', { value: 3 }),
    ],
  },
  { id: "A31", title: "an emoji round-trips", steps: [running('x = "\\U0001F600"; x', { value: "😀" })] },
  {
    id: "A32",
    title: "an instance comes as its repr and type",
    steps: [running("class P:\n    def __repr__(self): return 'P!'\nP()", { value: { repr: "P!", type: "P" } })],
  },
  {
    id: "A33",
    title: "tuple, set, bytes and nan keep their type",
    steps: [
      running("(1, 2)", { value: tuple(1, 2) }),
      running("{1, 2}", { value: new Set([1, 2]) }),
      running('b"x"', { value: Uint8Array.of(120) }),
      running('float("nan")', { value: NaN }),
    ],
  },
  {
    id: "A35",
    title: "a sleeping run ends at its timeout",
    steps: [
      running(
        "import time; time.sleep(10)",
        { error: { type: "RunTimeoutError", includes: ["Execution timeout after 0.1 seconds"] } },
        100,
      ),
    ],
  },
  {
    id: "A36",
    title: "a runaway loop is interrupted and the state kept",
    steps: [
      running(
        "state = 1\nwhile True: pass",
        { error: { type: "RunTimeoutError", includes: ["Execution timeout after 1 seconds"] } },
        1000,
      ),
      running("1+1", { value: 2 }),
      running("state", { value: 1 }),
    ],
  },
  {
    id: "A37",
    title: "output before a timeout is kept",
    steps: [
      running(
        'import time\nprint("first"); time.sleep(1)',
        { stdout: "first\n", error: { type: "RunTimeoutError" } },
        200,
      ),
    ],
  },
  {
    id: "A40",
    title: "two sessions are isolated",
    steps: [
      running("shared = 'first'"),
      { kind: "run-beside", code: "'shared' in globals()", expect: { value: false } },
      { kind: "run-beside", code: "shared = 'second'\nshared", expect: { value: "second" } },
      running("shared", { value: "first" }),
    ],
  },
  {
    id: "A41",
    title: "a run after close says so and close can be repeated",
    fresh: true,
    steps: [
      { kind: "close", times: 3 },
      running("1", { error: { type: "SessionClosedError", text: "Session is closed" } }),
      { kind: "reopen" },
    ],
  },
  {
    id: "A42",
    title: "reset forgets variables and keeps what is stored",
    steps: [
      running(
        "x = 1\nartifacts.save('kept.txt', 'still here')\nskills.create(name='kept', source='def run(): return 4')['name']",
        { value: "kept" },
      ),
      { kind: "reset" },
      running("x", { error: { type: "NameError" } }),
      running("[artifacts.load('kept.txt'), skills.kept(), tools.echo.echo(text='hi'), deps.list()]", {
        value: ["still here", 4, "hi\n", []],
      }),
    ],
  },
  { id: "A43", title: "a session starts by itself", fresh: true, steps: [running("'started'", { value: "started" })] },
  {
    id: "A44",
    title: "a fresh session shows its namespaces and nothing else",
    fresh: true,
    steps: [
      running('sorted(k for k in dir() if not k.startswith("__"))', {
        value: ["artifacts", "deps", "skills", "tools", "workflows"],
      }),
    ],
  },
];
