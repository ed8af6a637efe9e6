import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Builds the page of the suite, and resolves with its folder.
 * @param kind - as an application would be built, or so that its address can take walls away.
 */
export function buildPage(kind: "production" | "walls"): Promise<string> {
  return buildConfigured("test/escape/page/vite.config.ts", kind, `vitrine-escape${kind === "walls" ? "-walls" : ""}`);
}

/** Builds a page by its configuration, and resolves with its folder, which is in the cache. */
export async function buildConfigured(config: string, mode: string, folder: string): Promise<string> {
  const args = [`${root}node_modules/vite/bin/vite.js`, "build", "--config", config, "--mode", mode];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", resolve);
  });
  if (code !== 0) throw new Error(`The page could not be built; vite ended with code ${String(code)}.`);
  return `${root}node_modules/.cache/${folder}`;
}
