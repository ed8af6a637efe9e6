import { spawn, type ChildProcess } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";

import { z } from "zod";

import { findWebKit, installAdvice } from "../../../.ci/browser.mjs";
import { ANSWERS, CLOSING, SHOWS, SUITE } from "../../timeouts.mjs";
import { beforeLong } from "./before-long.js";
import {
  EngineMissingError,
  type Engine,
  type EnginePage,
  type Json,
  type LaunchOptions,
  type PageOptions,
} from "./engine.js";
import { asText, fromText } from "./evaluation.js";
import { arrived } from "./navigation.js";
import { WebDriverClient } from "./webdriver-client.js";

const SessionAnswer = z.object({
  sessionId: z.string(),
  capabilities: z.object({ browserName: z.string(), browserVersion: z.string() }),
});
const WindowAnswer = z.object({ handle: z.string() });
/** An element's identifier stands under a name that the WebDriver standard fixed. */
const ElementAnswer = z.record(z.string(), z.string()).transform((answer) => Object.values(answer)[0] ?? "");

/** Milliseconds for a script or a page; a suite answers once, after minutes. */
const LIMITS = { script: SUITE, pageLoad: ANSWERS, implicit: SHOWS };

/** WebKitGTK's MiniBrowser over WebDriver, on a display of its own that nobody sees. Real WebKit, and not Safari. */
export async function launchWebKitGTK({ optimizes = true, downloadFolder }: LaunchOptions): Promise<Engine> {
  const parts = findWebKit();
  if (parts === null) throw new EngineMissingError("webkitgtk", installAdvice.webkitgtk);
  const started: ChildProcess[] = [];
  const stop = async (): Promise<void> => {
    for (const child of started.reverse()) await ended(child);
  };
  try {
    let display = process.env.DISPLAY;
    if (parts.xvfb !== null) {
      const server = startDisplay(parts.xvfb);
      started.push(server.child);
      display = await server.display;
    }
    const port = await freePort();
    const environment = {
      ...process.env,
      ...(display === undefined ? {} : { DISPLAY: display, GDK_BACKEND: "x11" }),
      ...(optimizes ? {} : { JSC_useOMGJIT: "false" }),
      ...(downloadFolder === undefined ? {} : { XDG_CONFIG_HOME: await configurationFor(downloadFolder) }),
    };
    const driver = spawn(parts.driver, [`--port=${String(port)}`, "--host=127.0.0.1"], {
      env: environment,
      stdio: "ignore",
      // A group of its own, to end the browser's processes with it.
      detached: true,
    });
    started.push(driver);
    process.once("exit", () => {
      endGroup(driver);
    });
    const client = new WebDriverClient(port);
    await answering(client, driver);
    const options = { binary: parts.browser, args: ["--automation"] };
    // Else the driver dismisses a dialog itself, and nobody reads it.
    const capabilities = { alwaysMatch: { "webkitgtk:browserOptions": options, unhandledPromptBehavior: "ignore" } };
    const session = SessionAnswer.parse(await client.send("POST", "/session", { capabilities }));
    const path = `/session/${session.sessionId}`;
    await client.send("POST", `${path}/timeouts`, LIMITS);
    const { browserName, browserVersion } = session.capabilities;
    const tabs = new Tabs(client, path);
    return {
      name: "webkitgtk",
      version: `WebKitGTK ${browserVersion} (${browserName})`,
      openPage: (url, options) => tabs.open(url, options),
      windows: () => tabs.count(),
      close: async () => {
        await beforeLong(client.send("DELETE", path));
        // The processes of a page that hangs outlive their driver.
        endGroup(driver);
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** WebDriver commands go to the current window, so each page's commands begin with a switch. */
class Tabs {
  readonly #client: WebDriverClient;
  readonly #path: string;
  #current: string | undefined;
  #isFirst = true;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(client: WebDriverClient, path: string) {
    this.#client = client;
    this.#path = path;
  }

  async open(url: string, options: PageOptions = {}): Promise<EnginePage> {
    const handle = await this.#newWindow();
    const page = this.#drive(handle, options);
    await page.goto(url);
    return page;
  }

  async #newWindow(): Promise<string> {
    // The browser starts with one; the last window is never closed, that would end the session.
    if (this.#isFirst) {
      this.#isFirst = false;
      this.#current = z.string().parse(await this.#client.send("GET", `${this.#path}/window`));
      return this.#current;
    }
    return this.#inTurn(async () => {
      // A new one is asked of the current one, which may just have been closed.
      if (this.#current === undefined) await this.#switchTo(await this.#anyWindow());
      const answer = await this.#client.send("POST", `${this.#path}/window/new`, { type: "tab" });
      return WindowAnswer.parse(answer).handle;
    });
  }

  async #anyWindow(): Promise<string> {
    const [handle] = z.array(z.string()).parse(await this.#client.send("GET", `${this.#path}/window/handles`));
    if (handle === undefined) throw new Error("The browser has no window.");
    return handle;
  }

  count(): Promise<number> {
    return this.#inTurn(async () => {
      const handles = z.array(z.string()).parse(await this.#client.send("GET", `${this.#path}/window/handles`));
      return handles.length;
    });
  }

  #drive(handle: string, { onDialog }: PageOptions): EnginePage {
    const post = (path: string, body: object = {}): Promise<unknown> => this.#post(handle, path, body);
    const find = async (selector: string): Promise<string> => {
      const [first = "", ...inner] = selector.split(" >>> ");
      const found = ElementAnswer.parse(await post("/element", { using: "css selector", value: first }));
      if (inner.length === 0) return found;
      const script = `return arguments[0].reduce((host, each) => host?.shadowRoot?.querySelector(each), document.querySelector(arguments[1]))`;
      return ElementAnswer.parse(await post("/execute/sync", { script, args: [inner, first] }));
    };
    const evaluate = async (expression: string): Promise<Json> => {
      const script = `const done = arguments[arguments.length - 1]; ${asText(expression)}.then(done);`;
      try {
        return fromText(await post("/execute/async", { script, args: [] }));
      } catch (error) {
        const text = await this.#dismissDialog(handle);
        if (text !== null) onDialog?.(text);
        throw error;
      }
    };
    return {
      evaluate,
      click: async (selector) => {
        await post(`/element/${await find(selector)}/click`);
      },
      type: async (selector, text) => {
        await post(`/element/${await find(selector)}/value`, { text });
      },
      goto: async (url) => {
        await post("/url", { url });
        // On a busy machine a browser that has just started takes the end of its first, empty page for the answer.
        await arrived(evaluate, "about:blank");
      },
      back: async () => {
        await post("/back");
      },
      bringToFront: async () => {
        this.#current = undefined;
        await this.#inTurn(() => this.#switchTo(handle));
      },
      screenshot: () =>
        this.#inTurn(async () => {
          await this.#switchTo(handle);
          const image = z.string().parse(await this.#client.send("GET", `${this.#path}/screenshot`));
          return Buffer.from(image, "base64");
        }),
      close: () =>
        this.#inTurn(async () => {
          await this.#switchTo(handle);
          const all = z.array(z.string()).parse(await this.#client.send("GET", `${this.#path}/window/handles`));
          if (all.length === 1) {
            await this.#client.send("POST", `${this.#path}/url`, { url: "about:blank" });
            this.#isFirst = true;
          } else {
            await this.#client.send("DELETE", `${this.#path}/window`);
            this.#current = undefined;
          }
        }),
    };
  }

  #post(handle: string, path: string, body: object): Promise<unknown> {
    return this.#inTurn(async () => {
      await this.#switchTo(handle);
      return this.#client.send("POST", `${this.#path}${path}`, body);
    });
  }

  /** The text of the dialog that is open; null where there is none. */
  #dismissDialog(handle: string): Promise<string | null> {
    return this.#inTurn(async () => {
      try {
        await this.#switchTo(handle);
        const text = z.string().parse(await this.#client.send("GET", `${this.#path}/alert/text`));
        await this.#client.send("POST", `${this.#path}/alert/dismiss`, {});
        return text;
      } catch {
        return null;
      }
    });
  }

  async #switchTo(handle: string): Promise<void> {
    if (this.#current === handle) return;
    await this.#client.send("POST", `${this.#path}/window`, { handle });
    this.#current = handle;
  }

  #inTurn<T>(command: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(command, command);
    this.#tail = result.catch(() => undefined);
    return result;
  }
}

