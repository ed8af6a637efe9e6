import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

import { createServer, type ViteDevServer } from "vite";
import { z } from "zod";

import { ensureChromium, ensureFirefox, ensureWebKit } from "../../.ci/browser.mjs";
import { EngineMissingError, launchEngine, type EngineName, type EnginePage } from "../engines/drivers/index.js";
import { ANSWERS } from "../timeouts.mjs";
import { Message, type Order } from "./messages.js";
import { readOptions, USAGE, UsageError, type Options } from "./options.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

// Standard output is the code's.
const ensure: Readonly<Record<EngineName, () => unknown>> = {
  chromium: () => ensureChromium(console.error),
  firefox: () => ensureFirefox(console.error),
  webkitgtk: () => ensureWebKit(console.error),
};

/** @returns the exit code: 0, 1 for code that failed, 2 where it could not be run. */
export async function main(args: readonly string[]): Promise<number> {
  try {
    const options = await readOptions(args);
    if (options === "help") {
      console.log(USAGE);
      return 0;
    }
    return await run(options);
  } catch (error) {
    if (error instanceof UsageError) console.error(`${error.message}\n\n${USAGE}`);
    else if (error instanceof EngineMissingError) console.error(error.message);
    else console.error(error);
    return 2;
  }
}

async function run({ engine: name, ...order }: Options): Promise<number> {
  await ensure[name]();
  const [server, engine] = await Promise.all([serve(), launchEngine(name, { optimizes: false })]);
  const stop = async (): Promise<void> => {
    await Promise.all([engine.close(), server.close()]);
  };
  const interrupt = (): void => {
    void stop().finally(() => process.exit(130));
  };
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  try {
    const page = await engine.openPage(addressOf(server));
    return await follow(page, order);
  } finally {
    process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
    await stop();
  }
}

/** The development server of the demo, with the page of this folder in place of the demo's. */
function serve(): Promise<ViteDevServer> {
  return createServer({
    root,
    logLevel: "error",
    server: { host: "127.0.0.1", port: 0, hmr: false, watch: null },
    plugins: [
      {
        name: "py-page",
        configureServer(server) {
          server.middlewares.use((request, response, next) => {
            if (request.url !== "/") {
              next();
              return;
            }
            readFile(new URL("./page.html", import.meta.url), "utf8")
              .then((html) => server.transformIndexHtml("/", html))
              .then((html) => response.setHeader("Content-Type", "text/html").end(html), next);
          });
        },
      },
    ],
  }).then((server) => server.listen());
}

function addressOf(server: ViteDevServer): string {
  const [address] = server.resolvedUrls?.local ?? [];
  if (address === undefined) throw new Error("The development server did not start.");
  return address;
}

/** Prints what the page tells, until the end. */
async function follow(page: EnginePage, order: Order): Promise<number> {
  // A module that fails to load never defines it, and says why on the page's console only.
  const defined = await page.evaluate(`new Promise((resolve) => {
    const late = setTimeout(() => resolve(false), ${String(ANSWERS)});
    const look = () => {
      if (globalThis.pyPage === undefined) return setTimeout(look, 20);
      clearTimeout(late);
      resolve(true);
    };
    look();
  })`);
  if (defined !== true) throw new Error("The page did not load in time; `npm run types` may say why.");
  await page.evaluate(`pyPage.run(${JSON.stringify(order)})`);
  for (;;) {
    for (const message of z.array(Message).parse(await page.evaluate("pyPage.next()"))) {
      switch (message.kind) {
        case "stdout":
          process.stdout.write(message.text);
          break;
        case "stderr":
          process.stderr.write(message.text);
          break;
        case "note":
          process.stderr.write(`[${message.text}]\n`);
          break;
        case "value":
          process.stdout.write(`${message.text}\n`);
          break;
        case "end":
          process.stderr.write(message.failure ?? "");
          return message.failure === null ? 0 : 1;
      }
    }
  }
}
