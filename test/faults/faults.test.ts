import { rm } from "node:fs/promises";

import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";

import { ensureChromium, ensureFirefox, ensureWebKit, installAdvice } from "../../.ci/browser.mjs";
import { serveFolder, type StaticServer } from "../../.ci/static-server.mjs";
import { engineNames, launchEngine, type Engine, type EnginePage, type Json } from "../engines/drivers/index.js";
import { RUN } from "../timeouts.mjs";
import { buildPage } from "./build-page.js";
import { canSleep, putToSleep } from "./sleep.js";

const installed = {
  chromium: await ensureChromium(),
  firefox: ensureFirefox(),
  webkitgtk: ensureWebKit(),
};

let folder: string;
let site: StaticServer;
beforeAll(async () => {
  folder = await buildPage();
  site = await serveFolder(folder);
});
afterAll(async () => {
  await site.close();
  await rm(folder, { recursive: true, force: true });
});

describe.each(engineNames)("in %s", (name) => {
  let engine: Engine;
  let page: EnginePage;
  /** Does something with the page's `faultPage`. */
  const ask = (expression: string): Promise<Json> => page.evaluate(`window.faultPage.${expression}`);
  const run = (code: string, timeout = RUN): Promise<Json> => ask(`run(${JSON.stringify(code)}, ${String(timeout)})`);
  const begin = (code: string, timeout: number | null = RUN): Promise<Json> =>
    ask(`begin(${JSON.stringify(code)}, ${String(timeout)})`);

  if (installed[name] === null) {
    test.skip(`needs the browser: ${installAdvice[name]}`, () => undefined);
    return;
  }

  beforeAll(async () => {
    engine = await launchEngine(name, { optimizes: false });
  });
  afterAll(async () => {
    await engine.close();
  });
  /** WebKitGTK may say that a page is loaded before its modules have run. */
  const ready = (): Promise<Json> =>
    page.evaluate(`(async () => {
      while (window.faultPage === undefined) await new Promise((resolve) => setTimeout(resolve, 50));
    })()`);
  const openPage = async (): Promise<void> => {
    page = await engine.openPage(site.url);
    await ready();
    await ask("open()");
  };
  afterEach(async () => {
    await page.close();
  });

  test("in the background runs end, calls are answered, deadlines and Stop hold", async () => {
    await openPage();
    const front = await engine.openPage(`${site.url}?front`);
    await front.bringToFront();
    // The drivers of the others keep every tab visible.
    if (name === "firefox") expect(await page.evaluate("document.visibilityState")).toBe("hidden");

    expect(await run("[tools.echo(text=str(n)) for n in range(20)][-1]")).toMatchObject({ value: "'19'", error: null });
    expect(await run("kept = 1\nwhile True: pass", 500)).toMatchObject({ error: "RUN_TIMEOUT" });
    await begin("print('begun')\nwhile True: pass");
    await ask("interrupt()");
    expect(await ask("outcome()")).toMatchObject({ error: "RUN_INTERRUPTED", stdout: "begun\n" });
    expect(await run("import time\ntime.sleep(0.1)\nkept")).toMatchObject({ value: "1", error: null });

    await front.close();
  });

  test.runIf(canSleep)("a sleep of the machine past the deadline costs the run and keeps the variables", async () => {
    await openPage();
    // In one piece: the machine may sleep before the end of the line is written, and the deadline then ends that.
    await begin("kept = 1\nprint('begun\\n', end='')\nwhile True: pass", 1500);

    await putToSleep(5000);

    expect(await ask("outcome()")).toMatchObject({ error: "RUN_TIMEOUT", stdout: "begun\n", notices: [] });
    expect(await run("kept")).toMatchObject({ value: "1", error: null });
  });

  test.runIf(canSleep)("a sleep of the machine while a tool is waited for changes nothing", async () => {
    await openPage();
    await begin("import time\nbefore = time.monotonic()\nprint('begun')\nanswer = tools.ask()");

    await putToSleep(2000);
    await ask("answer('awake')");

    expect(await ask("outcome()")).toMatchObject({ error: null });
    expect(await run("[answer, time.monotonic() > before]")).toMatchObject({ value: "['awake', True]", error: null });
  });

  test("a page out of the back/forward cache goes on as it was, in the middle of a run too", async () => {
    await openPage();
    // WebKitGTK may hold back or lose what a worker sends while its page is put away, see docs/browser-support.md.
    const prints = name !== "webkitgtk";
    const loop = prints ? "while True:\n    for _ in range(10**4): pass\n    print('on')" : "while True: pass";
    // A busy machine may take minutes to go and come back.
    await begin(`kept = 1\nprint('begun')\n${loop}`, null);
    await page.goto(`${site.url}elsewhere`);

    await page.back();

    await ready();
    const restored = await ask("restored");
    console.log(`${engine.version}: ${restored === true ? "restored from the back/forward cache" : "loaded anew"}`);
    // A browser keeps pages as it likes. What it lets go of begins anew, with what is stored.
    let kept = restored === true;
    if (restored === true) {
      // A worker that is still being thawed does not hear of a stop.
      if (prints) await ask("goesOn()");
      await ask("interrupt()");
      const outcome = await ask("outcome()");
      // WebKitGTK may lose the worker of a page that was put away: the run says so, and a new interpreter takes over.
      const lost = z.looseObject({ error: z.literal("WORKER_LOST") }).safeParse(outcome).success;
      if (name === "webkitgtk" && lost) kept = false;
      else {
        expect(outcome).toMatchObject({
          error: "RUN_INTERRUPTED",
          // Python writes a line and its end in two steps. Stop may come between.
          stdout: prints ? expect.stringMatching(/^begun\n(on\n)*on\n?$/) : "begun\n",
          notices: [],
        });
      }
    } else {
      await ask("open()");
    }
    expect(await run("globals().get('kept')")).toMatchObject({ value: kept ? "1" : null, error: null });
    expect(await run("tools.echo(text='still here')")).toMatchObject({ value: "'still here'" });
  });
});
