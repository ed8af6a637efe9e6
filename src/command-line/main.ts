#!/usr/bin/env node
// The program `vitrine`. `npm run build:library` makes one file of it, dist/command-line/vitrine.js.

import release from "virtual:pyodide-release";

import { runCommandLine } from "./run-command-line.js";

// A reader that has seen enough closes its end: `vitrine packages list | head`.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

process.exitCode = await runCommandLine(process.argv.slice(2), {
  cwd: process.cwd(),
  out: process.stdout,
  err: process.stderr,
  own: { lockfile: new URL("../pyodide/pyodide-lock.json", import.meta.url).href, files: release.packageFilesURL },
});
