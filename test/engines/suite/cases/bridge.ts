import { lines, running } from "../../../conformance/conformance-case.js";
import type { EngineCase } from "../engine-case.js";
import { hasJspi } from "../variants.js";

const needs = ["sync_calls"];

const caught = (kind: string): string =>
  lines(
    "import asyncio",
    "found = []",
    "try:",
    `    tools.fail(kind='${kind}')`,
    "except Exception as error:",
    "    found.append([type(error).__name__, str(error)])",
    "try:",
    `    await tools.fail(kind='${kind}')`,
    "except Exception as error:",
    "    found.append([type(error).__name__, str(error)])",
    `[error] = await asyncio.gather(tools.fail.call_async(kind='${kind}'), return_exceptions=True)`,
    "found.append([type(error).__name__, str(error)])",
    "found",
  );

const errorClass = (number: number, kind: string, [name, message]: readonly [string, string]): EngineCase => ({
  id: `bridge-${String(number)}`,
  title: `${kind} keeps its class, called plain, awaited and gathered`,
  needs,
  steps: [running(caught(kind), { value: [1, 2, 3].map(() => [name, message]) })],
});

/** Calls from Python to the page and back. */
export const bridgeCases: readonly EngineCase[] = [
  {
    id: "bridge-1",
    title: "100 calls in a loop are all answered, each with its own answer",
    needs,
    steps: [running("all(tools.identity(value=n) == n for n in range(100))", { value: true })],
  },
  {
    id: "bridge-2",
    title: "gather over 10 calls has all of them open at once",
    needs,
    steps: [
      running(lines("import asyncio", "await asyncio.gather(*(tools.meet.call_async(n=10) for _ in range(10)))"), {
        value: Array.from({ length: 10 }, () => 10),
      }),
    ],
  },
  {
    id: "bridge-3",
    title: "a skill calls a tool that runs a skill that calls a tool",
    needs,
    steps: [
      { kind: "page-creates-skill", name: "inner", source: "def run(n):\n    return tools.identity(value=n) + 1" },
      {
        kind: "page-creates-skill",
        name: "outer",
        source: "async def run(n):\n    return await tools.delegate.call_async(skill='inner', n=n) * 10",
      },
      running("[skills.outer(n=4), await skills.outer(n=5)]", { value: [50, 60] }),
    ],
  },
  {
    id: "bridge-4",
    title: "a skill that fails inside a tool fails the tool with the class it had",
    needs,
    steps: [
      { kind: "page-creates-skill", name: "broken", source: "def run(n):\n    raise KeyError('inside')" },
      running(
        lines(
          "from vitrine import SkillExecutionError",
          "try:",
          "    tools.delegate(skill='broken', n=1)",
          "except SkillExecutionError as error:",
          "    found = [error.original_type, str(error)]",
          "found",
        ),
        { value: ["KeyError", "KeyError: 'inside'"] },
      ),
    ],
  },
  {
    id: "bridge-5",
    title: "synchronous code in asynchronous code in synchronous code",
    needs,
    steps: [
      running(
        lines(
          "import asyncio",
          "def low(n): return tools.identity(value=n)",
          "async def middle(n): return low(n) + await tools.identity.call_async(value=n)",
          "def high(n): return asyncio.run(middle(n)) + low(n)",
          "async def top(n): return high(n) + await middle(n)",
          "[high(1), asyncio.run(top(1)), await top(1), await asyncio.gather(top(1), top(2))]",
        ),
        { value: [3, 5, 5, [5, 10]] },
      ),
    ],
  },
  {
    id: "bridge-6",
    title: "an awaited call lets other tasks go on",
    needs,
    steps: [
      running(
        lines(
          "import asyncio",
          "seen = []",
          "async def count():",
          "    for n in range(3):",
          "        seen.append(n)",
          "        await asyncio.sleep(0)",
          "task = asyncio.create_task(count())",
          "await tools.identity.call_async(value=1)",
          "await task",
          "seen",
        ),
        { value: [0, 1, 2] },
      ),
    ],
  },
  {
    id: "bridge-7",
    title: "a task left over by one run is finished by the next",
    needs,
    steps: [
      running(
        lines(
          "import asyncio",
          "task = asyncio.create_task(tools.identity.call_async(value='late'))",
          "await asyncio.sleep(0)",
          "None",
        ),
      ),
      running("await task", { value: "late" }),
    ],
  },
  {
    id: "bridge-8",
    title: "10 MB of bytes arrive whole, and go back whole",
    needs,
    steps: [
      running(
        lines(
          "data = tools.megabytes(count=10)",
          "[type(data).__name__, len(data), data[0], data[1], data[-1], tools.measure(data=data)]",
        ),
        { value: ["bytes", 10 * 2 ** 20, 1, 0, 255, [10 * 2 ** 20, 1, 255]] },
      ),
      running("data = None"),
    ],
  },
  {
    id: "bridge-9",
    title: "a text of a megabyte with letters of every width comes back as it was",
    needs,
    steps: [
      running("text = 'aä€😀' * 100_000\ntools.identity(value=text) == text", { value: true }),
      running("text = None"),
    ],
  },
  {
    id: "bridge-10",
    title: "an error carries the fields of the page's error",
    needs,
    steps: [
      running(
        lines(
          "from vitrine import ToolCallError, ToolTimeoutError",
          "try:",
          "    tools.fail(kind='ToolCallError')",
          "except ToolCallError as error:",
          "    found = [error.status, error.tool_name, error.namespace, error.operation, error.code]",
          "try:",
          "    tools.fail(kind='ToolTimeoutError')",
          "except ToolTimeoutError as error:",
          "    found.append(error.timeout_seconds)",
          "found",
        ),
        { value: [418, "fail", "tools", "call", "TOOL_CALL", 2.5] },
      ),
    ],
  },
  errorClass(11, "ToolTimeoutError", ["ToolTimeoutError", "Tool 'fail' timed out after 2.5s"]),
  errorClass(12, "ToolUnavailableError", [
    "ToolUnavailableError",
    "Tool 'fail' cannot be called here: no process. Use url:",
  ]),
  errorClass(13, "ToolCallError", ["ToolCallError", "Tool 'fail' failed: said no"]),
  errorClass(14, "Unexpected", ["ToolCallError", "Tool 'fail' failed: out of range"]),
  {
    id: "bridge-15",
    title: "input is answered by EOFError where nobody is there",
    needs,
    steps: [running("input('name? ')", { error: { type: "EOFError" }, stdout: "" })],
  },
  {
    id: "bridge-16",
    title: "artifacts and skills that Python stores are there for the next run",
    needs,
    steps: [
      running(
        "artifacts.save('table.json', {'rows': [1, 2]})\nskills.create(name='seven', source='def run(): return 7')\nNone",
      ),
      running("[artifacts.load('table.json'), skills.seven()]", { value: [{ rows: [1, 2] }, 7] }),
    ],
  },
  {
    id: "bridge-17",
    title: "an awaited promise of JavaScript settles where Python can be suspended, and else says that it never would",
    needs,
    steps: hasJspi
      ? [
          running("import js\nfrom pyodide.ffi import create_once_callable\nawait js.Promise.resolve(5)", { value: 5 }),
          running(
            "await js.Promise.new(create_once_callable(lambda resolve, _: js.setTimeout(resolve, 10, 'later')))",
            { value: "later" },
          ),
        ]
      : [
          running("import js\nawait js.Promise.resolve(5)", {
            error: { type: "RPCTransportError", includes: ["A JavaScript promise cannot be awaited here"] },
          }),
        ],
  },
];
