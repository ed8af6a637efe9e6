import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import type { Browser, BrowserType } from "playwright";

import { messageOf } from "../../protocol/index.js";
import { CheckBrowserError } from "../errors.js";

export const BROWSERS = ["chromium", "firefox", "webkit"] as const;
export type BrowserName = (typeof BROWSERS)[number];

/** Nothing of Chromium finds another host, or a proxy that would. */
const CUT_OFF = ["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--no-proxy-server"];

export interface LaunchOptions {
  readonly browser: BrowserName;
  /** Path of a browser that Playwright drives in the place of its own. */
  readonly executable: string | undefined;
  readonly isHeaded: boolean;
  /** Whether pages reach other hosts than 127.0.0.1. */
  readonly allowsNetwork: boolean;
  /** Where the site's own Playwright is looked for. */
  readonly cwd: string;
}

/** @throws {CheckBrowserError} with the line that installs what is missing. */
export async function launchBrowser({
  browser: name,
  executable,
  isHeaded,
  allowsNetwork,
  cwd,
}: LaunchOptions): Promise<Browser> {
  const type = await browserType(name, cwd);
  try {
    return await type.launch({
      headless: !isHeaded,
      args: name === "chromium" && !allowsNetwork ? CUT_OFF : [],
      // Ctrl-C ends the check, which closes the browser.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      ...(executable === undefined ? {} : { executablePath: executable }),
    });
  } catch (error) {
    const isMissing = /executable doesn't exist/i.test(messageOf(error));
    const [reason = ""] = messageOf(error).split("\n", 1);
    throw new CheckBrowserError(
      isMissing ? "browser" : "launch",
      isMissing
        ? executable === undefined
          ? `Playwright has no ${name} here. Run "npx playwright install ${name}", or name a browser with --executable.`
          : `There is no browser at ${executable}.`
        : `${name} did not start: ${reason}`,
      { cause: error },
    );
  }
}

async function browserType(name: BrowserName, cwd: string): Promise<BrowserType> {
  for (const specifier of ["playwright", "@playwright/test", "playwright-core"]) {
    const found: unknown = await importFrom(specifier, cwd);
    const type = typesIn(found)?.[name];
    if (type !== undefined) return type;
  }
  throw new CheckBrowserError(
    "playwright",
    `The cells are run in a browser by Playwright, which is not installed: npm install --save-dev playwright && npx playwright install ${name}`,
  );
}

/** The package that the site has, else one that lies beside this program; undefined where there is none. */
async function importFrom(specifier: string, cwd: string): Promise<unknown> {
  for (const from of [pathToFileURL(join(cwd, "package.json")).href, import.meta.url]) {
    let path: string;
    try {
      path = createRequire(from).resolve(specifier);
    } catch {
      continue;
    }
    return await import(/* @vite-ignore */ pathToFileURL(path).href);
  }
  return undefined;
}

type Types = Readonly<Partial<Record<BrowserName, BrowserType>>>;

/** A module of CommonJS has its names in its default export. */
function typesIn(module: unknown): Types | undefined {
  if (hasTypes(module)) return module;
  const inner: unknown = typeof module === "object" && module !== null && "default" in module ? module.default : null;
  return hasTypes(inner) ? inner : undefined;
}

function hasTypes(module: unknown): module is Types {
  return typeof module === "object" && module !== null && "chromium" in module && "firefox" in module;
}
