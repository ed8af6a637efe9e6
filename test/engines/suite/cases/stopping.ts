import { lines, running, type Step } from "../../../conformance/conformance-case.js";
import { RUN } from "../../../timeouts.mjs";
import type { EngineCase } from "../engine-case.js";

/** Code that no interrupt ends from the moment on when it says that it has begun. */
const stubborn = lines(
  "try:",
  "    print('begun')",
  "    while True: pass",
  "except BaseException:",
  "    while True:",
  "        try:",
  "            while True: pass",
  "        except BaseException:",
  "            pass",
);

const stopped = (code: string): Step => ({
  kind: "run",
  code,
  timeout: RUN,
  stopAt: "begun\n",
  expect: { stdout: "begun\n", error: { type: "RunInterruptedError", includes: ["what it did until then stays"] } },
});

const stoppedCalling = (code: string, when: { stopAtCall: string } | { stopInCall: string }): Step => ({
  kind: "run",
  code,
  timeout: RUN,
  ...when,
  expect: { error: { type: "RunInterruptedError", includes: ["what it did until then stays"] } },
});

/** Each a call of its own, by which the tool knows it. */
const waysToCall = (prefix: string): readonly string[] => [
  `kept = 'kept'\ntools.never(name='${prefix} plain')`,
  `await tools.never(name='${prefix} awaited')`,
  `import asyncio\nawait asyncio.gather(tools.never.call_async(name='${prefix} gathered'), asyncio.sleep(600))`,
];

/** How many of the calls were told to give up, and whether variables are still there. */
const told = (prefix: string, count: number): Step =>
  running(`[sum(name.startswith('${prefix} ') for name in tools.aborted()), kept]`, { value: [count, "kept"] });

const overdue = (code: string, { stdout = "", seconds = 0.3 } = {}): Step =>
  running(
    code,
    { stdout, error: { type: "RunTimeoutError", includes: [`Execution timeout after ${String(seconds)} seconds`] } },
    seconds * 1000,
  );

const keeps = running("kept", { value: "kept" });
const lost = running("'kept' in globals()", { value: false });

