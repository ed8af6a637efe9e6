import { lines } from "../../../conformance/conformance-case.js";
import { differ, type PageCase } from "../engine-case.js";

/** Ends the interpreter in ways that Python cannot catch. */
const fatal: readonly (readonly [name: string, code: string])[] = [
  ["the parser's stack", "eval('x' + '.a' * 1_000_000)"],
  ["C code's stack", lines("deep = []", "for _ in range(200_000): deep = [deep]", "repr(deep)")],
  ["a broken pointer", "import ctypes\nctypes.string_at(0xfffffff0, 100)"],
  ["abort()", "import os\nos.abort()"],
];

/** Fatal errors as results, limits, and `input()`: what needs a session of its own. */
export const fatalCases: readonly PageCase[] = [
  {
    id: "fatal-1",
    title:
      "an overflow of the parser's or of C code's stack, a broken pointer, abort(): each is an error of its run that says what is gone, and the next run works",
    run: async (open) => {
      const session = await open();
      const differences: string[] = [];
      try {
        for (const [name, code] of fatal) {
          await session.run("kept = 'kept'");
          const { error, notices } = await session.run(code);
          const { value } = await session.run("'kept' in globals()");
          // WebKitGTK's own stack is longer than what CPython guards: there C code ends in time.
          if (name === "C code's stack" && error?.pythonType === "RecursionError") {
            differences.push(...differ(`${name}: the next value`, value, true));
            continue;
          }
          differences.push(
            ...differ(`${name}: the error`, error?.code, "WORKER_LOST"),
            ...differ(`${name}: it says what is gone`, notices.join().includes("variables are gone"), true),
            ...differ(`${name}: the next value`, value, false),
          );
        }
        return differences;
      } finally {
        await session.close();
      }
    },
  },
  {
    id: "fatal-2",
    title: "a source too complex to parse is an error of its run, and the next run works",
    run: async (open) => {
      const session = await open();
      try {
        const { error } = await session.run("eval('-' * 100_000 + '1')");
        const { value } = await session.run("1 + 1");
        // Which of the two depends on how much of the parser the engine has optimized by then.
        const isKnown = error?.pythonType === "MemoryError" || error?.code === "WORKER_LOST";
        return [...(isKnown ? [] : [`it ended with ${String(error)}`]), ...differ("the next value", value, 2)];
      } finally {
        await session.close();
      }
    },
  },
  {
    id: "fatal-3",
    title: "an allocation over the heap's limit is an error that names the limit, and variables stay",
    run: async (open) => {
      const session = await open({ limits: { heapSize: 128 * 2 ** 20 } });
      try {
        const greedy = await session.run("kept = 'kept'\nblocks = []\nwhile True: blocks.append(bytes(4 * 2 ** 20))");
        const next = await session.run("del blocks\nkept");
        return [
          ...differ("the error", greedy.error?.code, "HEAP_LIMIT"),
          ...differ("the next value", next.value, "kept"),
        ];
      } finally {
        await session.close();
      }
    },
  },
  {
    id: "limit-1",
    title: "a flood of output is stopped with an error of its own; its beginning and variables stay",
    run: async (open) => {
      const session = await open({ limits: { outputBytes: 100_000 } });
      try {
        const flood = await session.run("kept = 'kept'\nwhile True: print('flood')");
        const next = await session.run("kept");
        return [
          ...differ("the error", flood.error?.code, "OUTPUT_LIMIT"),
          ...differ("the beginning", flood.stdout.startsWith("flood\n"), true),
          ...differ("the next value", next.value, "kept"),
        ];
      } finally {
        await session.close();
      }
    },
  },
  {
    id: "input-1",
    title: "input is answered by the page, and the run's clock stands still meanwhile",
    needs: ["sync_calls"],
    run: async (open) => {
      const asked: string[] = [];
      const onInput = async (prompt: string): Promise<string> => {
        asked.push(prompt);
        await new Promise((resolve) => setTimeout(resolve, 3000));
        return "Ada";
      };
      const session = await open({ onInput });
      try {
        const { value } = await session.run("'I am ' + input('name? ')", { timeout: 2500 });
        return [...differ("the value", value, "I am Ada"), ...differ("the prompts", asked, ["name? "])];
      } finally {
        await session.close();
      }
    },
  },
  {
    id: "input-2",
    title: "Stop ends input, and variables and output stay",
    needs: ["sync_calls"],
    run: async (open) => {
      const session = await open({
        onInput: () => {
          session.interrupt();
          return new Promise(() => undefined);
        },
      });
      try {
        const { error, stdout } = await session.run("kept = 'kept'\nprint('begun')\ninput('name? ')");
        const { value } = await session.run("kept");
        return [
          ...differ("the error", error?.code, "RUN_INTERRUPTED"),
          ...differ("the output", stdout, "begun\n"),
          ...differ("the next value", value, "kept"),
        ];
      } finally {
        await session.close();
      }
    },
  },
];
