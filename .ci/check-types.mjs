#!/usr/bin/env node
// `npm run types`: page, worker and scripts are projects of their own, since each knows other globals.

import { runNode } from "./run-node.mjs";
import { bin } from "./suites.mjs";

for (const project of [".", "worker", ".ci"]) {
  const { code, output } = await runNode([bin("typescript/bin/tsc"), "-p", project]);
  if (code === 0) continue;
  console.log(output.trim());
  process.exitCode = 1;
}
