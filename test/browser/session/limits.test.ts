import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { Session } from "../../../src/index.js";
import { hosts, openSession } from "./hosts.js";

/** Ends the interpreter in ways that Python cannot catch. */
const fatal: readonly (readonly [name: string, code: string])[] = [
  ["an overflow of the stack in C code", "import sys\ndeep = []\nfor _ in range(200_000): deep = [deep]\nrepr(deep)"],
  ["an overflow of the parser's stack", "eval('x' + '.a' * 1_000_000)"],
  ["a broken pointer", "import ctypes\nctypes.string_at(0xfffffff0, 100)"],
  ["abort()", "import os\nos.abort()"],
];

describe.each(hosts)("limits at the $host host", ({ trust }) => {
  let session: Session;
  let other: Session;

  beforeAll(async () => {
    session = await openSession({ trust, limits: { outputBytes: 200_000, artifactsSize: 1000 } });
    other = await openSession({ trust });
  });
  afterAll(async () => {
    await session.close();
    await other.close();
  });

  test("a run that prints too much is stopped with an error of its own; its beginning and its variables stay", async () => {
    const { error, stdout, notices } = await session.run("kept = 1\nwhile True: print('flood')", { timeout: null });

    expect(error).toMatchObject({ code: "OUTPUT_LIMIT", pythonType: "OutputLimitError" });
    expect(error?.message).toContain("200,000 bytes");
    expect(stdout.startsWith("flood\nflood\n")).toBe(true);
    expect(notices).toEqual([]);
    expect((await session.run("kept")).value).toBe(1);
  });

  test("rich output counts too", async () => {
    const code = "class Wide:\n    def _repr_html_(self): return 'x' * 1000\nwhile True: display(Wide())";

    expect((await session.run(code, { timeout: null })).error).toMatchObject({ code: "OUTPUT_LIMIT" });
  });

  test("a run under the limit is left alone, and the next run counts anew", async () => {
    for (let run = 0; run < 3; run += 1) {
      expect((await session.run("print('x' * 150_000)")).error).toBeNull();
    }
  });

  test("an artifact that does not fit beside the others is refused, and the code can make room", async () => {
    const { value, error } = await session.run(`
artifacts.save("a", "x" * 600)
try:
    artifacts.save("b", "x" * 600)
except ArtifactsFullError as e:
    refused = [e.code, e.artifact_name, e.size, e.limit]
artifacts.delete("a")
artifacts.save("b", "x" * 600)
refused`);

    expect(error).toBeNull();
    expect(value).toEqual(["ARTIFACTS_FULL", "b", 600, 1000]);
  });

  test("a flood that resists is ended with its interpreter while another session's run goes on", async () => {
    const { promise: flooding, resolve } = Promise.withResolvers<null>();
    const flood = session.run(
      "while True:\n    try:\n        while True: print('flood' * 1000)\n    except BaseException: pass",
      {
        timeout: null,
        onOutput: () => {
          resolve(null);
        },
      },
    );
    await flooding;

    expect((await other.run("sum(range(1000))")).value).toBe(499_500);
    const { error, notices } = await flood;
    expect(error).toMatchObject({ code: "OUTPUT_LIMIT" });
    expect(notices.join()).toContain("variables are gone");
    expect((await session.run("1 + 1")).value).toBe(2);
  });

  test("one long call of C code is ended a second after its deadline, and the result says what is gone", async () => {
    // Time enough to begin the call, on a busy machine too.
    const { error, notices } = await other.run("sum(range(10**11))", { timeout: 2000 });

    expect(error).toMatchObject({ code: "RUN_TIMEOUT" });
    expect(notices.join()).toContain("variables are gone. Stored artifacts, skills and files are still there.");
    expect((await other.run("1 + 1")).value).toBe(2);
  });

  test.each(fatal)("%s is a result, and the next run works", async (_name, code) => {
    await other.artifacts.save("kept.txt", "still here");

    const { error, notices } = await other.run(code);

    expect(error).toMatchObject({ code: "WORKER_LOST", pythonType: "WorkerLostError" });
    expect(notices.join()).toContain("variables are gone");
    expect((await other.run("artifacts.load('kept.txt')")).value).toBe("still here");
  });

  test.each([
    ["a source too complex to parse", "eval('-' * 100_000 + '1')", "MemoryError"],
    ["endless recursion", "def f(): return f()\nf()", "RecursionError"],
  ])("%s is an error that costs nothing", async (_name, code, pythonType) => {
    const { error } = await other.run(`kept = 2\n${code}`);

    expect(error).toMatchObject({ code: "PYTHON_ERROR", pythonType });
    expect((await other.run("kept")).value).toBe(2);
  });
});
