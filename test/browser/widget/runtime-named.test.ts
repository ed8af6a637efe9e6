import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { openRuntime, type OpenRuntime } from "../../../src/ui/widget/runtime/index.js";
import { hanging, phaseLog, request, served, settings } from "./cells.js";

let runtime: OpenRuntime;
beforeEach(() => {
  runtime = openRuntime();
});
afterEach(() => runtime.end());

/** Has the worker name more changed files than there may be. */
const NAMES_TOO_MANY_FILES = `
from pyodide.code import run_js

run_js("""
  const push = Array.prototype.push;
  Array.prototype.push = function (...items) {
    const [file] = items;
    if (typeof file !== "object" || file === null || !("path" in file)) return push.apply(this, items);
    Array.prototype.push = push;
    const others = Array.from({ length: 30_000 }, (_, n) => ({ path: "forged-" + n, content: new Uint8Array(1) }));
    return push.apply(this, [...items, ...others]);
  };
""")
open("/workspace/written.txt", "w").write("x")
`;

const tour = { session: "tour" };

describe("cells of one session", () => {
  test("share variables and files, one run after the other, and no others do", async () => {
    const { kinds, onPhase } = phaseLog();
    const first = runtime.run(request("x = 41\nopen('/workspace/kept.txt', 'w').write('kept')", { settings: tour }));
    const second = runtime.run(request("x + 1, open('/workspace/kept.txt').read()", { settings: tour, onPhase }));
    await first;

    expect((await second).result.value).toEqual([42, "kept"]);
    expect(kinds[0]).toBe("waiting");
    const other = await runtime.run(request("x", { settings: { session: "other" } }));
    expect(other.result.error?.pythonType).toBe("NameError");
  });

  test("run setup and hidden cells once in an interpreter, and again after a reset", async () => {
    const own = { settings: { ...tour, setup: "count += 1" }, before: ["count = globals().get('count', 0) + 10"] };

    expect((await runtime.run(request("count", own))).result.value).toBe(11);
    expect((await runtime.run(request("count", own))).result.value).toBe(11);
    await runtime.run(request("count = 100\nopen('/workspace/left.txt', 'w').write('')", own));
    await runtime.reset("tour");
    const again = await runtime.run(request("import os\ncount, os.listdir('/workspace')", own));
    expect(again.result.value).toEqual([11, []]);
  });

  test("have the hidden cells before their setup, whichever runs first", async () => {
    const before = ["base = 1"];
    const setup = "base += 1";
    const { result } = await runtime.run(request("base", { settings: { ...tour, setup }, before }));
    const other = await runtime.run(request("base", { settings: { ...tour, setup: "base *= 10" }, before }));
    expect([result.value, other.result.value]).toEqual([2, 20]);
  });

  test("run them again where the interpreter was lost, and the result says so", async () => {
    const own = { settings: { ...tour, setup: "ready = 1" } };
    const lost = await runtime.run(
      request("while True:\n    try:\n        while True: pass\n    except BaseException: pass", {
        settings: { ...own.settings, timeout: 100 },
      }),
    );
    const next = await runtime.run(request("ready", own));

    expect(lost.result).toMatchObject({ lost: true });
    expect(lost.result.notices.join(" ")).toContain("its variables are gone");
    expect(next.result.value).toBe(1);
  });

  test("say which part before them failed, and are not run", async () => {
    const failing = runtime.run(request("1", { settings: { ...tour, setup: "nothing" } }));
    await expect(failing).rejects.toMatchObject({
      code: "CELL_SETUP",
      message: "This cell was not run, because the setup of this cell failed: NameError: name 'nothing' is not defined",
    });
    const hidden = runtime.run(request("1", { settings: tour, before: ["a = 1", "1 / 0"] }));
    await expect(hidden).rejects.toThrow(
      "hidden cell 2 of the session “tour” failed: ZeroDivisionError: division by zero",
    );
  });

  test("are stopped while what is before them runs, and the next run has it run again", async () => {
    const stop = new AbortController();
    const stopped = runtime.run(
      request("1", {
        settings: { ...tour, setup: "ready = 1\nwhile ready: pass" },
        signal: stop.signal,
        onPhase: ({ kind }) => {
          if (kind === "preparing") stop.abort();
        },
      }),
    );
    await expect(stopped).rejects.toMatchObject({ code: "CELL_STOPPED" });
    const next = await runtime.run(request("ready", { settings: { ...tour, setup: "ready = 2" } }));
    expect(next.result.value).toBe(2);
  });

  test("of another trust level are refused while the session is at work, and get one of their own after that", async () => {
    const begun = Promise.withResolvers<undefined>();
    const stop = new AbortController();
    const running = runtime.run(
      request("x = 1\nprint('begun')\nwhile True: pass", {
        settings: tour,
        signal: stop.signal,
        onOutput: () => {
          begun.resolve(undefined);
        },
      }),
    );
    await begun.promise;
    const other = request("'x' in globals()", { settings: { ...tour, trust: "isolated" } });
    await expect(runtime.run(other)).rejects.toMatchObject({
      code: "CELL_TRUST",
      message:
        "Cells of the session “tour” ask for the trust levels local and isolated: give all of them the same `trust`.",
    });
    stop.abort();
    await running;

    expect((await runtime.run(other)).result.value).toBe(false);
  });

  test("are let go by a stop while they wait for a tool file, and the next has what it asks for", async () => {
    const never = hanging();
    try {
      const stop = new AbortController();
      const own = { ...tour, tools: [never.url] };
      const stopped = runtime.run(request("1", { settings: own, signal: stop.signal }));
      await never.asked;
      stop.abort();
      await expect(stopped).rejects.toMatchObject({ code: "CELL_STOPPED" });
      // It has the session that still opens, until that fails.
      const next = runtime.run(request("2", { settings: tour }));
      never.fail();
      expect((await next).result.value).toBe(2);
    } finally {
      never.end();
    }
  });

  test("bring files and tools of their own to a session that is open", async () => {
    const price = {
      name: "price",
      description: "Price.",
      input: { type: "object", properties: {} },
      run: () => 7,
    } as const;
    const own = openRuntime({ tools: () => new Map([["price", price]]) });
    const toolFile = await served(
      "hello.yaml",
      "name: hello\ntype: http\ndescription: Greets.\nbase_url: https://example.org\nrecipes:\n  get:\n    path: /\n",
    );
    try {
      await own.run(request("1", { settings: tour }));
      const file = await served("later.txt", "later");
      const tools = ["price", toolFile.url];
      const { result } = await own.run(
        request("open('/workspace/later.txt').read(), tools.price(), sorted(tool.name for tool in tools.list())", {
          settings: { ...tour, files: [file], tools },
        }),
      );
      expect(result.error).toBeNull();
      expect(result.value).toEqual(["later", 7, ["hello", "price"]]);
    } finally {
      await own.end();
    }
  });

  test("stop what runs when their session is reset, and what waits runs in the fresh one", async () => {
    const begun = Promise.withResolvers<undefined>();
    const running = runtime.run(
      request("x = 1\nprint('begun')\nwhile True: pass", {
        settings: tour,
        onOutput: () => {
          begun.resolve(undefined);
        },
      }),
    );
    await begun.promise;
    const waiting = runtime.run(request("'x' in globals()", { settings: tour }));
    await runtime.reset("tour");

    expect((await running).result.error).toMatchObject({ code: "RUN_INTERRUPTED" });
    expect((await waiting).result.value).toBe(false);
  });

  test("complete names of their interpreter while it is idle", async () => {
    const running = runtime.run(request("reading_one = 1", { settings: tour }));
    expect(await runtime.complete(settings(tour), "readi")).toBeNull();
    await running;
    expect(await runtime.complete(settings(tour), "readi")).toMatchObject({ options: [{ label: "reading_one" }] });
  });

  test("end with the last of them, and may begin again", async () => {
    await runtime.run(request("x = 1", { settings: tour }));
    await runtime.close("tour");
    expect(await runtime.complete(settings(tour), "x")).toBeNull();
    expect((await runtime.run(request("'x' in globals()", { settings: tour }))).result.value).toBe(false);
  });

  test("run them again where the interpreter was lost between two runs, and the result says so", async () => {
    const own = { settings: { ...tour, trust: "sandboxed", setup: "ready = 1" } } as const;
    const before = new Set(document.querySelectorAll("iframe"));
    await runtime.run(request("ready = 2", own));
    // As a script of the site may do that clears the page.
    for (const frame of document.querySelectorAll("iframe")) if (!before.has(frame)) frame.remove();
    const next = await runtime.run(request("ready", own));

    expect(next.result).toMatchObject({ error: null, value: 1 });
    expect(next.result.notices.join(" ")).toContain("Before this run the interpreter was lost");
  });

  test("have another session where theirs broke the protocol, and the result says so", async () => {
    const own = { settings: { ...tour, setup: "ready = 1" } };
    const broken = await runtime.run(request(NAMES_TOO_MANY_FILES, own));
    const next = await runtime.run(request("ready", own));

    expect(broken.result).toMatchObject({ error: { code: "PROTOCOL_VIOLATION" }, sessionFailed: true });
    expect(next.result).toMatchObject({ error: null, value: 1 });
    expect(next.result.notices).toEqual([
      "The session “tour” had ended and began afresh: its variables and files are gone.",
    ]);
  });
});
