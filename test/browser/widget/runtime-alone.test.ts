import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

import { Session } from "../../../src/session/index.js";
import { openRuntime, type OpenRuntime } from "../../../src/ui/widget/runtime/index.js";
import { hanging, phaseLog, request, served, settings } from "./cells.js";

describe("a cell without a session", () => {
  let runtime: OpenRuntime;
  beforeAll(() => {
    runtime = openRuntime({ pool: 1 });
  });
  afterAll(() => runtime.end());

  test("answers with what its code printed and came to", async () => {
    const { result, text, faultLine, duration, checks } = await runtime.run(request("print('one')\n1 + 1"));

    expect(result).toMatchObject({ value: 2, ok: true });
    expect({ text, faultLine, checks }).toEqual({ text: "one\n2", faultLine: null, checks: [] });
    expect(duration).toBeGreaterThanOrEqual(0);
  });

  test("begins afresh with each run: variables, modules, environment, files, artifacts and skills are gone", async () => {
    const left = await runtime.run(
      request(
        [
          "import math, os, builtins",
          "left = 1",
          "math.left = 1",
          "os.environ['LEFT'] = '1'",
          "builtins.left = 1",
          "open('/workspace/left.txt', 'w').write('1')",
          "open('/tmp/left.txt', 'w').write('1')",
          "artifacts.save('left', 1)",
          "skills.create('left', 'def run():\\n    return 1', 'Left.')",
        ].join("\n"),
      ),
    );
    const found = await runtime.run(
      request(
        [
          "import math, os, builtins",
          "['left' in globals(), hasattr(math, 'left'), 'LEFT' in os.environ, hasattr(builtins, 'left'),",
          " os.listdir('/workspace'), os.path.exists('/tmp/left.txt'), artifacts.list(), skills.list()]",
        ].join("\n"),
      ),
    );

    expect(left.result.error).toBeNull();
    expect(found.result.value).toEqual([false, false, false, false, [], false, [], []]);
  });

  test("says what it waits for", async () => {
    const { kinds, onPhase } = phaseLog();
    const file = await served("phases.txt", "text");
    await runtime.run(
      request("open('/workspace/phases.txt').read()", {
        settings: { trust: "isolated", files: [file], setup: "x = 1" },
        onPhase,
      }),
    );

    expect(kinds.filter((kind) => kind !== "loading-python" && kind !== "starting-python")).toEqual([
      "loading-files",
      "preparing",
      "running",
    ]);
    expect(kinds).toContain("starting-python");
  });

  test("waits while others have the interpreters, and can be stopped meanwhile", async () => {
    const stop = new AbortController();
    const { kinds, onPhase } = phaseLog();
    const begun = Promise.withResolvers<undefined>();
    const first = runtime.run(
      request("print('begun')\nimport time\nwhile True: time.sleep(0.01)", {
        signal: stop.signal,
        onOutput: () => {
          begun.resolve(undefined);
        },
      }),
    );
    await begun.promise;
    const stopSecond = new AbortController();
    const second = runtime.run(request("2", { signal: stopSecond.signal, onPhase }));
    const third = runtime.run(request("3"));
    stopSecond.abort();

    await expect(second).rejects.toMatchObject({ code: "CELL_STOPPED" });
    expect(kinds).toEqual(["waiting"]);
    stop.abort();
    expect((await first).result.error).toMatchObject({ code: "RUN_INTERRUPTED" });
    expect((await third).result.value).toBe(3);
  });

  test("is stopped while its interpreter starts, and the next run has that one", async () => {
    const stop = new AbortController();
    const own = { settings: { trust: "sandboxed" } } as const;
    const run = runtime.run(
      request("1", {
        ...own,
        signal: stop.signal,
        onPhase: () => {
          stop.abort();
        },
      }),
    );
    await expect(run).rejects.toMatchObject({ code: "CELL_STOPPED" });
    expect((await runtime.run(request("import js\njs.origin", own))).result.value).toBe("null");
  });

  test("leaves its place to others when it is stopped while a tool file does not come", async () => {
    const never = hanging();
    try {
      const stop = new AbortController();
      const stopped = runtime.run(request("1", { settings: { tools: [never.url] }, signal: stop.signal }));
      await never.asked;
      stop.abort();
      await expect(stopped).rejects.toMatchObject({ code: "CELL_STOPPED" });
      expect((await runtime.run(request("2"))).result.value).toBe(2);
    } finally {
      never.end();
    }
  });

  test("calls the tool that the page registered last, also where an interpreter was opened before that", async () => {
    const tool = (value: number) => ({
      name: "price",
      description: "Price.",
      input: { type: "object", properties: {} } as const,
      run: () => value,
    });
    const registered = new Map([["price", tool(1)]]);
    const own = openRuntime({ pool: 1, tools: () => registered });
    const run = request("tools.price()", { settings: { tools: ["price"] } });
    try {
      expect((await own.run(run)).result.value).toBe(1);
      await expect.poll(() => own.complete(run.settings, "impor")).not.toBeNull();
      registered.set("price", tool(2));
      expect((await own.run(run)).result.value).toBe(2);
    } finally {
      await own.end();
    }
  });

  test("names the line of its own code where an error was raised", async () => {
    const raised = await runtime.run(request("import json\ndef f():\n    json.loads('{')\n\nf()"));
    const unread = await runtime.run(request("x = 1\ny = = 2", { name: "cell 7" }));

    expect(raised.faultLine).toBe(3);
    expect(unread.result.error?.pythonType).toBe("SyntaxError");
    expect(unread.faultLine).toBe(2);
  });

  test("has as long as it says, and its input() is asked of the reader", async () => {
    const late = await runtime.run(request("while True: pass", { settings: { timeout: 100 } }));
    const asked = await runtime.run(
      request("input('Name? ')", { onInput: (prompt) => Promise.resolve(`${prompt}Ada`) }),
    );

    expect(late.result.error).toMatchObject({ code: "RUN_TIMEOUT" });
    expect(asked.result.value).toBe("Name? Ada");
  });

  test("completes names where an interpreter waits", async () => {
    await expect
      .poll(async () => (await runtime.complete(settings(), "impor"))?.options.map(({ label }) => label))
      .toContain("import");
    expect(await runtime.complete(settings({ trust: "isolated" }), "impor")).toBeNull();
  });
});

