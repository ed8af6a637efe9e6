// Which Chromium the tests drive. Used before `npm ci` as well, so nothing is imported from node_modules at the top.

import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** What a machine without a display or a GPU needs, and what keeps the browser from calling home. */
export const chromiumFlags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * The path of a Chromium: `VITRINE_CHROMIUM`, else an installed browser, else the one that Playwright downloaded.
 * Null where there is none.
 */
export async function findChromium() {
  const chosen = process.env.VITRINE_CHROMIUM;
  if (chosen) {
    if (!existsSync(chosen)) throw new Error(`VITRINE_CHROMIUM says ${chosen}, but there is no such file.`);
    return chosen;
  }
  return installedBrowser() ?? (await playwrightsBrowser());
}

/** As {@link findChromium}, but installs one where there is none. `say` tells what is going on. */
export async function ensureChromium(say = console.log) {
  const found = await findChromium();
  if (found !== null) return found;
  if (process.platform === "linux" && process.getuid?.() === 0 && onPath(["apt-get"]) !== null) {
    say("No Chromium here: installing the system's package.");
    run("apt-get", ["update", "-qq"]);
    run("apt-get", ["install", "-y", "-qq", "chromium"]);
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
