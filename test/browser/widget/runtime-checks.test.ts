import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";

import type { CellCheck } from "../../../src/ui/widget/cell-runtime.js";
import { openRuntime, type OpenRuntime } from "../../../src/ui/widget/runtime/index.js";
import { phaseLog, request } from "./cells.js";

let runtime: OpenRuntime;
beforeAll(() => {
  runtime = openRuntime();
});
afterAll(() => runtime.end());

let exercise: { settings: { session: string } };
beforeEach(({ task }) => {
  exercise = { settings: { session: task.name } };
});
afterEach(() => runtime.close(exercise.settings.session));

function check(wants: readonly string[], code: string): CellCheck {
  return { code, wants, label: "It works" };
}

async function reasonsOf(code: string, ...checks: CellCheck[]): Promise<(string | null)[]> {
  const outcome = await runtime.run(request(code, { ...exercise, checks }));
  expect(outcome.result.error).toBeNull();
  return outcome.checks.map((each) => (each.kind === "passed" ? null : each.reason));
}

describe("the checks of an exercise", () => {
  test("pass and fail by what the reader's values and functions are", async () => {
    const { kinds, onPhase } = phaseLog();
    const { checks } = await runtime.run(
      request("def mean(xs): return sum(xs) / len(xs)\nanswer = 41", {
        ...exercise,
        onPhase,
        checks: [
          check(["mean"], "assert mean([1, 2]) == 1.5\nassert mean(xs=(3,)) == 3"),
          check(["answer"], "print('dropped')\nassert answer == 42, f'{answer} is one too few.'"),
        ],
      }),
    );

    expect(checks).toEqual([
      { kind: "passed", label: "It works" },
      { kind: "failed", label: "It works", reason: "41 is one too few." },
    ]);
    expect(kinds.at(-1)).toBe("checking");
  });

  test("say what is missing, what does not hold, and what was raised", async () => {
    expect(
      await reasonsOf(
        "def half(x): return x / 0\nname = 'Ada'",
        check(["median", "half"], "pass"),
        check(["name"], "assert name == 'Eve'"),
        check(["half"], "half(1)"),
        check([], "1 +"),
        check(
          ["half"],
          "try:\n    half(1)\nexcept ZeroDivisionError as error:\n    assert str(error) == 'division by zero'",
        ),
      ),
    ).toEqual([
      "`median` is not defined.",
      "This does not hold: name == 'Eve'",
      "ZeroDivisionError: division by zero",
      "SyntaxError: invalid syntax",
      null,
    ]);
  });

  test("read variables past names that the reader has taken", async () => {
    expect(
      await reasonsOf("list = [1, 2]\ncallable = len = 5\ndict = str", check(["list"], "assert list == [1, 2]")),
    ).toEqual([null]);
  });

  test("have values and arguments as they cross, and say where only a description crosses", async () => {
    expect(
      await reasonsOf(
        "import datetime, collections\nvalues = {'a': (1, 2.5), 'b': {3}, 'c': b'x', 'd': datetime.date(2026, 1, 2)}\n" +
          "def same(value, **more): return [value, more]\nthing = object()\nasync def later(x): return x + 1",
        check(
          ["values"],
          "import datetime\nassert values == {'a': (1, 2.5), 'b': {3}, 'c': b'x', 'd': datetime.date(2026, 1, 2)}",
        ),
        check(
          ["same"],
          "import datetime\nvalue = {'a': (1, 2.5, -0.0), (1, 2): {frozenset({2})}, 'c': b'\\0x', 'd': datetime.timedelta(1), 'e': [None, True, 2**70, float('inf')]}\n" +
            "assert same(value, key='\"\\n\\U0001f600') == [value, {'key': '\"\\n\\U0001f600'}]",
        ),
        check(["later"], "assert await later(1) == 2"),
        check(["thing"], "assert thing == 1, 'Not one.'"),
      ),
    ).toEqual([
      null,
      null,
      null,
      "Not one. `thing` is of the type object, of which the check sees a description alone.",
    ]);
  });

  test.each(["isolated", "sandboxed"] as const)("are made at the trust level of their cell: %s", async (trust) => {
    const { checks } = await runtime.run(
      request("def twice(x): return 2 * x\ntwo = 2", {
        settings: { ...exercise.settings, trust },
        checks: [check(["twice", "two"], "assert twice(two) == 4\nassert twice('a') == 'b', 'Seen.'")],
      }),
    );
    expect(checks).toMatchObject([{ reason: "Seen." }]);
  });

  test("share nothing with each other, nor with the reader's interpreter", async () => {
    expect(
      await reasonsOf(
        "total = 1",
        check(["total"], "total = 2\nof_the_check = 1\nopen('/workspace/check.txt', 'w').write('x')"),
        check([], "assert 'of_the_check' not in globals() and 'total' not in globals()"),
      ),
    ).toEqual([null, null]);
    const after = await runtime.run(
      request("import os\ntotal, 'of_the_check' in globals(), os.listdir('/workspace')", exercise),
    );
    expect(after.result.value).toEqual([1, false, []]);
  });

  test("leave no word of theirs in the reader's interpreter", async () => {
    const spy = [
      "import builtins, gc, inspect, linecache, sys",
      "def texts_of(thing, depth=3):",
      "    if isinstance(thing, str): yield thing",
      "    elif isinstance(thing, (bytes, bytearray)): yield thing.decode('latin-1')",
      "    elif depth and isinstance(thing, dict):",
      "        for pair in list(thing.items()):",
      "            for part in pair: yield from texts_of(part, depth - 1)",
      "    elif depth and isinstance(thing, (list, tuple, set, frozenset)):",
      "        for part in list(thing): yield from texts_of(part, depth - 1)",
      "    elif inspect.iscode(thing): yield from texts_of((thing.co_filename, thing.co_consts, thing.co_names), depth)",
      "def spy():",
      "    found = 0",
      // Backwards, so as not to find itself.
      "    wanted = 'kcehc_eht_fo_rekram'",
      "    frame = sys._getframe()",
      "    while frame is not None:",
      "        found += sum(wanted in text[::-1] for text in texts_of((frame.f_code, dict(frame.f_locals), dict(frame.f_globals))))",
      "        frame = frame.f_back",
      "    found += sum(wanted in ''.join(entry[2])[::-1] for entry in linecache.cache.values() if len(entry) > 2)",
      "    for thing in gc.get_objects():",
      "        if thing is not frame: found += sum(wanted in text[::-1] for text in texts_of(thing, 1))",
      "    return found",
      "hidden_here = spy()",
    ].join("\n");
    const marked = check(
      ["spy", "hidden_here"],
      "marker_of_the_check = 'marker_of_the_check'\nassert spy() == 0 == hidden_here",
    );
    const seeing = "def spied(): return spy()\nmine = 'marker_of' + '_the_check'\nalso = [mine]";

    expect(await reasonsOf(spy, marked)).toEqual([null]);
    // The same eyes see a marker that is there.
    await runtime.run(request(seeing, exercise));
    expect((await runtime.run(request("spied() > 0", exercise))).result.value).toBe(true);
  });

  test("are not deceived by what the reader's code returns", async () => {
    expect(
      await reasonsOf(
        "class Equal:\n    def __eq__(self, other): return True\n    def __hash__(self): return 1\n" +
          "class Text(str):\n    def __eq__(self, other): return True\n    def __hash__(self): return 1\n" +
          "answer = Equal()\nword = Text('no')\ndef f(): return Equal()\n" +
          "def g(): raise type('No name', (Exception,), {})('x')",
        check(["answer"], "assert answer == 42, 'caught'"),
        check(["word"], "assert word == 'yes', 'caught'"),
        check(["f"], "assert f() == 42, 'caught'"),
        check(["g"], "g()"),
      ),
    ).toEqual([
      expect.stringContaining("caught"),
      "caught",
      expect.stringContaining("caught"),
      expect.stringContaining("x"),
    ]);
  });

  test("end with the cell's time, also where the reader's function does not", async () => {
    const { checks } = await runtime.run(
      request("def endless():\n    while True: pass", {
        settings: { ...exercise.settings, timeout: 500 },
        checks: [check(["endless"], "endless()"), check([], "while True: pass")],
      }),
    );
    expect(checks.map((each) => each.kind)).toEqual(["failed", "failed"]);
    expect(checks[1]).toMatchObject({ reason: "The check did not end within 0.5 seconds." });
  });

  test("end a function of the reader that cannot be interrupted; the next result says so", async () => {
    const { checks } = await runtime.run(
      request(
        "kept = 1\ndef stubborn():\n    while True:\n        try:\n            while True: pass\n        except BaseException: pass",
        {
          settings: { ...exercise.settings, timeout: 300 },
          checks: [check(["stubborn"], "stubborn()")],
        },
      ),
    );
    const next = await runtime.run(request("'kept' in globals()", exercise));

    expect(checks).toMatchObject([{ kind: "failed" }]);
    expect(next.result.value).toBe(false);
    expect(next.result.notices.join(" ")).toContain("A function was stopped that did not end while it was checked");
  });

  test("can be stopped; the run keeps its result", async () => {
    const stop = new AbortController();
    const outcome = await runtime.run(
      request("'done'", {
        ...exercise,
        signal: stop.signal,
        onPhase: ({ kind }) => {
          if (kind === "checking") stop.abort();
        },
        checks: [check([], "while True: pass")],
      }),
    );
    expect(outcome.result.value).toBe("done");
    expect(outcome.checks).toMatchObject([{ reason: "The check was stopped before it came to a result." }]);
  });

  test("are not made of a run that failed", async () => {
    const { checks } = await runtime.run(request("1 / 0", { ...exercise, checks: [check([], "pass")] }));
    expect(checks).toEqual([]);
  });
});
