import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";

import { functionTool, type OutputChunk, type Session, type Value } from "../../../src/index.js";
import { RUN } from "../../timeouts.mjs";
import { openVariant, skipped, variants, withoutTransport } from "./variants.js";

let called: PromiseWithResolvers<AbortSignal>;

const never = functionTool({
  name: "never",
  description: "Answers when it is aborted.",
  input: z.object({}),
  run: (_input, { signal }) => {
    called.resolve(signal);
    return new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => {
        reject(new Error("aborted"));
      });
    });
  },
});

const identity = functionTool({
  name: "identity",
  description: "Returns what it gets.",
  input: z.object({ value: z.any() }),
  hints: { readOnly: true },
  run: ({ value }) => value as Value,
});

/** Ways to go on without end that the page cannot reach by a message. */
const endless: readonly (readonly [name: string, code: string])[] = [
  ["a loop", "while True: pass"],
  ["a regular expression gone wild", "import re\nre.match('(a+)+$', 'a' * 40 + 'b')"],
  ["time.sleep", "import time\ntime.sleep(600)"],
  ["asyncio.sleep", "import asyncio\nawait asyncio.sleep(600)"],
  [
    "time.sleep in a function that JavaScript called back",
    "import js, time\nfrom pyodide.ffi import create_proxy\njs.Array.of(1).forEach(create_proxy(lambda *_: time.sleep(600)))",
  ],
  ["time.sleep in a sort key", "import time\nsorted([2, 1], key=lambda _: time.sleep(600))"],
];

/** Code is ended a second after an interrupt, and a busy machine may not have given the worker a turn until then. */
const onBusyMachine = { retry: 2 };

describe.each([...variants, ...withoutTransport])("interrupts over $transport at the $host host", (variant) => {
  let session: Session;

  beforeAll(async () => {
    session = await openVariant(variant, { tools: [never, identity], timeout: RUN });
  });
  afterAll(async () => {
    await session.close();
  });

  /** Stops the run once it has said that it is there; it says so in one piece, so that none of it is cut off. */
  const stopWhenThere = {
    onOutput: (chunk: OutputChunk): void => {
      if (chunk.kind === "stdout" && chunk.text.includes("there\n")) session.interrupt();
    },
  };
  const value = async (code: string): Promise<Value> => (await session.run(code)).value;

  test("reach running code wherever it is", () => {
    expect(session.capabilities?.stop).toBe("always");
    expect(session.supports("interrupt")).toBe(true);
  });

  test.each(endless)("Stop ends %s, and variables and output stay", async (_name, code) => {
    const { error, stdout, notices } = await session.run(
      `kept = 'stop'\nprint('there\\n', end='')\n${code}`,
      stopWhenThere,
    );

    expect(error).toMatchObject({ code: "RUN_INTERRUPTED", pythonType: "RunInterruptedError" });
    expect([stdout, notices]).toEqual(["there\n", []]);
    expect(await value("kept")).toBe("stop");
  });

  test.each(endless)("the deadline ends %s, and variables stay", async (_name, code) => {
    const { error, notices } = await session.run(`kept = 'deadline'\n${code}`, { timeout: 500 });

    expect(error).toMatchObject({ code: "RUN_TIMEOUT", pythonType: "RunTimeoutError" });
    expect(notices).toEqual([]);
    expect(await value("kept")).toBe("deadline");
  });

  test.each([
    ["Stop", stopWhenThere],
    // Time enough for what it prints before, on a busy machine too.
    ["the deadline", { timeout: 1000 }],
  ])("code that swallows %s once is interrupted again before it is ended", onBusyMachine, async (_name, options) => {
    const { error, stdout, notices } = await session.run(
      // It says that it is there inside of what catches: a stop may come before the next line begins.
      "kept = 'once'\ntry:\n    print('there\\n', end='')\n    while True: pass\nexcept KeyboardInterrupt:\n    kept = 'twice'\nwhile True: pass",
      options,
    );

    expect(error?.code).toMatch(/RUN_INTERRUPTED|RUN_TIMEOUT/);
    expect([stdout, notices]).toEqual(["there\n", []]);
    expect(await value("kept")).toBe("twice");
  });

  test("an interrupt that comes when nothing runs ends no later run, nor does that of an earlier one", async () => {
    await session.run("print('there\\n', end='')\nwhile True: pass", stopWhenThere);
    session.interrupt();

    expect(await value("sum(range(1_000_000))")).toBe(499_999_500_000);
    expect((await session.complete("sort")).options.map(({ label }) => label)).toContain("sorted");
  });

  if (variant.transport === "none") {
    test("a call that would have to wait fails and says why, and time.sleep returns", async () => {
      const { error } = await session.run("tools.identity(value=1)");

      expect(error?.message).toContain("Python cannot wait for the page here");
      expect(await value("import time\ntime.sleep(0.02)\n'slept'")).toBe("slept");
    });
    return;
  }

  test("Stop aborts the call that is waited for at once, and a clean-up may call again", async () => {
    called = Promise.withResolvers();
    const running = session.run("try:\n    tools.never()\nfinally:\n    cleaned = tools.identity(value='cleaned')");
    const signal = await called.promise;
    expect(signal.aborted).toBe(false);

    session.interrupt();

    expect(signal.aborted).toBe(true);
    expect((await running).error).toMatchObject({ code: "RUN_INTERRUPTED" });
  });

  test("code hears of its stop before it hears that the tool was aborted", async () => {
    called = Promise.withResolvers();
    const running = session.run(
      "try:\n    tools.never()\nexcept BaseException as error:\n    heard = type(error).__name__",
    );
    await called.promise;

    session.interrupt();
    await running;

    expect(await value("heard")).toBe("KeyboardInterrupt");
  });
});

for (const reason of skipped) test.skip(reason);
