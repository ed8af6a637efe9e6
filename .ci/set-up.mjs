// What a fresh clone needs before anything else runs. Node's own modules only.

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const root = join(import.meta.dirname, "..");

/** Runs `npm ci` where node_modules is missing or is not what package-lock.json says. Ends the process if that fails. */
export function ensureDependencies() {
  checkNode();
  const why = whyInstall();
  if (why === null) return;
  console.log(`${why} Running npm ci; this takes a minute and happens once.`);
  const npm = spawnSync("npm", ["ci", "--no-audit", "--no-fund"], {
    cwd: root,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  if (npm.status === 0) return;
  console.error("npm ci failed; see above.");
  process.exit(1);
}

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if ((major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22) return;
  console.error(`Node ${process.versions.node} is too old: 20.19 (or 22.12) and later will do.`);
  process.exit(1);
}

function whyInstall() {
  const installed = join(root, "node_modules", ".package-lock.json");
  if (!existsSync(installed)) return "The packages are not installed yet.";
  const present = packagesOf(installed);
  for (const [path, { version, optional }] of Object.entries(packagesOf(join(root, "package-lock.json")))) {
    if (path === "" || optional || present[path]?.version === version) continue;
    return `${path.replace(/^.*node_modules\//, "")} ${version} is not installed.`;
  }
  return null;
}

function packagesOf(lockfile) {
  return JSON.parse(readFileSync(lockfile, "utf8")).packages;
}