describe("two interpreters", () => {
  test("serve two cells at once", async () => {
    const runtime = openRuntime({ pool: 2 });
    try {
      const wait = Promise.withResolvers<string>();
      const one = runtime.run(request("input()", { onInput: () => wait.promise }));
      const other = await runtime.run(request("'other'"));
      wait.resolve("one");
      expect(other.result.value).toBe("other");
      expect((await one).result.value).toBe("one");
    } finally {
      await runtime.end();
    }
  });

  test("are never more than two, whatever cells ask for", async () => {
    let live = 0;
    let most = 0;
    const open = Session.open.bind(Session);
    const spy = vi.spyOn(Session, "open").mockImplementation(async (options) => {
      live += 1;
      most = Math.max(most, live);
      const session = await open(options);
      const close = session.close.bind(session);
      session.close = async () => {
        await close();
        live -= 1;
      };
      return session;
    });
    const runtime = openRuntime({ pool: 2 });
    try {
      const levels = ["local", "isolated", "local", "isolated", "local"] as const;
      const runs = levels.map((trust, index) => runtime.run(request(String(index), { settings: { trust } })));
      const values = (await Promise.all(runs)).map(({ result }) => result.value);
      expect(values).toEqual([0, 1, 2, 3, 4]);
    } finally {
      await runtime.end();
      spy.mockRestore();
    }
    expect({ live, most }).toEqual({ live: 0, most: 2 });
  });

  test("end when no run has come for a while", async () => {
    const runtime = openRuntime({ pool: 2, idle: 1 });
    try {
      await runtime.run(request("1"));
      await expect.poll(() => runtime.complete(settings(), "impor")).toBeNull();
      expect((await runtime.run(request("2"))).result.value).toBe(2);
    } finally {
      await runtime.end();
    }
  });
});