/** A folder with a person's configuration that names where downloads go. */
async function configurationFor(downloadFolder: string): Promise<string> {
  const folder = `${downloadFolder}-config`;
  await mkdir(folder, { recursive: true });
  await writeFile(`${folder}/user-dirs.dirs`, `XDG_DOWNLOAD_DIR="${downloadFolder}"\n`);
  return folder;
}

function startDisplay(xvfb: string): { child: ChildProcess; display: Promise<string> } {
  // The server picks a free number and writes it to the descriptor.
  const child = spawn(xvfb, ["-displayfd", "3", "-screen", "0", "1280x900x24", "-nolisten", "tcp"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const display = new Promise<string>((resolve, reject) => {
    const pipe = child.stdio[3] as Readable;
    pipe.once("data", (number: Buffer) => {
      resolve(`:${number.toString().trim()}`);
    });
    child.once("error", reject);
    child.once("exit", (code) => {
      reject(new Error(`Xvfb ended with code ${String(code)} before it had a display.`));
    });
  });
  return { child, display };
}

async function answering(client: WebDriverClient, driver: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if (driver.exitCode !== null) throw new Error(`WebKitWebDriver ended with code ${String(driver.exitCode)}.`);
    try {
      await client.send("GET", "/status");
      return;
    } catch {
      await delay(100);
    }
  }
  throw new Error("WebKitWebDriver did not answer within 10 seconds.");
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => {
        resolve(port);
      });
    });
  });
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // All of it has ended.
  }
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    const force = setTimeout(() => child.kill("SIGKILL"), CLOSING);
    child.once("exit", () => {
      clearTimeout(force);
      resolve();
    });
    child.kill();
  });
}
