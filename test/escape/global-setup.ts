import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    /** The folder with the page of the escape suite. */
    escapePage: string;
  }
}

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Builds the page of the suite, once for all engines. */
export default async function buildPage(project: TestProject): Promise<void> {
  const args = [`${root}node_modules/vite/bin/vite.js`, "build", "--config", "test/escape/page/vite.config.ts"];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", resolve);
  });
  if (code !== 0) throw new Error(`The page could not be built; vite ended with code ${String(code)}.`);
  project.provide("escapePage", `${root}node_modules/.cache/vitrine-escape`);
}
