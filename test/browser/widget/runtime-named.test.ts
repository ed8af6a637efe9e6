import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { openRuntime, type OpenRuntime } from "../../../src/ui/widget/runtime/index.js";
import { phaseLog, request, served, settings } from "./cells.js";

let runtime: OpenRuntime;
beforeEach(() => {
  runtime = openRuntime();
});
afterEach(() => runtime.end());

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
    const own = { settings: { ...tour, setup: "count = globals().get('count', 0) + 1" }, before: ["count += 10"] };

    expect((await runtime.run(request("count", own))).result.value).toBe(11);
    expect((await runtime.run(request("count", own))).result.value).toBe(11);
    await runtime.run(request("count = 100\nopen('/workspace/left.txt', 'w').write('')", own));
    await runtime.reset("tour");
    const again = await runtime.run(request("import os\ncount, os.listdir('/workspace')", own));
    expect(again.result.value).toEqual([11, []]);
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

  test("of another trust level are refused", async () => {
    await runtime.run(request("1", { settings: tour }));
    await expect(runtime.run(request("1", { settings: { ...tour, trust: "sandboxed" } }))).rejects.toMatchObject({
      code: "CELL_TRUST",
      message:
        "Cells of the session “tour” ask for the trust levels local and sandboxed: give all of them the same `trust`.",
    });
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
});