/** Deadlines, Stop, and what is left afterwards. */
export const stoppingCases: readonly EngineCase[] = [
  {
    id: "stop-1",
    title: "a deadline ends `while True`, and variables and output stay",
    steps: [overdue("kept = 'kept'\nprint('before')\nwhile True: pass", { stdout: "before\n", seconds: 1 }), keeps],
  },
  {
    id: "stop-2",
    title: "a deadline ends a regular expression gone wild",
    steps: [overdue("kept = 'kept'\nimport re\nre.match(r'(a+)+$', 'a' * 40 + 'b')"), keeps],
  },
  {
    id: "stop-3",
    title: "a deadline ends time.sleep, asyncio.sleep and asyncio.run, and variables stay",
    steps: [
      overdue("kept = 'kept'\nimport time\ntime.sleep(600)"),
      overdue("import asyncio\nawait asyncio.sleep(600)"),
      overdue("import asyncio\nasyncio.run(asyncio.sleep(600))"),
      keeps,
    ],
  },
  {
    id: "stop-4",
    title: "a deadline ends a call that waits; the tool is told so, and variables stay",
    needs: ["sync_calls"],
    steps: [
      // Long enough for the call to arrive by the slowest transport of a busy machine.
      overdue("kept = 'kept'\ntools.never(name='deadline')", { seconds: 3 }),
      running("['deadline' in tools.aborted(), kept]", { value: [true, "kept"] }),
    ],
  },
  {
    id: "stop-5",
    title: "Stop ends time.sleep, and variables and output stay",
    needs: ["sync_calls"],
    steps: [stopped("kept = 'kept'\nimport time\nprint('begun')\ntime.sleep(600)"), keeps],
  },
  {
    id: "stop-6",
    title: "Stop ends asyncio.sleep and asyncio.run",
    needs: ["sync_calls"],
    steps: [
      stopped("kept = 'kept'\nimport asyncio\nprint('begun')\nawait asyncio.sleep(600)"),
      stopped("import asyncio\nprint('begun')\nasyncio.run(asyncio.sleep(600))"),
      keeps,
    ],
  },
  {
    id: "stop-7",
    title: "Stop ends a call that waits, plain, awaited and gathered; the tool is told so, and variables stay",
    needs: ["sync_calls"],
    steps: [...waysToCall("waiting").map((code) => stoppedCalling(code, { stopInCall: "never" })), told("waiting", 3)],
  },
  {
    id: "stop-14",
    title: "Stop ends a call as it begins, plain, awaited and gathered; the tool is not begun, and variables stay",
    needs: ["sync_calls"],
    steps: [
      ...waysToCall("beginning").map((code) => stoppedCalling(code, { stopAtCall: "never" })),
      told("beginning", 0),
    ],
  },
  {
    id: "stop-15",
    title: "Stop that comes while calls are being gathered, again and again, leaves the event loop whole",
    needs: ["sync_calls"],
    steps: [
      ...Array.from({ length: 10 }, (_, time) =>
        stoppedCalling(
          `import asyncio\nawait asyncio.gather(*(tools.never.call_async(name='${String(time)} of ten') for _ in range(5)))`,
          { stopAtCall: "never" },
        ),
      ),
      running("import asyncio\nawait asyncio.sleep(0, 'whole')", { value: "whole" }),
    ],
  },
  {
    id: "stop-16",
    title: "what goes on waiting after Stop is dropped without a word, in later runs too",
    needs: ["sync_calls"],
    steps: [
      ...["await waiting()", "asyncio.run(waiting())"].flatMap((way) => [
        stopped(
          lines(
            "import asyncio",
            "async def waiting():",
            "    try:",
            "        print('begun')",
            "        await asyncio.sleep(600)",
            "    finally:",
            "        await asyncio.sleep(600)",
            way,
          ),
        ),
        running("import gc\ndel waiting\n_ = gc.collect()"),
      ]),
      running("await asyncio.sleep(0, 'whole')", { value: "whole" }),
    ],
  },
  {
    id: "stop-8",
    title: "code may clean up when it is stopped",
    needs: ["sync_calls"],
    steps: [
      {
        kind: "run",
        code: "import time\ntry:\n    print('begun')\n    time.sleep(600)\nfinally:\n    print('cleaned')",
        stopAt: "begun\n",
        expect: { stdout: "begun\ncleaned\n", error: { type: "RunInterruptedError" } },
      },
    ],
  },
  {
    id: "stop-9",
    title: "Stop ends `while True`, and variables and output stay",
    needs: ["interrupt"],
    steps: [stopped("kept = 'kept'\nprint('begun')\nwhile True: pass"), keeps],
  },
  {
    id: "stop-10",
    title:
      "where Stop cannot reach code that computes, the interpreter is ended, the result says so, the next run works",
    lacks: ["interrupt"],
    steps: [
      running("kept = 'kept'"),
      {
        kind: "run",
        code: "print('begun')\nwhile True: pass",
        timeout: RUN,
        stopAt: "begun\n",
        expect: { stdout: "begun\n", error: { type: "RunInterruptedError" }, notice: "variables are gone" },
      },
      lost,
    ],
  },
  {
    id: "stop-11",
    title: "code that swallows its deadline is ended with its interpreter, the result says so, the next run works",
    steps: [
      running("kept = 'kept'"),
      running(stubborn, { stdout: "begun\n", error: { type: "RunTimeoutError" }, notice: "variables are gone" }, 300),
      lost,
    ],
  },
  {
    id: "stop-12",
    title: "code that swallows a stop is ended with its interpreter, the result says so, the next run works",
    steps: [
      running("kept = 'kept'"),
      {
        kind: "run",
        code: stubborn,
        timeout: RUN,
        stopAt: "begun\n",
        expect: { stdout: "begun\n", error: { type: "RunInterruptedError" }, notice: "variables are gone" },
      },
      lost,
    ],
  },
  {
    id: "stop-13",
    title: "infinite recursion is an error of its run, and the next run works",
    steps: [
      running("kept = 'kept'"),
      running("def f(n): return f(n + 1)\nf(0)", { error: { type: "RecursionError" } }),
      keeps,
    ],
  },
];
