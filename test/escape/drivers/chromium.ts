import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { chromium } from "@playwright/test";

import { chromiumFlags, findChromium, installAdvice } from "../../../.ci/browser.mjs";
import { beforeLong } from "../../engines/drivers/before-long.js";
import { EngineMissingError } from "../../engines/drivers/index.js";
import type { Driver } from "./driver.js";

/** Milliseconds for a start. */
const STARTING = 30_000;

/**
 * Chromium with an ear for what other drivers do not tell, and with a profile as people have one: in the contexts
 * that Playwright makes, which are incognito, Chromium acts on no `preconnect` link.
 * @param netLog - file for Chromium's own log of its network, whole once the driver is closed.
 * @throws {EngineMissingError}
 */
export async function chromiumDriver(netLog?: string): Promise<Driver> {
  const executablePath = await findChromium();
  if (executablePath === null) throw new EngineMissingError("chromium", installAdvice.chromium);
  const profile = await mkdtemp(join(tmpdir(), "vitrine-chromium-"));
  const child = spawn(
    executablePath,
    [
      // With QUIC off there is no WebTransport whose refusal would say anything.
      ...chromiumFlags.filter((flag) => flag !== "--disable-quic"),
      ...(netLog === undefined ? [] : [`--log-net-log=${netLog}`]),
      "--headless",
      "--no-default-browser-check",
      // A window that opens is an event.
      "--disable-popup-blocking",
      "--remote-debugging-port=0",
      `--user-data-dir=${profile}`,
      "about:blank",
    ],
    // A group of its own, to end the browser's processes with it.
    { stdio: ["ignore", "ignore", "pipe"], detached: true },
  );
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const kill = (): void => {
    killGroup(child);
  };
  process.once("exit", kill);
  const browser = await chromium.connectOverCDP(await debuggingAddress(child));
  const context = browser.contexts()[0];
  if (context === undefined) throw new Error(`Chromium ${browser.version()} shows no profile of its own.`);
  const askToEnd = async (): Promise<void> => {
    const session = await browser.newBrowserCDPSession();
    await Promise.all([session.send("Browser.close"), ended]);
  };
  const events: string[] = [];
  // Each page that is opened here comes as an event too.
  let expected = 0;
  context.on("page", (opened) => {
    if (expected > 0) {
      expected -= 1;
      return;
    }
    events.push("a window");
    void opened.close();
  });
  return {
    name: "chromium",
    version: `Chromium ${browser.version()}`,
    openPage: async (url) => {
      expected += 1;
      const page = await context.newPage();
      page.on("dialog", (dialog) => {
        events.push(`dialog: ${dialog.message()}`);
        void dialog.dismiss();
      });
      page.on("download", (download) => {
        events.push(`a download: ${download.suggestedFilename()}`);
        void download.cancel();
      });
      page.on("crash", () => {
        events.push("the page crashed");
      });
      await page.goto(url);
      return {
        evaluate: (expression) => page.evaluate(expression),
        takeEvents: () => Promise.resolve(events.splice(0)),
        close: () => page.close(),
      };
    },
    close: async () => {
      // Only a browser that ends by itself leaves its log whole; no other hears, among thousands of workers or in a
      // flood of messages, that it is to end.
      if (netLog !== undefined) await beforeLong(askToEnd());
      kill();
      await ended;
      process.off("exit", kill);
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Chromium names it on its standard error. */
function debuggingAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => {
      killGroup(child);
      reject(new Error(`Chromium did not start: ${why}. It said: ${said.join("\n").slice(-2000)}`));
    };
    const said: string[] = [];
    const timer = setTimeout(() => {
      fail(`no answer in ${String(STARTING / 1000)} s`);
    }, STARTING);
    child.once("error", (error) => {
      fail(error.message);
    });
    child.once("exit", (code) => {
      fail(`it ended with ${String(code)}`);
    });
    if (child.stderr === null) return;
    createInterface(child.stderr).on("line", (line) => {
      said.push(line);
      if (said.length > 50) said.shift();
      const address = /^DevTools listening on (ws:\S+)$/.exec(line)?.[1];
      if (address === undefined) return;
      clearTimeout(timer);
      resolve(address);
    });
  });
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  process.kill(-child.pid, "SIGKILL");
}
