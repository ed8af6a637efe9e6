// Which browsers the tests drive. Used before `npm ci` as well, so nothing is imported from node_modules at the top.

import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";

/**
 * For each window Chromium loads two pages of its own into a process of its own, the popups of its address bar: 0.6 seconds
 * of processor, and nothing that a page could notice.
 */
const addressBar = ["WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup"];

/** What Playwright turns off. Chromium heeds the last list alone, so ours has to say it again. */
const playwrights = [
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "LensOverlay",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "TcpPortRandomizationWin",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "AimEnabled",
  "PreconnectToSearch",
];

/** What a machine without a display or a GPU needs, and what keeps the browser from calling home. */
export const chromiumFlags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  `--disable-features=${addressBar.join(",")}`,
];

/** The same for a browser that Playwright starts. */
export const playwrightFlags = [...chromiumFlags, `--disable-features=${[...addressBar, ...playwrights].join(",")}`];

/**
 * For tests whose interpreters live for seconds: too short for what it costs to optimize their code, a sixth of all work.
 * The escape suite, the package's and the benchmark run Chromium as people do.
 */
export const withoutOptimizing = "--js-flags=--liftoff-only --no-wasm-dynamic-tiering";

/**
 * The same for JavaScript as well, for the demo, whose pages live for seconds and compute little: a tenth of all work. Tiers
 * differ in speed alone; Stop and limits do not look at them, and the other suites try both with JavaScript optimized.
 */
export const withoutOptimizingScripts = `${withoutOptimizing} --no-opt --no-maglev`;

/**
 * The path of a Chromium: `VITRINE_CHROMIUM`, else an installed browser, else the one that Playwright downloaded.
 * Null where there is none.
 */
export async function findChromium() {
  const chosen = process.env.VITRINE_CHROMIUM;
  if (chosen) return existing("VITRINE_CHROMIUM", chosen);
  return installedBrowser() ?? (await playwrightsBrowser());
}

/** As {@link findChromium}, but installs one where there is none. `say` tells what is going on. */
export async function ensureChromium(say = console.log) {
  const found = await findChromium();
  if (found !== null) return found;
  if (installPackages(["chromium"], { what: "Chromium", say })) {
    const installed = installedBrowser();
    if (installed !== null) return installed;
  }
  say("No Chromium here: letting Playwright download one.");
  run(process.execPath, [
    join(import.meta.dirname, "..", "node_modules", "playwright", "cli.js"),
    "install",
    "chromium",
  ]);
  const downloaded = await playwrightsBrowser();
  if (downloaded !== null) return downloaded;
  throw new Error(
    "The tests need Chromium, and neither the system nor Playwright could install it. " +
      "Install Chromium or Google Chrome, or set VITRINE_CHROMIUM to its path.",
  );
}

/** The path of a Firefox: `VITRINE_FIREFOX`, else an installed one. Null where there is none. */
export function findFirefox() {
  const chosen = process.env.VITRINE_FIREFOX;
  if (chosen) return existing("VITRINE_FIREFOX", chosen);
  const names = ["firefox-esr", "firefox"];
  return onPath(names) ?? usualFirefoxes().find((path) => existsSync(path)) ?? null;
}

/** As {@link findFirefox}, but installs the system's package where it can. Null where it cannot. */
export function ensureFirefox(say = console.log) {
  const found = findFirefox();
  if (found !== null || !installPackages(["firefox-esr"], { what: "Firefox", say })) return found;
  return findFirefox();
}

/**
 * What it takes to drive WebKitGTK: its WebDriver (`VITRINE_WEBKIT_DRIVER`), its small browser
 * (`VITRINE_WEBKIT_BROWSER`), and a display, for which `xvfb` is null where the machine has one of its own. Null
 * where a part is missing.
 */
export function findWebKit() {
  if (process.platform !== "linux") return null;
  const { VITRINE_WEBKIT_DRIVER: chosenDriver, VITRINE_WEBKIT_BROWSER: chosenBrowser } = process.env;
  const driver = chosenDriver ? existing("VITRINE_WEBKIT_DRIVER", chosenDriver) : onPath(["WebKitWebDriver"]);
  const browser = chosenBrowser ? existing("VITRINE_WEBKIT_BROWSER", chosenBrowser) : installedMiniBrowser();
  const xvfb = onPath(["Xvfb"]);
  const hasDisplay = Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
  if (driver === null || browser === null || (xvfb === null && !hasDisplay)) return null;
  return { driver, browser, xvfb };
}

