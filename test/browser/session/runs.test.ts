import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";

import type { Session, SessionState } from "../../../src/index.js";
import { hosts, openSession } from "./hosts.js";

/** Code that no interrupt ends from the moment on when it says that it is there. */
const stubborn = (said: string): string => `
try:
    print("${said}")
    while True: pass
except BaseException:
    while True:
        try:
            while True: pass
        except BaseException:
            pass`;

/** Calls back once the code says that it is there. */
const when = (text: string, act: () => void) => ({
  onOutput: (chunk: { kind: string; text?: string }): void => {
    if (chunk.text?.includes(text) === true) act();
  },
});

describe.each(hosts)("runs at the $host host", ({ trust }) => {
  let session: Session;

  beforeAll(async () => {
    session = await openSession({ trust });
  });
  afterAll(async () => {
    await session.close();
  });

  test("end where one who hears that they begin stops them", async () => {
    const stopHearing = session.onCall(({ namespace, outcome }) => {
      if (namespace === "runs" && outcome.kind === "pending") session.interrupt();
    });

    const { error } = await session.run("while True: pass", { timeout: null });
    stopHearing();

    expect(error?.code).toBe("RUN_INTERRUPTED");
  });

  test("queue up, each seeing what the one before left", async () => {
    const results = await Promise.all([
      session.run("import time\norder = [1]\ntime.sleep(0.05)"),
      session.run("order.append(2)"),
      session.run("order.append(3); order"),
    ]);

    expect(results.map(({ ok }) => ok)).toEqual([true, true, true]);
    expect(results[2].value).toEqual([1, 2, 3]);
  });

  test("have asyncio as before after one that took its policy away", async () => {
    await session.run("import asyncio\nasyncio.set_event_loop_policy(None)");

    const { value, error } = await session.run(
      "async def main():\n    await asyncio.sleep(0)\n    return 'ran'\nasyncio.run(main())",
    );

    expect(error).toBeNull();
    expect(value).toBe("ran");
  });

  test("are told of no path of the machine that built Vitrine", async () => {
    const { value } = await session.run("import os, sys\n[sys.executable, sys.argv, os.environ.get('_')]");

    expect(value).toEqual(["/home/pyodide/this.program", [""], "./this.program"]);
  });

  test("have Python's own limit of recursion, whatever one before set, and variables stay", async () => {
    const limit = "import sys\nsys.getrecursionlimit()";
    const { value: own } = await session.run(limit);

    const raised = await session.run("kept = 42\nsys.setrecursionlimit(5000)\nsys.getrecursionlimit()");
    expect(raised.value).toBe(5000);
    expect((await session.run(limit)).value).toBe(own);

    const lowered = await session.run("sys.setrecursionlimit(60)\ndef deep(n): return deep(n + 1)\ndeep(0)");
    expect(lowered.error).toMatchObject({ pythonType: "RecursionError" });
    expect(lowered.error?.traceback).toContain("in deep");
    expect((await session.run(`${limit}, kept`)).value).toEqual([own, 42]);
  });

  test("go on after one whose code raised the limit of recursion and went as deep, which is told in short", async () => {
    const code = "import sys\nkept = 42\nsys.setrecursionlimit(10**5)\ndef deeper(n): return deeper(n + 1)\ndeeper(0)";

    const { error, stdout, stderr } = await session.run(code);

    expect(error).toMatchObject({ pythonType: "RecursionError" });
    expect(error?.traceback).toMatch(/\[\d{5} calls left out\]/);
    expect([stdout, stderr]).toEqual(["", ""]);
    expect((await session.run("kept")).value).toBe(42);
  });

  test("go on after one that failed", async () => {
    const [failed, next] = await Promise.all([session.run("1/0"), session.run("'next'")]);

    expect(failed.ok).toBe(false);
    expect(next.value).toBe("next");
  });

  test("tell the session's state", async () => {
    const states: SessionState[] = [];
    const stop = session.onStateChange((state) => states.push(state));

    await session.run("1");
    stop();
    await session.run("2");

    expect(states).toEqual(["running", "idle"]);
    expect(session.state).toBe("idle");
  });

  test("are stopped by a signal that was aborted before they began", async () => {
    const { error } = await session.run("ran_anyway = 1", { signal: AbortSignal.abort() });

    expect(error).toMatchObject({ code: "RUN_INTERRUPTED", pythonType: "RunInterruptedError" });
    expect((await session.run("'ran_anyway' in globals()")).value).toBe(false);
  });

  test("are stopped by a signal while they wait for their turn, and never begin", async () => {
    const controller = new AbortController();
    const first = session.run(
      "import time\nprint('first')\ntime.sleep(0.05)\n'first'",
      when("first", () => {
        controller.abort();
      }),
    );
    const second = session.run("second_ran = 1", { signal: controller.signal });

    expect((await second).error).toMatchObject({ code: "RUN_INTERRUPTED" });
    expect((await first).value).toBe("first");
    expect((await session.run("'second_ran' in globals()")).value).toBe(false);
  });

  test("are stopped by a signal while they wait, and keep variables and output", async () => {
    const controller = new AbortController();

    const { error, stdout } = await session.run("import time\nkept = 5\nprint('waiting')\ntime.sleep(600)", {
      signal: controller.signal,
      ...when("waiting", () => {
        controller.abort();
      }),
    });

    expect(error).toMatchObject({
      code: "RUN_INTERRUPTED",
      message: "The run was stopped; what it did until then stays.",
    });
    expect(stdout).toBe("waiting\n");
    expect((await session.run("kept")).value).toBe(5);
  });

  test("an interrupt while nothing runs does not end the next run", async () => {
    session.interrupt();

    expect((await session.run("import time\ntime.sleep(0.05)\n'whole'")).value).toBe("whole");
  });

  test("code may clean up when it is interrupted", async () => {
    const { error, stdout } = await session.run(
      "import time\ntry:\n    print('waiting')\n    time.sleep(600)\nfinally:\n    print('cleaned')",
      when("waiting", () => {
        session.interrupt();
      }),
    );

    expect(error).toMatchObject({ code: "RUN_INTERRUPTED" });
    expect(stdout).toBe("waiting\ncleaned\n");
  });

  test("code that swallows its deadline is ended with its interpreter, and the result says so", async () => {
    await session.run("lost = 1");

    const { error, notices, stdout } = await session.run(stubborn("before"), { timeout: 1000 });

    expect(error).toMatchObject({ code: "RUN_TIMEOUT", pythonType: "RunTimeoutError" });
    expect(error?.message).toContain("Execution timeout after 1 seconds");
    expect(error?.message).toContain("variables are gone");
    expect(notices.join()).toContain("variables are gone");
    expect(stdout).toBe("before\n");
    expect((await session.run("'lost' in globals()")).value).toBe(false);
  });

  test("code that computes and cannot hear a stop is ended with its interpreter, and the next run works", async () => {
    const { error, notices } = await session.run(stubborn("deaf"), {
      timeout: null,
      ...when("deaf", () => {
        session.interrupt();
      }),
    });

    expect(error).toMatchObject({ code: "RUN_INTERRUPTED" });
    expect(notices.join()).toContain("variables are gone");
    expect((await session.run("1 + 1")).value).toBe(2);
  });

  test("code that swallows its deadline once and then ends is late all the same", async () => {
    const { error } = await session.run(
      "import time\ntry:\n    time.sleep(600)\nexcept BaseException:\n    pass\n'late'",
      {
        timeout: 1000,
      },
    );

    expect(error).toMatchObject({ code: "RUN_TIMEOUT" });
    expect((await session.run("1 + 1")).value).toBe(2);
  });

  test("reset ends the run that goes on, and what is queued finds a fresh interpreter", async () => {
    await session.run("old = 1");
    let resetting: Promise<void> | undefined;
    const running = session.run(
      "import time\nprint('waiting')\ntime.sleep(600)",
      when("waiting", () => {
        resetting = session.reset();
      }),
    );
    const queued = session.run("'old' in globals()");

    expect((await running).error).not.toBeNull();
    await resetting;
    expect((await queued).value).toBe(false);
  });

  describe("completion", () => {
    const labels = async (code: string): Promise<string[]> =>
      (await session.complete(code)).options.map(({ label }) => label);

    test("knows the live variables, builtins and keywords", async () => {
      await session.run("completed_name = 1");

      expect(await labels("x = completed_")).toEqual(["completed_name"]);
      expect(await labels("isinst")).toEqual(["isinstance"]);
      expect(await labels("whil")).toEqual(["while"]);
    });

    test("knows the attributes of live objects, and says from where it completes", async () => {
      await session.run("class Thing:\n    colour = 1\nthing = Thing()");

      expect(await labels("thing.col")).toEqual(["colour"]);
      expect(await session.complete("y = '😀'; thing.col")).toMatchObject({ from: "y = '😀'; thing.".length });
      expect(await labels("artifacts.sa")).toEqual(["save"]);
    });

    test("of nothing, or of an unknown name, is empty", async () => {
      expect(await labels("")).toEqual([]);
      expect(await labels("no_such_thing.x")).toEqual([]);
    });

    test("survives an object that fails to tell its attributes", async () => {
      await session.run("class Odd:\n    def __dir__(self): raise RuntimeError\nodd = Odd()");

      expect(await labels("odd.x")).toEqual([]);
      expect((await session.run("1 + 1")).value).toBe(2);
    });

    test("waits for the run that goes on", async () => {
      const running = session.run("import time\ntime.sleep(0.05)\nafter_wait = 1");

      expect(await labels("after_wa")).toEqual(["after_wait"]);
      await running;
    });
  });
});

describe.each(hosts)("close at the $host host", ({ trust }) => {
  let session: Session;
  afterEach(async () => {
    await session.close();
  });

  test("ends the run that goes on and those that wait", async () => {
    session = await openSession({ trust });
    const running = session.run(
      "import time\nprint('waiting')\ntime.sleep(600)",
      when("waiting", () => {
        void session.close();
      }),
    );
    const queued = session.run("1");

    expect((await running).ok).toBe(false);
    expect(String((await queued).error)).toBe("Session is closed");
    expect(session.state).toBe("closed");
    await expect(session.reset()).rejects.toMatchObject({ code: "SESSION_CLOSED" });
  });
});
