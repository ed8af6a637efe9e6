import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** Builds the suite's page. Answers with its folder. */
export async function buildSuite(): Promise<string> {
  // A process of its own: what loads this module lets go of its loader, which plugins still need.
  const args = [`${root}node_modules/vite/bin/vite.js`, "build", "--config", "test/engines/suite/vite.config.ts"];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", resolve);
  });
  if (code !== 0) throw new Error(`The suite could not be built; vite ended with code ${String(code)}.`);
  return `${root}node_modules/.cache/vitrine-engines`;
}