/** As {@link findWebKit}, but installs the system's packages where it can. Null where it cannot. */
export function ensureWebKit(say = console.log) {
  const found = findWebKit();
  if (found !== null || !installPackages(["webkit2gtk-driver", "xvfb"], { what: "WebKitGTK", say })) return found;
  return findWebKit();
}

/** What a person installs, by engine, for a message where an engine is missing. */
export const installAdvice = {
  chromium: "install Chromium or Google Chrome, or set VITRINE_CHROMIUM to its path",
  firefox: "install Firefox (Debian: apt-get install firefox-esr), or set VITRINE_FIREFOX to its path",
  webkitgtk:
    "install WebKitWebDriver, MiniBrowser and Xvfb on Linux (Debian: apt-get install webkit2gtk-driver xvfb), " +
    "or set VITRINE_WEBKIT_DRIVER and VITRINE_WEBKIT_BROWSER",
};

function existing(variable, path) {
  if (!existsSync(path)) throw new Error(`${variable} says ${path}, but there is no such file.`);
  return path;
}

/** Only where nobody has to be asked: as root on a system of Debian's kind. */
function installPackages(packages, { what, say }) {
  if (process.platform !== "linux" || process.getuid?.() !== 0 || onPath(["apt-get"]) === null) return false;
  say(`No ${what} here: installing the system's package.`);
  run("apt-get", ["update", "-qq"]);
  return run("apt-get", ["install", "-y", "-qq", ...packages]);
}

// Distributions keep it beside the library, away from PATH; the folder carries the version of the interface.
function installedMiniBrowser() {
  const libraries = ["/usr/libexec", "/usr/lib64", "/usr/lib"].filter((folder) => existsSync(folder));
  const folders = libraries.flatMap((folder) => [folder, ...subfolders(folder, (name) => name.endsWith("-linux-gnu"))]);
  const candidates = folders
    .flatMap((folder) => subfolders(folder, (name) => /^webkit2?gtk-[\d.]+$/.test(name)))
    .map((folder) => join(folder, "MiniBrowser"));
  return onPath(["MiniBrowser"]) ?? candidates.find(isExecutable) ?? null;
}

function subfolders(folder, isWanted) {
  return readdirSync(folder)
    .filter(isWanted)
    .map((name) => join(folder, name));
}

function usualFirefoxes() {
  if (process.platform === "darwin") {
    return ["/Applications", `${process.env.HOME}/Applications`].map(
      (folder) => `${folder}/Firefox.app/Contents/MacOS/firefox`,
    );
  }
  if (process.platform === "win32") {
    return ["PROGRAMFILES", "PROGRAMFILES(X86)"].map(
      (variable) => `${process.env[variable]}\\Mozilla Firefox\\firefox.exe`,
    );
  }
  return [];
}

function installedBrowser() {
  const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
  return onPath(names) ?? usualPlaces().find((path) => existsSync(path)) ?? null;
}

function onPath(names) {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  for (const name of names) {
    for (const folder of folders) {
      const path = join(folder, name);
      if (isExecutable(path)) return path;
    }
  }
  return null;
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function usualPlaces() {
  if (process.platform === "darwin") {
    return ["Google Chrome", "Chromium"].flatMap((name) =>
      ["/Applications", `${process.env.HOME}/Applications`].map(
        (folder) => `${folder}/${name}.app/Contents/MacOS/${name}`,
      ),
    );
  }
  if (process.platform === "win32") {
    return ["PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"].flatMap((variable) =>
      ["Google\\Chrome", "Chromium"].map((name) => `${process.env[variable]}\\${name}\\Application\\chrome.exe`),
    );
  }
  return [];
}

async function playwrightsBrowser() {
  try {
    const { chromium } = await import("playwright-core");
    const path = chromium.executablePath();
    return existsSync(path) ? path : null;
  } catch {
    return null;
  }
}

function run(command, args) {
  return spawnSync(command, args, { stdio: "inherit" }).status === 0;
}
